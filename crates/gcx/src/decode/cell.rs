//! Cells as values: numbers, names, lists, and JSON.

use std::borrow::Cow;

use serde::de::value::{CowStrDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor,
};
use wire_core::forward_deserialize;
use wire_core::json::{Error, ErrorKind as JsonKind, Reader, Values};
use wire_core::text::shown;

use crate::ErrorKind;
use crate::error::Problem;
use crate::json::{self, Json};

/// A cell, which is read as the requested type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell<'de>(pub(crate) Cow<'de, str>);

/// The treatment of numbers that a `Value` of `serde_json` can't represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// An integer beyond 64 bits is the double whose text it is (rulings A6, X6). Others are an error
    /// in a cell with a type, and text in a cell without a type. Decimals are in the range of doubles.
    Doubles,
    /// The digits of integers are kept. Decimals are in the range of doubles.
    Digits,
    /// The literals of all numbers are kept (ruling A7).
    Literals,
}

impl Beyond {
    /// Returns `true` if the integer of a cell can be represented.
    pub(crate) fn holds(self, digits: &str) -> bool {
        self != Beyond::Doubles || json::is_canonical(digits)
    }

    /// Returns `true` if a cell is a number that can be represented as a decimal.
    pub(crate) fn has_decimal(self, cell: &str) -> bool {
        match self {
            Beyond::Doubles | Beyond::Digits => json::double(cell).is_some(),
            Beyond::Literals => json::is_number(cell),
        }
    }

    /// Returns `true` if the integers of the JSON in a cell can be represented.
    pub(crate) fn holds_integers(self, value: &Json<'_>) -> bool {
        let is_held = |literal: &str| !json::is_integer(literal) || json::is_canonical(literal);
        self != Beyond::Doubles || json::all_numbers(value, is_held)
    }

    /// Returns `true` if the decimals can be.
    pub(crate) fn holds_decimals(self, value: &Json<'_>) -> bool {
        let is_held = |literal: &str| json::is_integer(literal) || json::is_in_range(literal);
        self == Beyond::Literals || json::all_numbers(value, is_held)
    }
}

/// The value that the plain form writes as this cell, when it is not text (ruling X10): a number in
/// its canonical notation, a truth value, an array or an object.
pub(crate) fn rehydrated(cell: &str, beyond: Beyond) -> Option<Json<'_>> {
    match cell.as_bytes().first()? {
        b't' if cell == "true" => Some(Json::Bool(true)),
        b'f' if cell == "false" => Some(Json::Bool(false)),
        b'[' | b'{' => {
            let held =
                |value: &Json<'_>| beyond.holds_integers(value) && beyond.holds_decimals(value);
            Json::parse(cell).ok().filter(held)
        }
        b'-' | b'0'..=b'9' => number(cell, beyond),
        _ => None,
    }
}

/// The number in a cell, in its canonical notation.
pub(crate) fn number(cell: &str, beyond: Beyond) -> Option<Json<'_>> {
    let is_number = match json::digits(cell) {
        Some(digits) => beyond.holds(digits),
        None => json::is_double(cell),
    };
    is_number.then(|| Json::Number(cell.into()))
}

/// The elements of a list cell that is not a JSON array: texts separated by commas. An empty cell
/// has no elements.
fn texts(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(',').filter(|_| !cell.is_empty())
}

/// The strings of a list cell, which may be a JSON array; `None` when the array contains other
/// values or is not valid JSON.
pub(crate) fn strings(cell: &str) -> Option<Vec<Json<'_>>> {
    if !cell.starts_with('[') {
        return Some(texts(cell).map(|text| Json::String(text.into())).collect());
    }
    match Json::parse(cell) {
        Ok(Json::Array(values)) if values.iter().all(|value| value.as_str().is_some()) => {
            Some(values)
        }
        _ => None,
    }
}

impl<'de> Cell<'de> {
    #[cold]
    fn unexpected(&self, expected: &str) -> Problem {
        Problem::custom(format!("the cell is {}, expected {expected}", shown(&self.0)))
    }

    /// The result of a function for the JSON in the cell.
    fn json<T>(
        &self,
        read: impl FnOnce(Values<'_, '_, 'de>) -> Result<T, Error>,
    ) -> Result<T, Problem> {
        let mut whole = Reader::new(&self.0).in_doubles();
        whole.skip().and_then(|_| whole.end()).map_err(|error| {
            self.unexpected(&format!("JSON, but it is not valid JSON ({error})"))
        })?;
        let read = match &self.0 {
            Cow::Borrowed(text) => read(Reader::new(text).values().with_large_doubles()),
            Cow::Owned(text) => read(Reader::new(text).copies().with_large_doubles()),
        };
        read.map_err(mismatch)
    }
}

/// A value in the JSON of a cell does not match its type.
#[cold]
#[allow(clippy::needless_pass_by_value)] // as `map_err` has it
fn mismatch(error: Error) -> Problem {
    let kind = match error.kind() {
        JsonKind::OutOfRange => ErrorKind::OutOfRange,
        _ => ErrorKind::InvalidCell,
    };
    Problem::new(kind, error.message())
}

macro_rules! integers {
    ($($method:ident $visit:ident $type:ty),*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            match json::digits(&self.0).and_then(|digits| digits.parse::<$type>().ok()) {
                Some(value) => visitor.$visit(value),
                None => Err(self.unexpected(concat!("an integer of the type ", stringify!($type)))),
            }
        }
    )*};
}

