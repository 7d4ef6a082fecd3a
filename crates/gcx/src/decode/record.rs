//! Rows as values: what `Deserialize` makes of a section.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use wire_core::text::shown;

use super::cell::{Beyond, Cell, Variant, rehydrated};
use super::reader::Sections;
use super::row::Row;
use crate::error::Problem;
use crate::grammar::VALUE;
use crate::header::Header;
use crate::{Error, ErrorKind};

/// What an empty cell is to a struct or a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Empty {
    /// An empty text, and whatever else its type makes of it.
    #[default]
    Text,
    /// A member that is not there.
    Absent,
}

/// The next row of the section as a value.
pub(crate) fn next<'de, T: Deserialize<'de>>(
    reader: &mut impl Sections<'de>,
    header: &Header<'_>,
) -> Result<Option<T>, Error> {
    read(reader, header, Empty::Text, |record| T::deserialize(record)).map_err(Problem::into_error)
}

/// The one section of a text as a value: a sequence of its rows, or its only row.
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
        let message = "there are more rows than are read, expected the end of the section";
        return Err(Error::at(ErrorKind::InvalidRow, reader.line_place(), message));
    }
    if let Some(another) = reader.section()? {
        let message = format!("there is a second section, {}, expected one", shown(another.tool()));
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    Ok(value)
}

/// What `make` makes of the next row; none at the end of the section. Its problems get their places.
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
    /// What `make` makes of the only row.
    fn only<V>(
        self,
        make: impl FnOnce(Record<'_, 'de>) -> Result<V, Problem>,
    ) -> Result<V, Problem> {
        read(self.reader, self.header, self.empty, make)?.ok_or_else(|| {
            let message = "the section has no row, expected one";
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

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_some(self)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        while self.reader.row()?.is_some() {}
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct enum identifier
    }
}

/// One row of a section.
struct Record<'h, 'de> {
    header: &'h Header<'h>,
    row: Row<'de>,
    empty: Empty,
}

impl<'h, 'de> Record<'h, 'de> {
    /// Whether the row is a value of its own rather than the members of one.
    fn is_value(&self) -> bool {
        matches!(&*self.header.fields, [field] if field == VALUE)
    }

    /// The first cell.
    fn into_cell(self) -> Cell<'de> {
        Cell(self.row.into_present().into_iter().next().unwrap_or_default())
    }

    fn members(self, wanted: &'static [&'static str]) -> Members<'h, 'de> {
        let present = self.row.present().len();
        // What a short row leaves out is empty. Only of what is wanted: a row costs no more than its line is long.
        let missing = if present == self.header.fields.len() { &[][..] } else { wanted };
        Members {
            header: self.header,
            present,
            cells: self.row.into_present().into_iter(),
            missing: missing.iter(),
            empty: self.empty,
            next: None,
        }
    }
}

macro_rules! of_the_lone_cell {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            if self.header.fields.len() > 1 {
                return self.deserialize_any(visitor);
            }
            self.into_cell().$method(visitor).map_err(|problem| problem.in_column(0))
        }
    )*};
}

