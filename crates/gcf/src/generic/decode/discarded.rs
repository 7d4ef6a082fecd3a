//! Values that are read for what they are made of.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value that is read and not kept. (`IgnoredAny` would pass over lines.)
pub(super) struct Discarded;

impl<'de> Deserialize<'de> for Discarded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Discarded)
    }
}

impl<'de> Visitor<'de> for Discarded {
    type Value = Discarded;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Discarded, E> {
        Ok(Discarded)
    }

    fn visit_bool<E>(self, _: bool) -> Result<Discarded, E> {
        Ok(Discarded)
    }

    fn visit_i64<E>(self, _: i64) -> Result<Discarded, E> {
        Ok(Discarded)
    }

    fn visit_u64<E>(self, _: u64) -> Result<Discarded, E> {
        Ok(Discarded)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Discarded, E> {
        Ok(Discarded)
    }

    fn visit_str<E>(self, _: &str) -> Result<Discarded, E> {
        Ok(Discarded)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Discarded, A::Error> {
        while seq.next_element::<Discarded>()?.is_some() {}
        Ok(Discarded)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Discarded, A::Error> {
        while map.next_entry::<Discarded, Discarded>()?.is_some() {}
        Ok(Discarded)
    }
}
