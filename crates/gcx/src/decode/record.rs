//! One row as a value: its members, or the content of its only cell.

use serde::de::{Deserializer, Visitor};
use serde::forward_to_deserialize_any;
use wire_core::forward_deserialize;

use super::cell::{Beyond, Cell, Variant, rehydrated};
use super::members::{Empty, Members};
use super::row::Row;
use crate::ErrorKind;
use crate::error::Problem;
use crate::grammar::VALUE;
use crate::header::Header;

/// One row of a section.
pub(super) struct Record<'h, 'de> {
    pub(super) header: &'h Header<'h>,
    pub(super) row: Row<'de>,
    pub(super) empty: Empty,
}

impl<'h, 'de> Record<'h, 'de> {
    /// Returns `true` if the row is a value itself rather than the members of one.
    fn is_value(&self) -> bool {
        matches!(&*self.header.fields, [field] if field == VALUE)
    }

    /// The first cell.
    fn into_cell(self) -> Cell<'de> {
        Cell(self.row.into_present().into_iter().next().unwrap_or_default())
    }

    fn members(self, wanted: &'static [&'static str]) -> Members<'h, 'de> {
        Members::new(self.header, self.row, self.empty, wanted)
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
        // The type does not say what an empty cell is. Leaving the member out is right for every
        // `Option`, and for a variant that does not have this field.
        visitor.visit_map(Record { empty: Empty::Absent, ..self }.members(&[]))
    }

    of_the_lone_cell! {
        deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 deserialize_f32 deserialize_f64
        deserialize_char deserialize_str deserialize_string deserialize_bytes deserialize_byte_buf deserialize_unit
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        if self.header.fields.len() == 1 && self.row.cell(0).is_none_or(str::is_empty) {
            return visitor.visit_none();
        }
        visitor.visit_some(self)
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
        visitor.visit_seq(self.members(&[]).with_all(len))
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Problem> {
        // The column may also be the only member of a map; then its cell is an object only by
        // chance.
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

    /// A variant by the name in the only cell, or by the column of the only cell that is not empty.
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
                let message = format!("a row has {found}, expected one field, that of its variant");
                Err(Problem::new(ErrorKind::InvalidRow, message))
            }
        }
    }

    forward_deserialize! { unit_struct newtype_struct tuple_struct }

    forward_to_deserialize_any! { identifier ignored_any }
}
