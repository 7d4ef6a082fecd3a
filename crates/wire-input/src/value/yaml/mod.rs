//! YAML as JSON values: a document, or an array of several, by the core schema of YAML 1.2 and with merge keys.
//!
//! The parser gives events, so that a quoted scalar is told from a plain one: `"<<"` is a key like
//! any other, and `"1e400"` a text.

mod scalar;

use std::collections::HashMap;

use granit_parser::{Event, Marker, Parser, ScalarStyle, ScanError, Span, Tag};
use indexmap::IndexMap;
use serde_json::Value;
use wire_core::json::{Fidelity, Json, Layout, Member};
use wire_core::text::shown;
use wire_core::{CodecError, MAX_NESTING, Position};

use self::scalar::{Beyond, integer, is_null, resolve};
use super::numbers::{Doubles, Integers, Read, fidelity_of};
use crate::source::Tags;
use crate::warning::{Warning, plural};

/// The limit on what anchors and aliases copy: this many times the input, or [`LEAST_COPIES`] if
/// that is more.
const COPIES: usize = 64;
const LEAST_COPIES: usize = 64 << 20;
/// Approximate bytes of a value, besides its texts.
const VALUE_SIZE: usize = 32;

/// An object whose members are being read.
type Object = IndexMap<String, Json<'static>>;

/// The value of a text in YAML, as JSON without white space: of one document, or an array of several. With `as_strings`,
/// the integers that can't be represented are strings, as they are written.
pub(super) fn read(
    text: &str,
    tags: Option<Tags>,
    integers: Integers,
    as_strings: bool,
) -> Result<Read, CodecError> {
    let mut reader = Reader {
        text,
        tags,
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
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| reader.syntax(&error))?;
        reader.take(event, span)?;
    }
    let Reader { root, mut documents, strings, doubles, texts, numbers, .. } = reader;
    let last = root.unwrap_or(Json::Null);
    let value = if documents.is_empty() {
        last
    } else {
        documents.push(last);
        Json::Array(documents)
    };
    let notes = [
        texts.note("plain scalars beyond doubles are strings", "quotes say so"),
        numbers.note("numbers are written otherwise than in YAML", "quotes keep their text"),
    ];
    let notes = notes.into_iter().flatten().collect();
    Ok(Read { json: value.to_text(Layout::Compact), strings, doubles, notes })
}

/// A value, its approximate size in bytes, and how many levels of arrays and objects it has.
#[derive(Clone)]
struct Node {
    content: Content,
    /// A tag of a sequence or a mapping that JSON does not have.
    tag: Option<String>,
    /// `true` for a sequence with an item whose tag is kept.
    has_tags: bool,
    size: usize,
    depth: usize,
}

#[derive(Clone)]
enum Content {
    /// A scalar, which is a text where it is a key, and where it is a value what its schema says.
    Scalar(Scalar),
    Whole(Json<'static>),
}

#[derive(Clone)]
struct Scalar {
    text: String,
    is_plain: bool,
    tag: Option<String>,
    /// Where its text begins, after its anchor and tag.
    at: usize,
}

impl Scalar {
    /// Returns `true` if it is a text, whatever its schema says.
    fn is_text(&self) -> bool {
        !self.is_plain || matches!(self.tag.as_deref(), Some("!" | STR))
    }

