//! Tables: arrays of objects and keyed maps, a row for each (sections 7.2a and 7.4), the values that
//! follow their rows (sections 7.4.4 and 7.4.5), and rows in groups (specification 3.6).

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use wire_core::text::shown;

use super::cells::{cell_length, cut};
use super::columns::{Column, Columns, ROW, Source, names, repeated, repeated_value};
use super::document::{Filling, Id, KeyId, Kind, NO_KEY, Node};
use super::head::{Count, Head, begins_section, exact_count, head, indexed};
use super::parse::{Body, Parser};
use crate::ErrorKind;
use crate::generic::grammar::{PATH, read_key};
use crate::generic::problem::Problem;
use crate::generic::scalar::{Mark, Scalar, mark, push_scalar, read_scalar, trimmed};

/// Begins the line of a named attachment.
pub(super) const ATTACHMENT: char = '.';

#[derive(Debug, Default)]
pub(super) struct Table {
    body: Body,
    pub(super) index: u64,
    pub(super) schemas: Schemas,
    /// The keys of a keyed map.
    pub(super) keys: HashSet<KeyId>,
    /// The cells of the row that are marks, in their order.
    marks: Vec<Marked>,
    /// The names of the row's attachments that have no cell.
    extras: HashSet<KeyId>,
    groups: Groups,
}

/// The schemas that rows declare for later rows.
#[derive(Debug, Default)]
pub(super) struct Schemas {
    /// The keys of an object, by its cell: the last list is valid (section 7.4.5.1).
    inline: HashMap<usize, Arc<[KeyId]>>,
    /// The columns of a table, by the name of its field: the first list is valid (section 7.4.5.3).
    shared: HashMap<KeyId, Arc<Columns>>,
    /// `true` if the last row declared any.
    pub(super) are_new: bool,
}

/// A cell that is a mark: its value follows the row.
#[derive(Debug)]
struct Marked {
    cell: usize,
    node: Id,
    /// The keys of a line of values.
    schema: Option<Arc<[KeyId]>>,
    /// `true` if only a line of values fits.
    is_positional: bool,
    is_filled: bool,
}

/// Where the rows of groups are.
#[derive(Debug, Default)]
struct Groups {
    /// The value of the group, and the bytes that each of its rows repeats.
    value: Option<Node>,
    repeated: usize,
    /// The rows of the group that are still to come.
    left: u64,
    seen: HashSet<String>,
    keys: HashSet<String>,
}

impl Schemas {
    pub(super) fn change_keys(&mut self, mut other: impl FnMut(KeyId) -> KeyId) {
        for keys in self.inline.values_mut() {
            *keys = keys.iter().map(|&key| other(key)).collect();
        }
        let shared = std::mem::take(&mut self.shared).into_iter();
        let change = |(key, columns): (KeyId, Arc<Columns>)| {
            (other(key), Arc::new(columns.with_keys(&mut other)))
        };
        self.shared = shared.map(change).collect();
    }
}

impl<'t> Parser<'t> {
    /// ```abnf
    /// table = "[" count "]" columns EOL *row
    /// map   = "[" count ":]" columns EOL *row
    /// ```
    pub(super) fn table(
        &mut self,
        node: Id,
        count: Count,
        columns: &Columns,
        body: Body,
    ) -> Result<(), Problem> {
        self.enter(body.head)?;
        let kind = if columns.has_keys { Kind::Object } else { Kind::Array };
        let mut rows = self.document.open(node, kind, self.lines.offset(body.head));
        let slot = self.begin_count(count);
        let mut table = Table { body, ..Table::default() };
        let mut last = body.head;
        // No row begins with the mark of a section.
        while count.allows(table.index)
            && self.has_line(&body)?
            && !begins_section(self.lines.of(self.at))
        {
            if let Some((name, _)) = columns.group.filter(|_| table.groups.left == 0) {
                self.group(&mut table.groups, name)?;
                self.at += 1;
                if !self.has_line(&body)? {
                    let message = "a group has no rows, expected as many as declared";
                    return Err(self.error(body.head, ErrorKind::CountMismatch, message));
                }
            }
            last = self.row(&mut rows, columns, &mut table)?;
            table.index += 1;
        }
        self.end_count(body.head, count, slot, table.index, "rows")?;
        self.end_body(&body, count, table.index, "rows")?;
        let left = table.groups.left;
        if left > 0 {
            let message = format!("the last group lacks {left} rows, expected as many as declared");
            return Err(self.error(body.head, ErrorKind::CountMismatch, message));
        }
        // Nothing is attached to the last row.
        if last + 1 == self.at && count != Count::Deferred {
            self.counted = Some(last);
        }
        self.depth -= 1;
        Ok(())
    }

