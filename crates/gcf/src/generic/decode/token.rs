//! Scalars for serde.

use std::borrow::Cow;

use serde::de::value::MapDeserializer;
use serde::de::{Deserialize, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use wire_core::forward_deserialize;

use crate::Error;
use crate::generic::scalar::{Scalar, read_scalar};

/// The requested type, if serde can read the same text as several types.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Any,
    Bytes,
    Enum,
    /// The literals of decimals, as bytes.
    Literals,
}

/// Hands a scalar on.
#[inline]
pub(super) fn visit<'de, V: Visitor<'de>>(
    scalar: Scalar<'de>,
    visitor: V,
    how: How,
) -> Result<V::Value, Error> {
    match (scalar, how) {
        (Scalar::Text(text), How::Enum) => visitor.visit_enum(text.into_deserializer()),
        (_, How::Enum) => {
            Err(Error::custom("a value is neither a string nor an object, expected a variant"))
        }
        (Scalar::Text(Cow::Borrowed(text)), How::Bytes) => {
            visitor.visit_borrowed_bytes(text.as_bytes())
        }
        (Scalar::Text(Cow::Owned(text)), How::Bytes) => visitor.visit_byte_buf(text.into_bytes()),
        (Scalar::Text(Cow::Borrowed(text)), _) => visitor.visit_borrowed_str(text),
        (Scalar::Text(Cow::Owned(text)), _) => visitor.visit_string(text),
        (Scalar::Null, _) => visitor.visit_unit(),
        (Scalar::Bool(value), _) => visitor.visit_bool(value),
        (Scalar::Integer(integer), _) => match u64::try_from(integer) {
            Ok(unsigned) => visitor.visit_u64(unsigned),
            Err(_) => visitor.visit_i64(integer),
        },
        (Scalar::Double(double), _) => visitor.visit_f64(double),
    }
}

/// A scalar by itself.
struct Token<'de>(&'de str);

impl<'de> Deserializer<'de> for Token<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visit(self.scalar()?, visitor, How::Any)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.0 == "-" { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    forward_deserialize! { newtype_struct }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visit(self.scalar()?, visitor, How::Enum)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

impl<'de> Token<'de> {
    fn scalar(&self) -> Result<Scalar<'de>, Error> {
        read_scalar(self.0).map_err(|problem| Error::encode(problem.kind, problem.message))
    }
}

impl<'de> IntoDeserializer<'de, Error> for Token<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A row of tokens, as a value of a type.
pub(in crate::generic) fn token_row<'de, T: Deserialize<'de>>(
    fields: &'de [String],
    tokens: &'de [Box<str>],
) -> Result<T, Error> {
    let members = fields.iter().zip(tokens).map(|(field, token)| (field.as_str(), Token(token)));
    T::deserialize(MapDeserializer::new(members))
}
