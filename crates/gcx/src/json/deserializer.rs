//! Deserializes JSON values into a requested type.

use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_json::Number;
use wire_core::forward_deserialize;
use wire_core::text::shown;

use super::exact::Exact;
use super::number;
use super::terms::RAW_VALUE;
use super::value::Json;
use crate::ErrorKind;
use crate::error::Problem;

#[cold]
fn out_of_range(digits: &str) -> Problem {
    let message = format!("the integer is {}, expected one of 64 bits", shown(digits));
    Problem::new(ErrorKind::OutOfRange, message)
}

/// Passes a number on as the type that holds it.
fn visit<'de, V: Visitor<'de>>(number: &Number, visitor: V) -> Result<V::Value, Problem> {
    match (number.as_u64(), number.as_i64(), number.as_f64()) {
        (Some(integer), ..) => visitor.visit_u64(integer),
        (_, Some(integer), _) => visitor.visit_i64(integer),
        (.., Some(double)) => visitor.visit_f64(double),
        _ => Err(out_of_range(&number.to_string())),
    }
}

/// The digits of an integer beyond 64 bits are read as the requested type; without a type, as the
/// double whose text they are, if there is one.
impl<'de> Deserializer<'de> for Json {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self {
            Json::Null => visitor.visit_unit(),
            Json::Bool(truth) => visitor.visit_bool(truth),
            Json::Number(number) => visit(&number, visitor),
            Json::Digits(digits) => {
                let number = number::number(&digits).ok_or_else(|| out_of_range(&digits))?;
                visit(&number, visitor)
            }
            Json::String(text) => visitor.visit_string(text),
            Json::Array(items) => {
                let mut items = SeqDeserializer::new(items.into_iter());
                let value = visitor.visit_seq(&mut items)?;
                items.end()?;
                Ok(value)
            }
            Json::Object(members) => {
                let members = members.into_iter().map(|(name, value)| (Key(name), value));
                let mut members = MapDeserializer::new(members);
                let value = visitor.visit_map(&mut members)?;
                members.end()?;
                Ok(value)
            }
        }
    }

    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Json::Digits(digits) = &self else { return self.deserialize_any(visitor) };
        visitor.visit_i128(digits.parse().map_err(|_| out_of_range(digits))?)
    }

    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Json::Digits(digits) = &self else { return self.deserialize_any(visitor) };
        visitor.visit_u128(digits.parse().map_err(|_| out_of_range(digits))?)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Json::Digits(digits) = &self else { return self.deserialize_any(visitor) };
        let number = digits.parse().ok().filter(|number: &f32| number.is_finite());
        visitor.visit_f32(number.ok_or_else(|| out_of_range(digits))?)
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let Json::Digits(digits) = &self else { return self.deserialize_any(visitor) };
        visitor.visit_f64(number::double(digits).ok_or_else(|| out_of_range(digits))?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.is_null() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        if name == RAW_VALUE {
            let text = Exact(self).to_string();
            let member = std::iter::once((RAW_VALUE, text));
            return visitor.visit_map(MapDeserializer::<_, Problem>::new(member));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let (name, content) = match self {
            Json::String(name) => (name, None),
            Json::Object(members) if members.len() == 1 => {
                let (name, content) = members.into_iter().next().expect("because there is one");
                (name, Some(content))
            }
            _ => {
                return Err(Problem::custom(
                    "a variant is missing, expected its name or an object with its name",
                ));
            }
        };
        visitor.visit_enum(Variant { name, content })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 u8 u16 u32 u64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct
        identifier
    }

    forward_deserialize! { ignored_any }
}

impl IntoDeserializer<'_, Problem> for Json {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// The name of a member, as the requested type.
struct Key(String);

macro_rules! parsed_keys {
    ($($method:ident $visit:ident $type:ty),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match self.0.parse::<$type>() {
                Ok(key) => visitor.$visit(key),
                Err(_) => visitor.visit_string(self.0),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Key {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_string(self.0)
    }

    parsed_keys! {
        deserialize_bool visit_bool bool,
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_enum(Variant { name: self.0, content: None })
    }

    forward_deserialize! { option newtype_struct }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl IntoDeserializer<'_, Problem> for Key {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A variant and its content.
struct Variant {
    name: String,
    content: Option<Json>,
}

impl<'de> EnumAccess<'de> for Variant {
    type Error = Problem;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(
        mut self,
        seed: S,
    ) -> Result<(S::Value, Self), Problem> {
        let name = std::mem::take(&mut self.name);
        Ok((seed.deserialize(IntoDeserializer::<Problem>::into_deserializer(name))?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant {
    type Error = Problem;

    fn unit_variant(self) -> Result<(), Problem> {
        self.content.map_or(Ok(()), Deserialize::deserialize)
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Problem> {
        seed.deserialize(self.content.unwrap_or_default())
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Problem> {
        self.content.unwrap_or_default().deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.content.unwrap_or_default().deserialize_any(visitor)
    }
}
