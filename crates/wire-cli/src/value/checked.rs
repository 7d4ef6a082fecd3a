//! Values that are read, counted and dropped. Their errors are those of values that are kept.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{Deserialize, DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use wire_core::text::shown;

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

impl<'de> Deserialize<'de> for Checked {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Values)
    }
}

struct Values;

macro_rules! scalars {
    ($($method:ident $($type:ty)?),*) => {$(
        fn $method<E>(self $(, _: $type)?) -> Result<Checked, E> {
            Ok(Checked::Scalar)
        }
    )*};
}

impl<'de> Visitor<'de> for Values {
    type Value = Checked;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    scalars! {
        visit_unit, visit_none, visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64, visit_str &str
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Checked, A::Error> {
        let (mut items, mut are_objects) = (0, true);
        while let Some(item) = seq.next_element::<Checked>()? {
            items += 1;
            are_objects &= matches!(item, Checked::Object { .. });
        }
        Ok(Checked::Array { items, are_objects })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Checked, A::Error> {
        let mut keys = Keys::default();
        while let Some(Key(key)) = map.next_key_seed(Key(Cow::Borrowed("")))? {
            if keys.contain(&key) {
                let message = format!("the key {} appears twice, expected once", shown(&key));
                return Err(A::Error::custom(message));
            }
            keys.add(key);
            map.next_value::<Checked>()?;
        }
        Ok(Checked::Object { members: keys.list.len() + keys.more.len() })
    }
}

/// The keys of an object: few in a list, and all others in a set.
#[derive(Default)]
struct Keys<'de> {
    list: Vec<Cow<'de, str>>,
    more: HashSet<Cow<'de, str>>,
}

impl<'de> Keys<'de> {
    /// Comparing with as many is faster than hashing.
    const FEW: usize = 16;

    fn contain(&self, key: &str) -> bool {
        self.list.iter().any(|known| known == key)
            || (!self.more.is_empty() && self.more.contains(key))
    }

    fn add(&mut self, key: Cow<'de, str>) {
        if self.list.len() < Self::FEW {
            self.list.push(key);
        } else {
            self.more.insert(key);
        }
    }
}

/// A key, borrowed where it has no escapes.
pub(super) struct Key<'de>(pub(super) Cow<'de, str>);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Key<'de>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Key<'de>, D::Error> {
        struct Text;
        impl<'de> Visitor<'de> for Text {
            type Value = Key<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Text)
    }
}

#[cfg(test)]
mod tests {
    use wire_core::value::StrictValue;

    use super::*;

    #[test]
    fn what_is_checked_is_what_would_be_kept() {
        let many: Vec<String> = (0..40).map(|key| format!("\"{key}\": {key}")).collect();
        let many = many.join(", ");
        for (text, counts, is_rows) in [
            ("[1, {}, []]".to_owned(), (3, "item"), false),
            ("[{\"a\": 1}, {\"a\": [2]}]".to_owned(), (2, "item"), true),
            ("[]".to_owned(), (0, "item"), true),
            ("7.5".to_owned(), (1, "scalar"), false),
            ("null".to_owned(), (1, "scalar"), false),
            (format!("{{{many}, \"\\u0061\": 1}}"), (41, "member"), false),
        ] {
            let checked: Checked = serde_json::from_str(&text).unwrap();
            assert_eq!((checked.counts(), checked.is_rows()), (counts, is_rows), "{text}");
        }
        for text in [
            "{\"a\": 1, \"b\": {\"c\": 1, \"\\u0063\": 2}}".to_owned(),
            format!("{{{many}, \"39\": 1}}"),
            format!("{{{many}, \"3\": 1}}"),
            "[1, 2".to_owned(),
            "{\"a\": 1e400}".to_owned(),
            "[\"\\ud800\"]".to_owned(),
            format!("{}{}", "[".repeat(130), "]".repeat(130)),
        ] {
            let checked = serde_json::from_str::<Checked>(&text).unwrap_err();
            let kept = serde_json::from_str::<StrictValue>(&text).unwrap_err();
            assert_eq!(checked.to_string(), kept.to_string(), "{text}");
        }
    }
}
