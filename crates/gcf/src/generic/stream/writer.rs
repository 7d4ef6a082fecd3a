//! Writing rows as they come.

use std::collections::{HashMap, HashSet};
use std::io::Write;

use serde::Serialize;
use wire_core::__private::text::shown;

use crate::generic::encode::{ScalarRows, push_item, scalar_rows};
use crate::generic::grammar::HEADER_LINE;
use crate::generic::key::{PATH, push_key};
use crate::generic::scalar::push_text;
use crate::graph::grammar::{GROUP_PREFIX, SUMMARY};
use crate::{Error, ErrorKind};

/// Writes tables row by row, as the members of an object or one as the whole value. Their counts
/// follow in a trailer.
///
/// The fields of a table are known before its first row. A row has scalars in some or all of them,
/// and nothing else, because a streamed row has no attachments. Items accept any value
/// ([`Writer::items`]). [`Writer::finish`] writes the trailer; without it a reader can't tell the
/// text from one that was cut off.
///
/// ```
/// use gcf::Writer;
/// use serde_json::json;
///
/// let mut writer = Writer::new(Vec::new())?;
/// writer.table("employees", ["id", "name"])?;
/// writer.row(&json!({"id": 1, "name": "Alice"}))?;
/// writer.row(&json!({"id": 2}))?;
/// let text = String::from_utf8(writer.finish()?)?;
/// assert_eq!(text, "GCF profile=generic\n## employees [?]{id,name}\n1|Alice\n2|~\n##! summary counts=2\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// An array of anything:
///
/// ```
/// use gcf::Writer;
/// use serde_json::json;
///
/// let mut writer = Writer::new(Vec::new())?;
/// writer.root_items()?;
/// writer.item(&json!({"id": 1, "tags": ["a", "b"]}))?;
/// writer.item(&json!(7))?;
/// let text = String::from_utf8(writer.finish()?)?;
/// assert_eq!(text, "GCF profile=generic\n## [?]\n@0 {}\n  id=1\n  tags[2]: a,b\n@1 =7\n##! summary counts=2\n");
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
    kind: Kind,
    keys: HashSet<String>,
    counts: Vec<u64>,
    line: String,
}

/// The content of the open table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Rows,
    /// Rows with keys.
    Members,
    /// Any values.
    Items,
}

