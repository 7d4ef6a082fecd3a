//! Arrays whose rows or items are read one by one, each from its own lines, for readers that keep
//! one of them in memory.

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::DeserializeSeed;
use wire_core::Limits;
use wire_core::text::shown;

use super::array::Items;
use super::attachments::{Extent, Schemas};
use super::columns::Columns;
use super::form::{Body, Form};
use super::head::{Count, Head, count_of_map, section};
use super::lines::{Lines, error_at};
use super::reader::Reader;
use super::table::Table;
use super::value::Value;
use crate::generic::problem::Problem;
use crate::graph::decode::Lines as RawLines;
use crate::{Error, ErrorKind};

/// An array or map, what its header says, and what its rows have declared so far.
#[derive(Debug)]
pub(in crate::generic) struct RowByRow {
    pub(in crate::generic) name: Option<String>,
    pub(in crate::generic) is_map: bool,
    /// None if the trailer says it.
    pub(in crate::generic) count: Option<u64>,
    /// None of items.
    rows: Option<Rows>,
    /// The rows or items that were read.
    pub(in crate::generic) found: u64,
}

/// What the rows of a table have in common.
#[derive(Debug)]
struct Rows {
    columns: Arc<Columns<'static>>,
    declared: Arc<Schemas<'static>>,
}

/// How far a row or an item reaches.
#[derive(Debug)]
pub(in crate::generic) enum Reach {
    Row(Extent),
    Item,
}

impl Reach {
    /// Whether the next line belongs to the row or item, or is wrong.
    pub(in crate::generic) fn takes(&mut self, line: &str) -> bool {
        match self {
            Reach::Row(extent) => extent.takes(line),
            // All of its lines are indented further.
            Reach::Item => line.starts_with([' ', '\t']),
        }
    }
}

/// How many bytes of names and constants rows may repeat in all, and how many they have repeated.
#[derive(Clone, Copy, Debug)]
pub(in crate::generic) struct Repeated {
    pub(in crate::generic) most: usize,
    pub(in crate::generic) so_far: usize,
}

/// A row or an item that was read.
pub(in crate::generic) struct ReadRow<T> {
    /// Its key, in a keyed map.
    pub(in crate::generic) key: String,
    pub(in crate::generic) value: T,
    /// The counts in it that are left to the trailer.
    pub(in crate::generic) deferred: Vec<u64>,
    /// Whether it is one line.
    pub(in crate::generic) plain: bool,
    /// Whether a count inside it ends with its last line, and so shows that this is whole.
    pub(in crate::generic) counted: bool,
    /// Whether lines follow that belong to nothing, although this was the last row of the value.
    pub(in crate::generic) surplus: bool,
}

/// Checks the indentation of a line, which in a whole text is checked before anything else.
pub(in crate::generic) fn check_indentation(line: &str, limits: &Limits) -> Result<(), Error> {
    Lines::new(line, RawLines::new(line), limits).map(drop)
}

impl RowByRow {
    /// The array or map that this line begins.
    pub(in crate::generic) fn begin(line: &str) -> Result<Self, Error> {
        let wrong = |problem: Problem| problem.in_text(line);
        let (name, count, list, is_map) = match section(line).map_err(wrong)? {
            Some((name, Head::Array(count, list))) => (name, count, list, false),
            Some((name, Head::KeyedMap(count, list))) => {
                (name, count_of_map(count, line).map_err(wrong)?, Some(list), true)
            }
            _ => {
                let found = shown(line);
                let message = format!(
                    "a line is {found}, expected a table or items: `## name [N]{{fields}}` or `## name [N]`"
                );
                return Err(error_at(line, 0, ErrorKind::UnrecognizedLine, message));
            }
        };
        let read = if is_map { Columns::of_keyed_map } else { Columns::of_array };
        let columns = list.map(|list| read(list, depth(name.is_some()) + 1)).transpose();
        let columns = columns.map_err(wrong)?;
        if columns.as_ref().is_some_and(|columns| columns.group.is_some()) {
            let message = "the rows are in groups, expected rows without groups";
            return Err(error_at(line, 0, ErrorKind::NotStreamable, message));
        }
        let rows = columns
            .map(|columns| Rows { columns: Arc::new(columns.owned()), declared: Arc::default() });
        let count = match count {
            Count::Exact(count) => Some(count),
            Count::Deferred => None,
        };
        Ok(RowByRow { name: name.map(Cow::into_owned), is_map, count, rows, found: 0 })
    }

    /// Whether it has items, and no rows.
    pub(in crate::generic) fn is_items(&self) -> bool {
        self.rows.is_none()
    }

