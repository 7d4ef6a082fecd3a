//! The encoder: its options, and what it writes with them.

use std::io::Write;

use serde::Serialize;
use wire_core::text::shown;

use super::json;
use super::table::Table;
use super::writer::Writer;
use crate::exact::Json;
use crate::grammar::{EXTRAS, LONGEST_NAME, TYPED};
use crate::header::Header;
use crate::response::{self, Form};
use crate::{Error, ErrorKind};

/// Encodes rows and responses. The functions [`to_string`](crate::to_string) and
/// [`encode_response`](crate::encode_response) do so with the default options.
///
/// ```
/// let text = gcx::Encoder::new()
///     .with_meta("took_ms", "4")
///     .with_comment("2 of 7 matches")
///     .to_string("numbers", [1, 2])?;
/// assert_eq!(text, "GCX1 tool=numbers fields=value rows=2 took_ms=4\n# 2 of 7 matches\n1\n2\n");
/// # Ok::<(), gcx::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoder {
    escape_commas: bool,
    misfits: Misfits,
    extra_columns: bool,
    meta: Vec<(String, String)>,
    comments: Vec<String>,
}

/// What becomes of a response that does not fit its tool's layout (ruling X13).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Misfits {
    /// It is written whole, by the typed fallback.
    #[default]
    Typed,
    /// The layout is followed all the same: what it has no place for is left out, and what contradicts it is an error.
    LeftOut,
}

/// A response as text, and what of it the text does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded {
    /// The text.
    pub text: String,
    /// The members that the tool's layout has no place for, as paths like `results[].language`, sorted. Always empty without
    /// [`Encoder::layout_only`].
    pub left_out: Vec<String>,
}

impl Encoder {
    /// The default options.
    pub fn new() -> Self {
        Encoder::default()
    }

    /// Writes a comma in a field's name as `\,` (default: in rows such a name is an error, and in responses such an object
    /// is a cell of JSON, since other implementations read two columns; ruling X2).
    #[must_use]
    pub fn escape_commas(mut self) -> Self {
        self.escape_commas = true;
        self
    }

    /// Follows the layout of the tool all the same where a response does not fit it (default: such a response is written whole,
    /// in the [typed form](crate::encode_typed), under the tool's name; ruling X13). What the layout has no place for is left
    /// out, and [`Encoded::left_out`] says what that is; a response that contradicts the layout is `invalid_shape`.
    ///
    /// ```
    /// let response = serde_json::json!({"results": [], "took_ms": 3});
    /// let encoded = gcx::Encoder::new().layout_only().encode_response("search_symbols", &response)?;
    /// assert_eq!(encoded.left_out, ["took_ms"]);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    #[must_use]
    pub fn layout_only(mut self) -> Self {
        self.misfits = Misfits::LeftOut;
        self
    }

    /// Writes what a response has beyond its tool's layout behind it, instead of the whole response in the typed form (ruling X13).
    /// Further members of rows are columns behind the layout's, further integers and truth values of the response are metadata,
    /// its other members are sections; the metadata `extras` of the first header lists them, so that they come back.
    ///
    /// What they can't carry exactly still decides for the typed form: a name that is taken or that a header can't hold, a cell
    /// that is empty or reads as another value, a list that is used in part. With [`layout_only`](Self::layout_only) it is left out.
    ///
    /// ```
    /// let response = serde_json::json!({
    ///     "results": [{"id": "a.go::A", "kind": "type", "name": "A", "lang": "go"}],
    ///     "took_ms": 3,
    /// });
    /// let encoded = gcx::Encoder::new().extra_columns().encode_response("search_symbols", &response)?;
    /// assert_eq!(
    ///     encoded.text,
    ///     "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig,lang extras=1,took_ms rows=1 took_ms=3\n\
    ///      a.go::A\ttype\tA\t\t\t\tgo\n",
    /// );
    /// assert_eq!(gcx::decode_response(&encoded.text)?, response);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    #[must_use]
    pub fn extra_columns(mut self) -> Self {
        self.extra_columns = true;
        self
    }

    /// Adds metadata to the first header.
    #[must_use]
    pub fn with_meta(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.meta.push((key.into(), value.into()));
        self
    }

