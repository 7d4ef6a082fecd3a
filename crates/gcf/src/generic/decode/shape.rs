//! Rows and tables by their lines alone, for readers that hold one row in memory.

use std::collections::HashMap;

use wire_core::text::shown;

use super::columns::{Columns, names};
use super::head::{Count, Head, head, id};
use super::lines::error_at;
use super::row::cut;
use crate::generic::key::{PATH, read_key};
use crate::generic::problem::Problem;
use crate::generic::scalar::{Mark, mark};
use crate::{Error, ErrorKind};

/// The line that begins a table.
#[derive(Debug)]
pub(in crate::generic) struct HeadLine {
    pub(in crate::generic) name: Option<String>,
    pub(in crate::generic) is_map: bool,
    /// None if the trailer says it.
    pub(in crate::generic) count: Option<u64>,
    pub(in crate::generic) list: String,
    /// The fields that have a cell of their own, and how many cells there are.
    pub(in crate::generic) cells: HashMap<String, usize>,
    pub(in crate::generic) width: usize,
}

/// What a row declares for those behind it.
#[derive(Debug, Default)]
pub(in crate::generic) struct Declared {
    /// Cells with the schema of an object: its list, and how many keys it has.
    pub(in crate::generic) inline: Vec<(usize, String, usize)>,
    /// Names of fields with that of a table, and its list.
    pub(in crate::generic) shared: Vec<(String, String)>,
}

/// A row, and which lines behind it are attached to it.
#[derive(Debug)]
pub(in crate::generic) struct RowShape {
    /// The marks whose attachments are still to come.
    marks: usize,
    pub(in crate::generic) declared: Declared,
}

/// An error in a line that stands by itself.
#[cold]
fn wrong(line: &str, problem: Problem) -> Error {
    error_at(line, problem.at as usize - line.as_ptr() as usize, problem.kind, problem.message)
}

impl HeadLine {
    /// Reads the line.
    pub(in crate::generic) fn read(line: &str) -> Result<Self, Error> {
        let line = line.trim_end_matches([' ', '\t']);
        let unrecognized = || {
            let message =
                format!("a line is {}, expected a table: `## name [N]{{fields}}`", shown(line));
            error_at(line, 0, ErrorKind::UnrecognizedLine, message)
        };
        let rest = line.strip_prefix("## ").ok_or_else(unrecognized)?;
        let (name, rest) = if rest.starts_with('[') {
            (None, rest)
        } else {
            let found = read_key(rest).map_err(|problem| wrong(line, problem))?;
            let (name, length) = found.ok_or_else(unrecognized)?;
            (Some(name.into_owned()), rest[length..].strip_prefix(' ').ok_or_else(unrecognized)?)
        };
        let (count, list, is_map) = match head(rest).map_err(|problem| wrong(line, problem))? {
            Some(Head::Array(count, Some(list))) => (count, list, false),
            Some(Head::KeyedMap(count, list)) => (count, list, true),
            _ => return Err(unrecognized()),
        };
        let read = if is_map { Columns::of_keyed_map } else { Columns::of_array };
        let columns = read(list, 2).map_err(|problem| wrong(line, problem))?;
        if columns.group.is_some() {
            let message = "the rows stand in groups, expected rows one by one";
            return Err(error_at(line, 0, ErrorKind::NotStreamable, message));
        }
        let count = match count {
            Count::Exact(0) if is_map => {
                let message = "zero count: a keyed map has no members, expected one at least";
                return Err(error_at(line, 0, ErrorKind::InvalidCount, message));
            }
            Count::Exact(count) => Some(count),
            Count::Deferred => None,
        };
        Ok(HeadLine {
            name,
            is_map,
            count,
            list: list.to_owned(),
            cells: columns.direct_cells(),
            width: columns.width(),
        })
    }
}

impl RowShape {
    /// The shape of the row with this index.
    pub(in crate::generic) fn of(line: &str, has_key: bool, index: u64) -> Result<Self, Error> {
        let mut text = line;
        if let Some((digits, rest)) = line.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
            if id(digits) != Some(index) {
                let message = format!("a row is {}, expected its index: `@{index} …`", shown(line));
                return Err(error_at(line, 0, ErrorKind::InvalidItemId, message));
            }
            text = rest;
        }
        let mut cells = Vec::new();
        cut(text, &mut cells).map_err(|problem| wrong(line, problem))?;
        let mut shape = RowShape { marks: 0, declared: Declared::default() };
        for (cell, token) in cells.into_iter().skip(usize::from(has_key)).enumerate() {
            match mark(token) {
                Mark::Scalar | Mark::Missing => {}
                Mark::Attachment => shape.marks += 1,
                Mark::Schema(list) => {
                    shape.marks += 1;
                    let keys = names(list).map_err(|problem| wrong(line, problem))?.len();
                    shape.declared.inline.push((cell, list.to_owned(), keys));
                }
            }
        }
        Ok(shape)
    }

    /// Whether the next line is attached to the row, or wrong.
    pub(in crate::generic) fn takes(&mut self, line: &str) -> bool {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if indent >= 4 {
            return true;
        }
        let Some(named) = text.strip_prefix('.') else {
            let belongs = self.marks > 0 || indent > 0;
            self.marks = self.marks.saturating_sub(1);
            return belongs;
        };
        if let Ok(Some((name, length))) = read_key(named) {
            if !name.contains(PATH) {
                self.marks = self.marks.saturating_sub(1);
            }
            let behind = named[length..].trim_matches([' ', '\t']);
            if let Ok(Some(Head::Array(_, Some(list)))) = head(behind)
                && Columns::of_array(list, 3).is_ok_and(|columns| columns.can_be_shared())
            {
                self.declared.shared.push((name.into_owned(), list.to_owned()));
            }
        }
        true
    }
}
