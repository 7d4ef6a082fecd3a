//! Tables: arrays of objects and keyed maps, a row for each (sections 7.2a and 7.4), and rows in
//! groups (specification 3.6).

use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

use wire_core::text::shown;

use super::attachments::{ATTACHMENT, Marks, Schemas};
use super::columns::{Columns, ROW, repeated_value};
use super::form::{Body, Form, Member};
use super::groups::Groups;
use super::head::{Count, begins_section, indexed};
use super::reader::Reader;
use super::row::Row;
use crate::generic::distinct::Distinct;
use crate::generic::scalar::{Mark, Scalar, mark, read_scalar};
use crate::{Error, ErrorKind};

/// A table whose rows are being read.
#[derive(Debug)]
pub(super) struct Table<'de> {
    body: Body,
    count: Count,
    pub(super) index: u64,
    /// The row that was read last. Whoever reads its members shares it until they are read.
    row: Rc<Row<'de>>,
    /// The line after that row and its attachments.
    pub(super) behind: usize,
    /// Whether nothing is attached to that row.
    pub(super) plain: bool,
    pub(super) schemas: Schemas<'de>,
    keys: Option<Distinct<Cow<'de, str>>>,
    groups: Option<Groups<'de>>,
}

impl<'de> Table<'de> {
    /// A table whose rows are in `body`; in a keyed map each begins with its key.
    pub(super) fn new(
        reader: &mut Reader<'de>,
        body: Body,
        count: Count,
        columns: Arc<Columns<'de>>,
        keyed: bool,
    ) -> Self {
        reader.at = body.at;
        Table {
            body,
            count,
            index: 0,
            groups: columns.group.is_some().then(Groups::default),
            row: Rc::new(Row::new(columns)),
            behind: body.at,
            plain: true,
            schemas: Schemas::default(),
            keys: keyed.then(Distinct::new),
        }
    }

    /// How many rows there still are, if the header says it and there are as many lines.
    pub(super) fn remaining(&self, reader: &Reader<'de>) -> Option<usize> {
        let Count::Exact(count) = self.count else { return None };
        let lines = self.body.end.saturating_sub(reader.at);
        usize::try_from(count - self.index).ok().filter(|&count| count <= lines)
    }

