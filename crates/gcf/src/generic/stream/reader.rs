//! Reading rows as they come.

use std::collections::HashSet;
use std::io::BufRead;
use std::marker::PhantomData;

use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use wire_core::{Limits, Position};

use crate::generic::Decoder;
use crate::generic::decode::{Declared, HeadLine, RowShape, SUMMARY, check_counts, check_header};
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

/// Reads the tables of a text row by row, holding one row and its attachments in memory.
///
/// It reads texts whose value is a table, or an object of tables. Other members, and rows in groups, are an error: they are
/// [`Decoder`]'s.
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
    table: Option<Table>,
    deferred: Vec<u64>,
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
    /// The rows that declared something for those behind them, with what they did.
    declaring: Vec<(String, Declared)>,
}

impl<R: BufRead> RowReader<R> {
    /// Reads the header, with the default limits.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, and `io` when the reader fails.
    pub fn new(reader: R) -> Result<Self, Error> {
        RowReader::with_limits(reader, Limits::DEFAULT)
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
            table: None,
            deferred: Vec::new(),
            cut: false,
            ended: false,
        };
        let header = reader.read()?.map_or_else(String::new, |line| line.text);
        check_header(&header)?;
        reader.fill()?;
        Ok(reader)
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
        let known = name.is_none() && (!self.names.is_empty() || !self.deferred.is_empty());
        if known || !self.names.insert(name.clone().unwrap_or_default()) {
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
            declaring: Vec::new(),
        });
        self.fill()?;
        Ok(Some(head_of))
    }

    /// The next row of the table; none at its end.
    ///
    /// # Errors
    ///
    /// As [`RowReader::next_table`], `invalid_value` if the row is not what the type asks for, and `not_streamable` if there is no
    /// table, or its rows have keys.
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
            return Err(Error::at(ErrorKind::DuplicateKey, self.here(), message));
        }
        Ok(next)
    }

    fn next_of<T>(
        &mut self,
        is_map: bool,
        read: impl FnOnce(&Decoder, &str, usize) -> Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let Some(mut table) = self.table.take() else {
            let message = "there is no table, expected `next_table` before its rows".to_owned();
            return Err(Error::encode(ErrorKind::NotStreamable, message));
        };
        if table.head.is_map != is_map {
            let message = if is_map {
                "the rows have no keys"
            } else {
                "the rows have keys, expected `next_member`"
            };
            return Err(Error::encode(ErrorKind::NotStreamable, message.to_owned()));
        }
        let is_row = self.ahead.as_ref().is_some_and(|line| !line.text.starts_with("##"));
        let follows = match table.head.count {
            Some(count) => table.found < count,
            None => is_row,
        };
        if !follows || !is_row {
            return self.end(&table).map(|()| None);
        }
        let (block, declared) = self.block(&table)?;
        let mut text = format!("GCF profile=generic\n## [{}", table.declaring.len() + 1);
        text.push_str(if is_map { ":]" } else { "]" });
        text.push_str(&table.list);
        text.push('\n');
        for (place, (row, _)) in table.declaring.iter().enumerate() {
            push_row(&mut text, row, place);
        }
        let before = text.len();
        let own: String = block.iter().flat_map(|line| [line.text.as_str(), "\n"]).collect();
        push_row(&mut text, &own, table.declaring.len());
        let lines_before = text[..before].matches('\n').count() as u64;
        let value = read(&self.decoder, &text, table.declaring.len()).map_err(|error| {
            let Some(position) = error.position() else { return error };
            // The line of the block, or that of the table.
            let at = position
                .line
                .checked_sub(lines_before + 1)
                .and_then(|line| usize::try_from(line).ok());
            let line = at.and_then(|at| block.get(at)).unwrap_or(&table.line);
            Error::at(error.kind(), line.position(), error.message())
        })?;
        table.keep(own, declared);
        table.found += 1;
        self.table = Some(table);
        Ok(Some(value))
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
    fn end(&mut self, table: &Table) -> Result<(), Error> {
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
                self.cut &= self.ahead.is_some();
            }
        }
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
    match row.strip_prefix('@').and_then(|rest| rest.split_once(' ')) {
        Some((_, rest)) => {
            text.push_str(&format!("@{place} "));
            text.push_str(rest);
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
    /// Keeps a row that declares something for those behind it, and no row whose declarations count no more.
    fn keep(&mut self, row: String, mut declared: Declared) {
        for (_, earlier) in &self.declaring {
            // The first declaration of a table counts (section 7.4.5.3).
            declared.shared.retain(|name| !earlier.shared.contains(name));
        }
        if declared.is_empty() {
            return;
        }
        for (_, earlier) in &mut self.declaring {
            // Of the schemas of objects the last does (section 7.4.5.1).
            earlier.inline.retain(|cell| !declared.inline.contains(cell));
        }
        self.declaring.retain(|(_, earlier)| !earlier.is_empty());
        self.declaring.push((row, declared));
    }
}
