//! Tables whose rows are read one by one, each from its own lines, for readers that hold one row in memory.

use std::borrow::Cow;
use std::sync::Arc;

use serde::de::DeserializeSeed;
use wire_core::Limits;
use wire_core::text::shown;

use super::attachments::{Extent, Schemas};
use super::columns::Columns;
use super::form::Body;
use super::head::{Count, EMPTY_MAP, Head, section};
use super::lines::{Lines, error_at};
use super::reader::Reader;
use super::table::Table;
use super::value::Value;
use crate::generic::problem::Problem;
use crate::graph::decode::Lines as RawLines;
use crate::{Error, ErrorKind};

/// A table, what its header says, and what its rows have declared so far.
#[derive(Debug)]
pub(in crate::generic) struct RowByRow {
    pub(in crate::generic) name: Option<String>,
    pub(in crate::generic) is_map: bool,
    /// None if the trailer says it.
    pub(in crate::generic) count: Option<u64>,
    columns: Arc<Columns<'static>>,
    declared: Arc<Schemas<'static>>,
    /// The rows that were read.
    pub(in crate::generic) found: u64,
}

/// How many bytes of names and constants rows may repeat in all, and how many they have repeated.
#[derive(Clone, Copy, Debug)]
pub(in crate::generic) struct Repeated {
    pub(in crate::generic) most: usize,
    pub(in crate::generic) so_far: usize,
}

/// A row that was read.
pub(in crate::generic) struct ReadRow<T> {
    /// Its key, in a keyed map.
    pub(in crate::generic) key: String,
    pub(in crate::generic) value: T,
    /// The counts in it that are left to the trailer.
    pub(in crate::generic) deferred: Vec<u64>,
    /// Whether nothing is attached to it.
    pub(in crate::generic) plain: bool,
    /// Whether a count inside it ends with its last line, and so shows that this is whole.
    pub(in crate::generic) counted: bool,
}

impl RowByRow {
    /// The table that this line begins.
    pub(in crate::generic) fn begin(line: &str) -> Result<Self, Error> {
        let wrong = |problem: Problem| problem.in_text(line);
        let (name, count, list, is_map) = match section(line).map_err(wrong)? {
            Some((name, Head::Array(count, Some(list)))) => (name, count, list, false),
            Some((_, Head::KeyedMap(Count::Exact(0), _))) => {
                return Err(error_at(line, 0, ErrorKind::InvalidCount, EMPTY_MAP));
            }
            Some((name, Head::KeyedMap(count, list))) => (name, count, list, true),
            _ => {
                let found = shown(line);
                let message =
                    format!("a line is {found}, expected a table: `## name [N]{{fields}}`");
                return Err(error_at(line, 0, ErrorKind::UnrecognizedLine, message));
            }
        };
        let read = if is_map { Columns::of_keyed_map } else { Columns::of_array };
        let columns = read(list, depth(name.is_some()) + 1).map_err(wrong)?;
        if columns.group.is_some() {
            let message = "the rows stand in groups, expected rows one by one";
            return Err(error_at(line, 0, ErrorKind::NotStreamable, message));
        }
        let count = match count {
            Count::Exact(count) => Some(count),
            Count::Deferred => None,
        };
        Ok(RowByRow {
            name: name.map(Cow::into_owned),
            is_map,
            count,
            columns: Arc::new(columns.owned()),
            declared: Arc::default(),
            found: 0,
        })
    }

    /// How far the row reaches that begins with this line.
    pub(in crate::generic) fn extent(&self, line: &str) -> Extent {
        Extent::of_row(line, self.is_map, Arc::clone(&self.columns))
    }

    /// Reads the next row from its lines, and counts what it repeats.
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
        let columns: Arc<Columns<'b>> = Arc::clone(&self.columns) as _;
        let mut table = Table::new(&mut reader, body, Count::Deferred, columns, self.is_map);
        table.index = self.found;
        table.schemas = Schemas::behind(Arc::clone(&self.declared));
        let Some((key, row)) = table.next_member(&mut reader)? else {
            let message = "there is no row, expected one";
            return Err(reader.error(0, ErrorKind::UnrecognizedLine, message));
        };
        let value = seed
            .deserialize(Value { reader: &mut reader, form: row })
            .map_err(|error| error.or_at(|| reader.lines.position(reader.offset(0))))?;
        // A trailer behind a mark is no attachment.
        if reader.lines.summary.is_some() {
            return Err(reader.unrecognized(0, "a row with all of its attachments"));
        }
        if table.behind < end {
            reader.at = table.behind;
            reader.has_line(&body)?;
            return Err(reader.unrecognized(reader.at, "the next row"));
        }
        self.found += 1;
        repeated.so_far = reader.repeated;
        let declared = std::mem::take(&mut table.schemas);
        if !declared.is_empty() {
            // First, since it shares what was declared before: else all of that would be copied for each row.
            let declared = declared.into_owned();
            Arc::make_mut(&mut self.declared).extend(declared);
        }
        let deferred = reader.deferred().iter().map(|(_, found)| *found).collect();
        let counted = reader.counted.is_some_and(|line| line + 1 == end);
        Ok(ReadRow { key: key.into_owned(), value, deferred, plain: table.plain, counted })
    }
}

/// How many arrays and objects are open around the rows of a table: itself, and the object that names it.
fn depth(is_named: bool) -> usize {
    1 + usize::from(is_named)
}