    pub(super) fn next_item(
        &mut self,
        reader: &mut Reader<'de>,
    ) -> Result<Option<Form<'de>>, Error> {
        let read = self.next_row(reader)?;
        Ok(read.then(|| Form::Row(Rc::clone(&self.row), ROW)))
    }

    pub(super) fn next_member(
        &mut self,
        reader: &mut Reader<'de>,
    ) -> Result<Option<Member<'de>>, Error> {
        if !self.next_row(reader)? {
            return Ok(None);
        }
        let key = self.row.key.clone();
        Ok(Some((key, Form::Row(Rc::clone(&self.row), ROW))))
    }

    /// The next row of a table of scalars: no cell is missing, or the mark of an attachment.
    pub(super) fn next_scalars(
        &mut self,
        reader: &mut Reader<'de>,
    ) -> Result<Option<Vec<Scalar<'de>>>, Error> {
        if !self.follows(reader)? {
            return Ok(None);
        }
        self.cells(reader)?;
        let scalars: Result<Vec<_>, _> =
            self.row.cells.iter().map(|cell| read_scalar(cell)).collect();
        let scalars = scalars.map_err(|problem| reader.problem(problem))?;
        self.behind = self.row.line + 1;
        self.index += 1;
        reader.at = self.behind;
        Ok(Some(scalars))
    }

    /// Reads the next row; says whether there is one.
    pub(super) fn next_row(&mut self, reader: &mut Reader<'de>) -> Result<bool, Error> {
        if !self.follows(reader)? {
            return Ok(false);
        }
        if self.groups.is_some() {
            self.grouped_row(reader)?;
        } else {
            self.row(reader)?;
        }
        self.index += 1;
        let group = if self.groups.is_some() { repeated_value(self.row.group) } else { 0 };
        reader.repeat(self.row.line, self.row.columns.repeated + group)?;
        reader.at = self.behind;
        Ok(true)
    }

    /// Whether a row follows; at the end, whether there were as many as declared.
    fn follows(&mut self, reader: &mut Reader<'de>) -> Result<bool, Error> {
        reader.at = self.behind;
        let follows = match self.count {
            Count::Exact(declared) => self.index < declared,
            Count::Deferred => true,
        };
        // No row begins with the mark of a section.
        if follows && reader.has_line(&self.body)? && !begins_section(reader.lines.of(reader.at)) {
            return Ok(true);
        }
        reader.check_count(self.body.head, self.count, self.index, "rows")?;
        reader.check_end(&self.body, self.count, self.index, "rows")?;
        if let Some(left) = self.groups.as_ref().map(|groups| groups.left).filter(|&left| left > 0)
        {
            let message = format!("the last group lacks {left} rows, expected as many as declared");
            return Err(reader.error(self.body.head, ErrorKind::CountMismatch, message));
        }
        if self.plain && self.count != Count::Deferred {
            reader.counted = Some(self.behind - 1);
        }
        Ok(false)
    }

    /// Splits the row at the next line into cells, and returns whether its index is before them
    /// (section 7.4.2).
    fn cells(&mut self, reader: &Reader<'de>) -> Result<bool, Error> {
        let line = reader.at;
        let text = reader.lines.of(line);
        let has_index = text.starts_with('@');
        let mut cells = text;
        if has_index {
            let (digits, rest) = indexed(text).unwrap_or_default();
            reader.check_index(line, digits, self.index, "a row")?;
            cells = rest;
        }
        if cells.starts_with(ATTACHMENT) {
            let message = format!(
                "a line is the attachment {}, expected a row, since no cell before it is `^`",
                shown(cells)
            );
            return Err(reader.error(line, ErrorKind::OrphanAttachment, message));
        }
        let keyed = usize::from(self.keys.is_some());
        fresh(&mut self.row).cut(line, cells).map_err(|problem| reader.problem(problem))?;
        self.check_width(reader, keyed)?;
        Ok(has_index)
    }

    /// Refuses a row that has not a cell for each column, and `keys` before them.
    fn check_width(&self, reader: &Reader<'de>, keys: usize) -> Result<(), Error> {
        let Row { columns, cells, line, .. } = &*self.row;
        let expected = columns.width() + keys;
        if cells.len() == expected {
            return Ok(());
        }
        let message = format!("a row has {} cells, expected {expected}", cells.len());
        Err(reader.error(*line, ErrorKind::RowWidthMismatch, message))
    }

    /// A row with its attachments.
    fn row(&mut self, reader: &mut Reader<'de>) -> Result<(), Error> {
        let has_index = self.cells(reader)?;
        if self.keys.is_some() {
            let token = fresh(&mut self.row).cells.remove(0);
            self.key(reader, token)?;
        }
        let row = fresh(&mut self.row);
        let marks = Marks::of_row(reader, &mut self.schemas, row)?;
        if !marks.is_empty() && !has_index {
            let message = format!(
                "a row has a cell `^`, expected the index of the row before its cells: `@{} …`",
                self.index
            );
            return Err(reader.error(row.line, ErrorKind::InvalidItemId, message));
        }
        self.behind = marks.attach(reader, &self.body, &mut self.schemas, row)?;
        self.plain = self.behind == row.line + 1;
        row.settle();
        Ok(())
    }

    /// The key of a keyed map's row (section 7.2a.3).
    fn key(&mut self, reader: &Reader<'de>, token: &'de str) -> Result<(), Error> {
        let line = reader.at;
        let text = match mark(token) {
            Mark::Scalar => read_scalar(token).map_err(|problem| reader.problem(problem))?,
            _ => Scalar::Null,
        };
        let Scalar::Text(key) = text else {
            let message = format!(
                "the key of a row is {}, expected a string; quote keys that look like other values",
                shown(token)
            );
            return Err(reader.error(line, ErrorKind::InvalidKey, message));
        };
        let keys = self.keys.as_mut().expect("because the table is a keyed map");
        if keys.insert(key.clone()).is_err() {
            return Err(reader.error(line, ErrorKind::DuplicateKey, key_twice(&key)));
        }
        fresh(&mut self.row).key = key;
        Ok(())
    }

    /// A row after the line of its group.
    fn grouped_row(&mut self, reader: &mut Reader<'de>) -> Result<(), Error> {
        let mut groups = self.groups.take().unwrap_or_default();
        if groups.left == 0 {
            let name = self.row.columns.group.as_ref().map(|group| &group.name);
            groups.begin(reader, reader.at, name)?;
            reader.at += 1;
            if !reader.has_line(&self.body)? {
                let message = "a group has no rows, expected as many as declared";
                return Err(reader.error(self.body.head, ErrorKind::CountMismatch, message));
            }
        }
        let line = reader.at;
        let row = fresh(&mut self.row);
        row.cut(line, reader.lines.of(line)).map_err(|problem| reader.problem(problem))?;
        row.group = groups.token;
        self.check_width(reader, 0)?;
        groups.take(reader, &self.row)?;
        self.groups = Some(groups);
        self.behind = line + 1;
        Ok(())
    }
}

/// The message for the second row of a keyed map with this key (section 7.2a.3).
#[cold]
pub(in crate::generic) fn key_twice(key: &str) -> String {
    format!("a keyed map has the key {} twice, expected once", shown(key))
}

/// The row to fill in, which nobody shares any more.
fn fresh<'r, 'de>(row: &'r mut Rc<Row<'de>>) -> &'r mut Row<'de> {
    if Rc::get_mut(row).is_none() {
        *row = Rc::new(Row::new(Arc::clone(&row.columns)));
    }
    Rc::get_mut(row).expect("because it is shared only while its members are read")
}
