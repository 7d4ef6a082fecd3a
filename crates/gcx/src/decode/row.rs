//! A row: its cells, and their positions.

use std::borrow::Cow;

use serde::Deserialize;
use wire_core::text::shown;

use super::cell;
use super::diagnosis::Diagnosis;
use crate::escape::unescape;
use crate::grammar::ESCAPE;
use crate::header::Header;
use crate::{Error, ErrorKind};

/// The cells of a row. A row may have fewer cells than its section has fields; the others are
/// empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row<'a> {
    /// Those that the line has.
    cells: Vec<Cow<'a, str>>,
    fields: usize,
}

impl<'a> Row<'a> {
    /// The cell of this column, from 0. It is empty where the row is short, and `None` for columns
    /// that the section does not have.
    pub fn cell(&self, column: usize) -> Option<&str> {
        let missing = || (column < self.fields).then_some("");
        self.cells.get(column).map(|cell| &**cell).or_else(missing)
    }

    /// The cell of this field; `None` when the section has no such field.
    pub fn get(&self, header: &Header<'_>, field: &str) -> Option<&str> {
        self.cell(header.column(field)?)
    }

    /// Deserializes the cell of this field, by the rules of [`from_str`](crate::from_str); `None`
    /// when the section has no such field.
    ///
    /// ```
    /// let mut reader =
    ///     gcx::SliceReader::new("GCX1 tool=t fields=line,tags,score\n42\ta,b\t\n");
    /// let header = reader.next_section()?.unwrap();
    /// let row = reader.next_row()?.unwrap();
    /// assert_eq!(row.parse(&header, "line")?, Some(42));
    /// assert_eq!(
    ///     row.parse(&header, "tags")?,
    ///     Some(vec!["a".to_owned(), "b".to_owned()])
    /// );
    /// assert_eq!(row.parse(&header, "score")?, Some(None::<f64>));
    /// assert_eq!(row.parse::<u64>(&header, "other")?, None);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `invalid_cell`, with the name of the field. A row does not know its position, so the error
    /// has none.
    pub fn parse<'r, T: Deserialize<'r>>(
        &'r self,
        header: &Header<'_>,
        field: &str,
    ) -> Result<Option<T>, Error> {
        let Some(text) = self.get(header, field) else { return Ok(None) };
        let value = T::deserialize(cell::Cell(Cow::Borrowed(text)));
        value.map(Some).map_err(|problem| {
            let message = format!("the cell of {}: {}", shown(field), problem.message());
            Error::encode(ErrorKind::InvalidCell, message)
        })
    }

    /// All cells, one for each field.
    pub fn cells(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.fields).map(|column| self.cell(column).unwrap_or_default())
    }

    /// The number of fields of its section.
    pub(crate) fn fields(&self) -> usize {
        self.fields
    }

    /// The cells that the line has; at most as many as there are fields.
    pub fn present(&self) -> &[Cow<'a, str>] {
        &self.cells
    }

    /// The buffer of its cells, to be filled with those of another row.
    pub(crate) fn cells_mut(&mut self, fields: usize) -> &mut Vec<Cow<'a, str>> {
        self.fields = fields;
        &mut self.cells
    }

    /// The cells that the line has.
    pub fn into_present(self) -> Vec<Cow<'a, str>> {
        self.cells
    }

    /// The same row without borrowed text.
    pub fn into_owned(self) -> Row<'static> {
        let own = |cell: Cow<'a, str>| Cow::Owned(cell.into_owned());
        Row { cells: self.cells.into_iter().map(own).collect(), fields: self.fields }
    }
}

/// Splits a line into the cells of a row, at most as many as there are fields.
pub(super) fn split(line: &str, fields: usize) -> Result<Row<'_>, Diagnosis> {
    // One look over the line for all its cells, which are short.
    let is_plain = memchr::memchr(ESCAPE, line.as_bytes()).is_none();
    // Short rows are rare, and a line has at most one cell more than it has bytes.
    let mut cells = Vec::with_capacity(fields.min(line.len() + 1));
    let mut start = 0;
    for end in memchr::memchr_iter(b'\t', line.as_bytes()).chain([line.len()]) {
        if cells.len() == fields {
            let found = fields + 1 + line[start..].matches('\t').count();
            let message = format!("a row has {found} cells, expected at most {fields}");
            return Err(Diagnosis::new(ErrorKind::TooManyCells, start, message));
        }
        let cell = &line[start..end];
        cells.push(if is_plain { Cow::Borrowed(cell) } else { unescape(cell) });
        start = end + 1;
    }
    Ok(Row { cells, fields })
}

/// The offset in the line at which the cell of this column begins; the end of the line for a cell
/// that is left out.
pub(crate) fn place_of(line: &str, column: usize) -> usize {
    match column.checked_sub(1) {
        None => 0,
        Some(tabs) => {
            memchr::memchr_iter(b'\t', line.as_bytes()).nth(tabs).map_or(line.len(), |tab| tab + 1)
        }
    }
}
