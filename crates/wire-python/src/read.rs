//! What serde deserializes, on the tape.

use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};

use crate::tape::Tape;

impl<'de> Deserialize<'de> for Tape<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut tape = Tape::default();
        Record(&mut tape).deserialize(deserializer)?;
        Ok(tape)
    }
}

/// A tape of an input that is gone by the time it is built.
pub(crate) struct Kept(pub(crate) Tape<'static>);

impl<'de> Deserialize<'de> for Kept {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Tape::deserialize(deserializer).map(|tape| Kept(tape.into_owned()))
    }
}

/// Records the value that is read.
struct Record<'t, 'de>(&'t mut Tape<'de>);

impl<'de> DeserializeSeed<'de> for Record<'_, 'de> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Record<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        self.0.null();
        Ok(())
    }

    fn visit_none<E: Error>(self) -> Result<(), E> {
        self.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.deserialize(deserializer)
    }

    fn visit_bool<E>(self, truth: bool) -> Result<(), E> {
        self.0.bool(truth);
        Ok(())
    }

    fn visit_i64<E>(self, integer: i64) -> Result<(), E> {
        self.0.integer(integer);
        Ok(())
    }

    fn visit_u64<E>(self, integer: u64) -> Result<(), E> {
        self.0.unsigned(integer);
        Ok(())
    }

    fn visit_f64<E>(self, double: f64) -> Result<(), E> {
        self.0.double(double);
        Ok(())
    }

    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.0.text(text);
        Ok(())
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<(), E> {
        self.0.lend(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let mut count = 0;
        while access.next_element_seed(Record(&mut *self.0))?.is_some() {
            count += 1;
        }
        self.0.array(count);
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<(), A::Error> {
        let mut count = 0;
        while access.next_key_seed(RecordKey(&mut *self.0))?.is_some() {
            access.next_value_seed(Record(&mut *self.0))?;
            count += 1;
        }
        self.0.object(count);
        Ok(())
    }
}

/// Records a key.
struct RecordKey<'t, 'de>(&'t mut Tape<'de>);

impl<'de> DeserializeSeed<'de> for RecordKey<'_, 'de> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for RecordKey<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_str<E>(self, key: &str) -> Result<(), E> {
        self.0.record_key(key);
        Ok(())
    }

    fn visit_borrowed_str<E>(self, key: &'de str) -> Result<(), E> {
        self.0.lend_key(key);
        Ok(())
    }
}
