//! The keys of maps as names of columns and members: strings, and everything that JSON writes as a
//! string.

use serde::ser::{Serialize, Serializer};
use wire_core::{forward_serialize, refuse_content};

use crate::ErrorKind;
use crate::error::Problem;

/// The name that a key is written as.
pub(super) fn name<K: Serialize + ?Sized>(key: &K) -> Result<String, Problem> {
    key.serialize(Key)
}

struct Key;

#[cold]
fn no_key<T>(found: &str) -> Result<T, Problem> {
    let message = format!(
        "a key is {found}, expected a string, an integer, a truth value or a variant without content"
    );
    Err(Problem::new(ErrorKind::InvalidKey, message))
}

macro_rules! printed {
    ($($method:ident $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<String, Problem> {
            Ok(value.to_string())
        }
    )*};
}

impl Serializer for Key {
    type Ok = String;
    type Error = Problem;

    printed! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128, serialize_char char, serialize_str &str
    }

    fn serialize_f64(self, _: f64) -> Result<String, Problem> {
        no_key("a double")
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<String, Problem> {
        no_key("bytes")
    }

    fn serialize_unit(self) -> Result<String, Problem> {
        no_key("nothing")
    }

    refuse_content!(no_key);

    forward_serialize! { f32 none some unit_struct unit_variant newtype_struct }
}
