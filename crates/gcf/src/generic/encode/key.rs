//! The keys of maps: strings, and what `serde_json` writes as one.

use std::fmt::Display;

use serde::ser::{Serialize, Serializer};
use wire_core::map_key;

use crate::{Error, ErrorKind};

/// The result of `take` for the text of a key.
pub(super) fn with<K: Serialize + ?Sized, R>(
    key: &K,
    take: impl FnOnce(&str) -> R,
) -> Result<R, Error> {
    key.serialize(Key(take))
}

pub(super) fn name<K: Serialize + ?Sized>(key: &K) -> Result<String, Error> {
    with(key, str::to_owned)
}

struct Key<F>(F);

#[cold]
fn no_key<T>(found: &str) -> Result<T, Error> {
    let message = format!(
        "a key is {found}, expected a string, a number, a truth value or a variant without content"
    );
    Err(Error::encode(ErrorKind::InvalidValue, message))
}

impl<R, F: FnOnce(&str) -> R> Key<F> {
    fn printed(self, value: impl Display) -> R {
        (self.0)(&value.to_string())
    }
}

impl<R, F: FnOnce(&str) -> R> Serializer for Key<F> {
    type Ok = R;
    type Error = Error;

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

    map_key!(no_key);
}
