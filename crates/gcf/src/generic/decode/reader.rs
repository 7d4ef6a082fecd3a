//! Reads the lines of a text, one container after the other, in the order in which their contents
//! are requested.

use std::cell::Cell;
use std::sync::Arc;

use wire_core::MAX_NESTING;
use wire_core::text::{offset_in, shown};

use super::columns::Columns;
use super::form::{Body, Form};
use super::head::{Count, Head, count_of_map, id, miscounted};
use super::lines::{Lines, error_at};
use crate::generic::problem::Problem;
use crate::generic::scalar::trimmed;
use crate::{Error, ErrorKind};

/// The message if rows repeat more than this many bytes.
#[cold]
fn too_large(most: usize) -> String {
    format!(
        "the names and constants that the rows repeat have more than {most} bytes, expected at most that many"
    )
}

/// A text that is being read.
#[derive(Debug)]
pub(super) struct Reader<'de> {
    pub(super) lines: Lines<'de>,
    /// The next line.
    pub(super) at: usize,
    /// The arrays and objects that are open.
    pub(super) depth: usize,
    /// The lines whose count is in the trailer, and that count.
    deferred: Vec<(usize, u64)>,
    /// How many bytes rows may repeat in all, and how many they have repeated.
    repeatable: usize,
    pub(super) repeated: usize,
    /// The line at which a declared count was reached last.
    pub(super) counted: Option<usize>,
    /// The features of specification 3.6 in the tables that were read.
    pub(super) tables: Cell<Tables>,
}

/// The features of specification 3.6 in the tables of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tables {
    /// Whether any has columns that are the same in every row.
    pub(crate) have_constants: bool,
    /// Whether any has its rows in groups.
    pub(crate) have_groups: bool,
}

impl<'de> Reader<'de> {
    /// A reader of these lines, whose rows may repeat so many bytes of names and constants.
    pub(super) fn new(lines: Lines<'de>, repeatable: usize) -> Self {
        Reader {
            lines,
            at: 0,
            depth: 0,
            deferred: Vec::new(),
            repeatable,
            repeated: 0,
            counted: None,
            tables: Cell::default(),
        }
    }

    /// An error at the beginning of a line.
    #[cold]
    pub(super) fn error(&self, line: usize, kind: ErrorKind, message: impl Into<String>) -> Error {
        error_at(self.lines.text, self.offset(line), kind, message)
    }

    /// An error in a piece of the text.
    #[cold]
    pub(super) fn problem(&self, problem: Problem) -> Error {
        problem.in_text(self.lines.text)
    }

    /// Where a line begins; for the index after the last line, where the text ends.
    pub(super) fn offset(&self, line: usize) -> usize {
        if line < self.lines.len() { self.lines.line(line).start } else { self.lines.text.len() }
    }

    /// The position of a value, for errors of callers.
    pub(super) fn place(&self, form: &Form<'de>) -> usize {
        match form {
            Form::Scalar(token) => {
                let text = self.lines.text.as_bytes();
                offset_in(text, trimmed(token).as_ptr()).unwrap_or_default()
            }
            Form::Null(line) | Form::Positional(_, line) | Form::Inline(line, ..) => {
                self.offset(*line)
            }
            Form::Row(row, _) | Form::Constant(row, _) => self.offset(row.line),
            Form::Object(body)
            | Form::KeyedMap(body, ..)
            | Form::Rows(body, ..)
            | Form::Items(body, _) => self.offset(body.head),
        }
    }

    /// Enters the array or object at this position.
    pub(super) fn enter(&mut self, place: usize) -> Result<(), Error> {
        if self.depth >= MAX_NESTING {
            let message = format!(
                "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
            );
            return Err(error_at(self.lines.text, place, ErrorKind::TooDeep, message));
        }
        self.depth += 1;
        Ok(())
    }

    /// Whether a line of the body is next; it must have exactly the indentation of the body.
    pub(super) fn has_line(&self, body: &Body) -> Result<bool, Error> {
        if self.at >= body.end {
            return Ok(false);
        }
        let found = self.lines.line(self.at).indent as usize;
        if found == body.indent {
            return Ok(true);
        }
        let message =
            format!("a line is indented by {} spaces, expected {}", found * 2, body.indent * 2);
        Err(self.error(self.at, ErrorKind::InvalidIndent, message))
    }

