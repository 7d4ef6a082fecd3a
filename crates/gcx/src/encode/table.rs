//! The rows of a section: the union of their columns, and their cells.
//!
//! The columns are known only after the last row, so cells are kept escaped in one buffer. Rows
//! with the same fields in the same order are stored as they will be written. Others are assembled
//! cell by cell.

use std::collections::HashMap;

use wire_core::text::shown;

use super::options::Options;
use super::writer::is_taken;
use crate::error::Problem;
use crate::escape::{Place, push_escaped};
use crate::grammar::{ESCAPE, LONGEST_NAME, VALUE};
use crate::header::Header;
use crate::special::count_special;
use crate::{Error, ErrorKind};

/// The rows of a section, as far as they are known.
#[derive(Debug, Default)]
pub(crate) struct Table {
    columns: Vec<Column>,
    by_name: HashMap<String, usize>,
    /// The columns of declared fields, in the order in which they are written.
    declared: Vec<usize>,
    /// The text of all cells: each is followed by a tab, and the last of a row by a line feed.
    text: String,
    rows: Vec<End>,
    /// The columns of the cells, for rows whose columns are not the first ones in order.
    listed: Vec<usize>,
    /// The kind of all rows.
    shape: Option<Shape>,
    /// Fields that were left out before any was not.
    skipped: Vec<&'static str>,
    state: RowState,
}

/// A row that was collected.
#[derive(Debug)]
struct End {
    /// The end of its text.
    text: usize,
    cells: usize,
    /// The index in `Table::listed` of its first column; `None` when its columns are the first ones
    /// in order.
    listed: Option<usize>,
}

/// The state of the row that is being collected.
#[derive(Debug, Default)]
struct RowState {
    /// The last declared column, after which keys of maps are inserted.
    anchor: Option<usize>,
    /// New declared columns. Their position is before the next one that is not new.
    new: Vec<usize>,
    /// The column after that of the last cell.
    next: usize,
    /// The end of each cell, including the tab after it.
    ends: Vec<usize>,
    /// The index in `Table::listed` of its first column.
    listed: Option<usize>,
}

#[derive(Debug)]
struct Column {
    name: String,
    order: Order,
    /// The row that had it last, from 1.
    seen: usize,
}

/// The key for the position of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// The declaration of a type.
    Declared,
    /// For a key of a map: its name, among the keys after the same declared column, or before all
    /// columns.
    Sorted { behind: Option<usize> },
}

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Fields.
    Fields,
    /// A value.
    Value,
}

impl Table {
    /// Begins a row, and returns where its text begins.
    #[inline]
    pub(crate) fn begin_row(&mut self) -> usize {
        let state = &mut self.state;
        (state.anchor, state.next, state.listed) = (None, 0, None);
        state.ends.clear();
        self.text.len()
    }

    /// Ends the row whose text begins at `start`.
    #[inline]
    pub(super) fn end_row(&mut self, start: usize) {
        // Most rows contain nothing that is escaped. Then the tabs between the cells are the only
        // special bytes, so one search of the whole row suffices instead of one for each short
        // cell.
        let cells = self.state.ends.len();
        if count_special(&self.text.as_bytes()[start..]) > cells {
            self.escape_row(start);
        }
        self.end_raw_row(start);
    }

    /// Ends a row whose cells are written unchanged; they contain neither tab nor line feed.
    #[inline]
    pub(crate) fn end_raw_row(&mut self, start: usize) {
        self.declared.append(&mut self.state.new);
        let cells = self.state.ends.len();
        if self.text.len() > start {
            self.text.pop();
            self.text.push('\n');
        }
        self.rows.push(End { text: self.text.len(), cells, listed: self.state.listed });
    }

    /// Escapes the cells of the row whose text begins at `start`.
    #[cold]
    fn escape_row(&mut self, start: usize) {
        let raw = self.text.split_off(start);
        let mut from = 0;
        for end in &self.state.ends {
            let cell = &raw[from..end - start - 1];
            from = end - start;
            push_escaped(&mut self.text, cell, Place::Cell);
            self.text.push('\t');
        }
    }

    /// Checks that this row has the shape of all rows.
    #[inline]
    pub(super) fn check_shape(&mut self, shape: Shape) -> Result<(), Problem> {
        if *self.shape.get_or_insert(shape) == shape {
            return Ok(());
        }
        let message = "it has fields where others are values, or is a value where others have fields, expected rows of one kind";
        Err(Problem::new(ErrorKind::NotARow, message))
    }