    /// Adds a comment behind the first header. Readers pass over comments, and anybody may drop them.
    #[must_use]
    pub fn with_comment(mut self, text: impl Into<String>) -> Self {
        self.comments.push(text.into());
        self
    }

    /// One section of rows: see [`to_string`](crate::to_string).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn to_string<I>(&self, tool: &str, rows: I) -> Result<String, Error>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        self.to_vec(tool, rows).map(into_text)
    }

    /// One section of rows, as bytes.
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string).
    pub fn to_vec<I>(&self, tool: &str, rows: I) -> Result<Vec<u8>, Error>
    where
        I: IntoIterator,
        I::Item: Serialize,
    {
        let mut table = Table::default();
        for row in rows {
            table.push(&row)?;
        }
        table.into_section(tool, self)
    }

    /// Writes one section of rows. All rows are taken in before the first is written, for only then the columns are known: to
    /// write rows in constant memory use [`Writer`].
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string), and `io` when the writer fails.
    pub fn to_writer<W, I>(&self, mut writer: W, tool: &str, rows: I) -> Result<(), Error>
    where
        W: Write,
        I: IntoIterator,
        I::Item: Serialize,
    {
        writer.write_all(&self.to_vec(tool, rows)?)?;
        Ok(writer.flush()?)
    }

    /// The response of a tool: see [`encode_response`](crate::encode_response).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn encode_response<T>(&self, tool: &str, response: &T) -> Result<Encoded, Error>
    where
        T: Serialize + ?Sized,
    {
        self.encode(tool, &value_of(response)?, Form::Plain)
    }

    /// Any JSON, so that all of it comes back: see [`encode_typed`](crate::encode_typed).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn encode_typed<T>(&self, tool: &str, response: &T) -> Result<String, Error>
    where
        T: Serialize + ?Sized,
    {
        self.encode(tool, &value_of(response)?, Form::Typed).map(|encoded| encoded.text)
    }

    fn encode(&self, tool: &str, response: &Json, form: Form) -> Result<Encoded, Error> {
        let (text, left_out) = response::encode(tool, response, form, self)?;
        Ok(Encoded { text: into_text(text), left_out: left_out.into_iter().collect() })
    }

    /// What becomes of a response that does not fit.
    pub(crate) fn misfits(&self) -> Misfits {
        self.misfits
    }

    /// Whether what a layout has no place for stands behind it.
    pub(crate) fn has_extra_columns(&self) -> bool {
        self.extra_columns
    }

    /// Whether the first header gets this key from the options.
    pub(crate) fn has_meta(&self, key: &str) -> bool {
        self.meta.iter().any(|(known, _)| known == key)
    }

    pub(crate) fn writer<W: Write>(&self, writer: W) -> Writer<W> {
        let writer = Writer::new(writer);
        if self.escape_commas { writer.escape_commas() } else { writer }
    }

    /// Whether a section can have a field of this name.
    pub(crate) fn can_be_field(&self, name: &str) -> bool {
        (1..=LONGEST_NAME).contains(&name.len())
            && !name.contains('\r')
            && (self.escape_commas || !name.contains(','))
    }

    /// Begins a section, the first one with the options' metadata and comments.
    pub(crate) fn begin<W: Write>(
        &self,
        writer: &mut Writer<W>,
        header: &Header<'_>,
    ) -> Result<(), Error> {
        if !writer.is_at_start() || (self.meta.is_empty() && self.comments.is_empty()) {
            return writer.begin(header);
        }
        let mut header = header.clone();
        for (key, value) in &self.meta {
            if key == TYPED || key == EXTRAS {
                let message = format!(
                    "metadata has the key `{key}`, expected another: it is one that the encoder writes"
                );
                return Err(Error::encode(ErrorKind::ReservedKey, message));
            }
            if header.meta.insert(key.into(), value.into()).is_some() {
                let message = format!("the key {} appears twice, expected once", shown(key));
                return Err(Error::encode(ErrorKind::DuplicateKey, message));
            }
        }
        writer.begin(&header)?;
        self.comments.iter().try_for_each(|comment| writer.comment(comment))
    }
}

/// The JSON value of what is written as a response.
fn value_of<T: Serialize + ?Sized>(response: &T) -> Result<Json, Error> {
    json::value_of(response).map_err(|problem| Error::encode(problem.kind(), problem.message()))
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("because it is made of strings")
}
