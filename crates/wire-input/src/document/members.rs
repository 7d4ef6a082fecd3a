//! The members of a JSON text, which tell what it is. Those that are unknown in a payload are
//! ignored by its reader (rulings R1, A4).

use wire_core::json::{Duplicates, Error, Reader, Token};
use wire_core::text::escaped;

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
pub enum JsonKind {
    /// A payload: a `tool`, a list of `symbols`, and nothing that a payload does not know.
    Payload,
    /// A payload, with members further in that a payload does not know, and so would leave out.
    PayloadWithMore,
    /// An object that has some of a payload's members and not all, or others beside them.
    AlmostPayload,
    /// The response of a query: it has a `query_type`, whatever else it is like.
    Query,
    /// A value, after which another one begins.
    Several,
    /// Any other value, or no JSON.
    Other,
}

/// The members of a JSON text.
#[derive(Clone, Debug)]
pub struct Members {
    kind: JsonKind,
    /// How many of them a payload does not know, and the path of the first.
    pub(super) unknown: Option<(usize, String)>,
}

impl Members {
    /// The members of a text, in one pass. Its reader reports errors.
    pub fn of(bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).unwrap_or_default();
        read(&mut of_payload(text)).unwrap_or(Members { kind: JsonKind::Other, unknown: None })
    }

    /// The kind of the text, by its members.
    pub fn kind(&self) -> JsonKind {
        self.kind
    }

    /// A description of the unknown members of a payload, which are left out.
    pub fn left_out(&self) -> Option<String> {
        let (count, first) = self.unknown.as_ref()?;
        let more = match count {
            1 => "is".to_owned(),
            2 => "and another member are".to_owned(),
            _ => format!("and {} more members are", count - 1),
        };
        Some(format!("{} {more} left out: a payload has no such members", escaped(first)))
    }
}

/// A reader that accepts what payloads may have in members that are left out. If a member is
/// repeated, the last one counts, as in most readers.
pub(crate) fn of_payload(text: &str) -> Reader<'_> {
    Reader::new(text).duplicates(Duplicates::Passed).lone_surrogates(true).max_nesting(usize::MAX)
}

/// Reads the members of an object, and all of the text.
fn read(reader: &mut Reader<'_>) -> Result<Members, Error> {
    let mut found = Found::default();
    let (mut has_tool, mut symbols, mut has_query, mut has_others) = (false, None, false, false);
    let is_object = reader.peek() == Some(b'{');
    if is_object {
        reader.value()?;
    } else if has_more(reader.text()) {
        reader.skip()?;
    } else {
        return Ok(Members { kind: JsonKind::Other, unknown: None });
    }
    while is_object && let Some(key) = reader.key()? {
        let name = key.decode();
        has_tool |= name == TOOL;
        has_query |= name == QUERY;
        match PAYLOAD.member(&name) {
            Some((name, Some(known))) => {
                let is_list = walk(reader, known, &mut vec![Step::Member(name)], &mut found)?;
                if name == SYMBOLS_OF_PAYLOAD {
                    symbols = Some(is_list);
                }
            }
            known => {
                reader.skip()?;
                if known.is_none() {
                    has_others = true;
                    found.add(&[], &name);
                }
            }
        }
    }
    let kind = match (has_tool, symbols) {
        _ if reader.peek().is_some_and(|byte| matches!(byte, b'{' | b'[')) => JsonKind::Several,
        _ if has_query => JsonKind::Query,
        (false, None) => JsonKind::Other,
        (true, Some(true)) if !has_others && found.first.is_none() => JsonKind::Payload,
        (true, Some(true)) if !has_others => JsonKind::PayloadWithMore,
        _ => JsonKind::AlmostPayload,
    };
    if kind != JsonKind::Several {
        reader.end()?;
    }
    Ok(Members { kind, unknown: found.first.map(|first| (found.count, first)) })
}

/// Returns `true` if an array may end before the text does: in JSON no value begins after a
/// bracket.
fn has_more(text: &str) -> bool {
    text.split(']').skip(1).any(|rest| rest.trim_ascii_start().starts_with(['[', '{']))
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

/// Looks at a value that may be an object of known members, or a list of such. Returns whether it is
/// a list.
fn walk(
    reader: &mut Reader<'_>,
    known: &'static Known,
    path: &mut Vec<Step>,
    found: &mut Found,
) -> Result<bool, Error> {
    match reader.value()? {
        Token::Array => {
            let mut index = 0;
            while reader.item()? {
                path.push(Step::Item(index));
                walk(reader, known, path, found)?;
                path.pop();
                index += 1;
            }
            Ok(true)
        }
        Token::Object => {
            while let Some(key) = reader.key()? {
                let name = key.decode();
                match known.member(&name) {
                    Some((name, Some(known))) => {
                        path.push(Step::Member(name));
                        walk(reader, known, path, found)?;
                        path.pop();
                    }
                    Some((_, None)) => drop(reader.skip()?),
                    None => {
                        reader.skip()?;
                        found.add(path, &name);
                    }
                }
            }
            Ok(false)
        }
        _ => Ok(false),
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
