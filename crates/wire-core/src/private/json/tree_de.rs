//! Any type of serde from a tree.

use serde::de::value::{MapAccessDeserializer, MapDeserializer, SeqDeserializer};
use serde::de::{Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::de::{Key, string_to};
use super::error::{Error, Kind};
use super::number::Number;
use super::tree::Json;
use crate::__private::number::Digits;
use crate::__private::text::shown;

#[cold]
fn out_of_range<T>(literal: &str, expected: &str) -> Result<T, Error> {
    let message = format!("the number is {}, expected {expected}", shown(literal));
    Err(Error::new(Kind::OutOfRange, 0, message))
}

/// Numbers that have other types than those of `deserialize_any`. A single is not rounded twice.
macro_rules! numbers {
    ($($method:ident $visit:ident, $is_in_range:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            if let Json::Number(literal) = &self
                && let Some(number) = literal.parse().ok().filter($is_in_range)
            {
                return visitor.$visit(number);
            }
            self.deserialize_any(visitor)
        }
    )*};
}

/// Integers beyond 64 bits are read as the requested type; without a type, as the double that is
/// written in these digits, if there is one (ruling A6). Errors have no offset.
impl<'de> Deserializer<'de> for Json<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self {
            Json::Null => visitor.visit_unit(),
            Json::Bool(truth) => visitor.visit_bool(truth),
            Json::Number(literal) => {
                let number = Number::new(&literal).expect("because it was read");
                let is_whole = |double| Digits::new().shortest(double) == &*literal;
                match (number.as_u64(), number.as_i64(), number.as_f64()) {
                    (Some(integer), ..) => visitor.visit_u64(integer),
                    (_, Some(integer), _) => visitor.visit_i64(integer),
                    (.., Some(double)) if !number.is_integer() || is_whole(double) => {
                        visitor.visit_f64(double)
                    }
                    _ if number.is_integer() => out_of_range(&literal, "an integer of 64 bits"),
                    _ => out_of_range(&literal, "a number in the range of doubles"),
                }
            }
            Json::String(text) => string_to(text, visitor),
            Json::Array(items) => {
                let mut items = SeqDeserializer::new(items.into_iter());
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Json::Object(members) => {
                let members = members.into_iter().map(|(key, value)| (Key(key), value));
                let mut members = MapDeserializer::new(members);
                let value = visitor.visit_map(&mut members)?;
                members.end()?;
                Ok(value)
            }
        }
    }

    numbers! {
        deserialize_i128 visit_i128, |_| true;
        deserialize_u128 visit_u128, |_| true;
        deserialize_f32 visit_f32, |single: &f32| single.is_finite();
        deserialize_f64 visit_f64, |double: &f64| double.is_finite();
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if let Json::Null = self { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        match self {
            Json::String(name) => visitor.visit_enum(name.into_deserializer()),
            Json::Object(members) if members.len() == 1 => {
                let members = members.into_iter().map(|(key, value)| (Key(key), value));
                visitor.visit_enum(MapAccessDeserializer::new(MapDeserializer::new(members)))
            }
            _ => Err(Error::custom("expected the name of a variant, or an object with it")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

impl<'de> IntoDeserializer<'de, Error> for Json<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> IntoDeserializer<'de, Error> for Key<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
