//! The text of a cell: scalars verbatim, arrays and objects as compact JSON (rulings X6, X7, X15).

use std::fmt::Display;
use std::io::Write as _;

use serde::ser::{Serialize, SerializeMap, Serializer};
use wire_core::__private::text::shown;
use wire_core::__private::{forward_serialize, serialize_elements, serialize_fields};
use wire_core::MAX_NESTING;
use wire_core::number::push_shortest;

use super::key;
use crate::ErrorKind;
use crate::error::Problem;
use crate::json::{self, Exactly, Json, NUMBER, RAW_VALUE, digits, double};

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
pub(crate) fn push_cell<T: Serialize + ?Sized>(
    out: &mut Vec<u8>,
    value: &T,
) -> Result<(), Problem> {
    let style = Style::Plain;
    value.serialize(Text { out, style, is_cell: true, levels: MAX_NESTING, optional: false })
}

/// Appends compact JSON.
pub(crate) fn push_json<T: Serialize + ?Sized>(
    out: &mut Vec<u8>,
    value: &T,
    style: Style,
) -> Result<(), Problem> {
    value.serialize(Text { out, style, is_cell: false, levels: MAX_NESTING, optional: false })
}

/// The JSON of a response, which is an array of objects around the JSON in their cells (ruling X14).
/// Unlike that of `serde_json` it has no `null` for NaN.
pub(super) fn response_of<T: Serialize + ?Sized>(value: &T) -> Result<String, Problem> {
    let mut out = Vec::new();
    let levels = RESPONSE_NESTING;
    let style = Style::Typed;
    value.serialize(Text { out: &mut out, style, is_cell: false, levels, optional: false })?;
    Ok(String::from_utf8(out).expect("because it is made of strings"))
}

/// How deep a response is nested.
pub(super) const RESPONSE_NESTING: usize = MAX_NESTING + 2;

/// Appends a JSON string.
fn push_string(out: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(out, text).expect("because a vector takes all that is written");
}

/// The destination of one value.
struct Text<'o> {
    out: &'o mut Vec<u8>,
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
    fn nested(self, open: u8, close: &'static str) -> Result<Nested<'o>, Problem> {
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
            members: Vec::new(),
        })
    }

    /// An object with one member, whose value comes next.
    fn variant(self, variant: &str) -> Result<Nested<'o>, Problem> {
        let nested = self.nested(b'{', "}")?;
        push_string(nested.out, variant);
        nested.out.push(b':');
        Ok(nested)
    }
}

macro_rules! displayed {
    ($($method:ident $type:ty),*) => {$(
        fn $method(self, value: $type) -> Result<(), Problem> {
            let out = self.out;
            write!(out, "{value}").expect("because a vector takes all that is written");
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
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
        Ok(())
    }

    fn serialize_u64(self, value: u64) -> Result<(), Problem> {
        self.out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
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
            self.out.extend_from_slice(value.as_bytes());
        } else {
            push_string(self.out, value);
        }
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Problem> {
        value.serialize(Text { optional: true, ..self })
    }

    fn serialize_unit(self) -> Result<(), Problem> {
        if !self.is_cell {
            self.out.extend_from_slice(b"null");
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
        self.nested(b'[', "]")
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Nested<'o>, Problem> {
        self.variant(variant)?.into_place().nested(b'[', "]}")
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Nested<'o>, Problem> {
        self.nested(b'{', "}")
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Nested<'o>, Problem> {
        if name != NUMBER && name != RAW_VALUE {
            return self.nested(b'{', "}");
        }
        // Its one field is the text.
        Ok(Nested {
            out: self.out,
            style: self.style,
            is_cell: self.is_cell,
            levels: self.levels,
            close: "",
            is_empty: true,
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
        self.variant(variant)?.into_place().nested(b'{', "}}")
    }

    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result<(), Problem> {
        self.serialize_str(&value.to_string())
    }

    forward_serialize! {
        integers f32 char bytes none unit_struct newtype_struct tuple tuple_struct
    }
}

/// Appends a finite double.
pub(crate) fn push_double(out: &mut Vec<u8>, value: f64, style: Style) {
    let start = out.len();
    if style == Style::Typed && value == 0.0 && value.is_sign_negative() {
        out.push(b'-');
    }
    push_shortest(out, value);
    if style == Style::Typed && !out[start..].iter().any(|byte| matches!(byte, b'.' | b'e')) {
        out.extend_from_slice(b".0");
    }
}

/// The inside of an array or object.
pub(crate) struct Nested<'o> {
    out: &'o mut Vec<u8>,
    style: Style,
    is_cell: bool,
    levels: usize,
    close: &'static str,
    is_empty: bool,
    /// Of an object: each name, and where its member begins.
    members: Vec<(String, usize)>,
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
            self.out.push(b',');
        }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Problem> {
        self.comma();
        value.serialize(self.place())
    }

    fn name(&mut self, name: String) {
        self.comma();
        let start = self.out.len();
        push_string(self.out, &name);
        self.out.push(b':');
        self.members.push((name, start));
    }

    fn field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Problem> {
        match name {
            NUMBER => self.literal(&text_of(value)?),
            RAW_VALUE => self.raw(&text_of(value)?),
            _ => {
                self.name(name.to_owned());
                value.serialize(self.place())
            }
        }
    }

    /// A number from its literal; the text is that of its value.
    fn literal(&mut self, literal: &str) -> Result<(), Problem> {
        if digits(literal).is_some() {
            self.out.extend_from_slice(literal.as_bytes());
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
        if !self.members.is_sorted_by(|(a, _), (b, _)| a < b) {
            check_members(&self.members)?;
            if self.style == Style::Plain {
                sort_members(self.out, self.members);
            }
        }
        self.out.extend_from_slice(self.close.as_bytes());
        Ok(())
    }
}

/// The text that a marked struct has for a value.
fn text_of<T: Serialize + ?Sized>(value: &T) -> Result<String, Problem> {
    let mut text = Vec::new();
    push_cell(&mut text, value)?;
    Ok(String::from_utf8(text).expect("because it is made of strings"))
}

/// Checks that no name appears twice.
fn check_members(members: &[(String, usize)]) -> Result<(), Problem> {
    let mut names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        None => Ok(()),
        Some(twice) => {
            let message = format!("the key {} appears twice, expected once", shown(twice[0]));
            Err(Problem::new(ErrorKind::DuplicateField, message))
        }
    }
}

/// Appends the members to `out`, sorted by name and separated by commas.
#[cold]
fn sort_members(out: &mut Vec<u8>, members: Vec<(String, usize)>) {
    let first = members.first().map_or(out.len(), |(_, start)| *start);
    let text = out.split_off(first);
    let ends: Vec<usize> =
        members.iter().skip(1).map(|(_, start)| start - 1).chain([first + text.len()]).collect();
    let mut sorted: Vec<((String, usize), usize)> = members.into_iter().zip(ends).collect();
    sorted.sort_by(|((a, _), _), ((b, _), _)| a.cmp(b));
    for (index, ((_, start), end)) in sorted.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        out.extend_from_slice(&text[start - first..end - first]);
    }
}

serialize_elements! { Nested<'_> => Result<(), Problem> }

impl SerializeMap for Nested<'_> {
    type Ok = ();
    type Error = Problem;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Problem> {
        self.name(key::name(key)?);
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
