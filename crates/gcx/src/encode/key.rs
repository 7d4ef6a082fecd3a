//! The keys of maps as names of columns and members: strings, and everything that JSON writes as a
//! string.

use std::fmt::{Display, Write as _};

use serde::ser::{Serialize, Serializer};
use wire_core::{forward_serialize, map_key};

use crate::ErrorKind;
use crate::error::Problem;

/// Appends the name that a key is written as.
pub(super) fn push_name<K: Serialize + ?Sized>(name: &mut String, key: &K) -> Result<(), Problem> {
    key.serialize(Key(name))
}

struct Key<'n>(&'n mut String);

#[cold]
fn no_key<T>(found: &str) -> Result<T, Problem> {
    let message = format!(
        "a key is {found}, expected a string, an integer, a truth value or a variant without content"
    );
    Err(Problem::new(ErrorKind::InvalidKey, message))
}

impl Key<'_> {
    fn printed(self, value: impl Display) {
        write!(self.0, "{value}").expect("because a string takes all that is written");
    }
}

impl Serializer for Key<'_> {
    type Ok = ();
    type Error = Problem;

    fn serialize_str(self, text: &str) -> Result<(), Problem> {
        self.0.push_str(text);
        Ok(())
    }

    fn serialize_f64(self, _: f64) -> Result<(), Problem> {
        no_key("a double")
    }

    forward_serialize! { f32 }

    map_key!(no_key);
}
