//! JSON and JSON lines as a value to serialize, without a tree.

use std::cell::RefCell;

use serde::ser::{Serialize, SerializeSeq, Serializer};
use wire_core::__private::json::{BigIntegers, Doubles, Error, Kind, Text};
use wire_core::{CodecError, Position};

use super::json::Part;
use super::lines::parts;
use crate::failure::plural;
use crate::input::Input;
use crate::members::of_payload;
use crate::source::Source;

/// A text of JSON or JSON lines. It can be serialized once.
pub(crate) struct JsonText<'t> {
    text: &'t str,
    /// JSON, JSON lines or values one after the other.
    source: Source,
    is_item: bool,
    is_signed: bool,
    big_integers: BigIntegers,
    state: RefCell<State<'t>>,
}

#[derive(Default)]
struct State<'t> {
    /// The text, or line, that failed, and its error.
    failed: Option<(Part<'t>, Error)>,
    strings: usize,
    doubles: Doubles,
}

impl<'t> JsonText<'t> {
    /// The value of a text, which is written as doubles and integers of 64 bits.
    pub(crate) fn new(text: &'t str) -> Self {
        JsonText {
            text,
            source: Source::Json,
            is_item: false,
            is_signed: false,
            big_integers: BigIntegers::Refused,
            state: RefCell::default(),
        }
    }

    /// The value, or the array of the values, of a text.
    pub(crate) fn of(source: Source, text: &'t str) -> Self {
        JsonText { source, ..JsonText::new(text) }
    }

    /// A text that is an item of an array.
    pub(crate) fn item(text: &'t str) -> Self {
        JsonText { is_item: true, ..JsonText::new(text) }
    }

    /// The target has only integers with a sign.
    pub(crate) fn signed(self) -> Self {
        JsonText { is_signed: true, ..self }
    }

    /// Whether integers that the target can't represent become strings.
    pub(crate) fn big_integers_as_strings(self, as_strings: bool) -> Self {
        let big_integers = if as_strings { BigIntegers::Strings } else { BigIntegers::Refused };
        JsonText { big_integers, ..self }
    }

    /// The error of the text, as one of the input, if serializing failed for it.
    pub(crate) fn error(&self, input: &[u8]) -> Option<CodecError> {
        let state = self.state.borrow();
        state.failed.as_ref().map(|(part, error)| part.refused(input, error))
    }

    /// The number of integers that became strings.
    pub(crate) fn strings(&self) -> usize {
        self.state.borrow().strings
    }

    /// What became of the decimals.
    pub(crate) fn doubles(&self) -> Doubles {
        self.state.borrow().doubles
    }

    fn part<S: Serializer>(&self, part: Part<'t>, serializer: S) -> Result<S::Ok, S::Error> {
        let text = Text::of(part.reader()).signed(self.is_signed).big_integers(self.big_integers);
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
/// double (ruling A7). A text that is not JSON has none: its decoder reports that.
///
/// # Errors
///
/// `out_of_range` for a decimal beyond doubles.
pub(crate) fn rounded(input: &Input) -> Result<Option<String>, CodecError> {
    let text = str::from_utf8(&input.bytes).unwrap_or_default();
    let doubles = match Doubles::of_reader(of_payload(text)) {
        Err(error) if error.kind() == Kind::OutOfRange => {
            return Err(Part::whole(text).refused(&input.bytes, &error));
        }
        outcome => outcome.unwrap_or_default(),
    };
    let first = doubles.first_rounded.and_then(|at| input.position(at));
    Ok(losses(&Doubles { negative_zeros: 0, ..doubles }, first).pop())
}

/// Descriptions of what is lost of decimals that are written as doubles (ruling A7), with the
/// position of the first that was rounded, if the user can see it.
pub(crate) fn losses(doubles: &Doubles, first: Option<Position>) -> Vec<String> {
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
