//! The keys of an object, as keys of a map of any type.

use std::borrow::Cow;
use std::marker::PhantomData;

use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::number::Number;
use crate::de::visit_text;

/// The key of an object as a `Deserializer`: a string. If the type asks for a number or a truth
/// value, a key that is one in JSON is read as one; `01`, `+1` and `-0` are not. So two keys are
/// never the same integer. As doubles, keys such as `1.0` and `1e0` may be the same.
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

fn is_truth_value(key: &str) -> bool {
    matches!(key, "true" | "false")
}

fn is_integer(key: &str) -> bool {
    Number::new(key).is_some_and(Number::is_integer)
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
