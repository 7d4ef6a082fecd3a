//! Reading sections: a scanner of lines, and the reader of a text over it.

use std::borrow::Cow;

use wire_core::text::shown;
use wire_core::{Limits, Position};

use crate::grammar::{COMMENT, ESCAPE, FIELDS, ROWS, TAG, TAG_STEM, TOOL, unescaped};
use crate::header::Header;
use crate::{Error, ErrorKind};

/// The cells of a row. A row may have fewer than its section has fields; the rest is empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row<'a> {
    cells: Vec<Cow<'a, str>>,
}

impl<'a> Row<'a> {
    /// The cell of this column, from 0: empty where the row is short, none beyond the fields of the section.
    pub fn cell(&self, column: usize) -> Option<&str> {
        self.cells.get(column).map(|cell| &**cell)
    }

    /// The cell of this field.
    pub fn get(&self, header: &Header<'_>, field: &str) -> Option<&str> {
        self.cell(header.column(field)?)
    }

    /// All cells, one for each field.
    pub fn cells(&self) -> &[Cow<'a, str>] {
        &self.cells
    }

    /// All cells.
    pub fn into_cells(self) -> Vec<Cow<'a, str>> {
        self.cells
    }

    /// The same row without borrowed text.
    pub fn into_owned(self) -> Row<'static> {
        Row { cells: self.cells.into_iter().map(|cell| Cow::Owned(cell.into_owned())).collect() }
    }
}

/// One line, as far as it says something.
#[derive(Debug)]
pub(crate) enum Event<'a> {
    Header(Header<'a>),
    Row(Row<'a>),
}

/// What is wrong with a line, and at which byte of it.
#[derive(Debug)]
pub(crate) struct Diagnosis {
    pub(crate) kind: ErrorKind,
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Diagnosis {
    #[cold]
    fn new(kind: ErrorKind, at: usize, message: impl Into<String>) -> Self {
        Diagnosis { kind, at, message: message.into() }
    }
}

/// A declared number of rows, and where it stands.
#[derive(Clone, Copy, Debug)]
struct Declared {
    rows: u64,
    position: Position,
}

/// Turns lines into headers and rows, and counts.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    limits: Limits,
    /// The fields of the section; 0 before the first header.
    fields: usize,
    declared: Option<Declared>,
    rows: u64,
}

impl Scanner {
    pub(crate) fn new(limits: Limits) -> Self {
        Scanner { limits, fields: 0, declared: None, rows: 0 }
    }

    /// The header or row of a line; none for comments and blank lines. `position` is that of the line's start.
    pub(crate) fn line<'a>(
        &mut self,
        line: &'a str,
        position: Position,
    ) -> Result<Option<Event<'a>>, Error> {
        let scanned = self.scan(line, position)?;
        scanned.map_err(|problem| {
            let place =
                Position::in_line(line.as_bytes(), position.line, position.offset, problem.at);
            Error::at(problem.kind, place, problem.message)
        })
    }

    #[allow(clippy::type_complexity)] // an error that has its place, and one that has not yet
    fn scan<'a>(
        &mut self,
        line: &'a str,
        position: Position,
    ) -> Result<Result<Option<Event<'a>>, Diagnosis>, Error> {
        if line.len() > self.limits.line_bytes {
            let message = format!(
                "the line has {} bytes, expected at most {}",
                line.len(),
                self.limits.line_bytes
            );
            return Ok(Err(Diagnosis::new(ErrorKind::LineTooLong, 0, message)));
        }
        if is_header(line) || self.fields == 0 {
            self.end_of_section()?;
            let (header, rows_at) = match header(line, self.limits) {
                Ok(header) => header,
                Err(problem) => return Ok(Err(problem)),
            };
            self.fields = header.fields.len();
            self.rows = 0;
            self.declared = header.rows.map(|rows| Declared {
                rows,
                position: Position::in_line(
                    line.as_bytes(),
                    position.line,
                    position.offset,
                    rows_at,
                ),
            });
            return Ok(Ok(Some(Event::Header(header))));
        }
        let blank_row =
            self.fields == 1 && self.declared.is_some_and(|declared| self.rows < declared.rows);
        if line.as_bytes().first() == Some(&COMMENT) || (line.is_empty() && !blank_row) {
            return Ok(Ok(None));
        }
        self.rows += 1;
        Ok(row(line, self.fields).map(|row| Some(Event::Row(row))))
    }

    /// Checks the number of rows of the section that ends.
    pub(crate) fn end_of_section(&self) -> Result<(), Error> {
        let Some(Declared { rows, position }) = self.declared else { return Ok(()) };
        if rows == self.rows {
            return Ok(());
        }
        let message = format!(
            "the header declares {rows} rows, found {}, expected as many as declared",
            self.rows
        );
        Err(Error::at(ErrorKind::RowCountMismatch, position, message))
    }

    /// Checks the end of the input: the last section, and whether its last line is whole.
    pub(crate) fn end(
        &self,
        end: Position,
        last_line: LastLine,
        counted: bool,
    ) -> Result<(), Error> {
        self.end_of_section()?;
        if self.fields == 0 {
            let message = "the input is empty, expected a header line `GCX1 tool=… fields=…`";
            return Err(Error::at(ErrorKind::NotGcx, end, message));
        }
        // The count, which is right, shows that the payload is whole (ruling A2).
        if last_line == LastLine::Terminated || (counted && self.declared.is_some()) {
            return Ok(());
        }
        let message = "the last line has no line ending, expected one, or a count that shows that the payload is whole";
        Err(Error::at(ErrorKind::MissingFinalNewline, end, message))
    }
}

