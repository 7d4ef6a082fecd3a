//! JSON values without ambiguity, of any deserializer.

use std::fmt;

use serde::de::value::{Error as Refused, MapDeserializer};
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};
use wire_core::json::VALUES;
use wire_core::text::shown;

/// A value without duplicate keys in its objects, as a type to deserialize.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StrictValue(pub(crate) Value);

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let values = Values { is_foreign: false };
        deserializer.deserialize_newtype_struct(VALUES, values).map(StrictValue)
    }
}

/// A number that `serde_json` passes as an object, in a build in which it keeps all digits (its
/// feature `arbitrary_precision`, which any crate of a build can switch on).
fn marked_number(members: &Map<String, Value>) -> Option<Number> {
    let (key, Value::String(digits)) = members.iter().next().filter(|_| members.len() == 1)? else {
        return None;
    };
    let member = std::iter::once((key.as_str(), digits.as_str()));
    Number::deserialize(MapDeserializer::<_, Refused>::new(member)).ok()
}

#[derive(Clone, Copy)]
struct Values {
    /// `true` if the deserializer is not the reader of wire-core, whose objects are always
    /// objects.
    is_foreign: bool,
}

macro_rules! scalars {
    ($($method:ident $type:ty),*) => {$(
        fn $method<E>(self, value: $type) -> Result<Value, E> {
            Ok(value.into())
        }
    )*};
}

impl<'de> Visitor<'de> for Values {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> Result<Value, D::Error> {
        deserializer.deserialize_any(Values { is_foreign: true })
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

    scalars! { visit_bool bool, visit_i64 i64, visit_u64 u64, visit_str &str, visit_string String }

    /// Doubles read from JSON are always finite; other formats also have infinities and NaN.
    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        let number = Number::from_f64(value);
        number.map(Value::Number).ok_or_else(|| {
            E::custom(format_args!("the number is {value}, expected a finite number"))
        })
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
            if members.contains_key(&key) {
                let message = format!("the key {} appears twice, expected once", shown(&key));
                return Err(A::Error::custom(message));
            }
            let StrictValue(value) = map.next_value()?;
            members.insert(key, value);
        }
        match marked_number(&members).filter(|_| self.is_foreign) {
            Some(number) => Ok(Value::Number(number)),
            None => Ok(Value::Object(members)),
        }
    }
}