#[cold]
fn refused<T>(message: String) -> Result<T, Error> {
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
            kind: Kind::Rows,
            keys: HashSet::new(),
            counts: Vec::new(),
            line: String::new(),
        })
    }

    /// Begins a table of an array of objects.
    ///
    /// # Errors
    ///
    /// `duplicate_key` if there is one of this name, `duplicate_field_name`, `not_streamable` if
    /// there are no fields or one of them has a `>` in its name (section 8.3), and `io`.
    pub fn table<'f>(
        &mut self,
        name: &str,
        fields: impl IntoIterator<Item = &'f str>,
    ) -> Result<(), Error> {
        self.begin(Some(name), fields, Kind::Rows)
    }

    /// Begins the table of the array of objects that is the whole value.
    ///
    /// # Errors
    ///
    /// As [`Writer::table`].
    pub fn root_table<'f>(
        &mut self,
        fields: impl IntoIterator<Item = &'f str>,
    ) -> Result<(), Error> {
        self.begin(None, fields, Kind::Rows)
    }

    /// Begins a table of an object of objects, whose rows have keys. The writer keeps the keys, to
    /// detect duplicates.
    ///
    /// # Errors
    ///
    /// As [`Writer::table`].
    pub fn map<'f>(
        &mut self,
        name: &str,
        fields: impl IntoIterator<Item = &'f str>,
    ) -> Result<(), Error> {
        self.begin(Some(name), fields, Kind::Members)
    }

    /// Begins the table of the object of objects that is the whole value.
    ///
    /// # Errors
    ///
    /// As [`Writer::table`].
    pub fn root_map<'f>(&mut self, fields: impl IntoIterator<Item = &'f str>) -> Result<(), Error> {
        self.begin(None, fields, Kind::Members)
    }

    /// Begins an array of any values (section 7.6).
    ///
    /// # Errors
    ///
    /// `duplicate_key` if there is a table of this name, and `io`.
    pub fn items(&mut self, name: &str) -> Result<(), Error> {
        self.check_name(Some(name))?;
        self.head(Some(name), "[?]\n", Kind::Items)
    }

    /// Begins the array of any values that is the whole value.
    ///
    /// # Errors
    ///
    /// As [`Writer::items`].
    pub fn root_items(&mut self) -> Result<(), Error> {
        self.check_name(None)?;
        self.head(None, "[?]\n", Kind::Items)
    }

    /// The writer that the text goes to.
    pub fn get_mut(&mut self) -> &mut W {
        &mut self.inner
    }

    fn check_name(&self, name: Option<&str>) -> Result<(), Error> {
        let name = match name {
            Some(name) if self.names.iter().any(|known| known.as_deref() == Some(name)) => name,
            Some(_) if self.names.first() != Some(&None) => return Ok(()),
            None if self.names.is_empty() => return Ok(()),
            _ => {
                let message = "a table is the whole value and there is another, expected one table";
                return Err(Error::encode(ErrorKind::DuplicateKey, message.to_owned()));
            }
        };
        let message = format!("the table {} appears twice, expected once", shown(name));
        Err(Error::encode(ErrorKind::DuplicateKey, message))
    }

    /// Writes the line that begins a table.
    fn head(&mut self, name: Option<&str>, rest: &str, kind: Kind) -> Result<(), Error> {
        self.line.clear();
        self.line.push_str(GROUP_PREFIX);
        if let Some(name) = name {
            push_key(&mut self.line, name);
            self.line.push(' ');
        }
        self.line.push_str(rest);
        self.inner.write_all(self.line.as_bytes())?;
        self.names.push(name.map(str::to_owned));
        self.kind = kind;
        self.keys.clear();
        self.counts.push(0);
        Ok(())
    }

    fn begin<'f>(
        &mut self,
        name: Option<&str>,
        fields: impl IntoIterator<Item = &'f str>,
        kind: Kind,
    ) -> Result<(), Error> {
        self.check_name(name)?;
        let mut known: Vec<String> = Vec::new();
        let mut places = HashMap::new();
        for field in fields {
            if field.contains(PATH) {
                return refused(format!(
                    "a field is {}, expected a name without `>`",
                    shown(field)
                ));
            }
            if places.insert(field.to_owned(), known.len()).is_some() {
                let message = format!("the field {} appears twice, expected once", shown(field));
                return Err(Error::encode(ErrorKind::DuplicateFieldName, message));
            }
            known.push(field.to_owned());
        }
        if known.is_empty() {
            let what = name.map_or_else(String::new, |name| format!(" {}", shown(name)));
            return refused(format!("the table{what} has no fields, expected at least one"));
        }
        let mut rest = (if kind == Kind::Members { "[?:]{" } else { "[?]{" }).to_owned();
        if kind == Kind::Members {
            let mut label = "key".to_owned();
            while places.contains_key(&label) {
                label.insert(0, '_');
            }
            rest.push_str(&label);
            rest.push(',');
        }
        for (place, field) in known.iter().enumerate() {
            if place > 0 {
                rest.push(',');
            }
            push_key(&mut rest, field);
        }
        rest.push_str("}\n");
        self.head(name, &rest, kind)?;
        self.fields = known;
        self.places = places;
        Ok(())
    }

    /// Writes a row of the table that was begun last.
    ///
    /// # Errors
    ///
    /// `not_streamable` if there is no such table, or the row is not an object of scalars in its
    /// fields; those of [`Encoder::to_string`](crate::Encoder::to_string), and `io`. After
    /// an error of the row itself nothing of it is written.
    pub fn row<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<(), Error> {
        match self.kind {
            Kind::Rows => {}
            Kind::Members => {
                return refused("a row has no key, expected one: the table is a map".to_owned());
            }
            Kind::Items => {
                return refused(
                    "a row has no table, expected `item`: the array has items".to_owned(),
                );
            }
        }
        self.write(None, row)
    }

    /// Writes a row of the map that was begun last.
    ///
    /// # Errors
    ///
    /// As [`Writer::row`], and `duplicate_key`.
    pub fn member<T: Serialize + ?Sized>(&mut self, key: &str, row: &T) -> Result<(), Error> {
        if self.kind != Kind::Members {
            return refused("a row has a key, expected no key: the table is not a map".to_owned());
        }
        if self.keys.contains(key) {
            let message = format!("the key {} appears twice, expected once", shown(key));
            return Err(Error::encode(ErrorKind::DuplicateKey, message));
        }
        self.write(Some(key), row)?;
        self.keys.insert(key.to_owned());
        Ok(())
    }

    /// Writes an item of the array that was begun last: any value.
    ///
    /// # Errors
    ///
    /// `not_streamable` if there is no such array; those of
    /// [`Encoder::to_string`](crate::Encoder::to_string), and `io`. After an error of the
    /// value itself nothing of it is written.
    pub fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
        let Some(count) = self.counts.last_mut().filter(|_| self.kind == Kind::Items) else {
            return refused(
                "an item comes before its array, expected `items` before it".to_owned(),
            );
        };
        let index = usize::try_from(*count).unwrap_or(usize::MAX);
        let depth = 1 + usize::from(self.names.last().is_some_and(Option::is_some));
        self.line.clear();
        push_item(value, index, depth, &mut self.line)?;
        self.inner.write_all(self.line.as_bytes())?;
        *count += 1;
        Ok(())
    }

    fn write<T: Serialize + ?Sized>(&mut self, key: Option<&str>, row: &T) -> Result<(), Error> {
        let Some(count) = self.counts.last_mut() else {
            return refused("a row comes before its table, expected the table to begin".to_owned());
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
                return refused(format!(
                    "a row has the field {}, expected those of the table only",
                    shown(field)
                ));
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