    /// ```abnf
    /// row = [ "@" index SP ] cell *( "|" cell ) EOL *( attachment / values )
    /// grouped = group 1*( cell *( "|" cell ) EOL )
    /// ```
    ///
    /// In a keyed map, the first cell is the key. The line of the row is returned.
    pub(super) fn row(
        &mut self,
        rows: &mut Filling,
        columns: &Columns,
        table: &mut Table,
    ) -> Result<usize, Problem> {
        let line = self.at;
        let (cells, has_index) = self.cells(table.index, columns)?;
        if let Some((_, key)) = columns.group {
            self.check_grouped(&mut table.groups, columns, key, &cells)?;
        }
        let (key, members) = match cells.split_first() {
            Some((key, cells)) if columns.has_keys => (self.row_key(key, &mut table.keys)?, cells),
            _ => (NO_KEY, &cells[..]),
        };
        self.enter(line)?;
        self.make_room(line, columns.all.len())?;
        self.repeat(line, columns.repeated + table.groups.repeated)?;
        let offset = self.lines.offset(line);
        self.document.read = offset;
        let node = self.document.add(rows, key);
        let mut row = self.document.open(node, Kind::Object, offset);
        if columns.is_plain {
            for (index, (column, &cell)) in columns.all[1..].iter().zip(members).enumerate() {
                self.cell(&mut row, table, (index, column.key), cell)?;
            }
        } else {
            self.members(&mut row, columns, table, &columns.all[ROW], members)?;
        }
        self.cells = cells;
        if !table.marks.is_empty() && !has_index {
            let message = format!(
                "a row has a cell `^`, expected the index of the row before its cells: `@{} …`",
                table.index
            );
            return Err(self.error(line, ErrorKind::InvalidItemId, message));
        }
        self.at += 1;
        if columns.group.is_none() {
            self.attached(&mut row, columns, table, line)?;
        }
        self.depth -= 1;
        Ok(line)
    }

    /// Cuts the next line, which has a cell for each column. Whether it begins with the index of the
    /// row is returned, too.
    pub(super) fn cells(
        &mut self,
        index: u64,
        columns: &Columns,
    ) -> Result<(Vec<&'t str>, bool), Problem> {
        let line = self.at;
        let text = self.lines.of(line);
        // A row of a group is its cells alone.
        let is_grouped = columns.group.is_some();
        let has_index = text.starts_with('@') && !is_grouped;
        let mut rest = text;
        if has_index {
            let (digits, cells) = indexed(text).unwrap_or_default();
            self.check_index(line, digits, index, "a row")?;
            rest = cells;
        }
        if rest.starts_with(ATTACHMENT) && !is_grouped {
            let message = format!(
                "a line is the attachment {}, expected a row, since no cell before it is `^`",
                shown(rest)
            );
            return Err(self.error(line, ErrorKind::OrphanAttachment, message));
        }
        let width = columns.width + usize::from(columns.has_keys);
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cut(rest, &mut cells)?;
        if cells.len() != width {
            let message = format!("a row has {} cells, expected {width}", cells.len());
            return Err(self.error(line, ErrorKind::RowWidthMismatch, message));
        }
        Ok((cells, has_index))
    }

    /// The key of a keyed map's row, which is a string (section 7.2a.3).
    fn row_key(&mut self, token: &'t str, keys: &mut HashSet<KeyId>) -> Result<KeyId, Problem> {
        let scalar = match mark(token) {
            Mark::Scalar => read_scalar(token)?,
            _ => Scalar::Null,
        };
        let Scalar::Text(key) = scalar else {
            let message = format!(
                "the key of a row is {}, expected a string; quote keys that look like other values",
                shown(token)
            );
            return Err(self.error(self.at, ErrorKind::InvalidKey, message));
        };
        let id = self.intern(&key, token)?;
        if keys.insert(id) {
            return Ok(id);
        }
        Err(self.error(self.at, ErrorKind::DuplicateKey, key_twice(&key)))
    }