    /// The names of the rows' members that the header declares.
    pub(in crate::generic) fn fields(&self) -> Vec<String> {
        let columns = self.rows.iter().map(|rows| &rows.columns);
        columns.flat_map(|columns| columns.member_names()).map(ToString::to_string).collect()
    }

    /// The name of its elements, for messages.
    pub(in crate::generic) fn noun(&self) -> &'static str {
        if self.is_items() { "items" } else { "rows" }
    }

    /// How far the row or item reaches that begins with this line.
    pub(in crate::generic) fn reach(&self, line: &str) -> Reach {
        match &self.rows {
            Some(rows) => Reach::Row(Extent::of_row(line, self.is_map, Arc::clone(&rows.columns))),
            None => Reach::Item,
        }
    }

    /// Reads the next row or item from its lines, and counts the bytes that it repeats.
    pub(in crate::generic) fn read<'b, S: DeserializeSeed<'b>>(
        &mut self,
        lines: &'b str,
        limits: &Limits,
        repeated: &mut Repeated,
        seed: S,
    ) -> Result<ReadRow<S::Value>, Error> {
        let mut reader =
            Reader::new(Lines::new(lines, RawLines::new(lines), limits)?, repeated.most);
        reader.repeated = repeated.so_far;
        reader.depth = depth(self.name.is_some());
        let end = reader.lines.len();
        let body = Body { head: 0, at: 0, end, indent: 0, whole: false };
        let (key, value, plain) = match &mut self.rows {
            Some(rows) => rows.read(&mut reader, body, (self.is_map, self.found), seed)?,
            None => item(&mut reader, body, self.found, seed)?,
        };
        self.found += 1;
        let is_last = self.name.is_none() && self.count == Some(self.found);
        let surplus = reader.at < body.end;
        if surplus && !is_last {
            reader.has_line(&body)?;
            let expected = if self.is_items() { "the next item" } else { "the next row" };
            return Err(reader.unrecognized(reader.at, expected));
        }
        repeated.so_far = reader.repeated;
        let deferred = reader.deferred().iter().map(|(_, found)| *found).collect();
        let counted = reader.counted.is_some_and(|line| line + 1 == end);
        Ok(ReadRow { key, value, deferred, plain, counted, surplus })
    }
}

impl Rows {
    /// The key and the value of a row, and whether nothing is attached to it.
    fn read<'b, S: DeserializeSeed<'b>>(
        &mut self,
        reader: &mut Reader<'b>,
        body: Body,
        (is_map, index): (bool, u64),
        seed: S,
    ) -> Result<(String, S::Value, bool), Error> {
        let columns: Arc<Columns<'b>> = Arc::clone(&self.columns) as _;
        let mut table = Table::new(reader, body, Count::Deferred, columns, is_map);
        table.index = index;
        table.schemas = Schemas::behind(Arc::clone(&self.declared));
        let Some((key, row)) = table.next_member(reader)? else {
            let message = "there is no row, expected one";
            return Err(reader.error(0, ErrorKind::UnrecognizedLine, message));
        };
        let value = value(reader, row, seed)?;
        reader.at = table.behind;
        let declared = std::mem::take(&mut table.schemas);
        if !declared.is_empty() {
            // This is first, because it shares the earlier declarations: otherwise all of them
            // would be copied for each row.
            let declared = declared.into_owned();
            Arc::make_mut(&mut self.declared).extend(declared);
        }
        Ok((key.into_owned(), value, table.plain))
    }
}

/// The value of an item, and whether it is one line. It has no key.
fn item<'b, S: DeserializeSeed<'b>>(
    reader: &mut Reader<'b>,
    body: Body,
    index: u64,
    seed: S,
) -> Result<(String, S::Value, bool), Error> {
    let mut items = Items::new(reader, body, Count::Deferred).behind(index);
    let Some(form) = items.next(reader)? else {
        return Err(reader.unrecognized(0, "an item: `@N =value`, `@N {}` or `@N [N]…`"));
    };
    let is_scalar = matches!(form, Form::Scalar(_));
    let value = value(reader, form, seed)?;
    Ok((String::new(), value, is_scalar))
}

/// The value of a form, which is all of its lines.
fn value<'b, S: DeserializeSeed<'b>>(
    reader: &mut Reader<'b>,
    form: Form<'b>,
    seed: S,
) -> Result<S::Value, Error> {
    let value = seed
        .deserialize(Value { reader, form })
        .map_err(|error| error.or_at(|| reader.lines.position(reader.offset(0))))?;
    // A trailer after a mark is not an attachment.
    if reader.lines.summary.is_some() {
        return Err(reader.unrecognized(0, "a row with all of its attachments"));
    }
    Ok(value)
}

/// How many arrays and objects are open around the rows of a table: itself, and the object that
/// names it.
fn depth(is_named: bool) -> usize {
    1 + usize::from(is_named)
}
