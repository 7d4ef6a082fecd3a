//! What is in a value, which is read and not kept.

use std::fmt;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// The kind of a value, and the number of its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Checked {
    Scalar,
    Array {
        items: usize,
        /// Whether each is an object.
        are_objects: bool,
    },
    Object {
        members: usize,
    },
}

impl Checked {
    /// The kind of a value that is kept.
    pub(super) fn of(value: &Value) -> Self {
        match value {
            Value::Object(members) => Checked::Object { members: members.len() },
            Value::Array(items) => Checked::Array {
                items: items.len(),
                are_objects: items.iter().all(Value::is_object),
            },
            _ => Checked::Scalar,
        }
    }

    /// The number of items or members, and their name.
    pub(crate) fn counts(self) -> (usize, &'static str) {
        match self {
            Checked::Scalar => (1, "scalar"),
            Checked::Array { items, .. } => (items, "item"),
            Checked::Object { members } => (members, "member"),
        }
    }

    /// Whether it is an array of objects, or of nothing.
    pub(crate) fn is_rows(self) -> bool {
        matches!(self, Checked::Array { are_objects: true, .. })
    }
}

/// The number of items or members of a value that is read and dropped.
pub(crate) struct Counted {
    pub(crate) count: usize,
    pub(crate) noun: &'static str,
}

impl<'de> Deserialize<'de> for Counted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values)
    }
}

struct Values;

macro_rules! scalars {
    ($($method:ident $($type:ty)?),*) => {$(
        fn $method<E>(self $(, _: $type)?) -> Result<Counted, E> {
            Ok(Counted { count: 1, noun: "scalar" })
        }
    )*};
}

impl<'de> Visitor<'de> for Values {
    type Value = Counted;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    scalars! {
        visit_unit, visit_none, visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Counted, A::Error> {
        let mut count = 0;
        while seq.next_element::<IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Counted { count, noun: "item" })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Counted, A::Error> {
        let mut count = 0;
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {
            count += 1;
        }
        Ok(Counted { count, noun: "member" })
    }
}
