//! Writing rows as they come.

use std::collections::{HashMap, HashSet};
use std::io::Write;

use serde::Serialize;
use wire_core::text::shown;

use super::{TableHead, TableKind};
use crate::generic::encode::{ScalarRows, push_item, scalar_rows};
use crate::generic::grammar::{HEADER_LINE, PATH, push_key};
use crate::generic::scalar::push_text;
use crate::lines::{GROUP_PREFIX, SUMMARY};
use crate::{Error, ErrorKind};

/// Writes tables row by row, as the members of an object or one as the whole value. Their counts
/// follow in a trailer.
///
/// The fields of a table are known before its first row. A row has scalars in some or all of them,
/// and nothing else, because a streamed row has no attachments. Items accept any value
/// ([`TableHead::items`]). [`Writer::finish`] writes the trailer; without it a reader can't tell the
/// text from one that was cut off.
///
/// ```
/// use gcf::{TableHead, Writer};
/// use serde_json::json;
///
/// let mut writer = Writer::new(Vec::new())?;
/// writer.begin(&TableHead::rows(["id", "name"]).with_name("employees"))?;
/// writer.row(&json!({"id": 1, "name": "Alice"}))?;
/// writer.row(&json!({"id": 2}))?;
/// let text = String::from_utf8(writer.finish()?)?;
/// assert_eq!(
///     text,
///     "GCF profile=generic\n## employees [?]{id,name}\n\
///      1|Alice\n2|~\n##! summary counts=2\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    inner: W,
    /// The names of the tables so far; `None` for one that is the whole value.
    names: Vec<Option<String>>,
    /// The fields of the open table, and their indices.
    fields: Vec<String>,
    places: HashMap<String, usize>,
    kind: TableKind,
    keys: HashSet<String>,
    counts: Vec<u64>,
    line: String,
}