    /// A tag that JSON does not have.
    fn other_tag(&self) -> Option<&str> {
        let tag = self.tag.as_deref()?;
        let is_known = matches!(tag, "!" | STR) || self.is_plain && fits(tag, &self.text);
        (!is_known).then_some(tag)
    }
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
const MERGE: &str = "tag:yaml.org,2002:merge";

/// Returns `true` if a plain scalar has this tag of the core schema.
fn fits(tag: &str, text: &str) -> bool {
    match (tag.strip_prefix(CORE), resolve(text)) {
        (Some("null"), Ok(Value::Null))
        | (Some("bool"), Ok(Value::Bool(_)))
        | (Some("float"), Ok(Value::Number(_)) | Err(Beyond::Doubles)) => true,
        (Some("float" | "int"), Err(Beyond::Integers)) => integer(text).is_some(),
        (Some("int"), Ok(Value::Number(number))) => !number.is_f64(),
        _ => false,
    }
}

/// The whole name of a tag. `!` alone gives a value the type of its kind: a text, a sequence or a
/// mapping.
fn name_of(tag: &Tag) -> String {
    format!("{}{}", tag.handle(), tag.suffix())
}

/// A tag as people write it.
fn shortened(tag: &str) -> String {
    tag.strip_prefix(CORE).map_or_else(|| tag.to_owned(), |name| format!("!!{name}"))
}

/// A sequence or mapping that is being read.
struct Open {
    anchor: usize,
    /// A tag that JSON does not have.
    tag: Option<String>,
    /// Where it begins.
    at: usize,
    size: usize,
    /// The levels of what is in it.
    depth: usize,
    /// `true` for a sequence with an item whose tag is kept.
    has_tags: bool,
    members: Members,
}

enum Members {
    Sequence(Vec<Json<'static>>),
    Mapping {
        object: Object,
        /// The key whose value comes next.
        key: Option<Key>,
        /// The values of merge keys, in their order.
        merged: Vec<Vec<Member<'static>>>,
    },
}

enum Key {
    Text(String),
    Merge,
}

struct Reader<'t> {
    text: &'t str,
    /// What becomes of tags that JSON does not have; `None` for an error.
    tags: Option<Tags>,
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
    root: Option<Json<'static>>,
    anchors: HashMap<usize, Node>,
    copies_left: usize,
    /// The values of the documents before this one.
    documents: Vec<Json<'static>>,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), CodecError> {
        let offset = |mark: Marker| mark.byte_offset().unwrap_or_default();
        let at = offset(span.tag_start().unwrap_or(span.start));
        match event {
            Event::DocumentStart(..) => {
                self.documents.extend(self.root.take());
                self.anchors.clear();
            }
            Event::DocumentEnd => {
                self.root.get_or_insert(Json::Null);
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_plain = style == ScalarStyle::Plain;
                let is_merge = tag.as_deref().is_none_or(|tag| name_of(tag) == MERGE);
                if is_plain && text == "<<" && is_merge && self.is_key() {
                    self.set_key(Key::Merge);
                    return Ok(());
                }
                let (mut text, tag) = (text.into_owned(), tag.as_deref().map(name_of));
                let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
                if is_block
                    && offset(span.end) == self.text.len()
                    && self.adds_line_end(&text, offset(span.start))
                {
                    text.pop();
                }
                let size = VALUE_SIZE + text.len() + tag.as_ref().map_or(0, String::len);
                let scalar = Scalar { text, is_plain, tag, at: offset(span.start) };
                let depth = self.levels(scalar.other_tag());
                let content = Content::Scalar(scalar);
                let node = Node { content, tag: None, has_tags: false, size, depth };
                self.node(node, anchor, at)?;
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.begin(anchor, tag.as_deref(), "seq", at, Members::Sequence(Vec::new()))?;
            }
            Event::MappingStart(_, anchor, tag) => {
                let members =
                    Members::Mapping { object: Object::new(), key: None, merged: Vec::new() };
                self.begin(anchor, tag.as_deref(), "map", at, members)?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let Open { anchor, tag, at, size, depth, has_tags, members } =
                    self.open.pop().expect("because what ends has begun");
                let value = match members {
                    Members::Sequence(items) => Json::Array(items),
                    Members::Mapping { mut object, merged, .. } => {
                        for (key, value) in merged.into_iter().flatten() {
                            object.entry(key.into_owned()).or_insert(value);
                        }
                        let members = object.into_iter().map(|(key, value)| (key.into(), value));
                        Json::Object(members.collect())
                    }
                };
                let depth = depth + 1 + self.levels(tag.as_deref());
                let content = Content::Whole(value);
                self.node(Node { content, tag, has_tags, size, depth }, anchor, at)?;
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
            _ => {}
        }
        Ok(())
    }

    /// Returns `true` if a block scalar, whose content begins at `start` and that the text ends with,
    /// has a line end which is not there: the parser adds one to a last line that has none.
    fn adds_line_end(&self, scalar: &str, start: usize) -> bool {
        let last_line = |text: &str| text.rfind(['\n', '\r']).map_or(0, |at| at + 1);
        if scalar.is_empty() || !scalar.ends_with('\n') {
            return false;
        }
        if scalar.bytes().all(|byte| byte == b'\n') {
            // The first line end is that of the indicator.
            let blank = &self.text[self.text.trim_end().len()..];
            return scalar.len() >= blank.replace("\r\n", "\n").matches(['\n', '\r']).count();
        }
        // Blanks that are more than the indentation are content.
        let indentation = start - last_line(&self.text[..start]);
        self.text.len() - last_line(self.text) > indentation
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
        let is_other = |name: &String| name != "!" && name.strip_prefix(CORE) != Some(core);
        let tag = tag.map(name_of).filter(is_other);
        if let Some(name) = tag.as_ref().filter(|_| self.tags.is_none()) {
            return Err(self.tagged(name, at));
        }
        self.check_depth(1, at)?;
        let size = VALUE_SIZE + tag.as_ref().map_or(0, |tag| VALUE_SIZE + tag.len());
        self.open.push(Open { anchor, tag, at, size, depth: 0, has_tags: false, members });
        Ok(())
    }

