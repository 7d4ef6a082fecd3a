//! The keys of objects, for maps whose keys are not strings, as `serde_json` does it.

use std::borrow::Cow;

use serde::de::{Deserializer, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;
use wire_core::forward_deserialize;

use crate::Error;
use crate::generic::scalar::is_number;

/// A key. It is a string, and a number or a truth value if the type asks for one.
pub(super) struct Key<'de>(pub(super) Cow<'de, str>);

macro_rules! parsed {
    ($is:path: $($method:ident $visit:ident),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            match self.0.parse() {
                Ok(value) if $is(&self.0) => visitor.$visit(value),
                _ => self.deserialize_any(visitor),
            }
        }
    )*};
}

/// Whether a key is the text of an integer in JSON, so that no two keys are the same one.
fn is_integer(key: &str) -> bool {
    is_number(key.as_bytes()) && !key.contains(['.', 'e', 'E'])
}

/// Whether a key is the text of a finite number in JSON.
fn is_double(key: &str) -> bool {
    is_number(key.as_bytes()) && key.parse().is_ok_and(|double: f64| double.is_finite())
}

fn is_truth_value(key: &str) -> bool {
    matches!(key, "true" | "false")
}

impl<'de> Deserializer<'de> for Key<'de> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Cow::Borrowed(key) => visitor.visit_borrowed_str(key),
            Cow::Owned(key) => visitor.visit_string(key),
        }
    }

    parsed! {
        is_truth_value: deserialize_bool visit_bool
    }

    parsed! {
        is_integer:
        deserialize_i8 visit_i8, deserialize_i16 visit_i16, deserialize_i32 visit_i32, deserialize_i64 visit_i64,
        deserialize_i128 visit_i128,
        deserialize_u8 visit_u8, deserialize_u16 visit_u16, deserialize_u32 visit_u32, deserialize_u64 visit_u64,
        deserialize_u128 visit_u128
    }

    parsed! {
        is_double: deserialize_f32 visit_f32, deserialize_f64 visit_f64
    }

    forward_deserialize! { option newtype_struct byte_buf }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.0.into_deserializer())
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Cow::Borrowed(key) => visitor.visit_borrowed_bytes(key.as_bytes()),
            Cow::Owned(key) => visitor.visit_byte_buf(key.into_bytes()),
        }
    }

    forward_to_deserialize_any! {
        char str string unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