    /// ```abnf
    /// cell = scalar / "~" / "^" / schema
    /// ```
    #[inline]
    fn cell(
        &mut self,
        row: &mut Filling,
        table: &mut Table,
        (index, key): (usize, KeyId),
        cell: &'t str,
    ) -> Result<(), Problem> {
        if cell == "~" {
            return Ok(());
        }
        let node = self.document.add(row, key);
        if cell.starts_with('^') && self.mark(table, index, node, cell)? {
            return Ok(());
        }
        self.document.scalar(node, cell)
    }

    /// Notes a cell that is a mark; says whether it is one.
    fn mark(
        &mut self,
        table: &mut Table,
        cell: usize,
        node: Id,
        token: &'t str,
    ) -> Result<bool, Problem> {
        let list = match mark(token) {
            Mark::Scalar | Mark::Missing => return Ok(false),
            Mark::Attachment => None,
            Mark::Schema(list) => Some(list),
        };
        if let Some(list) = list {
            let names = names(self, list)?;
            table.schemas.inline.insert(cell, names.into());
            table.schemas.are_new = true;
        }
        let schema = table.schemas.inline.get(&cell).cloned();
        let is_positional = list.is_some();
        table.marks.push(Marked { cell, node, schema, is_positional, is_filled: false });
        Ok(true)
    }

