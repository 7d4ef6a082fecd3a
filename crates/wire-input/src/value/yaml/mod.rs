//! YAML as JSON values: a document, or an array of several, by the core schema of YAML 1.2 and with merge keys.
//!
//! The parser gives events, so that a quoted scalar is told from a plain one: `"<<"` is a key like
//! any other, and `"1e400"` a text.

mod scalar;
mod tabs;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};
use serde_json::{Map, Value};
use wire_core::__private::json::Fidelity;
use wire_core::__private::text::shown;
use wire_core::{CodecError, MAX_NESTING, Position};

use self::scalar::{Beyond, is_integer, is_null, resolve};
use super::numbers::{Doubles, Integers, Read, fidelity_of};
use crate::source::JSON;
use crate::value::json_text;
use crate::warning::{Warning, plural};

/// The limit on what anchors and aliases copy: this many times the input, or [`LEAST_COPIES`] if
/// that is more.
const COPIES: usize = 64;
const LEAST_COPIES: usize = 64 << 20;
/// Approximate bytes of a value, besides its texts.
const VALUE_SIZE: usize = 32;

/// The value of a text in YAML: of one document, or an array of several. With `as_strings`, the integers that can't be
/// represented are strings, as they are written.
pub(super) fn read(text: &str, integers: Integers, as_strings: bool) -> Result<Read, CodecError> {
    let mut reader = Reader {
        text,
        integers,
        as_strings,
        strings: 0,
        doubles: Doubles::default(),
        texts: Noted::default(),
        numbers: Noted::default(),
        open: Vec::new(),
        root: None,
        anchors: HashMap::new(),
        copies_left: text.len().saturating_mul(COPIES).max(LEAST_COPIES),
        documents: Vec::new(),
    };
    for event in Parser::new_from_str(&tabs::readable(text)) {
        let (event, span) = event.map_err(|error| reader.syntax(&error))?;
        reader.take(event, span)?;
    }
    let Reader { root, mut documents, strings, doubles, texts, numbers, .. } = reader;
    let last = root.unwrap_or(Value::Null);
    let value = if documents.is_empty() {
        last
    } else {
        documents.push(last);
        Value::Array(documents)
    };
    let notes = [
        texts.note("plain scalars beyond doubles are strings", "quotes say so"),
        numbers.note("numbers are written otherwise than in YAML", "quotes keep their text"),
    ];
    let notes = notes.into_iter().flatten().collect();
    Ok(Read { value, strings, doubles, notes })
}

/// A value, and its approximate size in bytes.
#[derive(Clone)]
struct Node {
    content: Content,
    size: usize,
}

#[derive(Clone)]
enum Content {
    /// A scalar, which is a text where it is a key, and where it is a value what its schema says.
    Scalar(Scalar),
    Whole(Value),
}

#[derive(Clone)]
struct Scalar {
    text: String,
    is_plain: bool,
    tag: Option<String>,
    /// Where its text begins, after its anchor and tag.
    at: usize,
}

/// Scalars that a note is about: how many, and the first with its line.
#[derive(Default)]
struct Noted {
    count: usize,
    first: String,
}

impl Noted {
    fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds a scalar; the first one with its line.
    fn add(&mut self, text: &str, line: Option<u64>) {
        self.count += 1;
        if let Some(line) = line {
            self.first = format!("{} on line {line}", shown(text));
        }
    }

    fn note(self, what: &str, hint: &str) -> Option<Warning> {
        let scalars = plural(self.count, "scalar");
        let message = format!("{what}; {hint} ({scalars}, the first {})", self.first);
        (self.count > 0).then(|| Warning::note("yaml_scalars", message))
    }
}

/// The prefix of the tags of the core schema, and the tag of texts.
const CORE: &str = "tag:yaml.org,2002:";
const STR: &str = "tag:yaml.org,2002:str";

/// Returns `true` if a value by the core schema has this tag of it.
fn fits(tag: &str, value: &Value) -> bool {
    match (tag.strip_prefix(CORE), value) {
        (Some("null"), Value::Null)
        | (Some("bool"), Value::Bool(_))
        | (Some("float"), Value::Number(_)) => true,
        (Some("int"), Value::Number(number)) => !number.is_f64(),
        _ => false,
    }
}

/// The whole name of a tag. `!` alone gives a value the type of its kind: a text, a sequence or a
/// mapping.
fn name_of(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}

/// A sequence or mapping that is being read.
struct Open {
    anchor: usize,
    /// Where it begins, in characters.
    at: usize,
    size: usize,
    members: Members,
}

enum Members {
    Sequence(Vec<Value>),
    Mapping {
        object: Map<String, Value>,
        /// The key whose value comes next.
        key: Option<Key>,
        /// The values of merge keys, in their order.
        merged: Vec<Map<String, Value>>,
    },
}

enum Key {
    Text(String),
    Merge,
}

