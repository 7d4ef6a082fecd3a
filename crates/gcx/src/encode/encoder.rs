//! The encoder: what it writes, and with which options.

use std::io::Write;

use serde::Serialize;

use super::into_rows::IntoRows;
use super::json;
use super::options::{Misfits, Options};
use super::row;
use super::table::Table;
use super::writer::Writer;
use crate::Error;
use crate::json::Json;
use crate::response::{self, Form};

/// Encodes rows and responses. The functions [`to_string`](crate::to_string) and
/// [`encode_response`](crate::encode_response) do so with the default options.
///
/// ```
/// let text = gcx::Encoder::new()
///     .meta("took_ms", "4")
///     .comment("2 of 7 matches")
///     .to_string("numbers", [1, 2])?;
/// assert_eq!(text, "GCX1 tool=numbers fields=value rows=2 took_ms=4\n# 2 of 7 matches\n1\n2\n");
/// # Ok::<(), gcx::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoder {
    options: Options,
}

/// A response as text, and what of it the text does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded {
    /// The text.
    pub text: String,
    /// The members that the tool's layout has no place for, as paths like `results[].language`,
    /// sorted. Always empty without [`Encoder::layout_only`].
    pub left_out: Vec<String>,
}

impl Encoded {
    /// The text of a response of which nothing is left out.
    pub(super) fn whole(text: Vec<u8>) -> Self {
        Encoded { text: into_text(text), left_out: Vec::new() }
    }
}

impl Encoder {
    /// The default options.
    pub fn new() -> Self {
        Encoder::default()
    }

    /// Whether a comma in a field's name is written as `\,` (default `false`: in rows such a name
    /// is an error, and in responses such an object is a cell of JSON, since other implementations
    /// read two columns; ruling X2).
    #[must_use]
    pub fn escape_commas(mut self, escaped: bool) -> Self {
        self.options.escape_commas = escaped;
        self
    }

    /// Whether the layout of the tool is followed all the same where a response does not fit it
    /// (default `false`: such a response is written whole, in the [typed
    /// form](crate::encode_typed), under the tool's name; ruling X13). What the layout has no place
    /// for is left out, and [`Encoded::left_out`] says what that is; a response that contradicts
    /// the layout is `invalid_shape`.
    ///
    /// ```
    /// let response = serde_json::json!({"results": [], "took_ms": 3});
    /// let encoded = gcx::Encoder::new().layout_only(true).encode_response("search_symbols", &response)?;
    /// assert_eq!(encoded.left_out, ["took_ms"]);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    #[must_use]
    pub fn layout_only(mut self, only: bool) -> Self {
        self.options.misfits = if only { Misfits::LeftOut } else { Misfits::Typed };
        self
    }

    /// Whether what a response has beyond its tool's layout is written behind it, instead of the
    /// whole response in the typed form (ruling X13; default `false`). Further members of rows are
    /// columns behind the layout's, further integers and truth values of the response are metadata,
    /// its other members are sections; the metadata `extras` of the first header lists them, so
    /// that they come back.
    ///
    /// What they can't carry exactly still decides for the typed form: a name that is taken or that
    /// a header can't hold, a cell that is empty or reads as another value, a list that is used in
    /// part. With [`layout_only`](Self::layout_only) it is left out.
    ///
    /// ```
    /// let response = serde_json::json!({
    ///     "results": [{"id": "a.go::A", "kind": "type", "name": "A", "lang": "go"}],
    ///     "took_ms": 3,
    /// });
    /// let encoded = gcx::Encoder::new().extra_columns(true).encode_response("search_symbols", &response)?;
    /// assert_eq!(
    ///     encoded.text,
    ///     "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig,lang extras=1,took_ms rows=1 took_ms=3\n\
    ///      a.go::A\ttype\tA\t\t\t\tgo\n",
    /// );
    /// assert_eq!(gcx::decode_response(&encoded.text)?, response);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    #[must_use]
    pub fn extra_columns(mut self, extra: bool) -> Self {
        self.options.extra_columns = extra;
        self
    }

    /// Adds metadata to the first header.
    #[must_use]
    pub fn meta(mut self, key: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.meta.push((key.into(), value.into()));
        self
    }

    /// Adds a comment behind the first header. Readers pass over comments, and anybody may drop
    /// them.
    #[must_use]
    pub fn comment(mut self, text: impl Into<String>) -> Self {
        self.options.comments.push(text.into());
        self
    }

    /// One section of rows: see [`to_string`](crate::to_string).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn to_string<I: IntoRows>(&self, tool: &str, rows: I) -> Result<String, Error> {
        self.to_vec(tool, rows).map(into_text)
    }

    /// One section of rows, as bytes.
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string).
    pub fn to_vec<I: IntoRows>(&self, tool: &str, rows: I) -> Result<Vec<u8>, Error> {
        let mut table = Table::default();
        for row in rows.into_rows() {
            row::push(&mut table, &row)?;
        }
        table.into_section(tool, &self.options)
    }

    /// Writes one section of rows. All rows are taken in before the first is written, for only then
    /// the columns are known: to write rows in constant memory use [`Writer`](crate::Writer).
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string), and `io` when the writer fails.
    pub fn to_writer<W, I>(&self, mut writer: W, tool: &str, rows: I) -> Result<(), Error>
    where
        W: Write,
        I: IntoRows,
    {
        writer.write_all(&self.to_vec(tool, rows)?)?;
        Ok(writer.flush()?)
    }

    /// Writes sections row by row: see [`Writer`]. The metadata and comments of this encoder are
    /// not written.
    pub fn writer<W: Write>(&self, writer: W) -> Writer<W> {
        self.options.writer(writer)
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

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    pub(super) fn encode(&self, tool: &str, response: &Json, form: Form) -> Result<Encoded, Error> {
        let (text, left_out) = response::encode(tool, response, form, &self.options)?;
        Ok(Encoded { text: into_text(text), left_out: left_out.into_iter().collect() })
    }
}

/// The JSON value of what is written as a response.
fn value_of<T: Serialize + ?Sized>(response: &T) -> Result<Json, Error> {
    json::value_of(response).map_err(|problem| Error::encode(problem.kind(), problem.message()))
}

fn into_text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("because it is made of strings")
}
