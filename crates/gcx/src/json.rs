//! JSON, where a cell or a response holds it.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use wire_core::number::push_shortest;
use wire_core::text::shown;

/// What `serde_json` calls a number in serde's terms where it keeps all digits of numbers (its feature
/// `arbitrary_precision`, which any crate of a build can switch on), and a text that is JSON already.
pub(crate) const NUMBER: &str = "$serde_json::private::Number";
pub(crate) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// How deep arrays and objects may stand in each other: what `serde_json` reads, so that all that is written is read.
pub(crate) const MAX_DEPTH: usize = 127;

/// The JSON value of a text, as `serde_json` reads it, but for objects with a key twice, which are an error here: of their
/// values all but one would be lost.
///
/// ```
/// assert_eq!(gcx::json::from_str(r#"{"a": [1]}"#).unwrap(), serde_json::json!({"a": [1]}));
/// assert!(gcx::json::from_str(r#"{"a": 1, "a": 2}"#).is_err());
/// ```
///
/// # Errors
///
/// What is no JSON, or nested deeper than 127 levels, or has a key twice, with its place.
pub fn from_str(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str(text).map(|Unambiguous(value)| value)
}

/// A value whose objects have each key once.
struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values).map(Unambiguous)
    }
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

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Unambiguous(value)) = seq.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            if key == NUMBER && members.is_empty() {
                let digits: String = map.next_value()?;
                return digits.parse::<Number>().map(Value::Number).map_err(A::Error::custom);
            }
            if members.contains_key(&key) {
                let message = format!("the key {} appears twice, expected once", shown(&key));
                return Err(A::Error::custom(message));
            }
            let Unambiguous(value) = map.next_value()?;
            members.insert(key, value);
        }
        Ok(Value::Object(members))
    }
}

/// The text if it is an integer as it is written: digits, perhaps behind a minus, without a zero before others.
pub(crate) fn digits(text: &str) -> Option<&str> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let leading_zero = digits.len() > 1 && digits.starts_with('0');
    (plain && !leading_zero && text != "-0").then_some(text)
}

/// Whether the text is a number by the grammar of JSON.
pub(crate) fn is_number(text: &str) -> bool {
    // `serde_json` would pass over white space.
    text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && text.ends_with(|c: char| c.is_ascii_digit())
        && serde_json::from_str::<Number>(text).is_ok()
}

/// The double of a text that is a number by the grammar of JSON.
pub(crate) fn double(text: &str) -> Option<f64> {
    let number = is_number(text).then(|| text.parse::<f64>().ok()).flatten();
    number.filter(|number| number.is_finite())
}

/// The integer of a text that is its digits and that 64 bits hold.
pub(crate) fn integer(text: &str) -> Option<Value> {
    let digits = digits(text)?;
    digits.parse::<i64>().map(Value::from).or_else(|_| digits.parse::<u64>().map(Value::from)).ok()
}

/// The number of a text that is one by the grammar of JSON, as it comes back once it is written: `1.0` and `1e0` as 1.
pub(crate) fn any_number(text: &str) -> Option<Value> {
    number(text).or_else(|| {
        let mut written = Vec::new();
        push_shortest(&mut written, double(text)?);
        number(std::str::from_utf8(&written).ok()?)
    })
}

/// The number whose text this is: an integer, or a double, exactly as it is written (ruling X6).
pub(crate) fn number(text: &str) -> Option<Value> {
    if let Some(integer) = integer(text) {
        return Some(integer);
    }
    let number = double(text)?;
    let mut written = Vec::new();
    push_shortest(&mut written, number);
    (written == text.as_bytes()).then(|| number.into())
}