    /// The value that a head begins, with its content in `body`. `depth` is that of the value.
    pub(super) fn form(
        &self,
        head: Head<'de>,
        body: Body,
        depth: usize,
    ) -> Result<Form<'de>, Error> {
        let columns = |read: fn(&'de str, usize) -> Result<Columns<'de>, Problem>, list| {
            // The rows are one level further in.
            let columns = read(list, depth + 1).map_err(|problem| self.problem(problem))?;
            let tables = self.tables.get();
            self.tables.set(Tables {
                have_constants: tables.have_constants | columns.has_constants,
                have_groups: tables.have_groups | columns.group.is_some(),
            });
            Ok::<_, Error>(Arc::new(columns))
        };
        Ok(match head {
            Head::Scalar(token) => Form::Scalar(token),
            Head::Object => Form::Object(body),
            Head::Inline(count, list) => Form::Inline(body.head, count, list),
            Head::Array(count, None) => Form::Items(body, count),
            Head::Array(count, Some(list)) => {
                Form::Rows(body, count, columns(Columns::of_array, list)?)
            }
            Head::KeyedMap(count, list) => {
                let line = self.lines.of(body.head);
                let count = count_of_map(count, line).map_err(|problem| self.problem(problem))?;
                Form::KeyedMap(body, count, columns(Columns::of_keyed_map, list)?)
            }
        })
    }

    /// Refuses an index that is not that of the row or item.
    pub(super) fn check_index(
        &self,
        line: usize,
        digits: &str,
        index: u64,
        what: &str,
    ) -> Result<(), Error> {
        if id(digits) == Some(index) {
            return Ok(());
        }
        let text = shown(self.lines.of(line));
        let message = format!("{what} is {text}, expected its index: `@{index} …`");
        Err(self.error(line, ErrorKind::InvalidItemId, message))
    }

    /// Counts the names and constants that a row repeats, so that a small text can't decode to a
    /// huge value.
    pub(super) fn repeat(&mut self, line: usize, bytes: usize) -> Result<(), Error> {
        self.repeated = self.repeated.saturating_add(bytes);
        if self.repeated > self.repeatable {
            return Err(self.error(line, ErrorKind::TooLarge, too_large(self.repeatable)));
        }
        Ok(())
    }

    /// Checks the number of rows, items or values when no more of them can follow.
    pub(super) fn check_count(
        &mut self,
        head: usize,
        count: Count,
        found: u64,
        what: &str,
    ) -> Result<(), Error> {
        match count {
            Count::Deferred => {
                self.deferred.push((head, found));
                Ok(())
            }
            Count::Exact(declared) => self.compare(head, declared, found, what),
        }
    }

    fn compare(&self, head: usize, declared: u64, found: u64, what: &str) -> Result<(), Error> {
        miscounted(declared, found, what)
            .map_or(Ok(()), |message| Err(self.error(head, ErrorKind::CountMismatch, message)))
    }

    /// Checks that the last row or item of a body is followed by nothing.
    pub(super) fn check_end(
        &self,
        body: &Body,
        count: Count,
        found: u64,
        what: &str,
    ) -> Result<(), Error> {
        if !body.whole || self.at >= body.end {
            return Ok(());
        }
        match count {
            Count::Exact(declared) => self.compare(body.head, declared, found + 1, what),
            Count::Deferred => Err(self.unrecognized(self.at, "the end")),
        }
    }

    #[cold]
    pub(super) fn unrecognized(&self, line: usize, expected: &str) -> Error {
        let message = format!("a line is {}, expected {expected}", shown(self.lines.of(line)));
        self.error(line, ErrorKind::UnrecognizedLine, message)
    }

    /// The counts that were left to the trailer, in the order of the text.
    pub(super) fn deferred(&mut self) -> &[(usize, u64)] {
        self.deferred.sort_unstable();
        &self.deferred
    }
}