    /// The members of a row, or of an object in it.
    fn members(
        &mut self,
        object: &mut Filling,
        columns: &Columns,
        table: &mut Table,
        of: &Column,
        cells: &[&'t str],
    ) -> Result<(), Problem> {
        let Source::Object { members, .. } = &of.of else { return Ok(()) };
        let is_row = of.key == NO_KEY;
        for &member in members {
            let column = &columns.all[member];
            match &column.of {
                Source::Cell(cell) if is_row => {
                    self.cell(object, table, (*cell, column.key), cells[*cell])?;
                }
                Source::Cell(cell) => self.cell_of_path(object, column.key, cells[*cell])?,
                Source::Constant(constant) => {
                    let node = self.document.add(object, column.key);
                    self.document.set_like(node, *constant);
                }
                Source::Group => {
                    let node = self.document.add(object, column.key);
                    if let Some(value) = table.groups.value {
                        self.document.set_like(node, value);
                    }
                }
                Source::Object { cells: inner, .. } => {
                    let are_all = |token: &str| inner.iter().all(|&cell| cells[cell] == token);
                    if are_all("~") {
                        continue;
                    }
                    let node = self.document.add(object, column.key);
                    let offset = self.lines.offset(self.at);
                    // Further in, an object of nulls is one (section 7.4.6.2).
                    if is_row && are_all("-") {
                        self.document.set(node, Kind::Null, offset, 0);
                        continue;
                    }
                    let mut inner = self.document.open(node, Kind::Object, offset);
                    self.members(&mut inner, columns, table, column, cells)?;
                }
            }
        }
        Ok(())
    }

    /// A cell that is a member of an object in a row.
    fn cell_of_path(
        &mut self,
        object: &mut Filling,
        key: KeyId,
        cell: &'t str,
    ) -> Result<(), Problem> {
        match mark(cell) {
            Mark::Missing => Ok(()),
            Mark::Scalar => {
                let node = self.document.add(object, key);
                self.document.scalar(node, cell)
            }
            Mark::Attachment | Mark::Schema(_) => {
                let message = "a cell in the column of a path is `^`, expected a scalar";
                Err(self.error(self.at, ErrorKind::InvalidAttachmentMarker, message))
            }
        }
    }

    /// ```abnf
    /// *( attachment / values )
    /// ```
    ///
    /// They are indented like the row, or one level more.
    fn attached(
        &mut self,
        row: &mut Filling,
        columns: &Columns,
        table: &mut Table,
        row_line: usize,
    ) -> Result<(), Problem> {
        let indent = table.body.indent;
        table.extras.clear();
        // The first mark that can have a line of values.
        let mut next = 0;
        while let Some(line) = self.lines.get(self.at)
            && (indent..=indent + 1).contains(&line.indent)
        {
            if self.lines.of(self.at).starts_with(ATTACHMENT) {
                self.attachment(row, columns, table)?;
                continue;
            }
            let has_none = |mark: &Marked| mark.is_filled || mark.schema.is_none();
            while table.marks.get(next).is_some_and(has_none) {
                next += 1;
            }
            if let Some(Marked { node, schema: Some(schema), is_filled, .. }) =
                table.marks.get_mut(next)
            {
                *is_filled = true;
                self.values(*node, schema)?;
            } else if line.indent > indent {
                let message = "a line of values follows a row without a cell `^` for it, expected the next row";
                return Err(self.error(self.at, ErrorKind::OrphanInlineAttachment, message));
            } else {
                break;
            }
        }
        if table.marks.iter().any(|mark| !mark.is_filled) {
            let message = "a cell is `^`, but its value does not follow, expected it after the row";
            return Err(self.error(row_line, ErrorKind::MissingAttachment, message));
        }
        table.marks.clear();
        Ok(())
    }

    /// ```abnf
    /// values = scalar *( "|" scalar ) EOL
    /// ```
    fn values(&mut self, node: Id, names: &[KeyId]) -> Result<(), Problem> {
        let line = self.at;
        let mut cells = std::mem::take(&mut self.cells);
        cells.clear();
        cut(self.lines.of(line), &mut cells)?;
        if cells.len() != names.len() {
            let message = format!(
                "the line of values after a row has {} values, expected {}",
                cells.len(),
                names.len()
            );
            return Err(self.error(line, ErrorKind::InlineWidthMismatch, message));
        }
        self.repeat(line, names.iter().map(|&name| repeated(self.document.key(name))).sum())?;
        self.enter(line)?;
        self.make_room(line, names.len())?;
        let mut object = self.document.open(node, Kind::Object, self.lines.offset(line));
        for (&name, cell) in names.iter().zip(&cells) {
            let node = self.document.add(&mut object, name);
            self.document.scalar(node, cell)?;
        }
        self.depth -= 1;
        self.cells = cells;
        self.counted = Some(line);
        self.at += 1;
        Ok(())
    }

    /// ```abnf
    /// attachment = "." key SP value
    /// ```
    fn attachment(
        &mut self,
        row: &mut Filling,
        columns: &Columns,
        table: &mut Table,
    ) -> Result<(), Problem> {
        let line = self.at;
        let text = &self.lines.of(line)[1..];
        let found = read_key(text)?
            .and_then(|(name, length)| Some((name, text[length..].strip_prefix(' ')?)));
        let Some((name, rest)) = found else {
            let expected = "`.field {}`, `.field [N]: values` or `.field [N]{fields}`";
            return Err(self.unrecognized(line, expected));
        };
        let Some(head) = head(rest)? else {
            let expected = "`{}`, `[N]: values` or `[N]` after the name of the attachment";
            return Err(self.unrecognized(line, expected));
        };
        let key = self.intern(&name, text)?;
        let node = self.attached_node(row, columns, table, (key, &name))?;
        self.at += 1;
        let body = Body { head: line, indent: table.body.indent + 2, is_whole: true };
        match (head, table.schemas.shared.get(&key)) {
            (Head::Array(count, None), Some(shared))
                if count != Count::Exact(0) && !self.begins_items(&body) =>
            {
                self.table(node, count, shared, body)
            }
            (Head::Array(count, Some(list)), None) => {
                let columns = Arc::new(Columns::of_array(self, list)?);
                if columns.can_be_shared {
                    table.schemas.shared.insert(key, Arc::clone(&columns));
                    table.schemas.are_new = true;
                }
                self.table(node, count, &columns, body)
            }
            _ => self.value(node, head, body),
        }
    }

    /// The node of the value that an attachment of this name has.
    fn attached_node(
        &mut self,
        row: &mut Filling,
        columns: &Columns,
        table: &mut Table,
        (key, name): (KeyId, &str),
    ) -> Result<Id, Problem> {
        let line = self.at;
        let duplicate = || {
            let message =
                format!("a second attachment is named {}, expected only one", shown(name));
            self.error(line, ErrorKind::DuplicateAttachment, message)
        };
        let mut expected = "the name of a cell that is `^`";
        match columns.find(key) {
            Some(Source::Cell(cell)) => {
                if let Ok(at) = table.marks.binary_search_by_key(cell, |mark| mark.cell) {
                    let mark = &mut table.marks[at];
                    if mark.is_filled {
                        return Err(duplicate());
                    }
                    if !mark.is_positional {
                        mark.is_filled = true;
                        return Ok(mark.node);
                    }
                    expected = "a line of values, as its cell declares";
                }
            }
            // A value without a cell, because its name has a `>` (section 7.4.6.1.4).
            None if name.contains(PATH) => {
                if !table.extras.insert(key) {
                    return Err(duplicate());
                }
                self.make_room(line, 1)?;
                return Ok(self.document.add(row, key));
            }
            _ => {}
        }
        let message = format!("an attachment is named {}, expected {expected}", shown(name));
        Err(self.error(line, ErrorKind::OrphanAttachment, message))
    }

    /// Returns `true` if the items of an array follow, and not rows of its declared schema. An
    /// array that is not a table is also written without a schema, so only its first line decides
    /// (docs/decisions.md, decision 9).
    fn begins_items(&self, body: &Body) -> bool {
        let next = self.lines.get(self.at).filter(|line| line.indent >= body.indent);
        let Some(rest) = next.and_then(|_| self.lines.of(self.at).strip_prefix("@0 ")) else {
            return false;
        };
        // A row has such an id if one of its cells is a mark, and then it has that cell, or more
        // than one.
        rest.starts_with(['=', '{', '['])
            && cell_length(rest).is_ok_and(|length| length == rest.len())
    }

    /// Checks a row of a group, in which no two rows have the same cell in the column `key`.
    fn check_grouped(
        &self,
        groups: &mut Groups,
        columns: &Columns,
        key: usize,
        cells: &[&str],
    ) -> Result<(), Problem> {
        let line = self.at;
        let wrong = |message: &str| Err(self.error(line, ErrorKind::InvalidGroupHeader, message));
        if cells.iter().any(|cell| matches!(mark(cell), Mark::Attachment | Mark::Schema(_))) {
            return wrong("a row of a group has a cell `^`, expected only scalars");
        }
        let key = match columns.all[key].of {
            Source::Cell(cell) if cells[cell] != "~" => canonical(cells[cell])?,
            // No second row has another one.
            Source::Constant(node) => self.document.text_if_any(node).to_owned(),
            _ => return wrong("a row of a group has no key, expected one"),
        };
        if groups.keys.contains(&key) {
            let message = format!("two rows have the key {}, expected different ones", shown(&key));
            return Err(self.error(line, ErrorKind::DuplicateKey, message));
        }
        groups.keys.insert(key);
        groups.left -= 1;
        Ok(())
    }

    /// ```abnf
    /// group = key "=" scalar " [" count "]" EOL
    /// ```
    fn group(&mut self, groups: &mut Groups, name: KeyId) -> Result<(), Problem> {
        let line = self.at;
        let text = self.lines.of(line);
        let found = read_key(text)?.and_then(|(key, length)| {
            let rest = text[length..].strip_prefix('=');
            let rest = rest.filter(|_| key == self.document.key(name));
            let (value, count) = rest?.rsplit_once(" [")?;
            Some((trimmed(value), count.strip_suffix(']')?))
        });
        let Some((token, count)) = found else {
            let message = format!(
                "a line is {}, expected a group: its field, `=`, a value and ` [N]`",
                shown(text)
            );
            return Err(self.error(line, ErrorKind::InvalidGroupHeader, message));
        };
        let Some(count) = exact_count(count).filter(|&count| count > 0) else {
            let message =
                format!("the count of a group is {}, expected a number from 1", shown(count));
            return Err(self.error(line, ErrorKind::InvalidCount, message));
        };
        if token.is_empty() || mark(token) != Mark::Scalar {
            let message = format!("the value of a group is {}, expected a scalar", shown(token));
            return Err(self.error(line, ErrorKind::InvalidConstValue, message));
        }
        if !groups.seen.insert(canonical(token)?) {
            let message = format!("the group {} appears twice, expected once", shown(token));
            return Err(self.error(line, ErrorKind::DuplicateGroup, message));
        }
        let value = self.document.constant(token)?;
        groups.value = Some(value);
        groups.repeated = repeated_value(token);
        groups.left = count;
        Ok(())
    }
}

/// A scalar as it would be written, so that equal ones are equal.
fn canonical(token: &str) -> Result<String, Problem> {
    let mut text = String::new();
    push_scalar(&mut text, &read_scalar(token)?);
    Ok(text)
}

/// The message for the second row of a keyed map with this key (section 7.2a.3).
#[cold]
pub(in crate::generic) fn key_twice(key: &str) -> String {
    format!("a keyed map has the key {} twice, expected once", shown(key))
}
