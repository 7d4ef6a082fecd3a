//! JSON values of texts.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::fmt;
use std::str::FromStr;

use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::Number;
use wire_core::text::shown;
use wire_core::value::{Key, numbers};

use super::number::{digits, double, integer};
use super::value::{Json, Object};

/// Parses JSON. An object with a duplicate key is an error, since all but one of its values would
/// be lost.
impl FromStr for Json {
    type Err = serde_json::Error;

    fn from_str(text: &str) -> serde_json::Result<Self> {
        let literals = RefCell::new(numbers(text).map(|(_, literal)| literal));
        let next = || literals.borrow_mut().next();
        let readable = readable(text);
        let mut deserializer = serde_json::Deserializer::from_str(&readable);
        let value = Values { next: &next, is_owned: None }.deserialize(&mut deserializer)?;
        deserializer.end()?;
        Ok(value)
    }
}

/// The text in a form that `serde_json` reads: it rejects integers beyond the range of doubles.
/// Each is replaced by a number that it accepts, padded with spaces so that errors keep their
/// positions.
pub(crate) fn readable(text: &str) -> Cow<'_, str> {
    // The largest double has more.
    const LONGEST: usize = 300;
    let mut readable = String::new();
    let mut end = 0;
    for (at, literal) in numbers(text).filter(|(_, literal)| literal.len() > LONGEST) {
        if digits(literal).is_some() {
            readable.push_str(&text[end..at]);
            end = at + literal.len();
            readable.push_str("1e0");
            readable.extend(std::iter::repeat_n(' ', literal.len() - 3));
        }
    }
    if end == 0 {
        return text.into();
    }
    readable.push_str(&text[end..]);
    readable.into()
}

/// Reads a value, whose numbers are the next literals of the text.
struct Values<'l, 't> {
    next: &'l dyn Fn() -> Option<&'t str>,
    /// Is set if the value is an owned string: see [`Key`].
    is_owned: Option<&'l Cell<bool>>,
}

impl Values<'_, '_> {
    fn another(&self) -> Self {
        Values { next: self.next, is_owned: None }
    }

    fn number(&self, number: Number) -> Json {
        match (self.next)() {
            Some(literal) if number.is_f64() && digits(literal).is_some() => {
                Json::Digits(literal.to_owned())
            }
            _ => Json::Number(number),
        }
    }
}

impl<'de> DeserializeSeed<'de> for Values<'_, '_> {
    type Value = Json;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Json, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Values<'_, '_> {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
        Ok(Json::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
        Ok(self.number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
        Ok(self.number(value.into()))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Json, E> {
        let number = Number::from_f64(value);
        number.map(|number| self.number(number)).ok_or_else(|| {
            E::custom(format_args!("the number is {value}, expected a finite number"))
        })
    }

    fn visit_str<E>(self, value: &str) -> Result<Json, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Json, E> {
        if let Some(is_owned) = self.is_owned {
            is_owned.set(true);
        }
        Ok(Json::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = seq.next_element_seed(self.another())? {
            values.push(value);
        }
        Ok(Json::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut members = Object::default();
        while let Some(Key { text: key, may_mark_number }) = map.next_key()? {
            if may_mark_number && members.is_empty() {
                let is_owned = Cell::new(false);
                let value = Values { is_owned: Some(&is_owned), ..self.another() };
                match map.next_value_seed(value)? {
                    // The literal, by a build in which `serde_json` keeps all digits.
                    Json::String(read) if is_owned.get() => {
                        // The number that was read may replace a longer one.
                        let literal = (self.next)().map_or(read, str::to_owned);
                        return of_literal(literal).map_err(A::Error::custom);
                    }
                    value => drop(members.insert(key, value)),
                }
                continue;
            }
            if members.contains_key(&key) {
                let message = format!("the key {} appears twice, expected once", shown(&key));
                return Err(A::Error::custom(message));
            }
            let value = map.next_value_seed(self.another())?;
            members.insert(key, value);
        }
        Ok(Json::Object(members))
    }
}

/// The number of a literal: an integer by its digits, else a double in any notation.
fn of_literal(literal: String) -> Result<Json, String> {
    if digits(&literal).is_some() {
        return Ok(integer(&literal).map_or(Json::Digits(literal), Json::Number));
    }
    double(&literal)
        .and_then(Number::from_f64)
        .map(Json::Number)
        .ok_or_else(|| format!("the number is {}, expected a finite number", shown(&literal)))
}
