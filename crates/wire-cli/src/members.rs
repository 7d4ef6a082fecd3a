//! The members of JSON: what they tell of it, and those that a payload does not know and its reader ignores (rulings R1, A4).

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::value::RawValue;

use crate::failure::shown;

/// The members that an object may have, and what is in those that hold objects, or lists of them.
struct Known {
    members: &'static [(&'static str, Option<&'static Known>)],
}

impl Known {
    /// The member of this name, and what is in it.
    fn member(&self, name: &str) -> Option<(&'static str, Option<&'static Known>)> {
        self.members.iter().find(|(known, _)| *known == name).copied()
    }
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

/// The members that tell a payload.
const TELL: [&str; 2] = ["symbols", "tool"];
/// The member that each response of a query has, and no payload.
const QUERY: &str = "query_type";

/// What a JSON text looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// A payload, with no members that it does not know, and so would leave out.
    Payload,
    /// An object that has some of a payload's members.
    AlmostPayload,
    Other,
}

/// The members of a JSON text.
pub(crate) struct Members<'i> {
    /// Their names, and what they hold where a payload has objects; none of what is no object, or no JSON.
    list: Option<List<'i>>,
}

type List<'i> = Vec<(String, Option<(&'static Known, &'i RawValue)>)>;

impl<'i> Members<'i> {
    /// Those of a text. What is wrong with it is for its reader to say.
    pub(crate) fn of(bytes: &'i [u8]) -> Self {
        let list = serde_json::from_slice(bytes).map(|TopLevel(list)| list);
        Members { list: list.ok() }
    }

    /// Whether the text is an object.
    pub(crate) fn are_there(&self) -> bool {
        self.list.is_some()
    }

    fn has(&self, name: &str) -> bool {
        self.list.iter().flatten().any(|(known, _)| known == name)
    }

    /// What the text is, as they tell.
    pub(crate) fn shape(&self) -> Shape {
        let mut list = self.list.iter().flatten();
        let symbols = self.list.iter().flatten().rfind(|(name, _)| name == TELL[0]);
        let has_list = symbols
            .is_some_and(|(_, value)| value.is_some_and(|(_, raw)| raw.get().starts_with('[')));
        match TELL.iter().filter(|name| self.has(name)).count() {
            2 if has_list && list.all(|(name, _)| PAYLOAD.member(name).is_some()) => Shape::Payload,
            0 => Shape::Other,
            _ => Shape::AlmostPayload,
        }
    }

    /// Whether one of them says that the text is the response of a query, whatever else it is like.
    pub(crate) fn say_query(&self) -> bool {
        self.has(QUERY)
    }

    /// What a payload has that a payload does not know, and so is left out, in words.
    pub(crate) fn left_out(&self) -> Option<String> {
        let (count, first) = self.unknown()?;
        let more = match count {
            1 => "is".to_owned(),
            2 => "and another member are".to_owned(),
            _ => format!("and {} more members are", count - 1),
        };
        Some(format!("{} {more} left out, which a payload does not know", shown(&first)))
    }

    /// How many members a payload does not know, and the path of the first, as `symbols[0].file`; none where it knows all.
    pub(crate) fn unknown(&self) -> Option<(usize, String)> {
        let mut found = Found::default();
        for (name, value) in self.list.iter().flatten() {
            match PAYLOAD.member(name) {
                None => found.add(&[], name),
                Some((name, _)) => {
                    let Some((known, raw)) = value else { continue };
                    let path = &mut vec![Step::Member(name)];
                    let mut deserializer = serde_json::Deserializer::from_str(raw.get());
                    Walk { known, path, found: &mut found }.deserialize(&mut deserializer).ok()?;
                }
            }
        }
        Some((found.count, found.first?))
    }
}

/// The members of an object.
struct TopLevel<'i>(List<'i>);

impl<'de> Deserialize<'de> for TopLevel<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = TopLevel<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<TopLevel<'de>, A::Error> {
                let mut list = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    let value: &RawValue = map.next_value()?;
                    let known = PAYLOAD.member(&name).and_then(|(_, known)| known);
                    list.push((name, known.map(|known| (known, value))));
                }
                Ok(TopLevel(list))
            }
        }
        deserializer.deserialize_map(Object)
    }
}

#[derive(Default)]
struct Found {
    count: usize,
    first: Option<String>,
}

impl Found {
    fn add(&mut self, steps: &[Step], member: &str) {
        self.count += 1;
        self.first.get_or_insert_with(|| path(steps, member));
    }
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
        while let Some(key) = map.next_key::<String>()? {
            match self.known.member(&key) {
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
                    self.found.add(self.path, &key);
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
            assert_eq!(Members::of(json.as_bytes()).unknown(), expected, "{json}");
        }
    }
}
