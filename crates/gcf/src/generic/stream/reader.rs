//! Reading rows as they come.

use std::collections::HashSet;
use std::io::Read;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, IgnoredAny};
use wire_core::Position;
use wire_core::text::{LineReader, shown};

use super::lines::{Ahead, Block, moved};
use super::{TableHead, TableKind};
use crate::generic::Decoder;
use crate::generic::decode::{
    AFTER_TRAILER, End, NOT_WHOLE, ReadRow, RowByRow, check_counts, check_header,
    check_indentation, is_member_on_one_line, key_twice, miscounted,
};
use crate::generic::grammar::{is_ignored, is_summary};
use crate::{Error, ErrorKind};

/// Reads the tables of a text row by row. It keeps in memory one row with its attachments, the
/// schemas that earlier rows declare, and the keys of a map, to detect duplicates.
///
/// It reads texts whose value is a table, or an object of tables. Arrays with an item for each
/// value (section 7.6) are tables, too, whose rows are the items. Other members, and rows in
/// groups, are an error; use [`Decoder`] for them. After an error there are no more rows of its
/// table.
///
/// ```
/// use gcf::Reader;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Employee {
///     id: u32,
///     name: Option<String>,
/// }
///
/// let text = "GCF profile=generic\n## employees [?]{id,name}\n\
///             1|Alice\n2|~\n##! summary counts=2\n";
/// let mut reader = Reader::new(text.as_bytes())?;
/// let mut names = Vec::new();
/// while let Some(table) = reader.next_table()? {
///     assert_eq!(table.name.as_deref(), Some("employees"));
///     while let Some(Employee { id, name }) = reader.next_row()? {
///         names.push((id, name));
///     }
/// }
/// assert_eq!(names, [(1, Some("Alice".to_owned())), (2, None)]);
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    lines: LineReader<R>,
    decoder: Decoder,
    /// The next line that is neither blank nor a comment.
    ahead: Option<Ahead>,
    names: HashSet<String>,
    /// `true` if the whole value is a table.
    is_root: bool,
    table: Option<Table>,
    row: Option<Position>,
    deferred: Vec<u64>,
    /// How many bytes of names and constants the rows have repeated.
    repeated: usize,
    /// The state after the lines that were read.
    end: End,
    ended: bool,
}

#[derive(Debug)]
struct Table {
    rows: RowByRow,
    /// Its first line, for errors.
    line: Ahead,
    keys: HashSet<String>,
    /// `true` if nothing is attached to the last row.
    is_plain: bool,
    /// The counts in the rows that are left to the trailer.
    deferred: Vec<u64>,
}

impl Table {
    /// The error for a number of rows or items that is not the declared one.
    #[cold]
    fn miscounted(&self, count: u64, found: u64) -> Error {
        let message = miscounted(count, found, self.rows.noun()).unwrap_or_default();
        Error::at(ErrorKind::CountMismatch, self.line.position(), message)
    }
}

impl Decoder {
    /// Reads a text row by row: see [`Reader`]. Of the limits,
    /// [`Limits::line_bytes`](wire_core::Limits::line_bytes) is for lines, and
    /// [`Limits::items`](wire_core::Limits::items) for those of one row; all rows together may
    /// repeat [`repeated_bytes`](Decoder::repeated_bytes).
    ///
    /// # Errors
    ///
    /// As [`Reader::new`].
    pub fn reader<R: Read>(&self, reader: R) -> Result<Reader<R>, Error> {
        Reader::open(reader, *self)
    }
}

impl<R: Read> Reader<R> {
    /// Reads the header, with the default options. The reader is buffered here; you need not wrap
    /// it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, and `io` when the reader fails.
    pub fn new(reader: R) -> Result<Self, Error> {
        Reader::open(reader, Decoder::new())
    }

    fn open(reader: R, decoder: Decoder) -> Result<Self, Error> {
        let mut reader = Reader {
            lines: LineReader::new(reader, decoder.limits.line_bytes),
            decoder,
            ahead: None,
            names: HashSet::new(),
            is_root: false,
            table: None,
            row: None,
            deferred: Vec::new(),
            repeated: 0,
            end: End { terminated: true, counted: false },
            ended: false,
        };
        let header = reader.read()?.map_or_else(String::new, |line| line.text);
        check_header(&header)?;
        reader.fill()?;
        Ok(reader)
    }

