//! Deserializing the rows of a section.

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use wire_core::forward_deserialize;
use wire_core::text::shown;

use super::members::Empty;
use super::record::Record;
use super::sections::{Sections, check_names};
use crate::error::Problem;
use crate::header::Header;
use crate::{Error, ErrorKind};

/// The next row of the section as a value.
pub(crate) fn next<'de, T: Deserialize<'de>>(
    reader: &mut impl Sections<'de>,
    header: &Header<'_>,
) -> Result<Option<T>, Error> {
    read(reader, header, Empty::Text, |record| T::deserialize(record)).map_err(Problem::into_error)
}

/// The only section of a text as a value: a sequence of its rows, or its only row.
pub(crate) fn section<'de, T: Deserialize<'de>>(
    reader: &mut impl Sections<'de>,
    empty: Empty,
) -> Result<T, Error> {
    let header = reader.section()?.unwrap_or_default();
    check_names(reader, &header)?;
    let rows = Rows { reader, header: &header, empty };
    let value = T::deserialize(rows)
        .map_err(|problem| problem.placed(|_| reader.line_place()).into_error())?;
    if reader.row()?.is_some() {
        let message = "the section has more rows than are read, expected its end";
        return Err(Error::at(ErrorKind::InvalidRow, reader.line_place(), message));
    }
    if let Some(another) = reader.section()? {
        let message =
            format!("there is a second section, {}, expected one section", shown(another.tool()));
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    Ok(value)
}

/// Applies `make` to the next row; `None` at the end of the section. Errors get their positions.
fn read<'de, V>(
    reader: &mut impl Sections<'de>,
    header: &Header<'_>,
    empty: Empty,
    make: impl FnOnce(Record<'_, 'de>) -> Result<V, Problem>,
) -> Result<Option<V>, Problem> {
    let Some(row) = reader.row()? else { return Ok(None) };
    if row.fields() != header.fields.len() {
        let message = format!(
            "a row is of a section with {} fields, expected the header of this section, which has {}",
            row.fields(),
            header.fields.len()
        );
        return Err(Error::at(ErrorKind::InvalidRow, reader.line_place(), message).into());
    }
    let value = make(Record { header, row, empty }).map_err(|problem| {
        problem.placed(|column| match column {
            Some(column) => reader.cell_place(column),
            None => reader.line_place(),
        })
    });
    value.map(Some)
}

/// The rows of a section.
struct Rows<'r, S> {
    reader: &'r mut S,
    header: &'r Header<'r>,
    empty: Empty,
}

impl<'de, S: Sections<'de>> Rows<'_, S> {
    /// Applies `make` to the only row.
    fn only<V>(
        self,
        make: impl FnOnce(Record<'_, 'de>) -> Result<V, Problem>,
    ) -> Result<V, Problem> {
        read(self.reader, self.header, self.empty, make)?.ok_or_else(|| {
            let message = "the section has no row, expected one row";
            Error::at(ErrorKind::InvalidRow, self.reader.line_place(), message).into()
        })
    }
}

impl<'de, S: Sections<'de>> SeqAccess<'de> for Rows<'_, S> {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Problem> {
        read(self.reader, self.header, self.empty, |record| seed.deserialize(record))
    }
}

impl<'de, S: Sections<'de>> Deserializer<'de> for Rows<'_, S> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_seq(self)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        self.only(|record| record.deserialize_map(visitor))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.only(|record| record.deserialize_struct(name, fields, visitor))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        while self.reader.row()?.is_some() {}
        visitor.visit_unit()
    }

    forward_deserialize! { option newtype_struct }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct enum identifier
    }
}
