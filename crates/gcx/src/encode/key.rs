//! The keys of maps as names of columns and members: strings, and everything that JSON writes as a
//! string.

use std::fmt::Display;

use serde::ser::{Serialize, Serializer};
use wire_core::__private::{forward_serialize, map_key};

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

impl Key {
    #[expect(clippy::unused_self, reason = "`map_key!` calls a method")]
    fn printed(self, value: impl Display) -> String {
        value.to_string()
    }
}

impl Serializer for Key {
    type Ok = String;
    type Error = Problem;

    fn serialize_str(self, text: &str) -> Result<String, Problem> {
        Ok(text.to_owned())
    }

    fn serialize_f64(self, _: f64) -> Result<String, Problem> {
        no_key("a double")
    }

    forward_serialize! { f32 }

    map_key!(no_key);
}