    /// Goes to the next table; `None` at the end. Remaining rows of the last one are skipped, and
    /// checked.
    ///
    /// # Errors
    ///
    /// Every error of the lines, with its position, and `io` if the reader fails; at the end
    /// `count_mismatch` if the trailer has other counts, and `missing_final_newline`.
    pub fn next_table(&mut self) -> Result<Option<TableHead>, Error> {
        match self.table.as_ref().map(|table| table.rows.is_map) {
            Some(true) => while self.next_member::<IgnoredAny>()?.is_some() {},
            Some(false) => while self.next_row::<IgnoredAny>()?.is_some() {},
            None => {}
        }
        if self.ended {
            return Ok(None);
        }
        let Some(line) = self.ahead.take() else {
            self.ended = true;
            return self.check_whole().map(|()| None);
        };
        if is_summary(&line.text) {
            return self.trailer(&line).map(|()| None);
        }
        self.check_indentation(&line)?;
        let rows = RowByRow::begin(&line.text, &self.decoder.limits)
            .map_err(|error| moved(&error, &line))?;
        let beside = self.is_root || (rows.name.is_none() && !self.names.is_empty());
        self.is_root |= rows.name.is_none();
        if beside || !self.names.insert(rows.name.clone().unwrap_or_default()) {
            let message =
                "a table appears twice, or next to one that is the whole value, expected once"
                    .to_owned();
            return Err(Error::at(ErrorKind::DuplicateKey, line.position(), message));
        }
        let head = TableHead {
            name: rows.name.clone(),
            kind: match (rows.is_map, rows.is_items()) {
                (true, _) => TableKind::Map,
                (_, true) => TableKind::Items,
                _ => TableKind::Rows,
            },
            count: rows.count,
            fields: rows.fields(),
        };
        self.table =
            Some(Table { rows, line, keys: HashSet::new(), is_plain: true, deferred: Vec::new() });
        self.fill()?;
        Ok(Some(head))
    }

    /// The next row of the table, or the next item; `None` at its end.
    ///
    /// # Errors
    ///
    /// Those of [`Reader::next_table`]; `invalid_value` if the row does not fit the type;
    /// `not_streamable` if there is no table, or its rows have keys; and `too_large` if the names
    /// and constants that the rows repeat have many times the bytes of the text.
    pub fn next_row<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Error> {
        Ok(self.next_of(false)?.map(|row| row.value))
    }

    /// The key and the value of the next row of a map; `None` at its end.
    ///
    /// # Errors
    ///
    /// Those of [`Reader::next_row`]; `not_streamable` if the rows have no keys; and
    /// `duplicate_key`.
    pub fn next_member<T: DeserializeOwned>(&mut self) -> Result<Option<(String, T)>, Error> {
        Ok(self.next_of(true)?.map(|row| (row.key, row.value)))
    }

    /// The position of the row or item that was read last; `None` before the first.
    pub fn row_position(&self) -> Option<Position> {
        self.row
    }

    fn next_of<T: DeserializeOwned>(&mut self, is_map: bool) -> Result<Option<ReadRow<T>>, Error> {
        let Some(mut table) = self.table.take_if(|table| table.rows.is_map == is_map) else {
            let message = match (&self.table, is_map) {
                (None, _) => "there is no table, expected `next_table` before its rows",
                (Some(_), true) => "the rows have no keys, expected `next_row`",
                (Some(_), false) => "the rows have keys, expected `next_member`",
            };
            return Err(Error::encode(ErrorKind::NotStreamable, message));
        };
        let follows = table.rows.count.is_none_or(|count| table.rows.found < count);
        let first = self.ahead.take_if(|line| follows && line.is_of_table());
        let Some(first) = first else { return self.end(table).map(|()| None) };
        let position = first.position();
        self.row = Some(position);
        let block = self.block(&table.rows, first)?;
        let most = self.decoder.most_repeated(self.lines.offset());
        let limits = self.decoder.limits;
        let row: ReadRow<T> = table
            .rows
            .read(&block.text, &limits, (&mut self.repeated, most), PhantomData)
            .map_err(|error| block.moved(error))?;
        if let Some(count) = table.rows.count.filter(|_| row.surplus) {
            return Err(table.miscounted(count, table.rows.found + 1));
        }
        if is_map && !table.keys.insert(row.key.clone()) {
            return Err(Error::at(ErrorKind::DuplicateKey, position, key_twice(&row.key)));
        }
        table.deferred.extend(&row.deferred);
        table.is_plain = row.plain;
        // A count shows that the text is whole, if nothing follows.
        self.end.counted |= row.counted && self.ahead.is_none();
        self.table = Some(table);
        Ok(Some(row))
    }

