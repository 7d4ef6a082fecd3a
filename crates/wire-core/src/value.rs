//! JSON values and JSON text, without ambiguity.

mod flaw;
mod literals;
mod transcode;
mod write;

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::text::shown;

pub use self::flaw::{Flaw, flaw, is_out_of_range, message, offset};
pub use self::literals::{integer_out_of_range, integers, numbers};
pub use self::transcode::{Items, JsonText};
pub use self::write::{Layout, write_json};

/// The name by which `serde_json` marks a number when it keeps all digits (its feature
/// `arbitrary_precision`, which any crate of a build can switch on).
pub const NUMBER: &str = "$serde_json::private::Number";

/// The JSON value of a text, as `serde_json` reads it, except that an object with a duplicate key
/// is an error: all but one of its values would be lost.
///
/// ```
/// assert_eq!(wire_core::value::from_str(r#"{"a": [1]}"#).unwrap(), serde_json::json!({"a": [1]}));
/// assert!(wire_core::value::from_str(r#"{"a": 1, "a": 2}"#).is_err());
/// ```
///
/// # Errors
///
/// With the position: text that is not JSON, values nested deeper than 127 levels, and duplicate
/// keys.
pub fn from_str(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).map(|StrictValue(value)| value)
}

/// A value without duplicate keys in its objects, as a type to deserialize.
#[derive(Clone, Debug, PartialEq)]
pub struct StrictValue(
    /// The value.
    pub Value,
);

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values).map(StrictValue)
    }
}

/// Whether `serde_json` keeps all digits of numbers in this build. Otherwise an object that looks
/// like such a number is an object.
#[doc(hidden)]
pub fn keeps_digits() -> bool {
    "1e999".parse::<Number>().is_ok()
}

struct Values;

impl<'de> Visitor<'de> for Values {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Values)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    /// Doubles read from JSON are always finite; other formats also have infinities and NaN.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number.map(Value::Number).ok_or_else(|| {
            E::custom(format_args!("the number is {value}, expected a finite number"))
        })
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(StrictValue(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if key == NUMBER && members.is_empty() && keeps_digits() {
                let digits: String = map.next_value()?;
                return digits.parse::<Number>().map(Value::Number).map_err(A::Error::custom);
            }
            if members.contains_key(&key) {
                let message = format!("the key {} appears twice, expected once", shown(&key));
                return Err(A::Error::custom(message));
            }
            let StrictValue(value) = map.next_value()?;
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }
}
