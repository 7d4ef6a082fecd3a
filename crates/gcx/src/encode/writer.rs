//! Writing sections: header, rows, comments.

use std::io::Write;

use wire_core::text::shown;

use crate::escape::{Place, push_escaped, without_carriage_returns};
use crate::grammar::{COMMENT, ESCAPE, FIELDS, ROWS, TAG, TAG_STEM, TOOL};
use crate::header::Header;
use crate::special::has_special;
use crate::{Error, ErrorKind};

/// Writes sections row by row, in constant memory.
///
/// A section ends with the next header, or with [`Writer::finish`]. When its header declares a
/// number of rows, it must have exactly that many. Without a declared number, a reader can't tell
/// whether rows at the end were cut off.
#[derive(Debug)]
pub struct Writer<W> {
    inner: W,
    commas: Commas,
    /// The line that is being written.
    line: String,
    section: Option<Open>,
}

/// The section that is being written.
#[derive(Clone, Copy, Debug)]
struct Open {
    fields: usize,
    declared: Option<u64>,
    rows: u64,
}

/// The treatment of a comma in a field's name (ruling X2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Commas {
    /// Such a name is an error, since other implementations read it as two columns.
    Refused,
    /// It is written as `\,`.
    Escaped,
}

impl<W: Write> Writer<W> {
    /// Writes to `writer` with the default options of [`Encoder::writer`](crate::Encoder::writer).
    /// The writes are small, so wrap a file in a [`BufWriter`](std::io::BufWriter).
    pub fn new(writer: W) -> Self {
        Writer::with(writer, Commas::Refused)
    }

    pub(super) fn with(writer: W, commas: Commas) -> Self {
        Writer { inner: writer, commas, line: String::new(), section: None }
    }

    /// Begins a section.
    ///
    /// # Errors
    ///
    /// `row_count_mismatch` when the section before has another number of rows than it declares;
    /// `missing_tool`, `missing_fields`, `invalid_field`, `duplicate_field`, `reserved_key` or
    /// `duplicate_key` (ignoring carriage returns) for a header that can't be written; `io` when
    /// the writer fails. Nothing is written unless the error is `io`.
    pub fn begin(&mut self, header: &Header<'_>) -> Result<(), Error> {
        self.end_section()?;
        self.check(header)?;
        self.line.clear();
        self.line.push_str(TAG);
        self.key(TOOL);
        push_escaped(&mut self.line, &header.tool, Place::Header);
        self.key(FIELDS);
        for (index, field) in header.fields.iter().enumerate() {
            if index > 0 {
                self.line.push(',');
            }
            push_escaped(&mut self.line, field, Place::Field);
        }
        // The keys are sorted, and the number of rows is sorted with them.
        let rows = header.rows.map(|rows| rows.to_string());
        let before = |key: &str| key < ROWS;
        for (key, value) in header.all_meta().filter(|(key, _)| before(key)) {
            self.meta(key, value);
        }
        if let Some(rows) = &rows {
            self.meta(ROWS, rows);
        }
        for (key, value) in header.all_meta().filter(|(key, _)| !before(key)) {
            self.meta(key, value);
        }
        self.section = Some(Open { fields: header.fields.len(), declared: header.rows, rows: 0 });
        self.write_line()
    }

    /// Writes a row: a cell for each field, in their order. In a section with one field, a row with
    /// an empty cell is a blank line, which readers skip unless the number of rows is declared.
    ///
    /// # Errors
    ///
    /// `no_section` before the first header; `wrong_cell_count`; `row_count_mismatch` for one row
    /// more than declared; `io` when the writer fails. Nothing is written unless the error is `io`.
    pub fn row<C: AsRef<str>>(&mut self, cells: impl IntoIterator<Item = C>) -> Result<(), Error> {
        self.line.clear();
        let mut count = 0;
        for cell in cells {
            if count > 0 {
                self.line.push('\t');
            }
            count += 1;
            let cell = cell.as_ref();
            if has_special(cell.as_bytes()) {
                push_escaped(&mut self.line, cell, Place::Cell);
            } else {
                self.line.push_str(cell);
            }
        }
        self.end_row(count)
    }

    /// Writes the row in `line`, which has this many cells.
    fn end_row(&mut self, count: usize) -> Result<(), Error> {
        let Some(open) = self.section else { return Err(no_section("a row")) };
        // A row must not look like a comment or a header (ruling X3).
        if is_taken(&self.line) {
            self.line.insert(0, char::from(ESCAPE));
        }
        if count != open.fields {
            let fields = open.fields;
            let message =
                format!("a row has {count} cells, expected one for each of {fields} fields");
            return Err(Error::encode(ErrorKind::WrongCellCount, message));
        }
        if open.declared == Some(open.rows) {
            return Err(wrong_rows(open.rows, "more"));
        }
        self.section = Some(Open { rows: open.rows + 1, ..open });
        self.write_line()
    }

