//! Rows from values: the columns that they have between them, and their cells.
//!
//! Cells are kept escaped in one buffer until all rows are known, since only then the columns are. Rows
//! that have the same fields in the same order stand in it as they are written; others are put together
//! cell by cell.

use std::collections::HashMap;

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use wire_core::text::shown;

use super::key;
use super::options::Encoder;
use super::value::{Doubles, push_cell, push_json};
use super::writer::is_taken;
use crate::error::Problem;
use crate::escape::{Place, push_escaped};
use crate::grammar::{LONGEST_NAME, VALUE};
use crate::header::Header;
use crate::json::{NUMBER, RAW_VALUE};
use crate::special::count_special;
use crate::{Error, ErrorKind};

/// The rows of a section, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
    by_name: HashMap<String, usize>,
    /// The columns of declared fields, in the order in which they are written.
    declared: Vec<usize>,
    /// The text of all cells, a tab behind each, and behind the last of a row a line ending.
    text: Vec<u8>,
    rows: Vec<End>,
    /// The columns of the cells of rows that have others than the first ones in their order.
    listed: Vec<usize>,
    /// What all rows are.
    shape: Option<Shape>,
    /// Fields that were left out before any was not.
    skipped: Vec<&'static str>,
    state: RowState,
}

/// A row that was taken in.
#[derive(Debug)]
struct End {
    /// The end of its text.
    text: usize,
    cells: usize,
    /// Where its columns are listed, if they are not the first ones in their order.
    listed: Option<usize>,
}

/// What is known of the row that is being taken in.
#[derive(Debug, Default)]
struct RowState {
    /// The last declared column, behind which keys of maps stand.
    anchor: Option<usize>,
    /// Declared columns that are new. Their place is before the next one that is not.
    new: Vec<usize>,
    /// The column behind that of the last cell.
    next: usize,
    /// The end of each cell, with the tab behind it.
    ends: Vec<usize>,
    /// Where its columns are listed.
    listed: Option<usize>,
}

#[derive(Debug)]
struct Column {
    name: String,
    order: Order,
    /// The row that had it last, from 1.
    seen: usize,
}

/// What decides where a column stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The declaration of a type.
    Declared,
    /// For a key of a map its name, among those behind the same declared column, or before all.
    Sorted { behind: Option<usize> },
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// Fields.
    Fields,
    /// A value of its own.
    Value,
}

impl Table {
    /// Takes a row in.
    pub(crate) fn push<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<(), Error> {
        let state = &mut self.state;
        (state.anchor, state.next, state.listed) = (None, 0, None);
        state.ends.clear();
        let start = self.text.len();
        self.take(row).map_err(|problem| self.in_row(problem))?;
        self.declared.append(&mut self.state.new);
        // Most rows hold nothing that is escaped: then the tabs between the cells are all that is
        // special, which is seen by one look over the whole row, and not in each short cell.
        let cells = self.state.ends.len();
        if count_special(&self.text[start..]) > cells {
            self.escape_row(start);
        }
        if let Some(last) = self.text[start..].last_mut() {
            *last = b'\n';
        }
        self.rows.push(End { text: self.text.len(), cells, listed: self.state.listed });
        Ok(())
    }

    /// Escapes the cells of the row whose text begins at `start`.
    #[cold]
    fn escape_row(&mut self, start: usize) {
        let raw = self.text.split_off(start);
        let mut from = 0;
        for end in &self.state.ends {
            let cell = &raw[from..end - start - 1];
            let cell = std::str::from_utf8(cell).expect("because cells are text");
            from = end - start;
            push_escaped(&mut self.text, cell, Place::Cell);
            self.text.push(b'\t');
        }
    }

