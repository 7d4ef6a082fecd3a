//! Parts that `Deserializer`s of several formats share: keys of maps, and texts that may be borrowed.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::json::Number;

/// A key. It is a string, and a number or a truth value if the type asks for one; of a number JSON's
/// text, so that no two keys are the same number.
#[derive(Debug)]
pub struct Key<'de, E> {
    text: Cow<'de, str>,
    error: PhantomData<E>,
}

impl<'de, E> Key<'de, E> {
    /// The key of this text.
    pub fn new(text: Cow<'de, str>) -> Self {
        Key { text, error: PhantomData }
    }
}

/// Asks for a map where a struct is asked for, since types accept an array of the fields of a struct.
#[derive(Debug)]
pub struct AsMap<D>(pub D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for AsMap<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Passes a text, which the visitor may borrow if it is borrowed here.
///
/// # Errors
///
/// What the visitor returns.
#[inline]
pub fn visit_text<'de, V: Visitor<'de>, E: Error>(
    text: Cow<'de, str>,
    visitor: V,
) -> Result<V::Value, E> {
    match text {
        Cow::Borrowed(plain) => visitor.visit_borrowed_str(plain),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}

fn is_truth_value(key: &str) -> bool {
    matches!(key, "true" | "false")
}

fn is_integer(key: &str) -> bool {
    Number::new(key).is_some_and(|number| !number.literal().contains(['.', 'e', 'E']))
}

fn is_double(key: &str) -> bool {
    Number::new(key).is_some_and(|number| number.as_f64().is_some())
}

macro_rules! parsed {
    ($($is:ident: $($method:ident $visit:ident),*;)*) => {$($(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            match self.text.parse() {
                Ok(value) if $is(&self.text) => visitor.$visit(value),
                _ => self.deserialize_any(visitor),
            }
        }
    )*)*};
}

impl<'de, E: Error> Deserializer<'de> for Key<'de, E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visit_text(self.text, visitor)
    }

    parsed! {
        is_truth_value: deserialize_bool visit_bool;
        is_integer:
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32,
        deserialize_i64 visit_i64, deserialize_i128 visit_i128, deserialize_u8 visit_u8,
        deserialize_u16 visit_u16, deserialize_u32 visit_u32, deserialize_u64 visit_u64,
        deserialize_u128 visit_u128;
        is_double: deserialize_f32 visit_f32, deserialize_f64 visit_f64;
    }

    crate::forward_deserialize! { option newtype_struct byte_buf }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        visitor.visit_enum(self.text.into_deserializer())
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.text {
            Cow::Borrowed(key) => visitor.visit_borrowed_bytes(key.as_bytes()),
            Cow::Owned(key) => visitor.visit_byte_buf(key.into_bytes()),
        }
    }

    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
