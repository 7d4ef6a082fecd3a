//! Arrays whose rows or items are read one by one, each from its own lines, for readers that keep
//! one of them in memory.

use std::borrow::Cow;
use std::collections::HashMap;

use serde::de::DeserializeSeed;
use wire_core::text::shown;
use wire_core::{Limits, Position};

use super::cells::cut;
use super::columns::{Columns, Source};
use super::de::Value;
use super::document::{Document, Kept, Kind, NO_KEY};
use super::head::{Count, Head, count_of_map, indexed, section};
use super::lines::Lines;
use super::parse::{Body, Parser};
use super::table::{ATTACHMENT, Table};
use crate::generic::grammar::read_key;
use crate::generic::problem::Problem;
use crate::generic::scalar::{Mark, mark};
use crate::lines::Lines as RawLines;
use crate::{Error, ErrorKind};

/// The lines of a row or item; the default of a [`Table`].
const BODY: Body = Body { head: 0, indent: 0, is_whole: false };

/// An array or map, what its header says, and what its rows have declared so far.
#[derive(Debug)]
pub(in crate::generic) struct RowByRow {
    pub(in crate::generic) name: Option<String>,
    pub(in crate::generic) is_map: bool,
    /// `None` if the trailer says it.
    pub(in crate::generic) count: Option<u64>,
    /// `None` of items.
    columns: Option<Columns>,
    table: Table,
    /// The keys of columns and schemas, and constants. Each row is added, and removed when it is
    /// read.
    document: Document<'static>,
    kept: Kept,
    /// The parts of the header that are kept.
    header: Kept,
    /// The number of keys when those of schemas that are no longer valid were removed.
    keys: usize,
    /// The rows or items that were read.
    pub(in crate::generic) found: u64,
}

/// Which lines belong to a row or item.
#[derive(Debug)]
pub(in crate::generic) struct Reach {
    is_item: bool,
    /// The marks of the row whose values are still to come.
    marks: usize,
}

pub(in crate::generic) struct ReadRow<T> {
    /// Its key, in a keyed map.
    pub(in crate::generic) key: String,
    pub(in crate::generic) value: T,
    /// The counts in it that are left to the trailer.
    pub(in crate::generic) deferred: Vec<u64>,
    /// `true` if it is one line.
    pub(in crate::generic) plain: bool,
    /// `true` if a count inside it ends with its last line, and so shows that this is whole.
    pub(in crate::generic) counted: bool,
    /// `true` if lines follow that belong to nothing, although this was the last row of the value.
    pub(in crate::generic) surplus: bool,
}

/// Checks the indentation of a line, which in a whole text is checked before anything else.
pub(in crate::generic) fn check_indentation(line: &str, limits: &Limits) -> Result<(), Error> {
    Lines::new(line, RawLines::new(line), limits).map(drop).map_err(|wrong| wrong.in_text(line))
}

