//! JSON text: what is in it, the same text in another layout, as a value to serialize, and its
//! errors. Values on lines of their own, or one after the other, are an array.

use std::cell::RefCell;

use serde::ser::{Serialize, SerializeSeq, Serializer};
use wire_core::json::{Doubles, Error, ErrorKind, Layout, Reader, Strings, Text, Token, Writer};
use wire_core::{CodecError, MAX_NESTING, Position};

use super::checked::Checked;
use super::pieces::{Cut, Pieces};
use crate::document::of_payload;
use crate::source::{JSON_PRETTY, Source};
use crate::warning::plural;

/// A text of JSON or JSON lines. It can be serialized once.
#[derive(Debug)]
pub struct JsonText<'t> {
    text: &'t str,
    /// JSON, JSON lines or values one after the other.
    source: Source,
    is_item: bool,
    is_signed: bool,
    big_integers_as_strings: bool,
    state: RefCell<State<'t>>,
}

#[derive(Debug, Default)]
struct State<'t> {
    /// The text, or line, that failed, and its error.
    failed: Option<(Part<'t>, Error)>,
    strings: usize,
    doubles: Doubles,
}

impl<'t> JsonText<'t> {
    /// The value of a text, which is written as doubles and integers of 64 bits.
    pub fn new(text: &'t str) -> Self {
        JsonText {
            text,
            source: Source::Json,
            is_item: false,
            is_signed: false,
            big_integers_as_strings: false,
            state: RefCell::default(),
        }
    }

    /// The value, or the array of the values, of a text.
    pub fn of(source: Source, text: &'t str) -> Self {
        JsonText { source, ..JsonText::new(text) }
    }

    /// A text that is an item of an array.
    pub fn item(text: &'t str) -> Self {
        JsonText { is_item: true, ..JsonText::new(text) }
    }

    /// The target has only integers with a sign.
    #[must_use]
    pub fn signed(self) -> Self {
        JsonText { is_signed: true, ..self }
    }

    /// Sets whether integers that the target can't represent become strings.
    #[must_use]
    pub fn big_integers_as_strings(self, as_strings: bool) -> Self {
        JsonText { big_integers_as_strings: as_strings, ..self }
    }

    /// The error of the text, as one of the input, if serializing failed for it.
    pub fn error(&self, input: &[u8]) -> Option<CodecError> {
        let state = self.state.borrow();
        state.failed.as_ref().map(|(part, error)| part.refused(input, error))
    }

    /// The number of integers that became strings.
    pub fn strings(&self) -> usize {
        self.state.borrow().strings
    }

    /// The changes of the decimals.
    pub fn doubles(&self) -> Doubles {
        self.state.borrow().doubles
    }

    fn part<S: Serializer>(&self, part: Part<'t>, serializer: S) -> Result<S::Ok, S::Error> {
        let text = Text::of(part.reader())
            .signed(self.is_signed)
            .big_integers_as_strings(self.big_integers_as_strings);
        let made = text.serialize(serializer);
        let state = &mut *self.state.borrow_mut();
        state.strings += text.strings();
        state.doubles.append(text.doubles(), part.offset);
        state.failed = text.error().map(|error| (part, error));
        made
    }
}

impl Serialize for JsonText<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.source == Source::Json {
            return self.part(Part { is_item: self.is_item, ..Part::whole(self.text) }, serializer);
        }
        let mut items = serializer.serialize_seq(None)?;
        for part in parts(self.source, self.text) {
            items.serialize_element(&Item(self, part))?;
        }
        items.end()
    }
}

struct Item<'j, 't>(&'j JsonText<'t>, Part<'t>);

impl Serialize for Item<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.part(self.1, serializer)
    }
}

