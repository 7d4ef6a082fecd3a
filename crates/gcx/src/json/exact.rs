//! [`Exact`], which is the JSON value for callers.

use std::fmt;
use std::str::FromStr;

use serde::ser::{Serialize, Serializer};
use serde_json::{Number, Value};

use super::number::{double, is_number, number};
use super::parse::{Decimals, parse};
use super::value::Json;
use crate::Error;

/// A JSON value whose numbers keep their digits: all integers (ruling A6), and decimals read from
/// JSON text (ruling A7), which are doubles in GCX1. A [`Value`] is limited to 64 bits.
///
/// [`str::parse`] reads it from JSON text (a duplicate key is an error), and
/// [`decode_exact`](crate::decode_exact) from GCX1. [`Display`](fmt::Display) writes it as JSON,
/// indented with `{:#}`, and [`encode_response`](crate::encode_response) as GCX1, like anything
/// that serde serializes. `serde_json::to_value` can't represent the digits;
/// [`into_value`](Exact::into_value) reports that. The order of members is kept, but ignored when
/// values are compared.
///
/// ```
/// let value: gcx::json::Exact = r#"{"id": 18446744073709551616}"#.parse()?;
/// let text = gcx::encode_typed("t", &value)?;
/// assert_eq!(text, "GCX1 tool=t fields=id typed=object:integer\n18446744073709551616\n");
/// assert_eq!(gcx::decode_exact(&text)?.to_string(), r#"{"id":18446744073709551616}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exact(pub(crate) Json);

impl Exact {
    /// Whether it is an array of objects, or of nothing.
    pub fn is_rows(&self) -> bool {
        let Json::Array(items) = &self.0 else { return false };
        items.iter().all(|item| item.as_object().is_some())
    }

    /// The value as a [`Value`] of `serde_json`.
    ///
    /// # Errors
    ///
    /// The digits of the first integer that is beyond 64 bits and not the text of a double (ruling
    /// X6), or of the first decimal beyond doubles. Other decimals are the nearest double.
    pub fn into_value(self) -> Result<Value, String> {
        self.into_value_with(|digits| {
            let is_integer = !digits.contains(['.', 'e', 'E']);
            let number = number(&digits).or_else(|| {
                double(&digits)
                    .filter(|_| !is_integer && is_number(&digits))
                    .and_then(Number::from_f64)
            });
            Ok(number.ok_or(digits)?.into())
        })
    }

    /// The value as a [`Value`] of `serde_json`; `beyond` converts the digits of each integer
    /// beyond 64 bits, and of each decimal that is not a double.
    ///
    /// ```
    /// let value: gcx::json::Exact = "[18446744073709551616]".parse()?;
    /// let texts = value.into_value_with(|digits| Ok::<_, ()>(digits.into()));
    /// assert_eq!(texts, Ok(serde_json::json!(["18446744073709551616"])));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// The errors of `beyond`.
    pub fn into_value_with<E>(
        self,
        mut beyond: impl FnMut(String) -> Result<Value, E>,
    ) -> Result<Value, E> {
        self.0.into_value_with(&mut beyond)
    }
}

impl From<Value> for Exact {
    fn from(value: Value) -> Self {
        Exact(value.into())
    }
}

impl FromStr for Exact {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text, Decimals::Kept).map(Exact).map_err(|error| Error::of_json(text, &error))
    }
}

impl Serialize for Exact {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl fmt::Display for Exact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = if f.alternate() {
            serde_json::to_string_pretty(&self.0)
        } else {
            serde_json::to_string(&self.0)
        };
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}
