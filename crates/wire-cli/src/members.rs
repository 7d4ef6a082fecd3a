//! Members of a payload in JSON, and attributes in XML, that the form does not know and a reader ignores (rulings R1, A4).

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use wire_core::Codec;
use wire_registry::xml::Xml;

use crate::failure::shown;
use crate::response::{JSON, JSON_PRETTY};

/// The members that an object may have, and what is in those that hold objects, or lists of them.
struct Known {
    members: &'static [(&'static str, Option<&'static Known>)],
}

const PAYLOAD: Known = Known {
    members: &[
        ("tool", None),
        ("tokens_used", None),
        ("token_budget", None),
        ("pack_root", None),
        ("symbols", Some(&SYMBOL)),
        ("edges", Some(&EDGE)),
    ],
};
const SYMBOL: Known = Known {
    members: &[
        ("qualified_name", None),
        ("kind", None),
        ("score", None),
        ("signature", None),
        ("provenance", None),
        ("distance", None),
        ("components", Some(&COMPONENTS)),
    ],
};
const COMPONENTS: Known = Known {
    members: &[("blast_radius", None), ("confidence", None), ("recency", None), ("distance", None)],
};
const EDGE: Known =
    Known { members: &[("source", None), ("target", None), ("edge_type", None), ("status", None)] };

/// Whether a payload has a member of this name.
pub(crate) fn is_known(name: &str) -> bool {
    PAYLOAD.members.iter().any(|(known, _)| *known == name)
}

/// What a payload in this format has that a payload does not know, and so is left out, in words; none where there is no such
/// thing, or the format has no place for it.
pub(crate) fn left_out(codec: &dyn Codec, input: &[u8]) -> Option<String> {
    match codec.info().name() {
        JSON | JSON_PRETTY => {
            let (count, first) = unknown(input)?;
            let more = match count {
                1 => "is".to_owned(),
                2 => "and another member are".to_owned(),
                _ => format!("and {} more members are", count - 1),
            };
            Some(format!("{} {more} left out, which a payload does not know", shown(&first)))
        }
        "xml" => {
            let (_, skipped) = Xml.decode_reporting(input).ok()?;
            let list = shown(&skipped.join(", "));
            (!skipped.is_empty())
                .then(|| format!("attributes are left out, which a payload does not know: {list}"))
        }
        _ => None,
    }
}

/// How many members a payload does not know, and the path of the first, as `symbols[0].file`; none where it knows all, or the input
/// is no JSON.
pub(crate) fn unknown(input: &[u8]) -> Option<(usize, String)> {
    let mut found = Found::default();
    let mut deserializer = serde_json::Deserializer::from_slice(input);
    let seed = Walk { known: &PAYLOAD, path: &mut Vec::new(), found: &mut found };
    seed.deserialize(&mut deserializer).ok()?;
    Some((found.count, found.first?))
}

#[derive(Default)]
struct Found {
    count: usize,
    first: Option<String>,
}

/// A step of a path.
enum Step {
    Member(&'static str),
    Item(usize),
}

/// Looks at a value that may be an object of known members, or a list of such.
struct Walk<'w> {
    known: &'static Known,
    path: &'w mut Vec<Step>,
    found: &'w mut Found,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            match self.known.members.iter().find(|(name, _)| *name == key) {
                Some((name, Some(known))) => {
                    self.path.push(Step::Member(name));
                    map.next_value_seed(Walk { known, path: self.path, found: self.found })?;
                    self.path.pop();
                }
                Some((_, None)) => {
                    map.next_value::<IgnoredAny>()?;
                }
                None => {
                    map.next_value::<IgnoredAny>()?;
                    self.found.count += 1;
                    self.found.first.get_or_insert_with(|| path(self.path, &key));
                }
            }
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        for index in 0.. {
            self.path.push(Step::Item(index));
            let walk = Walk { known: self.known, path: self.path, found: self.found };
            let item = seq.next_element_seed(walk)?;
            self.path.pop();
            if item.is_none() {
                break;
            }
        }
        Ok(())
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }
}

fn path(steps: &[Step], member: &str) -> String {
    let mut path = String::new();
    for step in steps {
        match step {
            Step::Member(name) if path.is_empty() => path.push_str(name),
            Step::Member(name) => path.push_str(&format!(".{name}")),
            Step::Item(index) => path.push_str(&format!("[{index}]")),
        }
    }
    if path.is_empty() { member.to_owned() } else { format!("{path}.{member}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_members_at_every_depth() {
        for (json, expected) in [
            (
                r#"{"tool":"t","symbols":[{"kind":"x","components":{"recency":1}}],"edges":null}"#,
                None,
            ),
            (r#"{"tool":{"a":1},"trace":[1,{}]}"#, Some((1, "trace"))),
            (
                r#"{"symbols":[{},{"file":"x","line":2}],"edges":[{"from":1}]}"#,
                Some((3, "symbols[1].file")),
            ),
            (
                r#"{"symbols":[{"components":{"pagerank":0.5}}]}"#,
                Some((1, "symbols[0].components.pagerank")),
            ),
            ("[1", None),
            (r#"{"symbols":7,"edges":[3,"x",true,null,1.5,-1]}"#, None),
        ] {
            let expected = expected.map(|(count, path): (usize, &str)| (count, path.to_owned()));
            assert_eq!(unknown(json.as_bytes()), expected, "{json}");
        }
    }
}