/// Whether a line ending follows the last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LastLine {
    Terminated,
    Open,
}

/// Whether the line begins a section of some version. A row of ours never does (ruling X3), and neither does one of
/// other implementations whose first cell begins with `GCX` and a letter.
fn is_header(line: &str) -> bool {
    let version = line.strip_prefix(TAG_STEM).and_then(|version| version.bytes().next());
    version.is_some_and(|byte| byte.is_ascii_digit())
}

/// The header line, and the byte at which its `rows` stands.
fn header(line: &str, limits: Limits) -> Result<(Header<'_>, usize), Diagnosis> {
    let wrong = |kind, found: &str| {
        let expected = "a header line `GCX1 tool=… fields=…`";
        Diagnosis::new(kind, 0, format!("the line begins with {found}, expected {expected}"))
    };
    let rest = match line.strip_prefix(TAG) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest,
        _ => {
            let word = line.split(' ').next().unwrap_or_default();
            let kind =
                if is_header(word) { ErrorKind::UnsupportedVersion } else { ErrorKind::NotGcx };
            return Err(wrong(kind, &shown(word)));
        }
    };
    let mut header = Header::default();
    let (mut has_tool, mut has_fields, mut rows_at) = (false, false, 0);
    let mut at = line.len() - rest.len();
    while at < line.len() {
        let start = at + 1; // behind the space
        let end = start + unescaped_end(&line[start..], b' ');
        let field = &line[start..end];
        at = end;
        let equals = unescaped_end(field, b'=');
        if equals == 0 || equals == field.len() {
            let message =
                format!("a field is {}, expected `key=value` behind a single space", shown(field));
            return Err(Diagnosis::new(ErrorKind::MalformedHeader, start, message));
        }
        let (key, value) = (unescape(&field[..equals]), &field[equals + 1..]);
        let value_at = start + equals + 1;
        let duplicate = || {
            let message =
                format!("the key {} appears twice, expected once", shown(&field[..equals]));
            Err(Diagnosis::new(ErrorKind::DuplicateKey, start, message))
        };
        match &*key {
            TOOL if std::mem::replace(&mut has_tool, true) => return duplicate(),
            TOOL => {
                if value.is_empty() {
                    let message = "the tool is empty, expected a name";
                    return Err(Diagnosis::new(ErrorKind::MissingTool, value_at, message));
                }
                header.tool = unescape(value);
            }
            FIELDS if std::mem::replace(&mut has_fields, true) => return duplicate(),
            FIELDS => header.fields = field_names(value, value_at, limits)?,
            ROWS if header.rows.is_some() => return duplicate(),
            ROWS => {
                let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                let count = value.parse().ok().filter(|_| digits);
                let invalid = || {
                    let message =
                        format!("`rows` is {}, expected a decimal number below 2^64", shown(value));
                    Diagnosis::new(ErrorKind::InvalidRowCount, value_at, message)
                };
                header.rows = Some(count.ok_or_else(invalid)?);
                rows_at = start;
            }
            _ => {
                if header.meta.len() >= limits.items {
                    return Err(too_many("metadata", start, limits));
                }
                if header.meta.insert(key, unescape(value)).is_some() {
                    return duplicate();
                }
            }
        }
    }
    for (there, kind, what) in [
        (has_tool, ErrorKind::MissingTool, "tool"),
        (has_fields, ErrorKind::MissingFields, "fields"),
    ] {
        if !there {
            let message = format!("the header has no `{what}=…`, expected `GCX1 tool=… fields=…`");
            return Err(Diagnosis::new(kind, line.len(), message));
        }
    }
    Ok((header, rows_at))
}