impl<'de> Deserializer<'de> for Record<'_, 'de> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.is_value() {
            let value = self.into_cell().deserialize_any(visitor);
            return value.map_err(|problem| problem.in_column(0));
        }
        // The type does not say what an empty cell is. As no member it is right for every `Option`, and for a variant that has
        // no such field.
        visitor.visit_map(Record { empty: Empty::Absent, ..self }.members(&[]))
    }

    of_the_lone_cell! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.header.fields.len() == 1 && self.row.cell(0).is_none_or(str::is_empty) {
            return visitor.visit_none();
        }
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    /// The elements of a lone value, else the cells.
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.is_value() {
            let value = self.into_cell().deserialize_seq(visitor);
            return value.map_err(|problem| problem.in_column(0));
        }
        visitor.visit_seq(self.members(&[]))
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        if self.is_value() {
            let value = self.into_cell().deserialize_tuple(len, visitor);
            return value.map_err(|problem| problem.in_column(0));
        }
        if self.header.fields.len() != len {
            let fields = self.header.fields.len();
            let message = format!("a row has {fields} fields, expected {len}");
            return Err(Problem::new(ErrorKind::InvalidRow, message));
        }
        let missing = len - self.row.present().len();
        let mut members = self.members(&[]);
        let rest = std::iter::repeat_n(Cow::Borrowed(""), missing);
        members.cells = members.cells.chain(rest).collect::<Vec<_>>().into_iter();
        members.present = len;
        visitor.visit_seq(members)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        // The column may be the only member of the map, too; then its cell is an object by chance at most.
        let is_object =
            |cell: &str| cell.starts_with('{') && rehydrated(cell, Beyond::Doubles).is_some();
        if self.is_value() && self.row.cell(0).is_some_and(is_object) {
            return self.deserialize_any(visitor);
        }
        visitor.visit_map(self.members(&[]))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        if self.is_value() && !fields.contains(&VALUE) {
            return self.deserialize_any(visitor);
        }
        visitor.visit_map(self.members(fields))
    }

    /// The word of a lone cell, else the one cell that is not empty, under the name of its variant.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let lone = matches!(&*self.header.fields, [field] if !variants.contains(&&**field));
        if lone {
            let value = self.into_cell().deserialize_enum(name, variants, visitor);
            return value.map_err(|problem| problem.in_column(0));
        }
        let header = self.header;
        let mut cells = self.row.into_present().into_iter().enumerate();
        let mut filled = cells.by_ref().filter(|(_, cell)| !cell.is_empty());
        match (filled.next(), filled.next()) {
            (Some((column, cell)), None) => {
                let variant = Variant { name: &header.fields[column], cell: Cell(cell) };
                visitor.visit_enum(variant).map_err(|problem| problem.in_column(column))
            }
            (found, _) => {
                let found = if found.is_some() { "several cells" } else { "no cell" };
                let message = format!("a row has {found}, expected one, that of its variant");
                Err(Problem::new(ErrorKind::InvalidRow, message))
            }
        }
    }

    forward_to_deserialize_any! { identifier ignored_any }
}

/// The fields of a row and their cells.
struct Members<'h, 'de> {
    header: &'h Header<'h>,
    /// The number of cells that the line has.
    present: usize,
    cells: std::vec::IntoIter<Cow<'de, str>>,
    empty: Empty,
    /// Fields that are wanted beside those.
    missing: std::slice::Iter<'static, &'static str>,
    /// The cell whose name was given last, and its column.
    next: Option<(usize, Cow<'de, str>)>,
}

impl<'de> Members<'_, 'de> {
    fn next_cell(&mut self) -> Option<(usize, Cow<'de, str>)> {
        if let Some(cell) = self.cells.next() {
            return Some((self.present - self.cells.len() - 1, cell));
        }
        let (header, present) = (self.header, self.present);
        let mut columns = self.missing.by_ref().filter_map(|field| header.column(field));
        let column = columns.find(|&column| column >= present)?;
        Some((column, Cow::Borrowed("")))
    }
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Problem;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Problem> {
        self.next = loop {
            match self.next_cell() {
                Some((_, cell)) if cell.is_empty() && self.empty == Empty::Absent => {}
                next => break next,
            }
        };
        let Some((column, _)) = &self.next else { return Ok(None) };
        seed.deserialize(Key(&self.header.fields[*column])).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Problem> {
        let (column, cell) = self.next.take().expect("because a value comes behind its key");
        seed.deserialize(Cell(cell)).map_err(|problem| problem.in_column(column))
    }
}

impl<'de> SeqAccess<'de> for Members<'_, 'de> {
    type Error = Problem;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Problem> {
        let Some((column, cell)) = self.next_cell() else { return Ok(None) };
        seed.deserialize(Cell(cell)).map(Some).map_err(|problem| problem.in_column(column))
    }
}

/// The name of a field as the key of a map.
struct Key<'h>(&'h str);

macro_rules! keys_by_their_text {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
            Cell(Cow::Owned(self.0.to_owned())).$method(visitor)
        }
    )*};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = Problem;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_str(self.0)
    }

    keys_by_their_text! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Problem> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let word: StrDeserializer<'_, Problem> = self.0.into_deserializer();
        word.deserialize_enum(name, variants, visitor)
    }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

/// The longest name of a field that may become the name of a member, in bytes. Each row has it again: with longer ones a short
/// text could fill the memory.
pub(crate) const LONGEST_NAME: usize = 256;

/// That no name of a field is longer than [`LONGEST_NAME`].
pub(crate) fn check_names<'de>(
    reader: &impl Sections<'de>,
    header: &Header<'_>,
) -> Result<(), Error> {
    let Some(name) = header.fields().find(|name| name.len() > LONGEST_NAME) else { return Ok(()) };
    let message = format!(
        "the field {} has {} bytes, expected at most {LONGEST_NAME} in the name of a member",
        shown(name),
        name.len()
    );
    Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message))
}
