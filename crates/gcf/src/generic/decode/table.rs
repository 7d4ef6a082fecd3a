//! Tables: arrays of objects and keyed maps, a row for each (sections 7.2a and 7.4), and rows in groups (specification 3.6).

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use wire_core::text::shown;

use super::array::begins_item;
use super::columns::{Columns, ROW, Source, names, repeated_value};
use super::head::{Count, Head, exact_count, head, id};
use super::reader::{Body, Form, Member, Reader};
use super::row::Row;
use crate::generic::distinct::Distinct;
use crate::generic::key::{PATH, read_key};
use crate::generic::scalar::{Mark, Scalar, mark, push_scalar, read_scalar, trimmed};
use crate::{Error, ErrorKind};

/// Begins the line of a named attachment.
const ATTACHMENT: char = '.';

/// A table whose rows are being read.
#[derive(Debug)]
pub(super) struct Table<'de> {
    body: Body,
    count: Count,
    index: u64,
    /// The row that was read last. Whoever reads its members shares it until they are read.
    row: Rc<Row<'de>>,
    /// The line behind that row and its attachments.
    behind: usize,
    /// Whether nothing is attached to that row.
    plain: bool,
    schemas: Schemas<'de>,
    keys: Option<Distinct<Cow<'de, str>>>,
    groups: Option<Groups<'de>>,
}

/// What the rows have declared for those behind them (sections 7.4.5.1 and 7.4.5.3).
#[derive(Debug, Default)]
struct Schemas<'de> {
    /// By cell.
    inline: HashMap<usize, Rc<[Cow<'de, str>]>>,
    /// By the name of the field.
    shared: HashMap<Cow<'de, str>, Rc<Columns<'de>>>,
}

/// Where the rows of groups are.
#[derive(Debug, Default)]
struct Groups<'de> {
    token: &'de str,
    /// The rows of the group that are still to come.
    left: u64,
    seen: HashSet<String>,
    keys: HashSet<String>,
}

/// The cells of a row that are marks.
#[derive(Debug, Default)]
struct Marks<'de> {
    marks: Vec<Marked<'de>>,
    /// The first mark that may take a positional body.
    next: usize,
}

#[derive(Debug)]
struct Marked<'de> {
    cell: usize,
    /// The schema of a positional body.
    schema: Option<Rc<[Cow<'de, str>]>>,
    /// Whether only a positional body fits.
    positional_only: bool,
    value: Option<Form<'de>>,
}

