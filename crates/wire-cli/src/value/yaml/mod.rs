//! YAML as JSON values: one document, by the core schema of YAML 1.2 and with merge keys.
//!
//! The parser gives events, so that a quoted scalar is told from a plain one: `"<<"` is a key like
//! any other, and `"1e400"` a text.

mod scalar;
mod tabs;
#[cfg(test)]
mod tests;

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, Tag};
use serde_json::{Map, Value};
use wire_core::__private::json::Fidelity;
use wire_core::text::shown;
use wire_core::{CodecError, MAX_NESTING, Position};

use self::scalar::{is_integer, is_null, resolve};
use super::decimals::{Doubles, Read, fidelity_of};
use super::integers::Integers;

/// What anchors and aliases may copy: this many times the input, or [`LEAST_COPIES`] if that is
/// more.
const COPIES: usize = 64;
const LEAST_COPIES: usize = 64 << 20;
/// Approximate bytes of a value, besides its texts.
const VALUE_SIZE: usize = 32;

/// The value of a text that is one YAML document. With `as_strings`, the integers that can't be
/// represented are strings, as they are written.
pub(super) fn read(text: &str, integers: Integers, as_strings: bool) -> Result<Read, CodecError> {
    let mut reader = Reader {
        text,
        integers,
        as_strings,
        strings: 0,
        doubles: Doubles::default(),
        open: Vec::new(),
        root: None,
        anchors: HashMap::new(),
        copies_left: text.len().saturating_mul(COPIES).max(LEAST_COPIES),
        documents: 0,
    };
    for event in Parser::new_from_str(&tabs::readable(text)) {
        let (event, span) = event.map_err(|error| reader.syntax(&error))?;
        reader.take(event, span)?;
    }
    let value = reader.root.map_or(Value::Null, |node| node.value);
    Ok(Read { value, strings: reader.strings, doubles: reader.doubles })
}

/// A value, and its approximate size in bytes.
#[derive(Clone)]
struct Node {
    value: Value,
    size: usize,
    /// The text of a number or truth value, which is what a key becomes.
    written: Option<String>,
}

/// What the tags of the core schema begin with.
const CORE: &str = "tag:yaml.org,2002:";

/// The whole name of a tag. `!` alone gives a value the type of its kind: a text, a sequence or a
/// mapping.
fn name_of(tag: &Tag) -> String {
    format!("{}{}", tag.handle, tag.suffix)
}