/// A description of what is lost of the decimals of a payload or query in JSON, of which each is a
/// double (ruling A7). A text that is not JSON has none: its decoder reports that. `place` is the
/// position of an offset, if the user can see it.
///
/// # Errors
///
/// `out_of_range` for a decimal beyond doubles.
pub fn rounded(
    bytes: &[u8],
    place: impl Fn(usize) -> Option<Position>,
) -> Result<Option<String>, CodecError> {
    let text = str::from_utf8(bytes).unwrap_or_default();
    let doubles = match Doubles::of_reader(of_payload(text)) {
        Err(error) if error.kind() == ErrorKind::OutOfRange => {
            return Err(Part::whole(text).refused(bytes, &error));
        }
        outcome => outcome.unwrap_or_default(),
    };
    let first = doubles.first_rounded.and_then(place);
    Ok(losses(&Doubles { negative_zeros: 0, ..doubles }, first).pop())
}

/// Descriptions of what is lost of decimals that are written as doubles (ruling A7), with the
/// position of the first that was rounded, if the user can see it.
pub fn losses(doubles: &Doubles, first: Option<Position>) -> Vec<String> {
    let rounded = (doubles.rounded > 0).then(|| {
        let first = first.map(|first| format!(", the first at {first}")).unwrap_or_default();
        let decimals = plural(doubles.rounded, "decimal");
        format!("decimals are rounded to the nearest double ({decimals}{first})")
    });
    let zeros = (doubles.negative_zeros > 0).then(|| {
        format!("zeros lose their minus sign ({})", plural(doubles.negative_zeros, "zero"))
    });
    rounded.into_iter().chain(zeros).collect()
}

/// The text of an input.
///
/// # Errors
///
/// `invalid_utf8` for bytes that are not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, CodecError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        let message = if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            "the input is UTF-16, expected UTF-8 text; `iconv -f utf-16 -t utf-8 FILE` converts it"
        } else {
            "the input is not UTF-8, expected UTF-8 text; `iconv -f latin1 -t utf-8 FILE` converts Latin-1"
        };
        CodecError::new("invalid_utf8", Some(position), message)
    })
}

/// A text that may be JSON: a whole input, or a line of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'t> {
    pub(super) text: &'t str,
    /// Its offset in the input.
    pub(super) offset: usize,
    /// `true` if it is an item of an array, which nests it one level deeper.
    pub(super) is_item: bool,
}

impl<'t> Part<'t> {
    /// A whole input.
    pub(super) fn whole(text: &'t str) -> Self {
        Part { text, offset: 0, is_item: false }
    }

    pub(super) fn reader(self) -> Reader<'t> {
        Reader::new(self.text).max_nesting(MAX_NESTING - usize::from(self.is_item))
    }

    /// The content of the text, in the memory of its reader.
    pub(super) fn check(self) -> Result<Checked, Error> {
        let mut reader = self.reader();
        let checked = match reader.value()? {
            Token::Array => {
                let (mut items, mut are_objects) = (0, true);
                while reader.item()? {
                    are_objects &= reader.peek() == Some(b'{');
                    items += 1;
                    reader.skip()?;
                }
                Checked::Array { items, are_objects }
            }
            Token::Object => {
                let mut members = 0;
                while reader.key()?.is_some() {
                    members += 1;
                    reader.skip()?;
                }
                Checked::Object { members }
            }
            _ => Checked::Scalar,
        };
        reader.end()?;
        Ok(checked)
    }

    /// The error of the text as one of the input.
    #[cold]
    pub(super) fn refused(self, input: &[u8], error: &Error) -> CodecError {
        let position = Position::in_text(input, self.offset.saturating_add(error.offset()));
        let mut message = error.message().to_owned();
        let code = match error.kind() {
            ErrorKind::UnexpectedEnd => "json_unexpected_end",
            kind => kind.code(),
        };
        if error.kind() == ErrorKind::TooDeep && self.is_item {
            message = format!(
                "arrays and objects are nested more than {MAX_NESTING} levels deep, with the array that this value is an item of"
            );
        }
        let starts_line = position.line > 1 && position.column == 1;
        let follows_a_value =
            || Part { text: &self.text[..error.offset()], ..self }.check().is_ok();
        if error.kind() == ErrorKind::Syntax && starts_line && follows_a_value() {
            message += "; values on lines of their own are --from jsonl";
        }
        let reads_toml = cfg!(feature = "toml");
        if reads_toml && error.kind() == ErrorKind::Syntax && begins_toml(self.text) {
            message += "; TOML is --from toml";
        }
        CodecError::new(code, Some(position), message)
    }
}