struct Reader<'t> {
    text: &'t str,
    integers: Integers,
    /// `true` if integers that can't be represented become strings, and how many did.
    as_strings: bool,
    strings: usize,
    doubles: Doubles,
    /// The scalars that are texts, because they are beyond doubles, and the numbers that JSON has
    /// in another spelling (ruling A8).
    texts: Noted,
    numbers: Noted,
    open: Vec<Open>,
    root: Option<Value>,
    anchors: HashMap<usize, Node>,
    copies_left: usize,
    /// The values of the documents before this one.
    documents: Vec<Value>,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), CodecError> {
        let at = span.start.index();
        match event {
            Event::DocumentStart(_) => {
                self.documents.extend(self.root.take());
                self.anchors.clear();
            }
            Event::DocumentEnd => {
                self.root.get_or_insert_default();
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain;
                if is_plain && text == "<<" && tag.is_none() && self.is_key() {
                    self.set_key(Key::Merge);
                    return Ok(());
                }
                // The parser's span begins with the anchor and tag. Numbers have no line endings.
                let begin = span.end.index().saturating_sub(text.chars().count());
                let (text, tag) = (text.into_owned(), tag.as_deref().map(name_of));
                let size = VALUE_SIZE + text.len();
                let scalar = Scalar { text, is_plain, tag, at: begin.max(at) };
                self.node(Node { content: Content::Scalar(scalar), size }, anchor, at)?;
            }
            Event::SequenceStart(anchor, tag) => {
                self.begin(anchor, tag.as_deref(), "seq", at, Members::Sequence(Vec::new()))?;
            }
            Event::MappingStart(anchor, tag) => {
                let members =
                    Members::Mapping { object: Map::new(), key: None, merged: Vec::new() };
                self.begin(anchor, tag.as_deref(), "map", at, members)?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Open { anchor, at, size, members } =
                    self.open.pop().expect("because what ends has begun");
                let value = match members {
                    Members::Sequence(items) => Value::Array(items),
                    Members::Mapping { mut object, merged, .. } => {
                        for (key, value) in merged.into_iter().flatten() {
                            object.entry(key).or_insert(value);
                        }
                        Value::Object(object)
                    }
                };
                self.node(Node { content: Content::Whole(value), size }, anchor, at)?;
            }
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor) else {
                    return Err(self.data(
                        at,
                        "an alias is inside the value that it names, or in another document, expected it after the value",
                    ));
                };
                let size = node.size;
                self.copy(size, at)?;
                let node = self.anchors[&anchor].clone();
                self.node(node, 0, at)?;
            }
            Event::StreamStart | Event::StreamEnd | Event::Nothing => {}
        }
        Ok(())
    }

    fn begin(
        &mut self,
        anchor: usize,
        tag: Option<&Tag>,
        core: &str,
        at: usize,
        members: Members,
    ) -> Result<(), CodecError> {
        if self.is_key() {
            return Err(self.data(
                at,
                "a key is a sequence or a mapping, which JSON does not have, expected a scalar",
            ));
        }
        if let Some(name) = tag.map(name_of)
            && name != "!"
            && name.strip_prefix(CORE) != Some(core)
        {
            return Err(self.tagged(&name, at));
        }
        // Several documents are items of an array.
        if self.open.len() + usize::from(!self.documents.is_empty()) == MAX_NESTING {
            let message = format!(
                "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
            );
            return Err(CodecError::new("yaml_syntax", Some(self.place(at)), message));
        }
        self.open.push(Open { anchor, at, size: VALUE_SIZE, members });
        Ok(())
    }

    /// Counts what an anchor or alias copies.
    fn copy(&mut self, size: usize, at: usize) -> Result<(), CodecError> {
        let Some(left) = self.copies_left.checked_sub(size) else {
            let message = format!(
                "anchors and aliases copy more than {COPIES} times the input and {LEAST_COPIES} bytes, expected at most the larger of them"
            );
            return Err(CodecError::new("too_many_items", Some(self.place(at)), message));
        };
        self.copies_left = left;
        Ok(())
    }

    /// Returns `true` if a key of a mapping comes next.
    fn is_key(&self) -> bool {
        let members = self.open.last().map(|open| &open.members);
        matches!(members, Some(Members::Mapping { key: None, .. }))
    }

    fn set_key(&mut self, next: Key) {
        if let Some(Open { members: Members::Mapping { key, .. }, .. }) = self.open.last_mut() {
            *key = Some(next);
        }
    }

    /// Takes in a whole node: as the document, an item, a key, or the value of one.
    fn node(&mut self, node: Node, anchor: usize, at: usize) -> Result<(), CodecError> {
        if anchor > 0 {
            // What an anchor keeps is a copy, too.
            self.copy(node.size, at)?;
            self.anchors.insert(anchor, node.clone());
        }
        if self.is_key() {
            let key = self.key(node.content, at)?;
            let members = self.open.last().map(|open| &open.members);
            if let Some(Members::Mapping { object, .. }) = members
                && object.contains_key(&key)
            {
                let message = format!(
                    "two keys of a mapping become the string {}, expected different ones",
                    shown(&key)
                );
                return Err(CodecError::new("duplicate_key", Some(self.place(at)), message));
            }
            self.set_key(Key::Text(key));
            return Ok(());
        }
        let value = match node.content {
            Content::Whole(value) => value,
            Content::Scalar(scalar) => self.scalar(scalar, at)?,
        };
        let Some(open) = self.open.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        open.size += node.size;
        match &mut open.members {
            Members::Sequence(items) => items.push(value),
            Members::Mapping { object, key, merged } => match key.take() {
                Some(Key::Merge) => {
                    let all = match value {
                        Value::Array(items) => items,
                        value => vec![value],
                    };
                    for value in all {
                        let Value::Object(members) = value else {
                            return Err(self.data(at, "a merge key has a value that is not a mapping or a sequence of mappings"));
                        };
                        merged.push(members);
                    }
                }
                Some(Key::Text(key)) => {
                    open.size += VALUE_SIZE + key.len();
                    object.insert(key, value);
                }
                None => unreachable!("a key has been told from a value"),
            },
        }
        Ok(())
    }

    /// The text of a key.
    fn key(&self, content: Content, at: usize) -> Result<String, CodecError> {
        match content {
            Content::Scalar(Scalar { text, is_plain, tag, .. }) => {
                let is_text = !is_plain || matches!(tag.as_deref(), Some("!" | STR));
                if let Some(tag) = tag.filter(|_| !is_text)
                    && !resolve(&text).is_ok_and(|value| fits(&tag, &value))
                {
                    return Err(self.tagged(&tag, at));
                }
                if is_text || !is_null(&text) {
                    return Ok(text);
                }
            }
            Content::Whole(_) => {}
        }
        Err(self.data(at, "a key is null, a sequence or a mapping, which JSON does not have"))
    }

    /// The value of a scalar, whose anchor, tag or text begins at `at`.
    fn scalar(&mut self, scalar: Scalar, at: usize) -> Result<Value, CodecError> {
        let Scalar { text, is_plain, tag, at: begin } = scalar;
        match tag.as_deref() {
            Some("!" | STR) => Ok(text.into()),
            None if !is_plain => Ok(text.into()),
            None => self.by_schema(text, begin),
            Some(tag) => {
                let value = self.by_schema(text, begin)?;
                if fits(tag, &value) { Ok(value) } else { Err(self.tagged(tag, at)) }
            }
        }
    }

    /// The value of a scalar by the core schema. What looks like a number beyond doubles is a text
    /// (ruling A8).
    fn by_schema(&mut self, text: String, at: usize) -> Result<Value, CodecError> {
        match resolve(&text) {
            Ok(value) if value.is_f64() => {
                match fidelity_of(&text, value.as_f64().unwrap_or_default()) {
                    Fidelity::OutOfRange => return Ok(self.kept_as_text(text, at)),
                    Fidelity::Rounded(_) => {
                        let first = self.doubles.is_empty().then(|| self.place(at));
                        self.doubles.add(first);
                    }
                    Fidelity::Exact(_) => self.number(&text, &value, at),
                }
                Ok(value)
            }
            Ok(value) if self.integers.hold(&value) => {
                self.number(&text, &value, at);
                Ok(value)
            }
            Err(Beyond::Doubles) => Ok(self.kept_as_text(text, at)),
            _ if self.as_strings && is_integer(&text) => {
                self.strings += 1;
                Ok(text.strip_prefix('+').unwrap_or(&text).into())
            }
            _ => Err(self.integers.too_large(&text, Some(self.place(at)))),
        }
    }

    fn kept_as_text(&mut self, text: String, at: usize) -> Value {
        let line = self.texts.is_empty().then(|| self.place(at).line);
        self.texts.add(&text, line);
        text.into()
    }

    /// Notes a number whose text is not what JSON has for it.
    fn number(&mut self, text: &str, value: &Value, at: usize) {
        let is_same = || json_text(value, JSON).trim_end() == text;
        if value.is_number() && !is_same() {
            let line = self.numbers.is_empty().then(|| self.place(at).line);
            self.numbers.add(text, line);
        }
    }

    fn tagged(&self, tag: &str, at: usize) -> CodecError {
        self.data(at, &format!("a value has the tag {}, which JSON does not have", shown(tag)))
    }

    fn data(&self, at: usize, message: &str) -> CodecError {
        CodecError::new("yaml_data", Some(self.place(at)), message.to_owned())
    }

    fn syntax(&self, error: &ScanError) -> CodecError {
        CodecError::new(
            "yaml_syntax",
            Some(self.place(error.marker().index())),
            error.info().to_owned(),
        )
    }

    /// The position of a mark of the parser, which counts in characters.
    fn place(&self, at: usize) -> Position {
        let offset = self.text.char_indices().nth(at).map_or(self.text.len(), |(at, _)| at);
        Position::in_text(self.text.as_bytes(), offset)
    }
}
