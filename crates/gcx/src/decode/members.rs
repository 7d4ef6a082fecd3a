//! The members of a row: the names of its fields, and their cells.

use std::borrow::Cow;

use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use wire_core::forward_deserialize;

use super::cell::Cell;
use super::row::Row;
use crate::error::Problem;
use crate::header::Header;

/// The meaning of an empty cell in a struct or a map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Empty {
    /// An empty text or list, or `None`, by the type of the member.
    #[default]
    Text,
    /// An absent member.
    Absent,
}

/// The fields of a row and their cells.
pub(super) struct Members<'h, 'de> {
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

impl<'h, 'de> Members<'h, 'de> {
    /// The members that a row has, and the members among `wanted` that a short row leaves out.
    pub(super) fn new(
        header: &'h Header<'h>,
        row: Row<'de>,
        empty: Empty,
        wanted: &'static [&'static str],
    ) -> Self {
        let present = row.present().len();
        // Cells that a short row leaves out are empty. Only those that the type has are looked up,
        // so that the time for a row depends on its own length only.
        let missing = if present == header.fields.len() { &[][..] } else { wanted };
        Members {
            header,
            present,
            cells: row.into_present().into_iter(),
            missing: missing.iter(),
            empty,
            next: None,
        }
    }

    /// Adds the cells that a short row leaves out, so that there are `len`.
    pub(super) fn with_all(mut self, len: usize) -> Self {
        let rest = std::iter::repeat_n(Cow::Borrowed(""), len - self.present);
        self.cells = self.cells.chain(rest).collect::<Vec<_>>().into_iter();
        self.present = len;
        self
    }

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

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Problem> {
        let word: StrDeserializer<'_, Problem> = self.0.into_deserializer();
        word.deserialize_enum(name, variants, visitor)
    }

    forward_deserialize! { option newtype_struct }

    forward_to_deserialize_any! {
        f32 f64 char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
