//! The attachments of a row: the values of cells that are marks, on the lines after the row
//! (sections 7.4.4 and 7.4.5).

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use wire_core::text::shown;

use super::array::begins_item;
use super::cells::cut;
use super::columns::{Columns, Source};
use super::fields::names;
use super::form::{Body, Form};
use super::head::{Count, Head, head, indexed};
use super::reader::Reader;
use super::row::Row;
use crate::generic::key::{PATH, read_key};
use crate::generic::scalar::{Mark, mark};
use crate::{Error, ErrorKind};

/// Begins the line of a named attachment.
pub(super) const ATTACHMENT: char = '.';

/// The schemas that rows of a table declare for later rows.
#[derive(Clone, Debug, Default)]
pub(super) struct Schemas<'de> {
    /// The keys of an object, by its cell: the last list is valid (section 7.4.5.1).
    inline: HashMap<usize, Arc<[Cow<'de, str>]>>,
    /// The columns of a table, by the name of its field: the first list is valid (section 7.4.5.3).
    shared: HashMap<Cow<'de, str>, Arc<Columns<'de>>>,
    /// The declarations of rows whose lines are no longer in memory.
    before: Option<Arc<Schemas<'static>>>,
}

impl<'de> Schemas<'de> {
    /// The schemas of rows whose lines are no longer in memory.
    pub(super) fn behind(before: Arc<Schemas<'static>>) -> Self {
        Schemas { before: Some(before), ..Schemas::default() }
    }

    /// Whether nothing was declared but by rows whose lines are gone.
    pub(super) fn is_empty(&self) -> bool {
        self.inline.is_empty() && self.shared.is_empty()
    }

    /// The same without what rows declared whose lines are gone, and without their lines.
    pub(super) fn into_owned(self) -> Schemas<'static> {
        let owned = |text: &Cow<'de, str>| Cow::Owned(text.clone().into_owned());
        Schemas {
            inline: self
                .inline
                .iter()
                .map(|(&cell, names)| (cell, names.iter().map(owned).collect()))
                .collect(),
            shared: self
                .shared
                .iter()
                .map(|(name, columns)| (owned(name), Arc::new(columns.owned())))
                .collect(),
            before: None,
        }
    }

    /// Adds what the next row declares.
    pub(super) fn extend(&mut self, next: Schemas<'de>) {
        self.inline.extend(next.inline);
        for (name, columns) in next.shared {
            self.shared.entry(name).or_insert(columns);
        }
    }

    fn inline(&self, cell: usize) -> Option<&Arc<[Cow<'de, str>]>> {
        let before = || self.before.as_deref()?.inline.get(&cell);
        self.inline.get(&cell).or_else(before)
    }

    fn shared(&self, name: &str) -> Option<&Arc<Columns<'de>>> {
        let before = self.before.as_deref().and_then(|before| before.shared.get(name));
        before.or_else(|| self.shared.get(name))
    }
}

/// The cells of a row that are marks.
#[derive(Debug, Default)]
pub(super) struct Marks<'de> {
    marks: Vec<Marked<'de>>,
    /// The first mark that can have a positional body.
    next: usize,
}

#[derive(Debug)]
struct Marked<'de> {
    cell: usize,
    /// The schema of a positional body.
    schema: Option<Arc<[Cow<'de, str>]>>,
    /// Whether only a positional body fits.
    positional_only: bool,
    value: Option<Form<'de>>,
}

