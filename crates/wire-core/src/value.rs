//! JSON values without ambiguity, of any deserializer.

use std::cell::Cell;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use crate::text::shown;

/// The name by which `serde_json` marks a number when it keeps all digits (its feature
/// `arbitrary_precision`, which any crate of a build can switch on).
const NUMBER: &str = "$serde_json::private::Number";

/// A value without duplicate keys in its objects, as a type to deserialize.
#[derive(Clone, Debug, PartialEq)]
pub struct StrictValue(
    /// The value.
    pub Value,
);

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values { is_owned: None }).map(StrictValue)
    }
}

/// Whether `serde_json` keeps all digits of numbers in this build. Otherwise an object that looks
/// like such a number is an object.
fn keeps_digits() -> bool {
    "1e999".parse::<Number>().is_ok()
}

/// A key of an object, and whether it may be the one by which `serde_json` marks a number.
///
/// `serde_json` passes a number as a map whose key is borrowed and whose value is an owned string.
/// An object is never passed in this way: its key and its value are both owned strings, or neither
/// is.
struct Key {
    text: String,
    /// Whether it is [`NUMBER`], and borrowed, in a build that keeps all digits.
    may_mark_number: bool,
}

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Keys;

        impl<'de> Visitor<'de> for Keys {
            type Value = Key;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a key")
            }

            fn visit_str<E: Error>(self, key: &str) -> Result<Key, E> {
                self.visit_string(key.to_owned())
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Key, E> {
                Ok(Key { text, may_mark_number: false })
            }

            fn visit_borrowed_str<E: Error>(self, key: &'de str) -> Result<Key, E> {
                let may_mark_number = key == NUMBER && keeps_digits();
                Ok(Key { text: key.to_owned(), may_mark_number })
            }
        }

        deserializer.deserialize_string(Keys)
    }
}

#[derive(Clone, Copy)]
struct Values<'f> {
    /// Is set if the value is an owned string: see [`Key`].
    is_owned: Option<&'f Cell<bool>>,
}

impl<'de> DeserializeSeed<'de> for Values<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_> {
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
        deserializer.deserialize_any(self)
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
        if let Some(is_owned) = self.is_owned {
            is_owned.set(true);
        }
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
        while let Some(Key { text: key, may_mark_number }) = map.next_key()? {
            if may_mark_number && members.is_empty() {
                let is_owned = Cell::new(false);
                let value = map.next_value_seed(Values { is_owned: Some(&is_owned) })?;
                if let Value::String(digits) = &value
                    && is_owned.get()
                    && let Ok(number) = digits.parse()
                {
                    return Ok(Value::Number(number));
                }
                members.insert(key, value);
                continue;
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