    fn take<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<(), Problem> {
        let found = row.serialize(Row(self))?;
        let shape = if found == Found::Value { Shape::Value } else { Shape::Fields };
        if *self.shape.get_or_insert(shape) != shape {
            let message = "it has fields where others are values, or the other way round, expected rows of one kind";
            return Err(Problem::new(ErrorKind::NotARow, message));
        }
        match found {
            Found::Fields => Ok(()),
            Found::Value => self.cell(VALUE, false, |out| push_cell(out, row)),
            Found::Variant(name) => self.cell(name, false, |out| {
                // The member's value in the object that JSON writes for a variant.
                let mut object = Vec::new();
                push_json(&mut object, row, Doubles::Plain)?;
                let mut before = Vec::new();
                push_json(&mut before, name, Doubles::Plain)?;
                out.extend_from_slice(&object[before.len() + 2..object.len() - 1]);
                Ok(())
            }),
        }
    }

    #[cold]
    fn in_row(&self, problem: Problem) -> Error {
        let Problem::Open { kind, column, message } = problem else { return problem.into_error() };
        let row = self.rows.len() + 1;
        let field = column.map(|column| format!(", field {}", shown(&self.columns[column].name)));
        Error::encode(kind, format!("row {row}{}: {message}", field.unwrap_or_default()))
    }

    /// Takes a cell in, whose text `write` appends.
    #[inline]
    fn cell(
        &mut self,
        name: &str,
        is_key: bool,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let column = self.column(name, is_key)?;
        write(&mut self.text).map_err(|problem| problem.in_column(column))?;
        self.text.push(b'\t');
        self.state.ends.push(self.text.len());
        Ok(())
    }

    /// The column of this name, which this row has not had.
    #[inline]
    fn column(&mut self, name: &str, is_key: bool) -> Result<usize, Problem> {
        // Rows mostly have the same fields in the same order.
        let (guess, row) = (self.state.next, self.rows.len() + 1);
        match self.columns.get_mut(guess) {
            Some(column)
                if column.name == name && column.seen != row && self.state.new.is_empty() =>
            {
                column.seen = row;
                if column.order == Order::Declared {
                    self.state.anchor = Some(guess);
                }
                self.state.next = guess + 1;
                if self.state.listed.is_some() {
                    self.listed.push(guess);
                }
                Ok(guess)
            }
            _ => self.any_column(name, is_key),
        }
    }

    fn any_column(&mut self, name: &str, is_key: bool) -> Result<usize, Problem> {
        let known = self.by_name.get(name).copied();
        let column = match known {
            Some(column) => column,
            None => self.new_column(name, is_key),
        };
        let row = self.rows.len() + 1;
        if std::mem::replace(&mut self.columns[column].seen, row) == row {
            let message = format!("the field {} appears twice, expected once", shown(name));
            return Err(Problem::new(ErrorKind::DuplicateField, message));
        }
        if self.columns[column].order == Order::Declared {
            if known.is_some() && !self.state.new.is_empty() {
                let place = self.declared.iter().position(|&declared| declared == column);
                let place = place.expect("because a declared column that is known has a place");
                self.declared.splice(place..place, self.state.new.drain(..));
            }
            self.state.anchor = Some(column);
        }
        if column != self.state.next && self.state.listed.is_none() {
            self.state.listed = Some(self.listed.len());
            self.listed.extend(0..self.state.ends.len());
        }
        if self.state.listed.is_some() {
            self.listed.push(column);
        }
        self.state.next = column + 1;
        Ok(column)
    }

    fn new_column(&mut self, name: &str, is_key: bool) -> usize {
        let column = self.columns.len();
        let order = if is_key {
            Order::Sorted { behind: self.state.anchor }
        } else {
            self.state.new.push(column);
            Order::Declared
        };
        self.columns.push(Column { name: name.to_owned(), order, seen: 0 });
        self.by_name.insert(name.to_owned(), column);
        column
    }

    /// The columns in the order in which they are written.
    fn order(&self) -> Vec<usize> {
        let mut declared = vec![0; self.columns.len()];
        for (place, &column) in (1..).zip(&self.declared) {
            declared[column] = place;
        }
        let mut order: Vec<usize> = (0..self.columns.len()).collect();
        order.sort_by_cached_key(|&column| match &self.columns[column] {
            Column { order: Order::Declared, .. } => (declared[column], None),
            Column { order: Order::Sorted { behind }, name, .. } => {
                (behind.map_or(0, |column| declared[column]), Some(name))
            }
        });
        order
    }

