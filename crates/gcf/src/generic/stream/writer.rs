//! Writing rows as they come.

use std::io::Write;

use serde::Serialize;
use wire_core::text::shown;

use crate::generic::encode::{ScalarRows, scalar_rows};
use crate::generic::key::{PATH, push_key};
use crate::generic::scalar::push_text;
use crate::{Error, ErrorKind};

/// Writes tables row by row as the members of an object: their counts follow in a trailer.
///
/// The fields of a table are known before its first row. A row has scalars in some of them, and nothing else, because the
/// stream has no place for more. [`Writer::finish`] writes the trailer; without it a reader can't tell the text from one that
/// was cut off.
///
/// ```
/// use gcf::generic::Writer;
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
#[derive(Debug)]
pub struct Writer<W> {
    writer: W,
    /// The names of the tables so far.
    names: Vec<String>,
    fields: Vec<String>,
    /// Whether the rows of the open table have keys.
    is_map: bool,
    keys: std::collections::HashSet<String>,
    counts: Vec<u64>,
    line: String,
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
        writer.write_all(b"GCF profile=generic\n")?;
        Ok(Writer {
            writer,
            names: Vec::new(),
            fields: Vec::new(),
            is_map: false,
            keys: std::collections::HashSet::new(),
            counts: Vec::new(),
            line: String::new(),
        })
    }

    /// Begins a table of an array of objects.
    ///
    /// # Errors
    ///
    /// `duplicate_key` if there is one of this name, `duplicate_field_name`, `not_streamable` if there are no fields or one of
    /// them has a `>` in its name (section 8.3), and `io`.
    pub fn table<'f>(
        &mut self,
        name: &str,
        fields: impl IntoIterator<Item = &'f str>,
    ) -> Result<(), Error> {
        self.begin(name, fields, false)
    }

    /// Begins a table of an object of objects, whose rows have keys. The keys are kept, so that none comes twice.
    ///
    /// # Errors
    ///
    /// As [`Writer::table`].
    pub fn map<'f>(
        &mut self,
        name: &str,
        fields: impl IntoIterator<Item = &'f str>,
    ) -> Result<(), Error> {
        self.begin(name, fields, true)
    }

    fn begin<'f>(
        &mut self,
        name: &str,
        fields: impl IntoIterator<Item = &'f str>,
        is_map: bool,
    ) -> Result<(), Error> {
        if self.names.iter().any(|known| known == name) {
            let message = format!("the table {} is there twice, expected once", shown(name));
            return Err(Error::encode(ErrorKind::DuplicateKey, message));
        }
        let mut known: Vec<String> = Vec::new();
        for field in fields {
            if field.contains(PATH) {
                return refused(format!(
                    "a field is {}, expected a name without `>`",
                    shown(field)
                ));
            }
            if known.iter().any(|known| known == field) {
                let message = format!("the field {} is there twice, expected once", shown(field));
                return Err(Error::encode(ErrorKind::DuplicateFieldName, message));
            }
            known.push(field.to_owned());
        }
        if known.is_empty() {
            return refused(format!(
                "the table {} has no fields, expected one at least",
                shown(name)
            ));
        }
        self.line.clear();
        self.line.push_str("## ");
        push_key(&mut self.line, name);
        self.line.push_str(if is_map { " [?:]{" } else { " [?]{" });
        if is_map {
            let mut label = "key".to_owned();
            while known.contains(&label) {
                label.insert(0, '_');
            }
            self.line.push_str(&label);
            self.line.push(',');
        }
        for (place, field) in known.iter().enumerate() {
            if place > 0 {
                self.line.push(',');
            }
            push_key(&mut self.line, field);
        }
        self.line.push_str("}\n");
        self.writer.write_all(self.line.as_bytes())?;
        self.names.push(name.to_owned());
        (self.fields, self.is_map) = (known, is_map);
        self.keys.clear();
        self.counts.push(0);
        Ok(())
    }

    /// Writes a row of the table that was begun last.
    ///
    /// # Errors
    ///
    /// `not_streamable` if there is no such table, or the row is no object of scalars in its fields; those of
    /// [`Encoder::to_string`](crate::generic::Encoder::to_string), and `io`. After an error of the row itself nothing of it is
    /// written.
    pub fn row<T: Serialize + ?Sized>(&mut self, row: &T) -> Result<(), Error> {
        if self.is_map {
            return refused("a row has no key, expected one: the table is a map".to_owned());
        }
        self.write(None, row)
    }

    /// Writes a row of the map that was begun last.
    ///
    /// # Errors
    ///
    /// As [`Writer::row`], and `duplicate_key`.
    pub fn member<T: Serialize + ?Sized>(&mut self, key: &str, row: &T) -> Result<(), Error> {
        if !self.is_map {
            return refused("a row has a key, expected none: the table is no map".to_owned());
        }
        if self.keys.contains(key) {
            let message = format!("the key {} is there twice, expected once", shown(key));
            return Err(Error::encode(ErrorKind::DuplicateKey, message));
        }
        self.write(Some(key), row)?;
        self.keys.insert(key.to_owned());
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
        if let Some(other) = fields.iter().find(|field| !self.fields.contains(field)) {
            return refused(format!(
                "a row has the field {}, expected those of the table only",
                shown(other)
            ));
        }
        self.line.clear();
        if let Some(key) = key {
            push_text(&mut self.line, key);
            self.line.push('|');
        }
        for field in &self.fields {
            let place = fields.iter().position(|known| known == field);
            let token = place.and_then(|place| rows.first()?.get(place)?.as_deref());
            self.line.push_str(token.unwrap_or("~"));
            self.line.push('|');
        }
        // Every cell has a delimiter behind it.
        self.line.pop();
        self.line.push('\n');
        self.writer.write_all(self.line.as_bytes())?;
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
            writeln!(self.writer, "##! summary counts={}", counts.join(","))?;
        }
        self.writer.flush()?;
        Ok(self.writer)
    }
}