    /// Refuses a value of so many levels where it would be nested too deep.
    fn check_depth(&self, levels: usize, at: usize) -> Result<(), CodecError> {
        // Several documents are items of an array.
        if self.open.len() + usize::from(!self.documents.is_empty()) + levels <= MAX_NESTING {
            return Ok(());
        }
        let message = format!(
            "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
        );
        Err(CodecError::new("yaml_syntax", Some(self.place(at)), message))
    }

    /// The levels that a tag adds.
    fn levels(&self, tag: Option<&str>) -> usize {
        usize::from(tag.is_some() && self.tags == Some(Tags::Keep))
    }

    /// A value whose tag is kept, if that is asked for.
    fn with_tag(&self, tag: Option<String>, value: Json<'static>) -> Json<'static> {
        match tag.filter(|_| self.tags == Some(Tags::Keep)) {
            Some(tag) => Json::Object(vec![(shortened(&tag).into(), value)]),
            None => value,
        }
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

    /// Returns `true` if the value of a merge key comes next.
    fn is_merged(&self) -> bool {
        let members = self.open.last().map(|open| &open.members);
        matches!(members, Some(Members::Mapping { key: Some(Key::Merge), .. }))
    }

    fn set_key(&mut self, next: Key) {
        if let Some(Open { members: Members::Mapping { key, .. }, .. }) = self.open.last_mut() {
            *key = Some(next);
        }
    }

    /// Takes in a whole node: as the document, an item, a key, or the value of one.
    fn node(&mut self, node: Node, anchor: usize, at: usize) -> Result<(), CodecError> {
        self.check_depth(node.depth, at)?;
        if anchor > 0 {
            // What an anchor keeps is a copy, too.
            self.copy(node.size, at)?;
            self.anchors.insert(anchor, node.clone());
        }
        let is_kept = self.levels(node.tag.as_deref()) > 0;
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
            Content::Whole(value) if self.is_merged() => {
                if node.has_tags {
                    return Err(self.data(
                        at,
                        "a merge key has mappings with tags, which can't be kept; --yaml-tags drop leaves tags out",
                    ));
                }
                value
            }
            Content::Whole(value) => self.with_tag(node.tag, value),
            Content::Scalar(scalar) => self.scalar(scalar, at)?,
        };
        let Some(open) = self.open.last_mut() else {
            self.root = Some(value);
            return Ok(());
        };
        open.size += node.size;
        open.depth = open.depth.max(node.depth);
        match &mut open.members {
            Members::Sequence(items) => {
                open.has_tags |= is_kept;
                items.push(value);
            }
            Members::Mapping { object, key, merged } => match key.take() {
                Some(Key::Merge) => {
                    let all = match value {
                        Json::Array(items) => items,
                        value => vec![value],
                    };
                    for value in all {
                        let Json::Object(members) = value else {
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
            Content::Scalar(scalar) => {
                let other = scalar.other_tag().filter(|_| self.tags != Some(Tags::Drop));
                if let Some(tag) = other {
                    let tag = shown(&shortened(tag));
                    let message = format!(
                        "a key has the tag {tag}, which JSON does not have; --yaml-tags drop leaves tags out"
                    );
                    return Err(self.data(at, &message));
                }
                if scalar.is_text() || !is_null(&scalar.text) {
                    return Ok(scalar.text);
                }
            }
            Content::Whole(_) => {}
        }
        Err(self.data(at, "a key is null, a sequence or a mapping, which JSON does not have"))
    }

    /// The value of a scalar, whose tag or text is at `at`.
    fn scalar(&mut self, scalar: Scalar, at: usize) -> Result<Json<'static>, CodecError> {
        let other = scalar.other_tag().map(str::to_owned);
        if let Some(tag) = other.as_ref().filter(|_| self.tags.is_none()) {
            return Err(self.tagged(tag, at));
        }
        let is_text = scalar.is_text();
        let Scalar { text, at, .. } = scalar;
        let value = if is_text { Json::String(text.into()) } else { self.by_schema(text, at)? };
        Ok(self.with_tag(other, value))
    }

    /// The value of a plain scalar by the core schema. What looks like a number beyond doubles is a
    /// text (ruling A8); integers of any length are numbers, if the target has them (ruling A6).
    fn by_schema(&mut self, text: String, at: usize) -> Result<Json<'static>, CodecError> {
        let literal = match resolve(&text) {
            Err(Beyond::Doubles) => return Ok(self.kept_as_text(text, at)),
            Ok(Value::Number(number)) if number.is_f64() => {
                match fidelity_of(&text, number.as_f64().unwrap_or_default()) {
                    Fidelity::OutOfRange => return Ok(self.kept_as_text(text, at)),
                    Fidelity::Rounded(_) => {
                        let first = self.doubles.is_empty().then(|| self.place(at));
                        self.doubles.add(first);
                        return Ok(Json::Number(number.to_string().into()));
                    }
                    Fidelity::Exact(_) => number.to_string(),
                }
            }
            Ok(Value::Number(number)) if self.integers.hold(&number) => number.to_string(),
            Ok(Value::Null) => return Ok(Json::Null),
            Ok(Value::Bool(truth)) => return Ok(Json::Bool(truth)),
            Ok(Value::String(text)) => return Ok(Json::String(text.into())),
            _ => match integer(&text) {
                Some(literal) if self.integers == Integers::Any => literal,
                Some(_) if self.as_strings => {
                    self.strings += 1;
                    let text = text.strip_prefix('+').unwrap_or(&text).to_owned();
                    return Ok(Json::String(text.into()));
                }
                _ => return Err(self.integers.too_large(&text, Some(self.place(at)))),
            },
        };
        self.number(&text, &literal, at);
        Ok(Json::Number(literal.into()))
    }

    fn kept_as_text(&mut self, text: String, at: usize) -> Json<'static> {
        let line = self.texts.is_empty().then(|| self.place(at).line);
        self.texts.add(&text, line);
        Json::String(text.into())
    }

    /// Notes a number whose text is not what JSON has for it.
    fn number(&mut self, text: &str, literal: &str, at: usize) {
        if literal != text {
            let line = self.numbers.is_empty().then(|| self.place(at).line);
            self.numbers.add(text, line);
        }
    }

    fn tagged(&self, tag: &str, at: usize) -> CodecError {
        let tag = shown(&shortened(tag));
        let message = format!(
            "a value has the tag {tag}, which JSON does not have; --yaml-tags drop leaves tags out, --yaml-tags keep writes objects such as {{{tag}: …}}"
        );
        self.data(at, &message)
    }

    fn data(&self, at: usize, message: &str) -> CodecError {
        CodecError::new("yaml_data", Some(self.place(at)), message.to_owned())
    }

    fn syntax(&self, error: &ScanError) -> CodecError {
        let at = error.marker().byte_offset().unwrap_or(self.text.len());
        // The parser has the beginning of the string.
        let at = lone_surrogate(&self.text[at..]).map_or(at, |offset| at + offset);
        CodecError::new("yaml_syntax", Some(self.place(at)), error.info())
    }

    fn place(&self, at: usize) -> Position {
        Position::in_text(self.text.as_bytes(), at)
    }
}

/// Where a string in double quotes that begins here has an escape of half a surrogate pair.
fn lone_surrogate(string: &str) -> Option<usize> {
    let hex = |at: usize| u16::from_str_radix(string.get(at..at + 4)?, 16).ok();
    let mut at = 1;
    while string.starts_with('"') {
        at += string.get(at..)?.find(['\\', '"'])?;
        match (&string[at..], hex(at + 2)) {
            (rest, Some(0xd800..=0xdbff)) if rest.starts_with("\\u") => {
                let is_pair = string.get(at + 6..)?.starts_with("\\u")
                    && matches!(hex(at + 8), Some(0xdc00..=0xdfff));
                if !is_pair {
                    return Some(at);
                }
                at += 12;
            }
            (rest, Some(0xdc00..=0xdfff)) if rest.starts_with("\\u") => return Some(at),
            (rest, _) if rest.starts_with('\\') => {
                at += 1 + rest[1..].chars().next().map_or(1, char::len_utf8);
            }
            _ => return None,
        }
    }
    None
}