/// Returns `true` if the first line is the header of a table in TOML, and a later one has a value.
fn begins_toml(text: &str) -> bool {
    let mut lines = text.trim_start().lines();
    let line = lines.next().unwrap_or_default();
    let line = line.split('#').next().unwrap_or_default().trim_end();
    line.starts_with('[') && line.ends_with(']') && lines.any(|line| line.contains('='))
}

/// The layout of a form of JSON.
pub(super) fn layout(form: &str) -> Layout {
    Layout::of(form == JSON_PRETTY)
}

/// An array of texts, each of which is written by itself, in one of the forms of JSON.
pub(super) fn array_again<'t>(
    parts: impl Iterator<Item = Part<'t>>,
    input: &[u8],
    form: &str,
) -> Result<String, CodecError> {
    let mut json = String::with_capacity(input.len() + 3);
    let mut writer = Writer::new(&mut json, layout(form));
    writer.begin('[');
    for part in parts {
        writer.next();
        let mut reader = part.reader();
        let written = writer.value(&mut reader, Strings::Shortest).and_then(|()| reader.end());
        written.map_err(|error| part.refused(input, &error))?;
    }
    writer.end(']');
    json.push('\n');
    Ok(json)
}

/// The number of values, in the memory that one value needs. The error has the value that it is in.
pub(super) fn check_all(source: Source, text: &str) -> Result<Checked, (Part<'_>, Error)> {
    let (mut items, mut are_objects) = (0, true);
    for part in parts(source, text) {
        let checked = part.check().map_err(|error| (part, error))?;
        items += 1;
        are_objects &= matches!(checked, Checked::Object { .. });
    }
    Ok(Checked::Array { items, are_objects })
}

/// The texts of the values of JSON lines, or of values one after the other.
pub(super) fn parts(source: Source, text: &str) -> Box<dyn Iterator<Item = Part<'_>> + '_> {
    match source {
        Source::JsonValues => Box::new(values(text)),
        _ => Box::new(lines(text)),
    }
}

/// The lines that are not blank, without their line endings.
fn lines(text: &str) -> impl Iterator<Item = Part<'_>> {
    const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];
    let mut next = 0;
    text.split_inclusive('\n')
        .map(move |line| {
            let offset = next;
            next += line.len();
            Part { text: line.trim_end_matches(BLANK), offset, is_item: true }
        })
        .filter(|line| !line.text.is_empty())
}

/// The values one after the other. If one of them is wrong, all of the rest are its text.
fn values(text: &str) -> impl Iterator<Item = Part<'_>> {
    let mut next = 0;
    std::iter::from_fn(move || {
        let rest = Part { text: &text[next..], offset: next, is_item: true };
        let mut reader = rest.reader();
        reader.peek()?;
        let length = match reader.skip() {
            Ok(_) => reader.offset(),
            Err(_) => rest.text.len(),
        };
        next += length;
        Some(Part { text: &rest.text[..length], ..rest })
    })
}

/// How far a text is values one after the other.
pub(crate) fn values_end(text: &str) -> usize {
    let wrong = |value: Part<'_>| value.check().err().map(|error| value.offset + error.offset());
    values(text).find_map(wrong).unwrap_or(text.len())
}

/// The values of a JSON array, one on each line; `None` for other JSON.
pub fn json_lines(json: &[u8]) -> Option<Vec<u8>> {
    let mut pieces = Pieces::new(json, Cut::Array);
    let mut lines = Vec::with_capacity(json.len());
    while let Some(piece) = pieces.next_piece().ok()? {
        lines.extend_from_slice(piece.bytes.trim_ascii());
        lines.push(b'\n');
    }
    Some(lines)
}