fn field_names(value: &str, at: usize, limits: Limits) -> Result<Vec<Cow<'_, str>>, Diagnosis> {
    let mut names = Vec::new();
    let mut seen = std::collections::HashSet::new();
    let mut start = 0;
    loop {
        let end = start + unescaped_end(&value[start..], b',');
        let name = unescape(&value[start..end]);
        if name.is_empty() {
            let message = "a field has no name, expected `fields=a,b,…` with at least one";
            return Err(Diagnosis::new(ErrorKind::MissingFields, at + start, message));
        }
        if names.len() >= limits.items {
            return Err(too_many("fields", at + start, limits));
        }
        if !seen.insert(name.clone()) {
            let message = format!("the field {} appears twice, expected once", shown(&name));
            return Err(Diagnosis::new(ErrorKind::DuplicateField, at + start, message));
        }
        names.push(name);
        if end == value.len() {
            return Ok(names);
        }
        start = end + 1;
    }
}

#[cold]
fn too_many(what: &str, at: usize, limits: Limits) -> Diagnosis {
    let message = format!("there are more than {} {what}, expected at most as many", limits.items);
    Diagnosis::new(ErrorKind::TooManyItems, at, message)
}

/// The cells of a row; as many as there are fields.
fn row(line: &str, fields: usize) -> Result<Row<'_>, Diagnosis> {
    // No more than the line has: a tab is one.
    let mut cells = Vec::with_capacity(fields.min(line.len() + 1));
    let mut start = 0;
    for end in memchr::memchr_iter(b'\t', line.as_bytes()).chain([line.len()]) {
        if cells.len() == fields {
            let found = fields + 1 + line[start..].matches('\t').count();
            let message = format!("a row has {found} cells, expected at most {fields}");
            return Err(Diagnosis::new(ErrorKind::TooManyCells, start, message));
        }
        cells.push(unescape(&line[start..end]));
        start = end + 1;
    }
    cells.resize(fields, Cow::Borrowed(""));
    Ok(Row { cells })
}

/// Where the first `byte` stands that has no backslash before it, or the end.
fn unescaped_end(text: &str, byte: u8) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(byte, ESCAPE, &text.as_bytes()[at..]) {
        at += found;
        if text.as_bytes()[at] == byte {
            return at;
        }
        at = (at + 2).min(text.len());
    }
    text.len()
}

/// The text without its escapes. A backslash at the end stands for itself.
fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(ESCAPE, text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut plain = String::with_capacity(text.len());
    plain.push_str(&text[..first]);
    let mut rest = text[first..].chars();
    while let Some(c) = rest.next() {
        match (c, rest.clone().next()) {
            ('\\', Some(escaped)) => {
                plain.push(unescaped(escaped));
                rest.next();
            }
            (c, _) => plain.push(c),
        }
    }
    Cow::Owned(plain)
}

/// Where a reader is between headers and rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Walk<'a> {
    /// A header that was met while looking for a row.
    met: Option<Header<'a>>,
    ended: bool,
}

impl<'a> Walk<'a> {
    /// Whether the section has no more rows.
    pub(crate) fn is_between_sections(&self) -> bool {
        self.met.is_some() || self.ended
    }

