//! The text of a cell: scalars verbatim, arrays and objects as compact JSON (rulings X6, X7, X15).

use std::fmt::{Display, Write as _};
use std::ops::Range;

use serde::ser::{Serialize, SerializeMap, Serializer};
use wire_core::json::{SERDE_JSON_NUMBER, SERDE_JSON_RAW_VALUE, push_quoted};
use wire_core::number::Digits;
use wire_core::text::shown;
use wire_core::{MAX_NESTING, forward_serialize, serialize_elements, serialize_fields};

use super::key;
use crate::ErrorKind;
use crate::error::Problem;
use crate::json::{self, Exactly, Json, digits, double};

/// The form of the JSON in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Style {
    /// Keys are sorted (ruling X7). The text of a double does not show that it is not an integer
    /// (ruling X6).
    Plain,
    /// Keys keep their order (ruling X15). A double has a `.0` when there is neither a point nor an
    /// exponent, and negative zero a minus sign.
    Typed,
}

/// Appends the text of a cell, before escaping; null appends nothing.
pub(crate) fn push_cell<T: Serialize + ?Sized>(out: &mut String, value: &T) -> Result<(), Problem> {
    let style = Style::Plain;
    value.serialize(Text { out, style, is_cell: true, levels: MAX_NESTING, optional: false })
}

/// Appends compact JSON.
pub(crate) fn push_json<T: Serialize + ?Sized>(
    out: &mut String,
    value: &T,
    style: Style,
) -> Result<(), Problem> {
    value.serialize(Text { out, style, is_cell: false, levels: MAX_NESTING, optional: false })
}

/// The JSON of a response, which is an array of objects around the JSON in their cells (ruling X14).
/// Unlike that of `serde_json` it has no `null` for NaN.
pub(super) fn response_of<T: Serialize + ?Sized>(value: &T) -> Result<String, Problem> {
    let mut out = String::new();
    let levels = RESPONSE_NESTING;
    let style = Style::Typed;
    value.serialize(Text { out: &mut out, style, is_cell: false, levels, optional: false })?;
    Ok(out)
}

/// How deep a response is nested.
pub(super) const RESPONSE_NESTING: usize = MAX_NESTING + 2;

/// The destination of one value.
struct Text<'o> {
    out: &'o mut String,
    style: Style,
    /// `true` if it is a cell, rather than JSON.
    is_cell: bool,
    /// How many arrays and objects may be around what is in the value.
    levels: usize,
    /// `true` if the value is in an `Option`, for which an empty cell is `None`.
    optional: bool,
}

impl<'o> Text<'o> {
    /// Goes into an array or object.
    fn nested(self, open: char, close: &'static str) -> Result<Nested<'o>, Problem> {
        let Some(levels) = self.levels.checked_sub(1) else {
            let message = format!(
                "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
            );
            return Err(Problem::new(ErrorKind::TooDeep, message));
        };
        self.out.push(open);
        Ok(Nested {
            out: self.out,
            style: self.style,
            is_cell: false,
            levels,
            close,
            is_empty: true,
            names: String::new(),
            members: Vec::new(),
        })
    }

    /// An object with one member, whose value comes next.
    fn variant(self, variant: &str) -> Result<Nested<'o>, Problem> {
        let nested = self.nested('{', "}")?;
        push_quoted(nested.out, variant);
        nested.out.push(':');
        Ok(nested)
    }
}

macro_rules! displayed {
    ($($method:ident $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<(), Problem> {
            let out = self.out;
            write!(out, "{value}").expect("because a string takes all that is written");
            Ok(())
        }
    )*};
}

impl<'o> Serializer for Text<'o> {
    type Ok = ();
    type Error = Problem;
    type SerializeSeq = Nested<'o>;
    type SerializeTuple = Nested<'o>;
    type SerializeTupleStruct = Nested<'o>;
    type SerializeTupleVariant = Nested<'o>;
    type SerializeMap = Nested<'o>;
    type SerializeStruct = Nested<'o>;
    type SerializeStructVariant = Nested<'o>;

    displayed! { serialize_bool bool, serialize_i128 i128, serialize_u128 u128 }