/// A sequence or mapping that is being read.
struct Open {
    anchor: usize,
    at: Marker,
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
    /// Whether integers that can't be represented become strings, and how many did.
    as_strings: bool,
    strings: usize,
    doubles: Doubles,
    open: Vec<Open>,
    root: Option<Node>,
    anchors: HashMap<usize, Node>,
    copies_left: usize,
    documents: usize,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), CodecError> {
        let at = span.start;
        match event {
            Event::DocumentStart(_) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(self.data(at, "there is a second document, expected one"));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain;
                if plain && text == "<<" && tag.is_none() && self.is_key() {
                    self.set_key(Key::Merge);
                    return Ok(());
                }
                if plain && tag.is_none() && anchor == 0 && self.is_key() && !is_null(&text) {
                    self.set_key(Key::Text(text.into_owned()));
                    return Ok(());
                }
                let value = self.scalar(&text, plain, tag.as_deref(), at)?;
                let size = VALUE_SIZE + text.len();
                let is_written = matches!(value, Value::Bool(_) | Value::Number(_));
                let written = is_written.then(|| text.into_owned());
                self.value(Node { value, size, written }, anchor, at)?;
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
                self.value(Node { value, size, written: None }, anchor, at)?;
            }
            Event::Alias(anchor) => {
                let Some(node) = self.anchors.get(&anchor) else {
                    return Err(self.data(
                        at,
                        "an alias is inside the value that it names, expected it after the value",
                    ));
                };
                let size = node.size;
                self.copy(size, at)?;
                let node = self.anchors[&anchor].clone();
                self.value(node, 0, at)?;
            }
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Nothing => {}
        }
        Ok(())
    }

    fn begin(
        &mut self,
        anchor: usize,
        tag: Option<&Tag>,
        core: &str,
        at: Marker,
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
        if self.open.len() == MAX_NESTING {
            let message = format!(
                "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
            );
            return Err(CodecError::new("yaml_syntax", Some(self.place(at)), message));
        }
        self.open.push(Open { anchor, at, size: VALUE_SIZE, members });
        Ok(())
    }

    /// Counts what an anchor or alias copies.
    fn copy(&mut self, size: usize, at: Marker) -> Result<(), CodecError> {
        let Some(left) = self.copies_left.checked_sub(size) else {
            let message = format!(
                "anchors and aliases copy more than {COPIES} times the input and {LEAST_COPIES} bytes, expected at most the larger of them"
            );
            return Err(CodecError::new("too_many_items", Some(self.place(at)), message));
        };
        self.copies_left = left;
        Ok(())
    }

    /// Whether a key of a mapping comes next.
    fn is_key(&self) -> bool {
        let members = self.open.last().map(|open| &open.members);
        matches!(members, Some(Members::Mapping { key: None, .. }))
    }

    fn set_key(&mut self, next: Key) {
        if let Some(Open { members: Members::Mapping { key, .. }, .. }) = self.open.last_mut() {
            *key = Some(next);
        }
    }

    /// Takes in a whole value: as the document, an item, a key, or the value of one.
    fn value(&mut self, node: Node, anchor: usize, at: Marker) -> Result<(), CodecError> {
        if anchor > 0 {
            // What an anchor keeps is a copy, too.
            self.copy(node.size, at)?;
            self.anchors.insert(anchor, node.clone());
        }
        if self.is_key() {
            let key = match node.value {
                Value::String(key) => key,
                key @ (Value::Bool(_) | Value::Number(_)) => {
                    node.written.unwrap_or_else(|| key.to_string())
                }
                _ => {
                    return Err(self.data(
                        at,
                        "a key is null, a sequence or a mapping, which JSON does not have",
                    ));
                }
            };
            self.set_key(Key::Text(key));
            return Ok(());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        open.size += node.size;
        match &mut open.members {
            Members::Sequence(items) => items.push(node.value),
            Members::Mapping { object, key, merged } => match key.take() {
                Some(Key::Merge) => {
                    let all = match node.value {
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
                    if object.contains_key(&key) {
                        let message = format!(
                            "two keys of a mapping become the string {}, expected different ones",
                            shown(&key)
                        );
                        let place = Some(self.place(at));
                        return Err(CodecError::new("duplicate_key", place, message));
                    }
                    object.insert(key, node.value);
                }
                None => unreachable!("a key has been told from a value"),
            },
        }
        Ok(())
    }

    /// The value of a plain scalar.
    fn by_schema(&mut self, text: &str, at: Marker) -> Result<Value, CodecError> {
        let too_large = || self.integers.too_large(text, Some(self.place(at)));
        match resolve(text) {
            Ok(value) if value.is_f64() => {
                match fidelity_of(text, value.as_f64().unwrap_or_default()) {
                    Fidelity::OutOfRange => return Err(too_large()),
                    Fidelity::Rounded(_) => {
                        let first = self.doubles.is_empty().then(|| self.place(at));
                        self.doubles.add(first);
                    }
                    Fidelity::Exact(_) => {}
                }
                Ok(value)
            }
            Ok(value) if self.integers.hold(&value) => Ok(value),
            _ if self.as_strings && is_integer(text) => {
                self.strings += 1;
                Ok(text.strip_prefix('+').unwrap_or(text).into())
            }
            _ => Err(too_large()),
        }
    }

    /// The value of a scalar.
    fn scalar(
        &mut self,
        text: &str,
        plain: bool,
        tag: Option<&Tag>,
        at: Marker,
    ) -> Result<Value, CodecError> {
        let Some(tag) = tag else {
            return if plain { self.by_schema(text, at) } else { Ok(text.into()) };
        };
        let name = name_of(tag);
        let Some(core) = name.strip_prefix(CORE) else {
            return if name == "!" { Ok(text.into()) } else { Err(self.tagged(&name, at)) };
        };
        let value = if core == "str" { text.into() } else { self.by_schema(text, at)? };
        let fits = match (core, &value) {
            ("str", _)
            | ("null", Value::Null)
            | ("bool", Value::Bool(_))
            | ("float", Value::Number(_)) => true,
            ("int", Value::Number(number)) => !number.is_f64(),
            _ => false,
        };
        if fits { Ok(value) } else { Err(self.tagged(&name, at)) }
    }

    fn tagged(&self, tag: &str, at: Marker) -> CodecError {
        self.data(at, &format!("a value has the tag {}, which JSON does not have", shown(tag)))
    }

    fn data(&self, at: Marker, message: &str) -> CodecError {
        CodecError::new("yaml_data", Some(self.place(at)), message.to_owned())
    }

    fn syntax(&self, error: &ScanError) -> CodecError {
        CodecError::new("yaml_syntax", Some(self.place(*error.marker())), error.info().to_owned())
    }

    /// The position of a mark of the parser, which counts in characters.
    fn place(&self, at: Marker) -> Position {
        let offset = self.text.char_indices().nth(at.index()).map_or(self.text.len(), |(at, _)| at);
        Position::in_text(self.text.as_bytes(), offset)
    }
}