impl<'de> Table<'de> {
    pub(super) fn new(
        reader: &mut Reader<'de>,
        body: Body,
        count: Count,
        columns: Rc<Columns<'de>>,
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

    /// Reads the next row; says whether there is one.
    fn next_row(&mut self, reader: &mut Reader<'de>) -> Result<bool, Error> {
        reader.at = self.behind;
        let follows = match self.count {
            Count::Exact(declared) => self.index < declared,
            Count::Deferred => true,
        };
        // No row begins with the mark of a section.
        if !follows
            || !reader.has_line(&self.body)?
            || reader.lines.of(reader.at).starts_with("## ")
        {
            reader.check_count(self.body.head, self.count, self.index, "rows")?;
            reader.check_end(&self.body, self.count, self.index, "rows")?;
            if let Some(left) =
                self.groups.as_ref().map(|groups| groups.left).filter(|&left| left > 0)
            {
                let message =
                    format!("the last group lacks {left} rows, expected as many as declared");
                return Err(reader.error(self.body.head, ErrorKind::CountMismatch, message));
            }
            if self.plain && self.count != Count::Deferred {
                reader.counted = Some(self.behind - 1);
            }
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

    /// The row to fill in, which nobody shares any more.
    fn fresh(&mut self) -> &mut Row<'de> {
        if Rc::get_mut(&mut self.row).is_none() {
            self.row = Rc::new(Row::new(Rc::clone(&self.row.columns)));
        }
        Rc::get_mut(&mut self.row).expect("because it is shared only while its members are read")
    }

    fn row(&mut self, reader: &mut Reader<'de>) -> Result<(), Error> {
        let line = reader.at;
        let text = reader.lines.of(line);
        let (has_id, text) = match text.strip_prefix('@') {
            None => (false, text),
            Some(rest) => match rest.split_once(' ') {
                Some((digits, rest)) if id(digits) == Some(self.index) => (true, rest),
                _ => {
                    let message = format!(
                        "a row is {}, expected its index: `@{} …`",
                        shown(text),
                        self.index
                    );
                    return Err(reader.error(line, ErrorKind::InvalidItemId, message));
                }
            },
        };
        if text.starts_with(ATTACHMENT) {
            let message = format!(
                "an attachment is {}, expected a row: no cell before is its mark",
                shown(text)
            );
            return Err(reader.error(line, ErrorKind::OrphanAttachment, message));
        }
        let keyed = self.keys.is_some();
        let row = self.fresh();
        row.cut(line, text).map_err(|problem| reader.problem(problem))?;
        let expected = row.columns.width() + usize::from(keyed);
        if row.cells.len() != expected {
            let message = format!("a row has {} cells, expected {expected}", row.cells.len());
            return Err(reader.error(line, ErrorKind::RowWidthMismatch, message));
        }
        if keyed {
            let token = row.cells.remove(0);
            self.key(reader, token)?;
        }
        let mut marks = self.marks(reader, line)?;
        if !marks.marks.is_empty() && !has_id {
            let message = format!(
                "a row has the mark of an attachment, expected its index before it: `@{} …`",
                self.index
            );
            return Err(reader.error(line, ErrorKind::InvalidItemId, message));
        }
        self.attachments(reader, line, &mut marks)?;
        self.plain = self.behind == line + 1;
        let row = self.fresh();
        for marked in marks.marks {
            let Some(value) = marked.value else {
                let message = "a cell is the mark of an attachment that does not follow, expected it behind the row";
                return Err(reader.error(line, ErrorKind::MissingAttachment, message));
            };
            row.attached.push((marked.cell, value));
        }
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
                "the key of a row is {}, expected a text: others stand in quotes",
                shown(token)
            );
            return Err(reader.error(line, ErrorKind::InvalidKey, message));
        };
        let keys = self.keys.as_mut().expect("because the table is a keyed map");
        if keys.insert(key.clone()).is_err() {
            let message = format!("a keyed map has the key {} twice, expected once", shown(&key));
            return Err(reader.error(line, ErrorKind::DuplicateKey, message));
        }
        self.fresh().key = key;
        Ok(())
    }

