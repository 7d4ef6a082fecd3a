//! Parts that `Deserializer`s of several formats share.

use std::borrow::Cow;

use serde::de::{Deserializer, Error, Visitor};
use serde::forward_to_deserialize_any;

/// Reads a map, whatever the type asks for. A derived `Deserialize` of a struct also accepts an
/// array of its fields; read through this, it accepts only a map.
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
pub(crate) fn visit_text<'de, V: Visitor<'de>, E: Error>(
    text: Cow<'de, str>,
    visitor: V,
) -> Result<V::Value, E> {
    match text {
        Cow::Borrowed(plain) => visitor.visit_borrowed_str(plain),
        Cow::Owned(text) => visitor.visit_string(text),
    }
}
