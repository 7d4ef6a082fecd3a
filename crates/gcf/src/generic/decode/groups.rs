//! Rows in groups, whose lines say what a column is in all of their rows (specification 3.6).

use std::borrow::Cow;
use std::collections::HashSet;

use wire_core::text::shown;

use super::columns::Source;
use super::head::exact_count;
use super::reader::Reader;
use super::row::Row;
use crate::generic::key::read_key;
use crate::generic::scalar::{Mark, mark, push_scalar, read_scalar, trimmed};
use crate::{Error, ErrorKind};

/// Where the rows of groups are.
#[derive(Debug, Default)]
pub(super) struct Groups<'de> {
    /// The value of the group column in the rows of this group.
    pub(super) token: &'de str,
    /// The rows of the group that are still to come.
    pub(super) left: u64,
    seen: HashSet<String>,
    keys: HashSet<String>,
}

impl<'de> Groups<'de> {
    /// Reads the line before the rows of a group: `name=value [N]`.
    pub(super) fn begin(
        &mut self,
        reader: &Reader<'de>,
        line: usize,
        name: Option<&Cow<'de, str>>,
    ) -> Result<(), Error> {
        let text = reader.lines.of(line);
        let invalid = || {
            let message = format!(
                "a line is {}, expected a group: its field, `=`, a value and ` [N]`",
                shown(text)
            );
            reader.error(line, ErrorKind::InvalidGroupHeader, message)
        };
        let (key, length) =
            read_key(text).map_err(|problem| reader.problem(problem))?.ok_or_else(invalid)?;
        let rest =
            text[length..].strip_prefix('=').filter(|_| name == Some(&key)).ok_or_else(invalid)?;
        let (value, count) = rest.rsplit_once(" [").ok_or_else(invalid)?;
        let count = count.strip_suffix(']').ok_or_else(invalid)?;
        let Some(count) = exact_count(count).filter(|&count| count > 0) else {
            let message =
                format!("the count of a group is {}, expected a number from 1", shown(count));
            return Err(reader.error(line, ErrorKind::InvalidCount, message));
        };
        let token = trimmed(value);
        if token.is_empty() || mark(token) != Mark::Scalar {
            let message = format!("the value of a group is {}, expected a scalar", shown(token));
            return Err(reader.error(line, ErrorKind::InvalidConstValue, message));
        }
        if !self.seen.insert(canonical(reader, token)?) {
            let message = format!("the group {} appears twice, expected once", shown(token));
            return Err(reader.error(line, ErrorKind::DuplicateGroup, message));
        }
        self.token = token;
        self.left = count;
        Ok(())
    }

    /// Takes a row, which has scalars only and a key that no other row has.
    pub(super) fn take(&mut self, reader: &Reader<'de>, row: &Row<'de>) -> Result<(), Error> {
        let is_mark = |cell: &&str| matches!(mark(cell), Mark::Attachment | Mark::Schema(_));
        if row.cells.iter().any(is_mark) {
            let message = "a row of a group has a cell `^`, expected only scalars";
            return Err(reader.error(row.line, ErrorKind::InvalidGroupHeader, message));
        }
        let key = row.columns.group.as_ref().map(|group| &row.columns.node(group.key).of);
        let key = match key {
            Some(&Source::Cell(cell)) => row.cells[cell],
            Some(Source::Constant(token)) => token,
            _ => "~",
        };
        if mark(key) == Mark::Missing {
            let message = "a row of a group has no key, expected one";
            return Err(reader.error(row.line, ErrorKind::InvalidGroupHeader, message));
        }
        if !self.keys.insert(canonical(reader, key)?) {
            let message = format!("two rows have the key {}, expected different ones", shown(key));
            return Err(reader.error(row.line, ErrorKind::DuplicateKey, message));
        }
        self.left -= 1;
        Ok(())
    }
}

/// A scalar as it would be written, so that equal ones are equal.
fn canonical(reader: &Reader<'_>, token: &str) -> Result<String, Error> {
    let mut text = String::new();
    push_scalar(&mut text, &read_scalar(token).map_err(|problem| reader.problem(problem))?);
    Ok(text)
}