impl<'de> Deserializer<'de> for Cell<'de> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        // When no type is requested, an empty cell is `()`: for a text, for an `Option`, and for the
        // content of a variant without content.
        if self.0.is_empty() {
            return visitor.visit_unit();
        }
        match rehydrated(&self.0, Beyond::Doubles) {
            Some(_) => self.json(|value| value.deserialize_any(visitor)),
            None => self.deserialize_str(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match &*self.0 {
            "true" => visitor.visit_bool(true),
            "false" => visitor.visit_bool(false),
            _ => Err(self.unexpected("`true` or `false`")),
        }
    }

    integers! {
        deserialize_i8 visit_i8 i8, deserialize_i16 visit_i16 i16, deserialize_i32 visit_i32 i32,
        deserialize_i64 visit_i64 i64, deserialize_i128 visit_i128 i128,
        deserialize_u8 visit_u8 u8, deserialize_u16 visit_u16 u16, deserialize_u32 visit_u32 u32,
        deserialize_u64 visit_u64 u64, deserialize_u128 visit_u128 u128
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        // Not by way of a double, which would round twice.
        let number = json::is_number(&self.0).then(|| self.0.parse::<f32>().ok()).flatten();
        match number.filter(|number| number.is_finite()) {
            Some(number) => visitor.visit_f32(number),
            None => Err(self.unexpected("a number in the range of singles")),
        }
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match json::double(&self.0) {
            Some(number) => visitor.visit_f64(number),
            None => Err(self.unexpected("a number in the range of doubles")),
        }
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let mut chars = self.0.chars();
        match (chars.next(), chars.next()) {
            (Some(c), None) => visitor.visit_char(c),
            _ => Err(self.unexpected("one character")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        match self.0 {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        }
    }

    /// The numbers of an array, as bytes are written; else the text.
    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.0.starts_with('[') {
            return self.json(|value| value.deserialize_byte_buf(visitor));
        }
        match self.0 {
            Cow::Borrowed(text) => visitor.visit_borrowed_bytes(text.as_bytes()),
            Cow::Owned(text) => visitor.visit_byte_buf(text.into_bytes()),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.0.is_empty() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.0.is_empty() { visitor.visit_unit() } else { Err(self.unexpected("an empty cell")) }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.0.starts_with('[') {
            return self.json(|value| value.deserialize_seq(visitor));
        }
        let cells: Vec<Cell<'de>> = match self.0 {
            Cow::Borrowed(text) => texts(text).map(|text| Cell(text.into())).collect(),
            Cow::Owned(text) => texts(&text).map(|text| Cell(text.to_owned().into())).collect(),
        };
        let mut cells = SeqDeserializer::new(cells.into_iter());
        let value = visitor.visit_seq(&mut cells)?;
        cells.end()?;
        Ok(value)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        let cell = if self.0.is_empty() { Cell("{}".into()) } else { self };
        cell.json(|value| value.deserialize_map(visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.json(|value| value.deserialize_struct(name, fields, visitor))
    }

    /// The name of a variant, or an object with one.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        if self.0.starts_with('{') {
            return self.json(|value| value.deserialize_enum(name, variants, visitor));
        }
        let word: CowStrDeserializer<'_, Problem> = self.0.into_deserializer();
        word.deserialize_enum(name, variants, visitor)
    }

    forward_deserialize! {
        string byte_buf unit_struct newtype_struct tuple tuple_struct identifier ignored_any
    }
}

impl<'de> IntoDeserializer<'de, Problem> for Cell<'de> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// A variant named by a column, with the content of the cell.
pub(crate) struct Variant<'h, 'de> {
    pub(crate) name: &'h str,
    pub(crate) cell: Cell<'de>,
}

impl<'h, 'de> EnumAccess<'de> for Variant<'h, 'de> {
    type Error = Problem;
    type Variant = Cell<'de>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Cell<'de>), Problem> {
        let name: serde::de::value::StrDeserializer<'h, Problem> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self.cell))
    }
}

impl<'de> VariantAccess<'de> for Cell<'de> {
    type Error = Problem;

    fn unit_variant(self) -> Result<(), Problem> {
        Err(self.unexpected("the name of a variant without content"))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Problem> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Problem> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.deserialize_struct("", fields, visitor)
    }
}
