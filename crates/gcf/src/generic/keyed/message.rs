//! The messages that a consumer reads: a whole set, a delta, or that nothing has changed.

use std::collections::HashSet;
use std::str::FromStr;

use wire_core::text::shown;
use wire_core::{Limits, PackRoot};

use super::change::Delta;
use super::set::KeyedSet;
use crate::generic::Decoder;
use crate::generic::decode::{KeyedRows, KeyedText};
use crate::root::RootAlgorithm;
use crate::{Error, ErrorKind};

/// One text of a producer (section 10a.4).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// The whole set.
    Full(KeyedSet),
    /// The changes.
    Delta(Delta),
    /// The set is still the one of this root.
    Unchanged {
        /// The root.
        root: PackRoot<'static>,
        /// The number of rows, if it is known.
        count: Option<u64>,
    },
}

impl Decoder {
    /// One message of a producer of keyed sets: as `text.parse::<Message>()`, with the limits of
    /// this decoder, and with a line ending after the last line if it
    /// [requires](Decoder::require_final_newline) one.
    ///
    /// # Errors
    ///
    /// As [`Message`]'s `from_str`.
    pub fn message_from_str(&self, text: &str) -> Result<Message, Error> {
        Message::read(text, self.limits, self.final_newline_required)
    }
}

/// The message of a text, with the default limits.
///
/// The error is the problem of the text and where, by the codes of [`ErrorKind`]: among them
/// `missing_root`, `malformed_delta` for sections that a delta does not have, `duplicate_key` and
/// `contradictory_delta` for rows with the same key, and `root_mismatch` for a whole set that has
/// another root than it says. A root of an unknown algorithm is not checked.
impl FromStr for Message {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Decoder::new().message_from_str(text)
    }
}

impl Message {
    fn read(text: &str, limits: Limits, final_newline_required: bool) -> Result<Self, Error> {
        let read = KeyedText::read(text, &limits, final_newline_required)?;
        if read.is("unchanged")? {
            let root = read.root("pack_root")?;
            if !read.sections.is_empty() {
                return Err(read.wrong_sections("the end after the header"));
            }
            return Ok(Message::Unchanged { root, count: read.number("count")? });
        }
        if read.is("delta")? {
            return delta(&read).map(Message::Delta);
        }
        let root = read.root("pack_root")?;
        let [section] = &read.sections[..] else {
            return Err(read.wrong_sections("one table with the mark of a key"));
        };
        let set = set(&read, section)?;
        let known = RootAlgorithm::of(&root) == Some(RootAlgorithm::PackRootV1);
        if !known && root.as_str().starts_with("sha256:") {
            let message =
                format!("the root is {root}, expected `sha256:` and 64 hexadecimal digits");
            return Err(read.error(ErrorKind::UnknownRoot, message));
        }
        let found = set.root();
        if known && found != root {
            let message = format!("the set has the root {found}, expected {root} as declared");
            return Err(read.error(ErrorKind::RootMismatch, message));
        }
        Ok(Message::Full(set))
    }

    /// Returns the set that the consumer has after the message.
    ///
    /// # Errors
    ///
    /// `unexpected_answer` if the message needs a set and `held` is `None`, and those of
    /// [`KeyedSet::apply`]. After an error the consumer keeps its set, and requests the full set.
    pub fn apply(self, held: Option<KeyedSet>) -> Result<KeyedSet, Error> {
        let needed = || {
            let message = "the message refers to a set, and the consumer does not have one, expected a full set";
            Error::encode(ErrorKind::UnexpectedAnswer, message)
        };
        match self {
            Message::Full(set) => Ok(set),
            Message::Delta(delta) => held.ok_or_else(needed)?.apply(&delta),
            Message::Unchanged { root, .. } => {
                let held = held.ok_or_else(needed)?;
                if held.root() == root {
                    return Ok(held);
                }
                let message =
                    format!("the message refers to the root {root}, expected {}", held.root());
                Err(Error::encode(ErrorKind::BaseRootMismatch, message))
            }
        }
    }
}

fn set(read: &KeyedText<'_>, section: &KeyedRows<'_>) -> Result<KeyedSet, Error> {
    let wrong = |error: Error| read.error_in(section, error.kind(), error.message());
    let fields = section.fields.iter().map(ToString::to_string);
    let mut set = KeyedSet::new(read.key()?, fields).map_err(wrong)?;
    if set.key != section.key {
        let message = "the field with the mark is not the key of the header";
        return Err(read.error_in(section, ErrorKind::MalformedDelta, message));
    }
    if section.is_map {
        read.check_map(section)?;
    }
    section.name.as_deref().unwrap_or_default().clone_into(&mut set.name);
    // An empty map has no colon; a list without a name has one in quotation marks.
    set.is_map = section.is_map || (section.name.is_none() && section.rows.is_empty());
    set.rows.clone_from(&section.rows);
    set.check_unique().map_err(wrong)?;
    Ok(set)
}

fn delta(read: &KeyedText<'_>) -> Result<Delta, Error> {
    let (base_root, new_root) = (read.root("base_root")?, read.root("new_root")?);
    let key = read.key()?.to_owned();
    let mut delta = Delta::new(&KeyedSet::new(&key, [key.as_str()])?, base_root, new_root);
    delta.tool = read.field("tool").map(str::to_owned);
    delta.savings = read.savings()?;
    let mut seen = HashSet::new();
    let mut fields: Option<KeyedSet> = None;
    for section in &read.sections {
        let wrong = |message: &str| Err(read.error_in(section, ErrorKind::MalformedDelta, message));
        let name = section.name.as_deref().unwrap_or_default();
        if !seen.insert(name) {
            return wrong(&format!("the section {} appears twice, expected once", shown(name)));
        }
        if section.is_map {
            return wrong("a section of a delta is a map, expected rows");
        }
        let found = KeyedSet { name: "rows".to_owned(), ..set(read, section)? };
        if name == "removed" {
            if found.fields.len() != 1 {
                return wrong("the section `removed` has more fields, expected the key alone");
            }
            delta.removed = found.rows.into_iter().flat_map(<[_]>::into_vec).collect();
            continue;
        }
        if fields.as_ref().is_some_and(|fields| fields.fields != found.fields) {
            return wrong("the sections have different fields, expected the same");
        }
        fields = Some(KeyedSet { rows: Vec::new(), ..found.clone() });
        match name {
            "added" => delta.added = found,
            "changed" => delta.changed = found.rows,
            other => {
                let message = "expected `added`, `changed` or `removed`";
                return wrong(&format!("a section is {}, {message}", shown(other)));
            }
        }
    }
    if let Some(fields) = fields {
        delta.added = KeyedSet { rows: std::mem::take(&mut delta.added.rows), ..fields };
    }
    delta.check().map_err(|error| read.error(error.kind(), error.message()))?;
    Ok(delta)
}
