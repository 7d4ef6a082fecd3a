//! Whether rows have the same members.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::checked::Key;

/// Whether all objects of an array have the same members, in any order. The text is the JSON of an
/// array of objects. Reading ends at the first object with other members.
pub(crate) fn are_alike(json: &str) -> bool {
    let mut first = First::default();
    let mut deserializer = serde_json::Deserializer::from_str(json);
    deserializer.deserialize_seq(Rows(&mut first)).is_ok()
}

/// The members of the first object.
#[derive(Default)]
struct First<'de> {
    in_order: Vec<Cow<'de, str>>,
    sorted: HashSet<Cow<'de, str>>,
    is_known: bool,
}

impl First<'_> {
    /// Whether this is one of them; most objects have them in the same order.
    fn has(&self, place: usize, key: &str) -> bool {
        self.in_order.get(place).is_some_and(|known| known == key) || self.sorted.contains(key)
    }
}

struct Rows<'a, 'de>(&'a mut First<'de>);

impl<'de> Visitor<'de> for Rows<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<(), A::Error> {
        while rows.next_element_seed(Row(self.0))?.is_some() {
            self.0.is_known = true;
        }
        Ok(())
    }
}

struct Row<'a, 'de>(&'a mut First<'de>);

impl<'de> DeserializeSeed<'de> for Row<'_, 'de> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_, 'de> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let first = self.0;
        let mut count = 0;
        while let Some(Key(key)) = members.next_key_seed(Key(Cow::Borrowed("")))? {
            if !first.is_known {
                first.sorted.insert(key.clone());
                first.in_order.push(key);
            } else if !first.has(count, &key) {
                return Err(A::Error::custom("it has another member"));
            }
            members.next_value::<IgnoredAny>()?;
            count += 1;
        }
        if count == first.in_order.len() {
            Ok(())
        } else {
            Err(A::Error::custom("it lacks a member"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_with_the_same_members_are_alike() {
        for (json, expected) in [
            ("[]", true),
            ("[{}]", true),
            ("[{},{}]", true),
            (r#"[{"a":1,"b":[{}]},{"a":null,"b":{"c":1}}]"#, true),
            (r#"[{"a":1,"b":2},{"b":1,"\u0061":2}]"#, true),
            (r#"[{"a":1,"b":2},{"a":1}]"#, false),
            (r#"[{"a":1},{"a":1,"b":2}]"#, false),
            (r#"[{"a":1},{"b":1}]"#, false),
            (r#"[{},{"a":1}]"#, false),
            (r#"[{"a":1},{}]"#, false),
        ] {
            assert_eq!(are_alike(json), expected, "{json}");
        }
    }
}