impl RowByRow {
    /// The array or map that this line begins.
    pub(in crate::generic) fn begin(line: &str, limits: &Limits) -> Result<Self, Error> {
        let wrong = |problem: Problem| problem.in_text(line);
        let (name, count, list, is_map) = match section(line).map_err(wrong)? {
            Some((name, Head::Array(count, list))) => (name, count, list, false),
            Some((name, Head::KeyedMap(count, list))) => {
                (name, count_of_map(count, line).map_err(wrong)?, Some(list), true)
            }
            _ => {
                let found = shown(line);
                let message = format!(
                    "a line is {found}, expected a table or items: `## name [N]{{fields}}` or `## name [N]`"
                );
                return Err(wrong(Problem::new(ErrorKind::UnrecognizedLine, line, message)));
            }
        };
        let mut parser = parser(Document::new(line), limits, usize::MAX).map_err(wrong)?;
        parser.depth = usize::from(name.is_some());
        let columns = match list {
            Some(list) if is_map => Some(Columns::of_keyed_map(&mut parser, list)),
            Some(list) => Some(Columns::of_array(&mut parser, list)),
            None => None,
        };
        let mut columns = columns.transpose().map_err(wrong)?;
        if columns.as_ref().is_some_and(|columns| columns.group.is_some()) {
            let message = "the rows are in groups, expected rows without groups";
            return Err(wrong(Problem::new(ErrorKind::NotStreamable, line, message)));
        }
        let constants = columns.iter_mut().flat_map(|columns| &mut columns.all);
        let constants: Vec<_> = constants
            .filter_map(|column| match &mut column.of {
                Source::Constant(node) => {
                    Some((parser.document.text_if_any(*node).to_owned(), node))
                }
                _ => None,
            })
            .collect();
        let mut document = parser.document.with_keys(Kept::default());
        for (text, node) in constants {
            document.set_copy(0, node.kind(), 0, &text);
            *node = document.node(0);
        }
        let count = match count {
            Count::Exact(count) => Some(count),
            Count::Deferred => None,
        };
        let kept = document.kept();
        Ok(RowByRow {
            name: name.map(Cow::into_owned),
            is_map,
            count,
            columns,
            table: Table::default(),
            keys: document.keys(),
            document,
            kept,
            header: kept,
            found: 0,
        })
    }

    pub(in crate::generic) fn is_items(&self) -> bool {
        self.columns.is_none()
    }

    pub(in crate::generic) fn fields(&self) -> Vec<String> {
        let columns = self.columns.iter().flat_map(Columns::members);
        columns.map(|column| self.document.key(column.key).to_owned()).collect()
    }