    /// The section of this tool.
    pub(crate) fn into_section(self, tool: &str, options: &Encoder) -> Result<Vec<u8>, Error> {
        let order = self.order();
        let mut header = Header::new(tool, [""; 0]).with_rows(self.rows.len() as u64);
        header.fields = order.iter().map(|&column| (&*self.columns[column].name).into()).collect();
        // No row has a field: they are empty objects, or all fields were left out.
        let mut empty: &[u8] = b"";
        if header.fields.is_empty() {
            header.fields = self.skipped.iter().map(|&name| name.into()).collect();
        }
        if header.fields.is_empty() {
            header.fields.push(VALUE.into());
            empty = b"{}";
        }
        if let Some(long) = header.fields().find(|field| field.len() > LONGEST_NAME) {
            let message = format!(
                "the field {} has {} bytes, expected at most {LONGEST_NAME}",
                shown(long),
                long.len()
            );
            return Err(Error::encode(ErrorKind::InvalidField, message));
        }
        let mut writer = options.writer(Vec::new());
        options.begin(&mut writer, &header)?;
        if self.is_as_written(&order) {
            // What there is goes behind the header where it is, which takes half of the memory.
            let mut section = self.text;
            section.splice(0..0, writer.into_inner());
            return Ok(section);
        }
        let mut place = vec![0; self.columns.len()];
        for (index, &column) in order.iter().enumerate() {
            place[column] = index;
        }
        let mut row = vec![empty; header.fields.len()];
        let mut start = 0;
        for end in &self.rows {
            row.fill(empty);
            if end.cells > 0 {
                let text = &self.text[start..end.text - 1];
                start = end.text;
                for (index, cell) in text.split(|&byte| byte == b'\t').enumerate() {
                    let column = end.listed.map_or(index, |listed| self.listed[listed + index]);
                    row[place[column]] = cell;
                }
            }
            writer.escaped_row(&row)?;
        }
        writer.finish()
    }

    /// Whether the text of the rows is what is written of them.
    fn is_as_written(&self, order: &[usize]) -> bool {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|end| end.text));
        let is_whole = |end: &End| end.listed.is_none() && end.cells == order.len();
        order.iter().enumerate().all(|(place, &column)| place == column)
            && !order.is_empty()
            && self.rows.iter().all(is_whole)
            && !starts.into_iter().any(|start| is_taken(&self.text[start..]))
    }
}

/// What serde says of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// Fields, which have been taken in.
    Fields,
    /// A value of its own.
    Value,
    /// A variant whose content is to be a cell of this name.
    Variant(&'static str),
}

/// Takes fields in, and only tells of anything else.
struct Row<'t>(&'t mut Table);

macro_rules! values {
    ($($method:ident $type:ty),*) => {$(
        fn $method(self, _: $type) -> Result<Found, Problem> {
            Ok(Found::Value)
        }
    )*};
}

impl<'t> Serializer for Row<'t> {
    type Ok = Found;
    type Error = Problem;
    type SerializeSeq = Told;
    type SerializeTuple = Told;
    type SerializeTupleStruct = Told;
    type SerializeTupleVariant = Told;
    type SerializeMap = Fields<'t>;
    type SerializeStruct = Struct<'t>;
    type SerializeStructVariant = Told;

    values! {
        serialize_bool bool, serialize_i8 i8, serialize_i16 i16, serialize_i32 i32, serialize_i64 i64,
        serialize_i128 i128, serialize_u8 u8, serialize_u16 u16, serialize_u32 u32, serialize_u64 u64,
        serialize_u128 u128, serialize_f32 f32, serialize_f64 f64, serialize_char char, serialize_str &str,
        serialize_bytes &[u8], serialize_unit_struct &'static str
    }

