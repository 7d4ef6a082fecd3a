//! Reading rows as they come.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::io::BufRead;
use std::marker::PhantomData;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use wire_core::{Limits, Position};

use crate::generic::decode::{
    Declared, HeadLine, RowShape, SUMMARY, WithCounts, check_counts, check_header, too_large,
};
use crate::generic::key::push_key;
use crate::generic::{Decoder, LIMITS};
use crate::line_reader::LineReader;
use crate::{Error, ErrorKind};

/// The table whose rows come next.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableHead {
    /// The name of the table; none if the table is the whole value.
    pub name: Option<String>,
    /// Whether it is an object of objects, whose rows have keys.
    pub is_map: bool,
    /// The declared number of rows, unless it is left to the trailer.
    pub count: Option<u64>,
}

/// Reads the tables of a text row by row, holding one row and its attachments in memory, what earlier rows declare for it, and
/// the keys of a map, so that none comes twice.
///
/// It reads texts whose value is a table, or an object of tables. Other members, and rows in groups, are an error: they are
/// [`Decoder`]'s. After an error there are no more rows of its table.
///
/// ```
/// use gcf::generic::RowReader;
/// use serde::Deserialize;
///
/// #[derive(Deserialize)]
/// struct Employee {
///     id: u32,
///     name: Option<String>,
/// }
///
/// let text = "GCF profile=generic\n## employees [?]{id,name}\n1|Alice\n2|~\n##! summary counts=2\n";
/// let mut reader = RowReader::new(text.as_bytes())?;
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
pub struct RowReader<R> {
    lines: LineReader<R>,
    decoder: Decoder,
    /// The next line that is neither blank nor a comment.
    ahead: Option<Ahead>,
    names: HashSet<String>,
    /// Whether the whole value is a table.
    is_root: bool,
    table: Option<Table>,
    deferred: Vec<u64>,
    /// The bytes that were read again for rows: of the table's first line, and of rows that declare something.
    again: usize,
    /// Whether the last line has no line ending.
    cut: bool,
    ended: bool,
}

/// A line that was read, without its line ending.
#[derive(Clone, Debug)]
struct Ahead {
    text: String,
    number: u64,
    offset: u64,
}

/// The open table.
#[derive(Debug)]
struct Table {
    head: TableHead,
    /// Its first line, for errors, and its list of fields.
    line: Ahead,
    list: String,
    found: u64,
    keys: HashSet<String>,
    /// The columns that have a cell of their own, and how many cells there are.
    cells: HashMap<String, usize>,
    width: usize,
    /// What rows have declared for those behind them: lists and numbers of keys by cell, and lists by the name of the field.
    inline: BTreeMap<usize, (String, usize)>,
    shared: BTreeMap<String, String>,
    /// Where the last row begins, and whether nothing is attached to it.
    row: Option<Position>,
    is_plain: bool,
    /// The counts in the rows that are left to the trailer.
    deferred: Vec<u64>,
}

impl<R: BufRead> RowReader<R> {
    /// Reads the header, with the default limits ([`LIMITS`]).
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, and `io` when the reader fails.
    pub fn new(reader: R) -> Result<Self, Error> {
        RowReader::with_limits(reader, LIMITS)
    }

    /// Reads the header. Of the limits, [`Limits::line_bytes`] is for lines, and [`Limits::items`] for those of one row.
    ///
    /// # Errors
    ///
    /// As [`RowReader::new`].
    pub fn with_limits(reader: R, limits: Limits) -> Result<Self, Error> {
        let mut reader = RowReader {
            lines: LineReader::new(reader, limits),
            decoder: Decoder::new().limits(limits),
            ahead: None,
            names: HashSet::new(),
            is_root: false,
            table: None,
            deferred: Vec::new(),
            again: 0,
            cut: false,
            ended: false,
        };
        let header = reader.read()?.map_or_else(String::new, |line| line.text);
        check_header(&header)?;
        reader.fill()?;
        Ok(reader)
    }

    /// Sets how many bytes all rows may repeat together: of names and constants, of the first line of their table, and of what
    /// rows before them declare (default: 256 times the bytes that were read, and 64 MiB in any case); as
    /// [`Decoder::repeated_bytes`] does.
    #[must_use]
    pub fn repeated_bytes(mut self, bytes: usize) -> Self {
        self.decoder = self.decoder.repeated_bytes(bytes);
        self
    }