    fn serialize_i64(self, value: i64) -> Result<(), Problem> {
        self.out.push_str(itoa::Buffer::new().format(value));
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Problem> {
        self.out.push_str(itoa::Buffer::new().format(value));
        Ok(())
    }

    fn serialize_f64(self, value: f64) -> Result<(), Problem> {
        if !value.is_finite() {
            let message = format!("a number is {value}, expected a finite number");
            return Err(Problem::new(ErrorKind::NonFiniteNumber, message));
        }
        push_double(self.out, value, self.style);
        Ok(())
    }

    fn serialize_str(self, value: &str) -> Result<(), Problem> {
        if self.is_cell {
            self.out.push_str(value);
        } else {
            push_quoted(self.out, value);
        }
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Problem> {
        value.serialize(Text { optional: true, ..self })
    }

    fn serialize_unit(self) -> Result<(), Problem> {
        if !self.is_cell {
            self.out.push_str("null");
        }
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
    ) -> Result<(), Problem> {
        if variant.is_empty() && self.optional && self.is_cell {
            let message = "the variant \"\" of an option is an empty cell, which would be read as a missing value, expected another name";
            return Err(Problem::new(ErrorKind::InvalidValue, message));
        }
        self.serialize_str(variant)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<(), Problem> {
        let mut nested = self.variant(variant)?;
        value.serialize(nested.place())?;
        nested.close()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Nested<'o>, Problem> {
        self.nested('[', "]")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Nested<'o>, Problem> {
        self.variant(variant)?.into_place().nested('[', "]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Nested<'o>, Problem> {
        self.nested('{', "}")
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Nested<'o>, Problem> {
        if name != SERDE_JSON_NUMBER && name != SERDE_JSON_RAW_VALUE {
            return self.nested('{', "}");
        }
        // Its one field is the text.
        Ok(Nested {
            out: self.out,
            style: self.style,
            is_cell: self.is_cell,
            levels: self.levels,
            close: "",
            is_empty: true,
            names: String::new(),
            members: Vec::new(),
        })
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Nested<'o>, Problem> {
        self.variant(variant)?.into_place().nested('{', "}}")
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Problem> {
        self.serialize_str(&value.to_string())
    }

    forward_serialize! {
        integers f32 char bytes none unit_struct newtype_struct tuple tuple_struct
    }
}

/// Appends a finite double.
pub(crate) fn push_double(out: &mut String, value: f64, style: Style) {
    let start = out.len();
    if style == Style::Typed && value == 0.0 && value.is_sign_negative() {
        out.push('-');
    }
    out.push_str(Digits::new().shortest(value));
    if style == Style::Typed && !out[start..].contains(['.', 'e']) {
        out.push_str(".0");
    }
}

/// The inside of an array or object.
pub(crate) struct Nested<'o> {
    out: &'o mut String,
    style: Style,
    is_cell: bool,
    levels: usize,
    close: &'static str,
    is_empty: bool,
    /// Of an object: the names of its members, one behind another.
    names: String,
    /// Of each member: where its name ends among them, and where its text begins.
    members: Vec<(usize, usize)>,
}

impl<'o> Nested<'o> {
    fn place(&mut self) -> Text<'_> {
        let Nested { style, is_cell, levels, .. } = *self;
        Text { out: self.out, style, is_cell, levels, optional: false }
    }

    fn into_place(self) -> Text<'o> {
        let Nested { out, style, is_cell, levels, .. } = self;
        Text { out, style, is_cell, levels, optional: false }
    }

    fn comma(&mut self) {
        if !std::mem::replace(&mut self.is_empty, false) {
            self.out.push(',');
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Problem> {
        self.comma();
        value.serialize(self.place())
    }

    /// Begins a member, whose name was appended to the names.
    fn member(&mut self) {
        self.comma();
        let name = self.members.last().map_or(0, |(end, _)| *end);
        self.members.push((self.names.len(), self.out.len()));
        push_quoted(self.out, &self.names[name..]);
        self.out.push(':');
    }

    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Problem> {
        match name {
            SERDE_JSON_NUMBER => self.literal(&text_of(value)?),
            SERDE_JSON_RAW_VALUE => self.raw(&text_of(value)?),
            _ => {
                self.names.push_str(name);
                self.member();
                value.serialize(self.place())
            }
        }
    }

    /// A number from its literal; the text is that of its value.
    fn literal(&mut self, literal: &str) -> Result<(), Problem> {
        if digits(literal).is_some() {
            self.out.push_str(literal);
            return Ok(());
        }
        let Some(number) = double(literal) else {
            let message = format!("a number is {}, expected a finite number", shown(literal));
            return Err(Problem::new(ErrorKind::NonFiniteNumber, message));
        };
        push_double(self.out, number, self.style);
        Ok(())
    }

    /// A value whose text is JSON already; it is written like all other JSON.
    fn raw(&mut self, raw: &str) -> Result<(), Problem> {
        match json::parse(raw).map_err(<Problem as serde::ser::Error>::custom)? {
            Json::Number(literal) => self.literal(&literal),
            value => Exactly(&value).serialize(self.place()),
        }
    }

    fn close(self) -> Result<(), Problem> {
        if !each_name(&self.names, &self.members).is_sorted_by(|a, b| a < b) {
            let end = self.out.len();
            let texts = self.members.iter().map(|(_, start)| *start);
            let ends = texts.clone().skip(1).map(|start| start - 1).chain([end]);
            let mut members: Vec<(&str, Range<usize>)> = each_name(&self.names, &self.members)
                .zip(texts.zip(ends).map(|(start, end)| start..end))
                .collect();
            members.sort_unstable_by_key(|(name, _)| *name);
            if let Some(twice) = members.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                let name = shown(twice[0].0);
                let message = format!("the key {name} appears twice, expected once");
                return Err(Problem::new(ErrorKind::DuplicateField, message));
            }
            if self.style == Style::Plain {
                reorder(self.out, members.into_iter().map(|(_, text)| text));
            }
        }
        self.out.push_str(self.close);
        Ok(())
    }
}

/// The text that a marked struct has for a value.
fn text_of<T: Serialize + ?Sized>(value: &T) -> Result<String, Problem> {
    let mut text = String::new();
    push_cell(&mut text, value)?;
    Ok(text)
}

/// The name of each member.
fn each_name<'n>(names: &'n str, members: &[(usize, usize)]) -> impl Iterator<Item = &'n str> {
    members.iter().scan(0, |start, (end, _)| Some(&names[std::mem::replace(start, *end)..*end]))
}

/// Writes the members at the end of `out` again, in this order.
fn reorder(out: &mut String, members: impl Iterator<Item = Range<usize>> + Clone) {
    let first = members.clone().map(|text| text.start).min().unwrap_or(out.len());
    let end = out.len();
    for (index, text) in members.enumerate() {
        if index > 0 {
            out.push(',');
        }
        out.extend_from_within(text);
    }
    out.drain(first..end);
}

serialize_elements! { Nested<'_> => Result<(), Problem> }

impl SerializeMap for Nested<'_> {
    type Ok = ();
    type Error = Problem;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Problem> {
        key::push_name(&mut self.names, key)?;
        self.member();
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Problem> {
        value.serialize(self.place())
    }

    fn end(self) -> Result<(), Problem> {
        self.close()
    }
}

serialize_fields! { Nested<'_> => Result<(), Problem> }