#[cold]
fn refused<T>(message: impl Into<String>) -> Result<T, Error> {
    Err(Error::encode(ErrorKind::NotStreamable, message))
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    ///
    /// `io` when the writer fails.
    pub fn new(mut writer: W) -> Result<Self, Error> {
        writer.write_all(HEADER_LINE.as_bytes())?;
        Ok(Writer {
            inner: writer,
            names: Vec::new(),
            fields: Vec::new(),
            places: HashMap::new(),
            kind: TableKind::Rows,
            keys: HashSet::new(),
            counts: Vec::new(),
            line: String::new(),
        })
    }

    /// Begins a table. The writer keeps the keys of a map, to detect duplicates.
    ///
    /// # Errors
    ///
    /// `duplicate_key` if there is a table of this name, `duplicate_field_name`, `not_streamable`
    /// if there are no fields or one of them has a `>` in its name (section 8.3), and `io`.
    pub fn begin(&mut self, head: &TableHead) -> Result<(), Error> {
        let name = head.name.as_deref();
        self.check_name(name)?;
        let mut places = HashMap::new();
        for (place, field) in head.fields.iter().enumerate() {
            if field.contains(PATH) {
                let field = shown(field);
                return refused(format!("a field is {field}, expected a name without `>`"));
            }
            if places.insert(field.clone(), place).is_some() {
                let message = format!("the field {} appears twice, expected once", shown(field));
                return Err(Error::encode(ErrorKind::DuplicateFieldName, message));
            }
        }
        let label = (head.kind == TableKind::Map).then(|| {
            let mut free = "key".to_owned();
            while places.contains_key(&free) {
                free.insert(0, '_');
            }
            free
        });
        if head.kind == TableKind::Items && !head.fields.is_empty() {
            return refused("an array of items has fields, expected none");
        }
        if head.kind != TableKind::Items && head.fields.is_empty() {
            let what = name.map_or_else(String::new, |name| format!(" {}", shown(name)));
            return refused(format!("the table{what} has no fields, expected at least one"));
        }
        self.line.clear();
        self.line.push_str(GROUP_PREFIX);
        if let Some(name) = name {
            push_key(&mut self.line, name);
            self.line.push(' ');
        }
        self.line.push_str(if label.is_some() { "[?:]" } else { "[?]" });
        let names = label.iter().chain(&head.fields);
        for (place, name) in names.enumerate() {
            self.line.push(if place == 0 { '{' } else { ',' });
            push_key(&mut self.line, name);
        }
        self.line.push_str(if head.kind == TableKind::Items { "\n" } else { "}\n" });
        self.inner.write_all(self.line.as_bytes())?;
        self.names.push(name.map(str::to_owned));
        self.kind = head.kind;
        self.keys.clear();
        self.counts.push(0);
        self.fields.clone_from(&head.fields);
        self.places = places;
        Ok(())
    }

    /// The writer that the text goes to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    fn check_name(&self, name: Option<&str>) -> Result<(), Error> {
        let message = match name {
            Some(name) if self.names.iter().any(|known| known.as_deref() == Some(name)) => {
                format!("the table {} appears twice, expected once", shown(name))
            }
            Some(_) if self.names.first() != Some(&None) => return Ok(()),
            None if self.names.is_empty() => return Ok(()),
            _ => "a table is the whole value and there is another, expected one table".to_owned(),
        };
        Err(Error::encode(ErrorKind::DuplicateKey, message))
    }

    /// Writes a row of the table that was begun last, or an item of the array, which may be any
    /// value.
    ///
    /// # Errors
    ///
    /// `not_streamable` if there is no table or its rows have keys, or if the row is not an object
    /// of scalars in its fields; those of [`Encoder::to_string`](crate::Encoder::to_string), and
    /// `io`. After an error of the row itself nothing of it is written.
    pub fn row<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<(), Error> {
        match (self.kind, self.counts.last_mut()) {
            (TableKind::Items, Some(count)) => {
                let index = usize::try_from(*count).unwrap_or(usize::MAX);
                let depth = 1 + usize::from(self.names.last().is_some_and(Option::is_some));
                self.line.clear();
                push_item(row, index, depth, &mut self.line)?;
                self.inner.write_all(self.line.as_bytes())?;
                *count += 1;
                Ok(())
            }
            (TableKind::Map, _) => refused("a row has no key, expected one: the table is a map"),
            _ => self.write(None, row),
        }
    }

    /// Writes a row of the map that was begun last.
    ///
    /// # Errors
    ///
    /// As [`Writer::row`], and `duplicate_key`.
    pub fn member<T: Serialize + ?Sized>(&mut self, key: &str, row: &T) -> Result<(), Error> {
        if self.kind != TableKind::Map {
            return refused("a row has a key, expected no key: the table is not a map");
        }
        if self.keys.contains(key) {
            let message = format!("the key {} appears twice, expected once", shown(key));
            return Err(Error::encode(ErrorKind::DuplicateKey, message));
        }
        self.write(Some(key), row)?;
        self.keys.insert(key.to_owned());
        Ok(())
    }

    fn write<T: Serialize + ?Sized>(&mut self, key: Option<&str>, row: &T) -> Result<(), Error> {
        let Some(count) = self.counts.last_mut() else {
            return refused("a row comes before its table, expected the table to begin");
        };
        let ScalarRows { fields, rows, .. } =
            scalar_rows(&[row]).map_err(|error| match error.kind() {
                ErrorKind::NotKeyed => Error::encode(ErrorKind::NotStreamable, error.message()),
                _ => error,
            })?;
        let tokens = rows.first().map(Vec::as_slice).unwrap_or_default();
        let mut cells = vec!["~"; self.fields.len()];
        // Most rows have the fields of the table in its order.
        let mut next = 0;
        for (field, token) in fields.iter().zip(tokens) {
            let is_next = self.fields.get(next).is_some_and(|expected| expected == field);
            let place = if is_next { Some(next) } else { self.places.get(field).copied() };
            let Some(place) = place else {
                let field = shown(field);
                let message =
                    format!("a row has the field {field}, expected those of the table only");
                return refused(message);
            };
            cells[place] = token.as_deref().unwrap_or("~");
            next = place + 1;
        }
        self.line.clear();
        if let Some(key) = key {
            push_text(&mut self.line, key);
            self.line.push('|');
        }
        for cell in cells {
            self.line.push_str(cell);
            self.line.push('|');
        }
        // Every cell is followed by a delimiter.
        self.line.pop();
        self.line.push('\n');
        self.inner.write_all(self.line.as_bytes())?;
        *count += 1;
        Ok(())
    }

    /// Writes the trailer, and gives the writer back.
    ///
    /// # Errors
    ///
    /// `io` when the writer fails.
    pub fn finish(mut self) -> Result<W, Error> {
        if !self.counts.is_empty() {
            let counts: Vec<String> = self.counts.iter().map(u64::to_string).collect();
            let trailer = format!("{SUMMARY} counts={}\n", counts.join(","));
            self.inner.write_all(trailer.as_bytes())?;
        }
        self.inner.flush()?;
        Ok(self.inner)
    }
}