    /// Goes to the next table; none at the end. Rows that are left are skipped, and checked.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the lines, with the place, and `io` when the reader fails; and at the end `count_mismatch`
    /// where the trailer says other counts, and `missing_final_newline`.
    pub fn next_table(&mut self) -> Result<Option<TableHead>, Error> {
        match self.table.as_ref().map(|table| table.head.is_map) {
            Some(true) => while self.next_member::<IgnoredAny>()?.is_some() {},
            Some(false) => while self.next_row::<IgnoredAny>()?.is_some() {},
            None => {}
        }
        if self.ended {
            return Ok(None);
        }
        let Some(line) = self.ahead.take() else {
            self.ended = true;
            if self.cut {
                let message = "the last line has no line ending, expected one: nothing shows that the text is whole";
                return Err(Error::at(
                    ErrorKind::MissingFinalNewline,
                    self.here(),
                    message.to_owned(),
                ));
            }
            return Ok(None);
        };
        let is_summary = |rest: &str| rest.is_empty() || rest.starts_with(' ');
        if line.text.strip_prefix(SUMMARY).is_some_and(is_summary) {
            return self.trailer(&line).map(|()| None);
        }
        let head = HeadLine::read(&line.text).map_err(|error| moved(&error, &line))?;
        let name = head.name.clone();
        let beside = self.is_root || (name.is_none() && !self.names.is_empty());
        self.is_root |= name.is_none();
        if beside || !self.names.insert(name.clone().unwrap_or_default()) {
            let message =
                "a table is there twice, or beside one that is the whole value, expected once"
                    .to_owned();
            return Err(Error::at(ErrorKind::DuplicateKey, line.position(), message));
        }
        let head_of = TableHead { name, is_map: head.is_map, count: head.count };
        self.table = Some(Table {
            head: head_of.clone(),
            list: head.list,
            line,
            found: 0,
            keys: HashSet::new(),
            cells: head.cells,
            width: head.width,
            inline: BTreeMap::new(),
            shared: BTreeMap::new(),
            row: None,
            is_plain: true,
            deferred: Vec::new(),
        });
        self.fill()?;
        Ok(Some(head_of))
    }

    /// The next row of the table; none at its end.
    ///
    /// # Errors
    ///
    /// As [`RowReader::next_table`], `invalid_value` if the row is not what the type asks for, and `not_streamable` if there is no
    /// table, or its rows have keys; and `too_large` where the first line of the table and what rows declare, which each row needs
    /// again, come to many times the bytes of the text.
    pub fn next_row<T: DeserializeOwned>(&mut self) -> Result<Option<T>, Error> {
        self.next_of(false, |decoder, text, skipped| {
            decoder.seeded(text, LastRow { skipped, of: PhantomData::<T> })
        })
    }

    /// The key and the value of the next row of a map; none at its end.
    ///
    /// # Errors
    ///
    /// As [`RowReader::next_row`], where the rows have no keys, and `duplicate_key`.
    pub fn next_member<T: DeserializeOwned>(&mut self) -> Result<Option<(String, T)>, Error> {
        let next = self.next_of(true, |decoder, text, skipped| {
            decoder.seeded(text, LastMember { skipped, of: PhantomData::<T> })
        })?;
        if let (Some((key, _)), Some(table)) = (&next, &mut self.table)
            && !table.keys.insert(key.clone())
        {
            let message = format!(
                "a keyed map has the key {} twice, expected once",
                wire_core::text::shown(key)
            );
            let place = table.row.unwrap_or_else(|| table.line.position());
            return Err(Error::at(ErrorKind::DuplicateKey, place, message));
        }
        Ok(next)
    }