    /// The lines of the row that begins with this one: itself and its attachments.
    fn block(&mut self, rows: &RowByRow, first: Ahead) -> Result<Block, Error> {
        let mut reach = rows.reach(&first.text);
        let mut block = Block::default();
        let mut next = Some(first);
        while let Some(line) = next {
            block.push(&line);
            self.fill()?;
            next = self.ahead.take_if(|next| rows.takes(&mut reach, &next.text));
        }
        Ok(block)
    }

    fn end(&mut self, table: Table) -> Result<(), Error> {
        let is_root = table.rows.name.is_none();
        // After a table that is the whole value there is nothing but the trailer.
        let is_surplus = |line: &&Ahead| line.is_of_table() || (is_root && !is_summary(&line.text));
        let surplus = self.ahead.as_ref().filter(is_surplus);
        if let Some(line) = surplus {
            self.check_indentation(line)?;
            let spaces = line.indent();
            if !is_root && spaces > 0 {
                let message = format!("a line is indented by {spaces} spaces, expected 0");
                return Err(Error::at(ErrorKind::InvalidIndent, line.position(), message));
            }
        }
        match table.rows.count {
            None => {
                if let Some(line) = surplus {
                    let found = shown(&line.text);
                    let message =
                        format!("a line is {found}, expected the end: the value is complete");
                    return Err(Error::at(ErrorKind::UnrecognizedLine, line.position(), message));
                }
                self.deferred.push(table.rows.found);
            }
            Some(count) => {
                let found = table.rows.found;
                if found != count || surplus.is_some() {
                    if let Some(line) = surplus
                        && found == count
                        && !is_root
                        && is_member_on_one_line(&line.text)
                    {
                        // The count is right, and the error is that of any other member.
                        return RowByRow::begin(&line.text, &self.decoder.limits)
                            .map(drop)
                            .map_err(|error| moved(&error, line));
                    }
                    let surplus = u64::from(found == count);
                    return Err(table.miscounted(count, found + surplus));
                }
                // So does that of the table.
                self.end.counted |= table.is_plain && self.ahead.is_none();
            }
        }
        self.deferred.extend(table.deferred);
        Ok(())
    }

    /// The trailer, after which nothing follows.
    fn trailer(&mut self, line: &Ahead) -> Result<(), Error> {
        let counted = check_counts(&line.text, &self.deferred).map_err(|wrong| {
            Error::at(wrong.kind, line.position_of(wrong.at), wrong.into_message())
        })?;
        self.fill()?;
        if let Some(next) = &self.ahead {
            return Err(Error::at(ErrorKind::UnrecognizedLine, next.position(), AFTER_TRAILER));
        }
        self.ended = true;
        self.end.counted |= counted;
        self.check_whole()
    }

    /// Rejects a line that is not indented by whole levels of spaces.
    fn check_indentation(&self, line: &Ahead) -> Result<(), Error> {
        check_indentation(&line.text, &self.decoder.limits).map_err(|error| moved(&error, line))
    }

    /// Rejects a text that may have been cut.
    fn check_whole(&self) -> Result<(), Error> {
        if self.end.is_whole(self.decoder.final_newline_required) {
            return Ok(());
        }
        Err(Error::at(ErrorKind::MissingFinalNewline, self.lines.end(), NOT_WHOLE))
    }

    /// Reads the next line that is neither blank nor a comment.
    fn fill(&mut self) -> Result<(), Error> {
        while let Some(line) = self.read()? {
            if !is_ignored(&line.text) {
                // White space at its end is not part of a line.
                let text = line.text.trim_end_matches([' ', '\t']).to_owned();
                if text.is_empty() {
                    self.check_indentation(&line)?;
                }
                self.ahead = Some(Ahead { text, ..line });
                return Ok(());
            }
        }
        self.ahead = None;
        Ok(())
    }

    fn read(&mut self) -> Result<Option<Ahead>, Error> {
        if !self.lines.advance()? {
            return Ok(None);
        }
        self.end = End { terminated: self.lines.is_terminated(), counted: false };
        let text = self.lines.text()?.to_owned();
        Ok(Some(Ahead { text, number: self.lines.number(), offset: self.lines.start() }))
    }
}