impl<'de> Marks<'de> {
    /// The marks among the cells of a row.
    pub(super) fn of_row(
        reader: &Reader<'de>,
        schemas: &mut Schemas<'de>,
        row: &Row<'de>,
    ) -> Result<Self, Error> {
        let mut marks = Marks::default();
        if !row.may_have_marks {
            return Ok(marks);
        }
        for (cell, &token) in row.cells.iter().enumerate() {
            let declared = match mark(token) {
                Mark::Scalar | Mark::Missing => continue,
                Mark::Attachment => None,
                Mark::Schema(list) => Some(names(list).map_err(|problem| reader.problem(problem))?),
            };
            if row.columns.has_paths && !row.columns.is_direct(cell) {
                let message = "a cell in the column of a path is `^`, expected a scalar";
                return Err(reader.error(row.line, ErrorKind::InvalidAttachmentMarker, message));
            }
            let needs_position = declared.is_some();
            if let Some(names) = declared {
                schemas.inline.insert(cell, names);
            }
            let schema = schemas.inline(cell).cloned();
            marks.marks.push(Marked { cell, schema, positional_only: needs_position, value: None });
        }
        Ok(marks)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// Finds the values of the marks, which follow the row (section 7.4.5.2), and returns the line
    /// after them.
    pub(super) fn attach(
        mut self,
        reader: &Reader<'de>,
        rows: &Body,
        schemas: &mut Schemas<'de>,
        row: &mut Row<'de>,
    ) -> Result<usize, Error> {
        let mut at = row.line + 1;
        while at < rows.end {
            let indent = reader.lines.line(at).indent as usize;
            if indent > rows.indent + 1 {
                break;
            }
            let text = reader.lines.of(at);
            if text.starts_with(ATTACHMENT) {
                at = self.named(reader, rows, at, schemas, row)?;
            } else if let Some(marked) = self.next_positional() {
                let names =
                    marked.schema.clone().expect("because a mark without one takes no such body");
                marked.value = Some(Form::Positional(names, at));
                at += 1;
            } else if indent > rows.indent {
                let message = "a line of values follows a row without a cell `^` for it, expected the next row";
                return Err(reader.error(at, ErrorKind::OrphanInlineAttachment, message));
            } else {
                break;
            }
        }
        for marked in self.marks {
            let Some(value) = marked.value else {
                let message =
                    "a cell is `^`, but its value does not follow, expected it after the row";
                return Err(reader.error(row.line, ErrorKind::MissingAttachment, message));
            };
            row.attached.push((marked.cell, value));
        }
        Ok(at)
    }

    /// Finds the value of a named attachment (section 7.4.4), and returns the line after it.
    fn named(
        &mut self,
        reader: &Reader<'de>,
        rows: &Body,
        at: usize,
        schemas: &mut Schemas<'de>,
        row: &mut Row<'de>,
    ) -> Result<usize, Error> {
        let place = |problem| reader.problem(problem);
        let text = reader.lines.of(at);
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
                "`{}`, `[N]: values` or `[N]` after the name of the attachment",
            ));
        };
        let body = Body {
            head: at,
            at: at + 1,
            end: end_of_attachment(reader, rows, at),
            indent: rows.indent + 2,
            whole: true,
        };
        // The row is not open yet.
        let depth = reader.depth + 2;
        let form = match (head, schemas.shared(&name)) {
            (Head::Array(count, None), Some(shared))
                if count != Count::Exact(0) && !is_expanded(reader, &body) =>
            {
                Form::Rows(body, count, Arc::clone(shared))
            }
            _ => reader.form(head, body, depth)?,
        };
        if let Form::Rows(_, _, columns) = &form
            && columns.can_be_shared()
            && schemas.shared(&name).is_none()
        {
            schemas.shared.insert(name.clone(), Arc::clone(columns));
        }
        let orphan = |why: &str| {
            let message = format!("an attachment is named {}, expected {why}", shown(&name));
            Err(reader.error(at, ErrorKind::OrphanAttachment, message))
        };
        let behind = match &form {
            Form::Scalar(_) | Form::Inline(..) => at + 1,
            _ => body.end,
        };
        match row.columns.find(&name) {
            Some(&Source::Cell(cell)) => match self.of(cell) {
                Some(marked) if marked.value.is_some() => Err(duplicate(reader, at, &name)),
                Some(marked) if !marked.positional_only => {
                    marked.value = Some(form);
                    Ok(behind)
                }
                Some(_) => orphan("a line of values, as its cell declares"),
                None => orphan("the name of a cell that is `^`"),
            },
            None if name.contains(PATH) => {
                if row.extra_names.insert(name.clone()).is_err() {
                    return Err(duplicate(reader, at, &name));
                }
                row.extras.push((name, form));
                Ok(behind)
            }
            _ => orphan("the name of a cell that is `^`"),
        }
    }

    /// The mark in a cell.
    fn of(&mut self, cell: usize) -> Option<&mut Marked<'de>> {
        let at = self.marks.binary_search_by_key(&cell, |marked| marked.cell).ok()?;
        Some(&mut self.marks[at])
    }

    /// The next mark that has a positional body.
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

/// The line after the content of an attachment: the next that is indented by at most one level more
/// than the row. Whether it is the line of an attachment does not matter (section 4.1).
fn end_of_attachment(reader: &Reader<'_>, rows: &Body, at: usize) -> usize {
    let mut end = at + 1;
    while end < rows.end && reader.lines.line(end).indent as usize > rows.indent + 1 {
        end = reader.lines.after(end);
    }
    end
}

/// Whether the items of an array follow, and not rows of its declared schema. An array that is not
/// a table is also written without a schema, so only its first line decides
/// (docs/decisions.md, decision 9).
fn is_expanded(reader: &Reader<'_>, body: &Body) -> bool {
    body.at < body.end && begins_item(reader.lines.of(body.at))
}

#[cold]
fn duplicate(reader: &Reader<'_>, at: usize, name: &str) -> Error {
    let message = format!("a second attachment is named {}, expected only one", shown(name));
    reader.error(at, ErrorKind::DuplicateAttachment, message)
}

/// Which lines belong to a row, for a streaming reader that keeps the lines of one row in memory.
/// It accepts the lines that [`Marks::attach`] accepts. If lines are wrong, it includes enough of
/// them for `attach` to report the error.
#[derive(Debug)]
pub(in crate::generic) struct Extent {
    /// The marks whose attachments are still to come.
    marks: usize,
    columns: Arc<Columns<'static>>,
}

impl Extent {
    /// The extent of the row that begins with this line.
    pub(super) fn of_row(line: &str, has_key: bool, columns: Arc<Columns<'static>>) -> Self {
        let text = indexed(line).map_or(line, |(_, rest)| rest);
        let mut cells = Vec::new();
        let marks = match cut(text, &mut cells) {
            Ok(()) => cells
                .iter()
                .skip(usize::from(has_key))
                .filter(|cell| matches!(mark(cell), Mark::Attachment | Mark::Schema(_)))
                .count(),
            // It is wrong by itself.
            Err(_) => 0,
        };
        Extent { marks, columns }
    }

    /// Whether the next line is attached to the row, or wrong.
    pub(in crate::generic) fn takes(&mut self, line: &str) -> bool {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        // Beneath an attachment.
        if indent >= 4 {
            return true;
        }
        if let Some(named) = text.strip_prefix(ATTACHMENT) {
            if let Ok(Some((name, _))) = read_key(named)
                && matches!(self.columns.find(&name), Some(Source::Cell(_)))
            {
                self.marks = self.marks.saturating_sub(1);
            }
            return true;
        }
        let belongs = self.marks > 0 || indent > 0;
        self.marks = self.marks.saturating_sub(1);
        belongs
    }
}