    /// The name of its elements, for messages.
    pub(in crate::generic) fn noun(&self) -> &'static str {
        if self.is_items() { "items" } else { "rows" }
    }

    pub(in crate::generic) fn reach(&self, line: &str) -> Reach {
        // Only a row with an index has marks.
        let cells = indexed(line).filter(|_| !self.is_items());
        let mut found = Vec::new();
        let is_cut = cells.is_some_and(|(_, cells)| cut(cells, &mut found).is_ok());
        let is_mark = |cell: &&&str| matches!(mark(cell), Mark::Attachment | Mark::Schema(_));
        let marks = found.iter().skip(usize::from(self.is_map)).filter(is_mark).count();
        Reach { is_item: self.is_items(), marks: if is_cut { marks } else { 0 } }
    }

    /// Returns `true` if the next line belongs to the row or item, or is wrong.
    pub(in crate::generic) fn takes(&self, reach: &mut Reach, line: &str) -> bool {
        if reach.is_item {
            // All of its lines are indented further.
            return line.starts_with([' ', '\t']);
        }
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        // Beneath an attachment.
        if indent >= 4 {
            return true;
        }
        if let Some(named) = text.strip_prefix(ATTACHMENT) {
            let name = read_key(named).ok().flatten();
            let key = name.and_then(|(name, _)| self.document.find_key(&name));
            let source = key.and_then(|key| self.columns.as_ref()?.find(key));
            if let Some(Source::Cell(_)) = source {
                reach.marks = reach.marks.saturating_sub(1);
            }
            return true;
        }
        let belongs = reach.marks > 0 || indent > 0;
        reach.marks = reach.marks.saturating_sub(1);
        belongs
    }

    /// Reads the next row or item from its lines, and counts the bytes that it `repeated`, of which
    /// there are `most` in all rows. After an error no more of them can be read.
    pub(in crate::generic) fn read<'b, S: DeserializeSeed<'b>>(
        &mut self,
        lines: &'b str,
        limits: &Limits,
        (repeated, most): (&mut usize, usize),
        seed: S,
    ) -> Result<ReadRow<S::Value>, Error> {
        let document = std::mem::replace(&mut self.document, Document::new(""));
        let wrong = |problem: Problem| problem.in_text(lines);
        let parser = parser(document.with_source(lines), limits, most);
        let mut parser = parser.map_err(wrong)?;
        parser.repeated = *repeated;
        // The array itself, and the object that names it.
        parser.depth = 1 + usize::from(self.name.is_some());
        if parser.lines.get(0).is_none() || !parser.has_line(&BODY).map_err(wrong)? {
            let message = "there is no row, expected one";
            return Err(wrong(parser.error(0, ErrorKind::UnrecognizedLine, message)));
        }
        let element = self.element(&mut parser);
        let plain = element.map_err(|problem| {
            parser.document.check_infinite().err().unwrap_or_else(|| wrong(problem))
        })?;
        // A trailer after a mark is not an attachment.
        if parser.lines.summary.is_some() {
            return Err(wrong(parser.unrecognized(0, "a row with all of its attachments")));
        }
        self.found += 1;
        let is_last = self.name.is_none() && self.count == Some(self.found);
        let surplus = parser.at < parser.lines.len();
        if surplus && !is_last {
            parser.has_line(&BODY).map_err(wrong)?;
            let expected = if self.is_items() { "the next item" } else { "the next row" };
            return Err(wrong(parser.unrecognized(parser.at, expected)));
        }
        *repeated = parser.repeated;
        let document = &parser.document;
        let node = document.node(document.node(0).b);
        let key = if self.is_map { document.key(node.key()).to_owned() } else { String::new() };
        let value = seed.deserialize(Value { document, node }).map_err(|error| {
            error.or_at(|| Position::in_text(lines.as_bytes(), document.offset(node)))
        })?;
        let counted = parser.counted.is_some_and(|line| line + 1 == parser.lines.len());
        let deferred = parser.deferred;
        if std::mem::take(&mut self.table.schemas.are_new) {
            self.document = parser.document.with_keys(self.kept);
            self.remove_keys();
        } else {
            self.document = parser.document.without_source(self.kept);
        }
        Ok(ReadRow { key, value, deferred, plain, counted, surplus })
    }

    /// Removes the keys that no schema has any more, when most are such, and keeps the others.
    fn remove_keys(&mut self) {
        const FEW: usize = 1 << 10;
        self.kept = self.document.kept();
        if self.document.keys() < 2 * self.keys + FEW {
            return;
        }
        let mut names = HashMap::new();
        let schemas = &mut self.table.schemas;
        schemas.change_keys(|key| {
            names.entry(key).or_insert_with(|| self.document.key(key).to_owned());
            key
        });
        let document = std::mem::replace(&mut self.document, Document::new(""));
        let mut document = document.without_source(self.header);
        // There are no more keys than before.
        schemas.change_keys(|key| document.intern(&names[&key]).unwrap_or(NO_KEY));
        self.keys = document.keys();
        self.kept = document.kept();
        self.document = document;
    }

    /// Parses a row or an item; says whether it is one line.
    fn element(&mut self, parser: &mut Parser<'_>) -> Result<bool, Problem> {
        let kind = if self.is_map { Kind::Object } else { Kind::Array };
        let mut array = parser.document.open(0, kind, 0);
        match &self.columns {
            Some(columns) => {
                self.table.index = self.found;
                // The reader compares the keys of all rows, which are not kept here.
                self.table.keys.clear();
                parser.row(&mut array, columns, &mut self.table)?;
                Ok(parser.at == 1)
            }
            None if parser.lines.of(0).starts_with('@') => {
                Ok(parser.item(&mut array, self.found, &BODY)?.is_some())
            }
            None => Err(parser.unrecognized(0, "an item: `@N =value`, `@N {}` or `@N [N]…`")),
        }
    }
}

fn parser<'t>(
    document: Document<'t>,
    limits: &Limits,
    repeatable: usize,
) -> Result<Parser<'t>, Problem> {
    let lines = Lines::new(document.source, RawLines::new(document.source), limits)?;
    Ok(Parser::new(document, lines, repeatable))
}
