//! Serializes a row: its fields, which the table collects, or a value.

use serde::ser::{
    Serialize, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant, Serializer,
};
use wire_core::forward_serialize;
use wire_core::json::{SERDE_JSON_NUMBER, SERDE_JSON_RAW_VALUE};
use wire_core::text::shown;

use super::key;
use super::table::{Shape, Table};
use super::value::{Style, push_cell, push_json};
use crate::error::Problem;
use crate::grammar::VALUE;
use crate::{Error, ErrorKind};

/// The way in which the cells of rows are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cells {
    /// As they are written.
    Plain,
    /// As JSON. It is converted to a cell once the type of the column is known.
    Json,
}

/// Whether the members of a row are known to be those of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Members {
    /// All are keys, as in JSON.
    Keys,
    /// Some may be declared.
    Any,
}

/// Serializes an object of JSON into the table, with its members as fields. Returns whether it is an
/// object; if not, the table must not be used any more.
pub(crate) fn push_object<T: Serialize>(
    table: &mut Table,
    row: &T,
    cells: Cells,
) -> Result<bool, Problem> {
    let start = table.begin_row();
    let found = row.serialize(Row { table: &mut *table, cells, members: Members::Keys })?;
    match cells {
        Cells::Plain => table.end_row(start),
        Cells::Json => table.end_raw_row(start),
    }
    Ok(found == Found::Fields)
}

/// Adds a row to the table.
pub(super) fn push<T: Serialize + ?Sized>(table: &mut Table, row: &T) -> Result<(), Error> {
    let start = table.begin_row();
    take(table, row).map_err(|problem| table.in_row(problem))?;
    table.end_row(start);
    Ok(())
}

fn take<T: Serialize + ?Sized>(table: &mut Table, row: &T) -> Result<(), Problem> {
    let (cells, members) = (Cells::Plain, Members::Any);
    let found = row.serialize(Row { table: &mut *table, cells, members })?;
    table.check_shape(if found == Found::Value { Shape::Value } else { Shape::Fields })?;
    match found {
        Found::Fields => Ok(()),
        Found::Value => table.cell(VALUE, false, |out| push_cell(out, row)),
        Found::Variant(name) => table.cell(name, false, |out| {
            // The value of the member in the object that JSON writes for a variant.
            let mut object = String::new();
            push_json(&mut object, row, Style::Plain)?;
            let mut before = String::new();
            push_json(&mut before, name, Style::Plain)?;
            out.push_str(&object[before.len() + 2..object.len() - 1]);
            Ok(())
        }),
    }
}

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// Fields, which have been collected.
    Fields,
    /// A value.
    Value,
    /// A variant whose content is to be a cell of this name.
    Variant(&'static str),
}

/// Collects fields; for anything else it only reports the kind.
struct Row<'t> {
    table: &'t mut Table,
    cells: Cells,
    members: Members,
}

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

    fn serialize_unit(self) -> Result<Found, Problem> {
        Ok(Found::Value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Found, Problem> {
        self.table.cell(variant, false, |out| {
            let start = out.len();
            push_cell(out, value)?;
            if out.len() == start {
                let message = format!(
                    "the variant {} is an empty cell, which would be read as a missing value, expected another name",
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
        let Row { table, cells, members } = self;
        Ok(Fields { table, cells, members, name: String::new(), is_key: false })
    }

    fn serialize_struct(self, name: &'static str, _: usize) -> Result<Struct<'t>, Problem> {
        let is_value = name == SERDE_JSON_NUMBER || name == SERDE_JSON_RAW_VALUE;
        Ok(Struct((!is_value).then_some(self.table)))
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

    forward_serialize! { none some unit_variant newtype_struct tuple tuple_struct }
}

/// The fields of a row.
struct Fields<'t> {
    table: &'t mut Table,
    cells: Cells,
    members: Members,
    /// The name of the field whose value comes next.
    name: String,
    /// `true` if it is the key of a map.
    is_key: bool,
}

/// Returns `true` if a key comes from a map rather than from a declaration. Serde's code for
/// `flatten` also uses a map, but passes declared names as `str`, which is unsized. The keys of the
/// standard library's maps have sized types. The `str` keys of a hand-written `Serialize` keep
/// their order.
fn is_key_of_map<K: ?Sized>() -> bool {
    size_of::<&K>() == size_of::<usize>()
}

impl SerializeMap for Fields<'_> {
    type Ok = Found;
    type Error = Problem;

    fn serialize_key<K: Serialize + ?Sized>(&mut self, key: &K) -> Result<(), Problem> {
        self.name.clear();
        self.is_key = self.members == Members::Keys || is_key_of_map::<K>();
        key::push_name(&mut self.name, key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Problem> {
        self.table.cell(&self.name, self.is_key, |out| match self.cells {
            Cells::Plain => push_cell(out, value),
            Cells::Json => push_json(out, value, Style::Typed),
        })
    }

    fn end(self) -> Result<Found, Problem> {
        Ok(Found::Fields)
    }
}

/// The fields of a struct; `None` for a struct that `serde_json` uses as a marker.
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
        if let Some(table) = self.0.as_deref_mut() {
            table.skip(name);
        }
        Ok(())
    }

    fn end(self) -> Result<Found, Problem> {
        Ok(if self.0.is_some() { Found::Fields } else { Found::Value })
    }
}

/// The content of a value without fields, which is skipped.
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