    /// The marks among the cells of the row.
    fn marks(&mut self, reader: &Reader<'de>, line: usize) -> Result<Marks<'de>, Error> {
        let mut marks = Marks::default();
        if !self.row.may_have_marks {
            return Ok(marks);
        }
        for (cell, &token) in self.row.cells.iter().enumerate() {
            let declared = match mark(token) {
                Mark::Scalar | Mark::Missing => continue,
                Mark::Attachment => None,
                Mark::Schema(list) => Some(names(list).map_err(|problem| reader.problem(problem))?),
            };
            if self.row.columns.has_paths && !self.row.columns.is_direct(cell) {
                let message = "a column of a path has the mark of an attachment, expected a scalar";
                return Err(reader.error(line, ErrorKind::InvalidAttachmentMarker, message));
            }
            let needs_position = declared.is_some();
            if let Some(names) = declared {
                self.schemas.inline.insert(cell, names);
            }
            let schema = self.schemas.inline.get(&cell).cloned();
            marks.marks.push(Marked { cell, schema, positional_only: needs_position, value: None });
        }
        Ok(marks)
    }

    /// Finds the values of the marks behind the row (section 7.4.5.2).
    fn attachments(
        &mut self,
        reader: &Reader<'de>,
        line: usize,
        marks: &mut Marks<'de>,
    ) -> Result<(), Error> {
        let mut at = line + 1;
        while at < self.body.end {
            let found = reader.lines.line(at);
            let indent = found.indent as usize;
            if indent > self.body.indent + 1 {
                break;
            }
            let text = reader.lines.of(at);
            if text.starts_with(ATTACHMENT) {
                at = self.attachment(reader, at, text, marks)?;
            } else if let Some(marked) = marks.next_positional() {
                let names =
                    marked.schema.clone().expect("because a mark without one takes no such body");
                marked.value = Some(Form::Positional(names, at));
                at += 1;
            } else if indent > self.body.indent {
                let message = "a positional body belongs to no cell, expected the next row";
                return Err(reader.error(at, ErrorKind::OrphanInlineAttachment, message));
            } else {
                break;
            }
        }
        self.behind = at;
        Ok(())
    }

    /// The line behind what an attachment holds: the next that is no further in than one level beneath the row, be it that of
    /// the attachment itself or not (section 4.1).
    fn end_of_attachment(&self, reader: &Reader<'de>, at: usize) -> usize {
        let mut end = at + 1;
        while end < self.body.end && reader.lines.line(end).indent as usize > self.body.indent + 1 {
            end = reader.lines.after(end);
        }
        end
    }

    /// Takes the value of a named attachment (section 7.4.4), and says which line is behind it.
    fn attachment(
        &mut self,
        reader: &Reader<'de>,
        at: usize,
        text: &'de str,
        marks: &mut Marks<'de>,
    ) -> Result<usize, Error> {
        let place = |problem| reader.problem(problem);
        let found = read_key(&text[1..]).map_err(place)?;
        let Some((name, rest)) =
            found.and_then(|(name, length)| Some((name, text[1 + length..].strip_prefix(' ')?)))
        else {
            return Err(reader
                .unrecognized(at, "`.field {}`, `.field [N]: values` or `.field [N]{fields}`"));
        };
        let Some(head) = head(rest).map_err(place)? else {
            return Err(reader.unrecognized(
                at,
                "`{}`, `[N]: values` or `[N]` behind the name of the attachment",
            ));
        };
        let body = Body {
            head: at,
            at: at + 1,
            end: self.end_of_attachment(reader, at),
            indent: self.body.indent + 2,
            whole: true,
        };
        // The row is not open yet.
        let depth = reader.depth + 2;
        let form = match (head, self.schemas.shared.get(&name)) {
            (Head::Array(count, None), Some(shared))
                if count != Count::Exact(0) && !is_expanded(reader, &body) =>
            {
                Form::Rows(body, count, Rc::clone(shared))
            }
            _ => reader.form(head, body, depth)?,
        };
        if let Form::Rows(_, _, columns) = &form
            && columns.can_be_shared()
        {
            self.schemas.shared.entry(name.clone()).or_insert_with(|| Rc::clone(columns));
        }
        let orphan = |why: &str| {
            let message = format!("an attachment is named {}, expected {why}", shown(&name));
            Err(reader.error(at, ErrorKind::OrphanAttachment, message))
        };
        let behind = match &form {
            Form::Scalar(_) | Form::Inline(..) => at + 1,
            _ => body.end,
        };
        match self.row.columns.find(&name) {
            Some(&Source::Cell(cell)) => match marks.of(cell) {
                Some(marked) if marked.value.is_some() => Err(duplicate(reader, at, &name)),
                Some(marked) if !marked.positional_only => {
                    marked.value = Some(form);
                    Ok(behind)
                }
                Some(_) => orphan("a positional body, as its cell declares"),
                None => orphan("the name of a cell that is `^`"),
            },
            None if name.contains(PATH) => {
                let row = self.fresh();
                if row.extra_names.insert(name.clone()).is_err() {
                    return Err(duplicate(reader, at, &name));
                }
                row.extras.push((name, form));
                Ok(behind)
            }
            _ => orphan("the name of a cell that is `^`"),
        }
    }

    /// A row behind the line of its group.
    fn grouped_row(&mut self, reader: &mut Reader<'de>) -> Result<(), Error> {
        let mut groups = self.groups.take().unwrap_or_default();
        if groups.left == 0 {
            self.group_line(reader, &mut groups)?;
            reader.at += 1;
            if !reader.has_line(&self.body)? {
                let message = "a group has no rows, expected as many as declared";
                return Err(reader.error(self.body.head, ErrorKind::CountMismatch, message));
            }
        }
        let line = reader.at;
        let text = reader.lines.of(line);
        let group = groups.token;
        let row = self.fresh();
        row.cut(line, text).map_err(|problem| reader.problem(problem))?;
        row.group = group;
        let expected = row.columns.width();
        if row.cells.len() != expected {
            let message = format!("a row has {} cells, expected {expected}", row.cells.len());
            return Err(reader.error(line, ErrorKind::RowWidthMismatch, message));
        }
        let is_mark = |cell: &&str| matches!(mark(cell), Mark::Attachment | Mark::Schema(_));
        if row.cells.iter().any(is_mark) {
            let message = "a row of a group has the mark of an attachment, expected scalars";
            return Err(reader.error(line, ErrorKind::InvalidGroupHeader, message));
        }
        let key = row.columns.group.as_ref().map(|group| &row.columns.node(group.key).of);
        let key = match key {
            Some(&Source::Cell(cell)) => row.cells[cell],
            Some(&Source::Constant(token)) => token,
            _ => "~",
        };
        if mark(key) == Mark::Missing {
            let message = "a row of a group has no key, expected one";
            return Err(reader.error(line, ErrorKind::InvalidGroupHeader, message));
        }
        if !groups.keys.insert(canonical(reader, key)?) {
            let message = format!("two rows have the key {}, expected different ones", shown(key));
            return Err(reader.error(line, ErrorKind::DuplicateKey, message));
        }
        groups.left -= 1;
        self.groups = Some(groups);
        self.behind = line + 1;
        Ok(())
    }

    /// The line before the rows of a group: `name=value [N]`.
    fn group_line(&self, reader: &Reader<'de>, groups: &mut Groups<'de>) -> Result<(), Error> {
        let line = reader.at;
        let text = reader.lines.of(line);
        let name = self.row.columns.group.as_ref().map(|group| &group.name);
        let invalid = || {
            let message = format!(
                "a line is {}, expected a group: its column, `=`, a value and ` [N]`",
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
        if !groups.seen.insert(canonical(reader, token)?) {
            let message = format!("the group {} is there twice, expected once", shown(token));
            return Err(reader.error(line, ErrorKind::DuplicateGroup, message));
        }
        groups.token = token;
        groups.left = count;
        Ok(())
    }
}

/// Whether the items of an array follow, and not rows of the schema that was declared for it. An array that is no table is
/// written without a schema too, so that only its first line tells (docs/decisions/0009-arrays-beside-a-shared-schema.md).
fn is_expanded(reader: &Reader<'_>, body: &Body) -> bool {
    body.at < body.end && begins_item(reader.lines.of(body.at))
}

/// A scalar as it would be written, so that equal ones are equal.
fn canonical(reader: &Reader<'_>, token: &str) -> Result<String, Error> {
    let mut text = String::new();
    push_scalar(&mut text, &read_scalar(token).map_err(|problem| reader.problem(problem))?);
    Ok(text)
}

#[cold]
fn duplicate(reader: &Reader<'_>, at: usize, name: &str) -> Error {
    let message = format!("a second attachment is named {}, expected one", shown(name));
    reader.error(at, ErrorKind::DuplicateAttachment, message)
}

impl<'de> Marks<'de> {
    /// The mark in a cell.
    fn of(&mut self, cell: usize) -> Option<&mut Marked<'de>> {
        let at = self.marks.binary_search_by_key(&cell, |marked| marked.cell).ok()?;
        Some(&mut self.marks[at])
    }

    /// The next mark that takes a positional body.
    fn next_positional(&mut self) -> Option<&mut Marked<'de>> {
        while let Some(marked) = self.marks.get(self.next) {
            if marked.value.is_none() && marked.schema.is_some() {
                break;
            }
            self.next += 1;
        }
        self.marks.get_mut(self.next)
    }
}