    fn next_of<T>(
        &mut self,
        is_map: bool,
        read: impl FnOnce(&Decoder, &str, usize) -> Result<WithCounts<T>, Error>,
    ) -> Result<Option<T>, Error> {
        let refused =
            |message: &str| Err(Error::encode(ErrorKind::NotStreamable, message.to_owned()));
        match self.table.as_ref().map(|table| table.head.is_map) {
            None => return refused("there is no table, expected `next_table` before its rows"),
            Some(found) if found != is_map && is_map => return refused("the rows have no keys"),
            Some(found) if found != is_map => {
                return refused("the rows have keys, expected `next_member`");
            }
            Some(_) => {}
        }
        let Some(mut table) = self.table.take() else { return Ok(None) };
        let is_row = self.ahead.as_ref().is_some_and(|line| !line.text.starts_with("##"));
        let follows = match table.head.count {
            Some(count) => table.found < count,
            None => is_row,
        };
        if !follows || !is_row {
            return self.end(table).map(|()| None);
        }
        let (block, declared) = self.block(&table)?;
        // A carriage return before the line ending is one of the text only if another stands behind it.
        let end = |text: &str| if text.ends_with('\r') { "\r\n" } else { "\n" };
        let own: String =
            block.iter().flat_map(|line| [line.text.as_str(), end(&line.text)]).collect();
        let (declarations, rows) = table.declarations(&own);
        let colon = if is_map { ":" } else { "" };
        let list = &table.list;
        let mut text =
            format!("GCF profile=generic\n## [{}{colon}]{list}\n{declarations}", rows + 1);
        self.again = self.again.saturating_add(text.len());
        let most = self.decoder.most_repeated(self.lines.offset);
        let refused = || Error::at(ErrorKind::TooLarge, table.line.position(), too_large(most));
        let left = most.checked_sub(self.again).ok_or_else(refused)?;
        let lines_before = text.matches('\n').count();
        push_row(&mut text, &own, rows);
        let decoder = self.decoder.repeated_bytes(left);
        let read = read(&decoder, &text, rows).map_err(|error| {
            if error.kind() == ErrorKind::TooLarge {
                return refused();
            }
            let Some(position) = error.position() else { return error };
            // The line of the block, or that of the table.
            let line = usize::try_from(position.line).unwrap_or(usize::MAX);
            let at = line.checked_sub(lines_before + 1);
            let line = at.and_then(|at| block.get(at)).unwrap_or(&table.line);
            Error::at(error.kind(), line.position(), error.message())
        })?;
        // The header is no line of the table's.
        table.deferred.extend(
            read.deferred
                .iter()
                .filter(|(line, _)| line + 1 >= lines_before)
                .map(|(_, found)| found),
        );
        table.row = block.first().map(Ahead::position);
        table.is_plain = block.len() == 1;
        table.keep(declared);
        table.found += 1;
        self.again = self.again.saturating_add(read.repeated);
        self.table = Some(table);
        Ok(Some(read.value))
    }

    /// The lines of a row: itself, and what is attached to it; and what they declare.
    fn block(&mut self, table: &Table) -> Result<(Vec<Ahead>, Declared), Error> {
        let Some(first) = self.ahead.take() else { return Ok((Vec::new(), Declared::default())) };
        let mut shape = RowShape::of(&first.text, table.head.is_map, table.found)
            .map_err(|error| moved(&error, &first))?;
        let mut block = vec![first];
        self.fill()?;
        while let Some(next) = self.ahead.take_if(|next| shape.takes(&next.text)) {
            block.push(next);
            self.fill()?;
        }
        Ok((block, shape.declared))
    }

    /// The end of a table.
    fn end(&mut self, table: Table) -> Result<(), Error> {
        match table.head.count {
            None => self.deferred.push(table.found),
            Some(count) => {
                let surplus = self.ahead.as_ref().is_some_and(|line| !line.text.starts_with("##"));
                let found = table.found + u64::from(surplus);
                if found != count {
                    let more = if surplus { " or more" } else { "" };
                    let message =
                        format!("there are {found}{more} rows, expected {count} as declared");
                    return Err(Error::at(
                        ErrorKind::CountMismatch,
                        table.line.position(),
                        message,
                    ));
                }
                // The count shows that the text is whole, if nothing follows.
                self.cut &= self.ahead.is_some() || !table.is_plain;
            }
        }
        self.deferred.extend(table.deferred);
        Ok(())
    }

    /// The trailer, behind which nothing follows.
    fn trailer(&mut self, line: &Ahead) -> Result<(), Error> {
        let counted = check_counts(&line.text, &self.deferred).map_err(|wrong| {
            let position =
                Position::in_line(line.text.as_bytes(), line.number, line.offset, wrong.at);
            Error::at(wrong.kind, position, wrong.into_message())
        })?;
        self.fill()?;
        if let Some(next) = &self.ahead {
            let message = "a line stands behind the trailer, expected the end".to_owned();
            return Err(Error::at(ErrorKind::UnrecognizedLine, next.position(), message));
        }
        self.ended = true;
        if self.cut && !counted {
            let message = "the last line has no line ending, expected one: nothing shows that the text is whole".to_owned();
            return Err(Error::at(ErrorKind::MissingFinalNewline, self.here(), message));
        }
        Ok(())
    }

    fn here(&self) -> Position {
        Position { offset: self.lines.offset, line: self.lines.taken, column: 1 }
    }

    /// Reads the next line that is neither blank nor a comment.
    fn fill(&mut self) -> Result<(), Error> {
        while let Some(line) = self.read()? {
            let is_comment = line.text.trim_start_matches(' ').starts_with("# ");
            if !is_comment && !line.text.trim_matches([' ', '\t']).is_empty() {
                // White space at its end is no part of a line.
                let text = line.text.trim_end_matches([' ', '\t']).to_owned();
                self.ahead = Some(Ahead { text, ..line });
                return Ok(());
            }
        }
        self.ahead = None;
        Ok(())
    }

