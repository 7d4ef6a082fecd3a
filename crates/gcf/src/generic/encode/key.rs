//! The keys of maps: strings, and what `serde_json` writes as one.

use serde::ser::{Serialize, Serializer};
use wire_core::{forward_serialize, refuse_content};

use crate::{Error, ErrorKind};

/// The result of `take` for the text of a key.
pub(super) fn with<K: Serialize + ?Sized, R>(
    key: &K,
    take: impl FnOnce(&str) -> R,
) -> Result<R, Error> {
    key.serialize(Key(take))
}

/// The text of a key.
pub(super) fn name<K: Serialize + ?Sized>(key: &K) -> Result<String, Error> {
    with(key, str::to_owned)
}

/// Hands the text of a key on.
struct Key<F>(F);

#[cold]
fn no_key<T>(found: &str) -> Result<T, Error> {
    let message = format!(
        "a key is {found}, expected a string, a number, a truth value or a variant without content"
    );
    Err(Error::encode(ErrorKind::InvalidValue, message))
}

macro_rules! printed {
    ($($method:ident $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<R, Error> {
            Ok((self.0)(&value.to_string()))
        }
    )*};
}

impl<R, F: FnOnce(&str) -> R> Serializer for Key<F> {
    type Ok = R;
    type Error = Error;

    printed! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128
    }

    fn serialize_str(self, text: &str) -> Result<R, Error> {
        Ok((self.0)(text))
    }

    /// With its point or exponent, as `serde_json` writes such keys.
    fn serialize_f32(self, value: f32) -> Result<R, Error> {
        if value.is_finite() {
            Ok((self.0)(zmij::Buffer::new().format_finite(value)))
        } else {
            no_key(&value.to_string())
        }
    }

    fn serialize_f64(self, value: f64) -> Result<R, Error> {
        if value.is_finite() {
            Ok((self.0)(zmij::Buffer::new().format_finite(value)))
        } else {
            no_key(&value.to_string())
        }
    }

    fn serialize_bytes(self, _: &[u8]) -> Result<R, Error> {
        no_key("bytes")
    }

    fn serialize_unit(self) -> Result<R, Error> {
        no_key("nothing")
    }

    forward_serialize! { char none some unit_struct unit_variant newtype_struct }

    refuse_content!(no_key);
}
