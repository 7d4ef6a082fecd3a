//! Values that are read only to check them.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value that is checked as strictly as one that is read into a tree, and then discarded.
/// (`IgnoredAny` would accept numbers and escapes that a tree does not, and pass over lines.) For
/// format crates.
#[doc(hidden)]
#[derive(Debug)]
pub struct Discarded;

impl<'de> Deserialize<'de> for Discarded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Discarded)
    }
}

macro_rules! discarded {
    ($($method:ident $($type:ty)?),*) => {$(
        fn $method<E>(self $(, _: $type)?) -> Result<Discarded, E> {
            Ok(Discarded)
        }
    )*};
}

impl<'de> Visitor<'de> for Discarded {
    type Value = Discarded;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    discarded! { visit_unit, visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Discarded, A::Error> {
        while seq.next_element::<Discarded>()?.is_some() {}
        Ok(Discarded)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Discarded, A::Error> {
        while map.next_entry::<Discarded, Discarded>()?.is_some() {}
        Ok(Discarded)
    }
}