    /// Reads a line.
    fn read(&mut self) -> Result<Option<Ahead>, Error> {
        let offset = self.lines.offset;
        let read = self.lines.read_line()?;
        if read == 0 {
            return Ok(None);
        }
        self.lines.advance(read);
        let number = self.lines.taken;
        self.cut = !self.lines.ended_in_newline;
        match std::str::from_utf8(&self.lines.line) {
            Ok(text) => Ok(Some(Ahead { text: text.to_owned(), number, offset })),
            Err(error) => {
                let at = error.valid_up_to();
                let message = format!(
                    "the byte 0x{:02x} is not UTF-8, expected UTF-8 text",
                    self.lines.line[at]
                );
                let position = Position::in_line(&self.lines.line, number, offset, at);
                Err(Error::at(ErrorKind::InvalidUtf8, position, message))
            }
        }
    }
}

impl Ahead {
    fn position(&self) -> Position {
        let indent = self.text.len() - self.text.trim_start_matches(' ').len();
        Position::in_line(self.text.as_bytes(), self.number, self.offset, indent)
    }
}

/// An error in a line that was read by itself.
#[cold]
fn moved(error: &Error, line: &Ahead) -> Error {
    let position = line.position();
    Error::at(error.kind(), position, error.message())
}

/// Appends the lines of a row, with another index before it.
fn push_row(text: &mut String, row: &str, place: usize) {
    let line = row.lines().next().unwrap_or_default();
    match line.strip_prefix('@').and_then(|rest| rest.find(' ')) {
        Some(digits) => {
            text.push_str(&format!("@{place}"));
            text.push_str(&row[1 + digits..]);
        }
        None => text.push_str(row),
    }
}

/// The row behind those that are skipped.
struct LastRow<T> {
    skipped: usize,
    of: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for LastRow<T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for LastRow<T> {
    type Value = T;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a row")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<T, A::Error> {
        for _ in 0..self.skipped {
            rows.next_element::<IgnoredAny>()?;
        }
        let row = rows.next_element()?;
        row.ok_or_else(|| serde::de::Error::custom("there is no row, expected one"))
    }
}

/// The member behind those that are skipped.
struct LastMember<T> {
    skipped: usize,
    of: PhantomData<T>,
}

impl<'de, T: DeserializeOwned> DeserializeSeed<'de> for LastMember<T> {
    type Value = (String, T);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(String, T), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, T: DeserializeOwned> Visitor<'de> for LastMember<T> {
    type Value = (String, T);

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a row with a key")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut rows: A) -> Result<(String, T), A::Error> {
        for _ in 0..self.skipped {
            rows.next_entry::<IgnoredAny, IgnoredAny>()?;
        }
        let member = rows.next_entry()?;
        member.ok_or_else(|| serde::de::Error::custom("there is no row, expected one"))
    }
}

impl Table {
    /// Keeps what a row declares for those behind it: of the schemas of objects the last (section 7.4.5.1), of those of tables the
    /// first (section 7.4.5.3).
    fn keep(&mut self, declared: Declared) {
        for (cell, list, keys) in declared.inline {
            self.inline.insert(cell, (list, keys));
        }
        for (name, list) in declared.shared {
            self.shared.entry(name).or_insert(list);
        }
    }

    /// Rows that declare all that was declared, and nothing else, and how many they are. `own` is the row behind them.
    fn declarations(&self, own: &str) -> (String, usize) {
        let mut text = String::new();
        let mut rows = 0;
        // A key that the row does not have: a longer run of a letter than any in it.
        let run = own.split(|c| c != 'k').map(str::len).max().unwrap_or(0);
        let key = "k".repeat(run + 1);
        let mut row = |text: &mut String, cell: &dyn Fn(usize) -> String| {
            text.push_str(&format!("@{rows} "));
            if self.head.is_map {
                text.push_str(&format!("{key}{rows}|"));
            }
            let cells: Vec<String> = (0..self.width).map(cell).collect();
            text.push_str(&cells.join("|"));
            text.push('\n');
            rows += 1;
        };
        if !self.inline.is_empty() {
            row(&mut text, &|cell| {
                self.inline.get(&cell).map_or("~".to_owned(), |(list, _)| format!("^{list}"))
            });
            for (_, keys) in self.inline.values() {
                text.push_str(&vec!["-"; *keys].join("|"));
                text.push('\n');
            }
        }
        if !self.shared.is_empty() {
            let marked: HashSet<usize> =
                self.shared.keys().filter_map(|name| self.cells.get(name).copied()).collect();
            row(&mut text, &|cell| if marked.contains(&cell) { "^" } else { "~" }.to_owned());
            for (name, list) in &self.shared {
                text.push('.');
                push_key(&mut text, name);
                text.push_str(&format!(" [0]{list}\n"));
            }
        }
        (text, rows)
    }
}
