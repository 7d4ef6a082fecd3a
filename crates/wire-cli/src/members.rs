//! The members of JSON: the kind of JSON that they show, and those that are unknown in a payload
//! and ignored by its reader (rulings R1, A4).

use std::fmt;

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use crate::failure::shown;

/// The members that an object may have, and the members of those that are objects or lists of
/// objects.
struct Known {
    members: &'static [(&'static str, Option<&'static Known>)],
}

impl Known {
    /// The member of this name, and its own members.
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
const TOOL: &str = "tool";
const SYMBOLS_OF_PAYLOAD: &str = "symbols";
/// The member that each response of a query has, and no payload.
const QUERY: &str = "query_type";

/// The kind of a JSON text, by its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JsonKind {
    /// A payload: a `tool`, a list of `symbols`, and nothing that a payload does not know.
    Payload,
    /// A payload, with members further in that a payload does not know, and so would leave out.
    PayloadWithMore,
    /// An object that has some of a payload's members and not all, or others beside them.
    AlmostPayload,
    /// The response of a query: it has a `query_type`, whatever else it is like.
    Query,
    /// Any other value, or no JSON.
    Other,
}

/// The members of a JSON text.
pub(crate) struct Members {
    kind: JsonKind,
    /// How many of them a payload does not know, and the path of the first.
    unknown: Option<(usize, String)>,
}

impl Members {
    /// The members of a text, in one pass. Its reader reports errors.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        serde_json::from_slice(bytes).unwrap_or(Members { kind: JsonKind::Other, unknown: None })
    }

    /// The kind of the text, by its members.
    pub(crate) fn kind(&self) -> JsonKind {
        self.kind
    }

    /// A description of the unknown members of a payload, which are left out.
    pub(crate) fn left_out(&self) -> Option<String> {
        let (count, first) = self.unknown.as_ref()?;
        let more = match count {
            1 => "is".to_owned(),
            2 => "and another member are".to_owned(),
            _ => format!("and {} more members are", count - 1),
        };
        Some(format!("{} {more} left out: a payload has no such members", shown(first)))
    }
}

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Members, A::Error> {
                Members::read(map)
            }
        }
        deserializer.deserialize_map(Object)
    }
}

impl Members {
    fn read<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let mut found = Found::default();
        let (mut has_tool, mut symbols, mut has_query, mut has_others) =
            (false, None, false, false);
        while let Some(name) = map.next_key::<String>()? {
            has_tool |= name == TOOL;
            has_query |= name == QUERY;
            match PAYLOAD.member(&name) {
                Some((name, Some(known))) => {
                    let path = &mut vec![Step::Member(name)];
                    let is_list = map.next_value_seed(Walk { known, path, found: &mut found })?;
                    if name == SYMBOLS_OF_PAYLOAD {
                        symbols = Some(is_list);
                    }
                }
                known => {
                    map.next_value::<IgnoredAny>()?;
                    if known.is_none() {
                        has_others = true;
                        found.add(&[], &name);
                    }
                }
            }
        }
        let kind = match (has_tool, symbols) {
            _ if has_query => JsonKind::Query,
            (false, None) => JsonKind::Other,
            (true, Some(true)) if !has_others && found.first.is_none() => JsonKind::Payload,
            (true, Some(true)) if !has_others => JsonKind::PayloadWithMore,
            _ => JsonKind::AlmostPayload,
        };
        Ok(Members { kind, unknown: found.first.map(|first| (found.count, first)) })
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

/// Looks at a value that may be an object of known members, or a list of such: whether it is a
/// list.
struct Walk<'w> {
    known: &'static Known,
    path: &'w mut Vec<Step>,
    found: &'w mut Found,
}

impl<'de> DeserializeSeed<'de> for Walk<'_> {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<bool, A::Error> {
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
        Ok(false)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<bool, A::Error> {
        for index in 0.. {
            self.path.push(Step::Item(index));
            let walk = Walk { known: self.known, path: self.path, found: self.found };
            let item = seq.next_element_seed(walk)?;
            self.path.pop();
            if item.is_none() {
                break;
            }
        }
        Ok(true)
    }

    fn visit_bool<E>(self, _: bool) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_i64<E>(self, _: i64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_u64<E>(self, _: u64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_f64<E>(self, _: f64) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_str<E>(self, _: &str) -> Result<bool, E> {
        Ok(false)
    }

    fn visit_unit<E>(self) -> Result<bool, E> {
        Ok(false)
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
            assert_eq!(Members::of(json.as_bytes()).unknown, expected, "{json}");
        }
    }

    #[test]
    fn members_tell_what_json_is() {
        use JsonKind::{AlmostPayload, Other, Payload, PayloadWithMore, Query};
        for (json, expected) in [
            (r#"{"tool":"t","symbols":[]}"#, Payload),
            (r#"{"symbols":[{}],"tool":1,"edges":7}"#, Payload),
            (r#"{"tool":"t","symbols":[{"file":"x"}]}"#, PayloadWithMore),
            (r#"{"tool":"t","symbols":[],"edges":[{"from":"x"}]}"#, PayloadWithMore),
            (r#"{"tool":"t","symbols":[],"trace":1}"#, AlmostPayload),
            (r#"{"tool":"t","symbols":{}}"#, AlmostPayload),
            // If a member is repeated, the last one counts, as in most readers.
            (r#"{"tool":"t","symbols":[],"symbols":7}"#, AlmostPayload),
            (r#"{"tool":"t","symbols":7,"symbols":[]}"#, Payload),
            (r#"{"tool":"t"}"#, AlmostPayload),
            (r#"{"symbols":[]}"#, AlmostPayload),
            (r#"{"query_type":"search"}"#, Query),
            (r#"{"tool":"t","symbols":[],"query_type":7}"#, Query),
            (r#"{"edges":[]}"#, Other),
            ("{}", Other),
            ("[1]", Other),
            (r#"{"tool":"t","symbols":[]"#, Other),
            ("", Other),
        ] {
            assert_eq!(Members::of(json.as_bytes()).kind(), expected, "{json}");
        }
    }
}