    fn serialize_none(self) -> Result<Found, Problem> {
        Ok(Found::Value)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Found, Problem> {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Result<Found, Problem> {
        Ok(Found::Value)
    }

    fn serialize_unit_variant(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
    ) -> Result<Found, Problem> {
        Ok(Found::Value)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Result<Found, Problem> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Found, Problem> {
        self.0.cell(variant, false, |out| {
            let start = out.len();
            push_cell(out, value)?;
            if out.len() == start {
                let message = format!(
                    "the variant {} has an empty cell, expected one that says that it is there",
                    shown(variant)
                );
                return Err(Problem::new(ErrorKind::InvalidValue, message));
            }
            Ok(())
        })?;
        Ok(Found::Fields)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Told, Problem> {
        Ok(Told(Found::Value))
    }

    fn serialize_tuple(self, _: usize) -> Result<Told, Problem> {
        Ok(Told(Found::Value))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Told, Problem> {
        Ok(Told(Found::Value))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Told, Problem> {
        Ok(Told(Found::Variant(variant)))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Fields<'t>, Problem> {
        Ok(Fields { table: self.0, key: None })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Struct<'t>, Problem> {
        let is_value = name == NUMBER || name == RAW_VALUE;
        Ok(Struct((!is_value).then_some(self.0)))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Told, Problem> {
        Ok(Told(Found::Variant(variant)))
    }

    fn collect_str<T: std::fmt::Display + ?Sized>(self, _: &T) -> Result<Found, Problem> {
        Ok(Found::Value)
    }
}

/// The fields of a row.
struct Fields<'t> {
    table: &'t mut Table,
    /// The key whose value comes next, and whether it is one of a map.
    key: Option<(String, bool)>,
}

/// Whether a key comes from a map rather than from a declaration. What serde derives for `flatten` goes by way of a map,
/// too, and hands the declared names over as `str`, which has no size; the keys of the standard library's maps are of types
/// that have one. What a `Serialize` of somebody's own hands over as `str` stands in the order in which it comes.
fn is_key_of_map<K: ?Sized>() -> bool {
    size_of::<&K>() == size_of::<usize>()
}

impl SerializeMap for Fields<'_> {
    type Ok = Found;
    type Error = Problem;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), Problem> {
        self.key = Some((key::name(key)?, is_key_of_map::<K>()));
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Problem> {
        let (name, is_key) = self.key.take().expect("because a value comes behind its key");
        self.table.cell(&name, is_key, |out| push_cell(out, value))
    }

    fn end(self) -> Result<Found, Problem> {
        Ok(Found::Fields)
    }
}

/// The fields of a struct; none of what `serde_json` dresses as one.
struct Struct<'t>(Option<&'t mut Table>);

impl SerializeStruct for Struct<'_> {
    type Ok = Found;
    type Error = Problem;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), Problem> {
        match &mut self.0 {
            Some(table) => table.cell(name, false, |out| push_cell(out, value)),
            None => Ok(()),
        }
    }

    fn skip_field(&mut self, name: &'static str) -> Result<(), Problem> {
        if let Some(Table { columns, skipped, .. }) = self.0.as_deref_mut()
            && columns.is_empty()
            && !skipped.contains(&name)
        {
            skipped.push(name);
        }
        Ok(())
    }

    fn end(self) -> Result<Found, Problem> {
        Ok(if self.0.is_some() { Found::Fields } else { Found::Value })
    }
}

/// The inside of what is no fields, which is passed over.
struct Told(Found);

macro_rules! passed_over {
    ($($trait:ident $method:ident ($($name:ty)?)),*) => {$(
        impl $trait for Told {
            type Ok = Found;
            type Error = Problem;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $(_: $name,)?
                _: &T,
            ) -> Result<(), Problem> {
                Ok(())
            }

            fn end(self) -> Result<Found, Problem> {
                Ok(self.0)
            }
        }
    )*};
}

passed_over! {
    SerializeSeq serialize_element (), SerializeTuple serialize_element (), SerializeTupleStruct serialize_field (),
    SerializeTupleVariant serialize_field (), SerializeStructVariant serialize_field (&'static str)
}
