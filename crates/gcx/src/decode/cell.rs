//! Cells as values: numbers, names, lists, and JSON.

use std::borrow::Cow;

use serde::de::value::{CowStrDeserializer, SeqDeserializer};
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error as _, IntoDeserializer, VariantAccess, Visitor,
};
use serde_json::Number;
use wire_core::__private::json::Reader;
use wire_core::forward_deserialize;
use wire_core::text::shown;

use crate::error::Problem;
use crate::json::{self, Decimals, Json, Object};

/// A cell, which is read as the requested type.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cell<'de>(pub(crate) Cow<'de, str>);

/// The treatment of integers beyond 64 bits (ruling A6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Beyond {
    /// As the double whose text they are (ruling X6). Others are an error in a cell with a type,
    /// and text in a cell without a type.
    Doubles,
    /// Their digits are kept.
    Kept,
    /// The literals of all numbers are kept, also of decimals that are not doubles (ruling A7).
    Literals,
}

impl Beyond {
    /// The treatment of decimals that are not doubles.
    pub(crate) fn decimals(self) -> Decimals {
        if self == Beyond::Literals { Decimals::Kept } else { Decimals::Nearest }
    }

    /// Whether the integers of a cell, or of the JSON in it, can be represented.
    pub(crate) fn holds(self, cell: &str) -> bool {
        self != Beyond::Doubles || json::holds_integers(cell)
    }
}

/// The value that the plain form writes as this cell, when it is not text (ruling X10): a number in
/// its canonical notation, a truth value, an array or an object.
pub(crate) fn rehydrated(cell: &str, beyond: Beyond) -> Option<Json> {
    match cell.as_bytes().first()? {
        b't' if cell == "true" => Some(Json::Bool(true)),
        b'f' if cell == "false" => Some(Json::Bool(false)),
        b'[' | b'{' if beyond.holds(cell) => json::parse(cell, beyond.decimals()).ok(),
        b'-' | b'0'..=b'9' => number(cell, json::number(cell), beyond),
        _ => None,
    }
}

/// The number in a cell; `number` is its value within 64 bits.
pub(crate) fn number(cell: &str, number: Option<Number>, beyond: Beyond) -> Option<Json> {
    let is_beyond = || json::digits(cell).is_some() && json::integer(cell).is_none();
    if beyond != Beyond::Doubles && is_beyond() {
        return Some(Json::Digits(cell.to_owned()));
    }
    number.map(Json::Number)
}

/// The elements of a list cell that is not a JSON array: texts separated by commas. An empty cell
/// has no elements.
fn texts(cell: &str) -> impl Iterator<Item = &str> {
    cell.split(',').filter(|_| !cell.is_empty())
}

/// The strings of a list cell, which may be a JSON array; `None` when the array contains other
/// values or is not valid JSON.
pub(crate) fn strings(cell: &str) -> Option<Vec<Json>> {
    if !cell.starts_with('[') {
        return Some(texts(cell).map(Json::from).collect());
    }
    match json::parse(cell, Decimals::Nearest) {
        Ok(Json::Array(values)) if values.iter().all(|value| value.as_str().is_some()) => {
            Some(values)
        }
        _ => None,
    }
}

impl Cell<'_> {
    #[cold]
    fn unexpected(&self, expected: &str) -> Problem {
        Problem::custom(format!("the cell is {}, expected {expected}", shown(&self.0)))
    }

    /// The JSON in the cell.
    fn json(&self) -> Result<Json, Problem> {
        json::parse(&self.0, Decimals::Nearest)
            .map_err(|error| self.unexpected(&format!("JSON, but it is not valid JSON ({error})")))
    }
}

/// Reads the JSON in a cell. Strings are borrowed when the cell is, unless the cell has integers
/// beyond 64 bits.
macro_rules! in_json {
    ($cell:ident.$method:ident($($argument:expr),*)) => {{
        let value = $cell.json()?;
        match $cell.0 {
            Cow::Borrowed(text) if json::has_short_integers(text) => {
                Reader::new(text).$method($($argument),*).map_err(Problem::custom)
            }
            _ => value.$method($($argument),*),
        }
    }};
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
        match rehydrated(&self.0, Beyond::Doubles) {
            // When no type is requested, an empty cell is `()`: for a text, for an `Option`, and
            // for the content of a variant without content.
            None if self.0.is_empty() => visitor.visit_unit(),
            Some(value) => value.deserialize_any(visitor),
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
            return in_json!(self.deserialize_byte_buf(visitor));
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
            return in_json!(self.deserialize_seq(visitor));
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
        if self.0.is_empty() {
            return Json::Object(Object::default()).deserialize_map(visitor);
        }
        in_json!(self.deserialize_map(visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        in_json!(self.deserialize_struct(name, fields, visitor))
    }

    /// The name of a variant, or an object with one.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        if self.0.starts_with('{') {
            return in_json!(self.deserialize_enum(name, variants, visitor));
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