    /// Writes a comment, one line for each line of `text`. Readers skip comments, and
    /// intermediaries may remove them.
    ///
    /// # Errors
    ///
    /// `no_section` before the first header; `io` when the writer fails.
    pub fn comment(&mut self, text: &str) -> Result<(), Error> {
        if self.section.is_none() {
            return Err(no_section("a comment"));
        }
        for line in text.split('\n') {
            self.line.clear();
            self.line.extend([char::from(COMMENT), ' ']);
            self.line.push_str(&without_carriage_returns(line));
            self.write_line()?;
        }
        Ok(())
    }

    /// Ends the last section, flushes, and returns the writer.
    ///
    /// # Errors
    ///
    /// `row_count_mismatch` when the last section has another number of rows than it declares; `io`
    /// when the writer fails.
    pub fn finish(mut self) -> Result<W, Error> {
        self.end_section()?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    /// Returns the writer with what was written so far, even when the section lacks rows.
    pub(crate) fn into_inner(self) -> W {
        self.inner
    }

    /// Returns `true` if nothing is written.
    pub(crate) fn is_at_start(&self) -> bool {
        self.section.is_none()
    }

    fn end_section(&mut self) -> Result<(), Error> {
        match self.section {
            Some(Open { declared: Some(declared), rows, .. }) if declared != rows => {
                Err(wrong_rows(declared, &rows.to_string()))
            }
            _ => Ok(()),
        }
    }

    fn check(&self, header: &Header<'_>) -> Result<(), Error> {
        if without_carriage_returns(&header.tool).is_empty() {
            let message = "the tool is empty, expected a name";
            return Err(Error::encode(ErrorKind::MissingTool, message));
        }
        if header.fields.is_empty() {
            let message = "there are no fields, expected at least one";
            return Err(Error::encode(ErrorKind::MissingFields, message));
        }
        let mut seen = std::collections::HashSet::with_capacity(header.fields.len());
        for field in &header.fields {
            let written = without_carriage_returns(field);
            let comma = self.commas == Commas::Refused && field.contains(',');
            if written.is_empty() || comma {
                let message = format!(
                    "a field is {}, expected a name without a comma, or the option `escape_commas`",
                    shown(field)
                );
                return Err(Error::encode(ErrorKind::InvalidField, message));
            }
            if !seen.insert(written) {
                let message = format!("the field {} appears twice, expected once", shown(field));
                return Err(Error::encode(ErrorKind::DuplicateField, message));
            }
        }
        let mut keys = std::collections::HashSet::with_capacity(header.meta.len());
        for (key, _) in header.all_meta() {
            let written = without_carriage_returns(key);
            if written.is_empty() || [TOOL, FIELDS, ROWS].contains(&&*written) {
                let message = format!(
                    "metadata has the key {}, expected another name than `tool`, `fields` and `rows`",
                    shown(key)
                );
                return Err(Error::encode(ErrorKind::ReservedKey, message));
            }
            if !keys.insert(written) {
                let message = format!("the key {} appears twice, expected once", shown(key));
                return Err(Error::encode(ErrorKind::DuplicateKey, message));
            }
        }
        Ok(())
    }

    fn key(&mut self, key: &str) {
        self.line.push(' ');
        push_escaped(&mut self.line, key, Place::Header);
        self.line.push('=');
    }

    fn meta(&mut self, key: &str, value: &str) {
        self.key(key);
        push_escaped(&mut self.line, value, Place::Header);
    }

    fn write_line(&mut self) -> Result<(), Error> {
        self.line.push('\n');
        Ok(self.inner.write_all(self.line.as_bytes())?)
    }
}

/// Returns `true` if a row that begins like this would be read as a comment or a header (ruling
/// X3).
#[inline]
pub(crate) fn is_taken(row: &str) -> bool {
    row.starts_with(char::from(COMMENT)) || row.starts_with(TAG_STEM)
}

#[cold]
fn wrong_rows(declared: u64, found: &str) -> Error {
    let message =
        format!("the header declares {declared} rows, found {found}, expected as many as declared");
    Error::encode(ErrorKind::RowCountMismatch, message)
}

#[cold]
fn no_section(what: &str) -> Error {
    Error::encode(
        ErrorKind::NoSection,
        format!("{what} comes before the first header, expected a header"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each cell escaped by itself.
    fn slowly(cells: &[&str]) -> String {
        let mut line = String::new();
        for (index, cell) in cells.iter().enumerate() {
            if index > 0 {
                line.push('\t');
            }
            push_escaped(&mut line, cell, Place::Cell);
        }
        if is_taken(&line) {
            line.insert(0, char::from(ESCAPE));
        }
        line.push('\n');
        line
    }

    #[test]
    fn rows_are_those_of_cells_escaped_one_by_one() {
        let cells = ["", "a", "a\tb", "\n", "\\", "\r", "\r\n\t\\", "größe", "#x", "GCX1", "\r#"];
        for one in cells {
            for two in cells {
                for three in cells {
                    let row = [one, two, three];
                    let mut writer = Writer::new(Vec::new());
                    writer.begin(&Header::new("t", ["a", "b", "c"])).unwrap();
                    let header = writer.inner.len();
                    writer.row(row).unwrap();
                    let written = writer.finish().unwrap();
                    assert_eq!(&written[header..], slowly(&row).as_bytes(), "{row:?}");
                }
            }
        }
    }
}