    /// Notes a field that a row leaves out.
    pub(super) fn skip(&mut self, name: &'static str) {
        if self.columns.is_empty() && !self.skipped.contains(&name) {
            self.skipped.push(name);
        }
    }

    #[cold]
    pub(super) fn in_row(&self, problem: Problem) -> Error {
        let Problem::Open { kind, column, message } = problem else { return problem.into_error() };
        let row = self.rows.len() + 1;
        let field = column.map(|column| format!(", field {}", shown(&self.columns[column].name)));
        Error::encode(kind, format!("row {row}{}: {message}", field.unwrap_or_default()))
    }

    /// Adds a cell, whose text `write` appends.
    #[inline]
    pub(super) fn cell(
        &mut self,
        name: &str,
        is_key: bool,
        write: impl FnOnce(&mut String) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let column = self.column(name, is_key)?;
        write(&mut self.text).map_err(|problem| problem.in_column(column))?;
        self.text.push('\t');
        self.state.ends.push(self.text.len());
        Ok(())
    }

    /// Adds a cell of JSON for a key of a map.
    pub(crate) fn json_cell(&mut self, name: &str, json: &str) -> Result<(), Problem> {
        self.cell(name, true, |out| {
            out.push_str(json);
            Ok(())
        })
    }

    /// The column of this name; an error when the row has a cell for it already.
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

    /// The names of the columns, by their numbers.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.columns.iter().map(|column| &*column.name)
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The cells of all rows, each with the number of its column.
    pub(crate) fn each_row(&self) -> impl Iterator<Item = impl Iterator<Item = (usize, &str)>> {
        let mut start = 0;
        self.rows.iter().map(move |end| {
            let row = &self.text[start..end.text];
            start = end.text;
            let cells = split(row).take(end.cells);
            cells.enumerate().map(move |(index, cell)| {
                (end.listed.map_or(index, |listed| self.listed[listed + index]), cell)
            })
        })
    }

    /// The section of this tool.
    pub(crate) fn into_section(self, tool: &str, options: &Options) -> Result<String, Error> {
        let order = self.order();
        let mut header = Header::new(tool, [""; 0]).with_rows(self.rows.len() as u64);
        header.fields = order.iter().map(|&column| (&*self.columns[column].name).into()).collect();
        // No row has a field: the rows are empty objects, or all fields were left out.
        let mut empty = "";
        if header.fields.is_empty() {
            header.fields = self.skipped.iter().map(|&name| name.into()).collect();
        }
        if header.fields.is_empty() {
            header.fields.push(VALUE.into());
            empty = "{}";
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
        let begun = writer.into_inner();
        let mut section = String::from_utf8(begun).expect("because it is made of strings");
        if self.is_as_written(&order) {
            // The header is inserted before the rows in the same buffer, which needs half of the
            // memory.
            let mut whole = self.text;
            whole.insert_str(0, &section);
            return Ok(whole);
        }
        let mut place = vec![0; self.columns.len()];
        for (index, &column) in order.iter().enumerate() {
            place[column] = index;
        }
        let mut row = vec![empty; header.fields.len()];
        for cells in self.each_row() {
            row.fill(empty);
            for (column, cell) in cells {
                row[place[column]] = cell;
            }
            let start = section.len();
            for cell in &row {
                section.push_str(cell);
                section.push('\t');
            }
            section.pop();
            section.push('\n');
            if is_taken(&section[start..]) {
                section.insert(start, char::from(ESCAPE));
            }
        }
        Ok(section)
    }

    /// Returns `true` if the buffer already is the text that is written for the rows.
    fn is_as_written(&self, order: &[usize]) -> bool {
        let starts = std::iter::once(0).chain(self.rows.iter().map(|end| end.text));
        let is_whole = |end: &End| end.listed.is_none() && end.cells == order.len();
        order.iter().enumerate().all(|(place, &column)| place == column)
            && !order.is_empty()
            && self.rows.iter().all(is_whole)
            && !starts.into_iter().any(|start| is_taken(&self.text[start..]))
    }
}

/// The cells of a row, each of which ends in a tab or a line feed.
fn split(row: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let is_end = |byte: &u8| matches!(byte, b'\t' | b'\n');
        let end = start + row.as_bytes()[start..].iter().position(is_end)?;
        let cell = &row[start..end];
        start = end + 1;
        Some(cell)
    })
}