    /// The row that was met, if it was one. Nothing comes behind an error.
    pub(crate) fn row(
        &mut self,
        event: Result<Option<Event<'a>>, Error>,
    ) -> Result<Option<Row<'a>>, Error> {
        match event {
            Ok(Some(Event::Row(row))) => return Ok(Some(row)),
            Ok(Some(Event::Header(header))) => self.met = Some(header),
            Ok(None) => self.ended = true,
            Err(error) => {
                self.ended = true;
                return Err(error);
            }
        }
        Ok(None)
    }

    /// The header that was met.
    pub(crate) fn header(&mut self) -> Option<Header<'a>> {
        self.met.take()
    }
}

/// Reads the sections of a text, borrowing from it what has no escapes.
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    text: &'a str,
    scanner: Scanner,
    require_final_newline: bool,
    /// Bytes and lines taken so far, and where the last of them began.
    at: usize,
    lines: u64,
    line_start: usize,
    walk: Walk<'a>,
}

impl<'a> Reader<'a> {
    /// Reads `text` with the default limits.
    pub fn new(text: &'a str) -> Self {
        Reader {
            text,
            scanner: Scanner::new(Limits::DEFAULT),
            require_final_newline: false,
            at: 0,
            lines: 0,
            line_start: 0,
            walk: Walk::default(),
        }
    }

    /// Reads bytes with the default limits.
    ///
    /// # Errors
    ///
    /// `invalid_utf8`, with its place.
    pub fn from_slice(input: &'a [u8]) -> Result<Self, Error> {
        std::str::from_utf8(input).map(Reader::new).map_err(|error| {
            let at = error.valid_up_to();
            let byte = input[at];
            let message = format!("the byte 0x{byte:02x} is not UTF-8, expected UTF-8 text");
            Error::at(ErrorKind::InvalidUtf8, Position::in_text(input, at), message)
        })
    }

    /// Sets the limits (default [`Limits::DEFAULT`]).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.scanner = Scanner::new(limits);
        self
    }

    /// Refuses text whose last line has no line ending (default: taken when the last section declares its rows).
    #[must_use]
    pub fn require_final_newline(mut self) -> Self {
        self.require_final_newline = true;
        self
    }

    /// The header of the next section; rows of the present one that have not been read are passed over. None at the end.
    ///
    /// # Errors
    ///
    /// What is wrong with a line, with its place; `row_count_mismatch` for the section that ends. Nothing comes behind
    /// an error.
    pub fn next_section(&mut self) -> Result<Option<Header<'a>>, Error> {
        while self.next_row()?.is_some() {}
        Ok(self.walk.header())
    }

    /// The next row of the section; none at its end.
    ///
    /// # Errors
    ///
    /// As [`Reader::next_section`].
    pub fn next_row(&mut self) -> Result<Option<Row<'a>>, Error> {
        if self.walk.is_between_sections() {
            return Ok(None);
        }
        let event = self.advance();
        self.walk.row(event)
    }

    fn advance(&mut self) -> Result<Option<Event<'a>>, Error> {
        let mut last_line = LastLine::Terminated;
        while self.at < self.text.len() {
            let start = self.at;
            let rest = &self.text[start..];
            let line = match memchr::memchr(b'\n', rest.as_bytes()) {
                Some(end) => {
                    self.at += end + 1;
                    &rest[..end]
                }
                None => {
                    self.at = self.text.len();
                    last_line = LastLine::Open;
                    rest
                }
            };
            self.lines += 1;
            self.line_start = start;
            let line = line.strip_suffix('\r').unwrap_or(line);
            let position = Position { offset: start as u64, line: self.lines, column: 1 };
            if let Some(event) = self.scanner.line(line, position)? {
                if last_line == LastLine::Open {
                    self.check_end(last_line)?;
                }
                return Ok(Some(event));
            }
        }
        self.check_end(last_line)?;
        Ok(None)
    }

    /// The start of the line that was read last.
    pub(crate) fn line_position(&self) -> Position {
        Position { offset: self.line_start as u64, line: self.lines.max(1), column: 1 }
    }

    fn check_end(&self, last_line: LastLine) -> Result<(), Error> {
        let end = || Position::in_text(self.text.as_bytes(), self.text.len());
        self.scanner.end(end(), last_line, !self.require_final_newline)
    }
}
