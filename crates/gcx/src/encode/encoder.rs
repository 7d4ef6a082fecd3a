//! The encoder and its options.

use std::io::Write;

use serde::Serialize;
use wire_core::json::{Json, Reader};

use super::into_rows::IntoRows;
use super::options::{Misfits, Options};
use super::row;
use super::table::Table;
use super::value::{RESPONSE_NESTING, response_of};
use super::writer::Writer;
use crate::Error;
use crate::response::{self, Form, Origin};

/// Encodes rows and responses, with options. The functions [`to_string`](crate::to_string) and
/// [`encode_layout`](crate::encode_layout) use the default options.
///
/// ```
/// let text = gcx::Encoder::new()
///     .meta("took_ms", "4")
///     .comment("2 of 7 matches")
///     .to_string("numbers", [1, 2])?;
/// assert_eq!(
///     text,
///     "GCX1 tool=numbers fields=value rows=2 took_ms=4\n# 2 of 7 matches\n1\n2\n"
/// );
/// # Ok::<(), gcx::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Encoder {
    options: Options,
}

/// A response as text, and what was dropped from it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Encoded {
    /// The text.
    pub text: String,
    /// The members outside the tool's layout that were dropped, as paths such as
    /// `results[].language`, sorted. Always empty without [`Encoder::layout_only`].
    pub left_out: Vec<String>,
}

impl Encoded {
    /// Returns `true` if the text has every member of the response.
    pub fn is_clean(&self) -> bool {
        self.left_out.is_empty()
    }
}

impl Encoder {
    /// The default options.
    pub fn new() -> Self {
        Encoder::default()
    }

    /// Sets whether a decimal of a JSON text that is not the shortest text of a double is an error,
    /// `inexact_number` (default `false`: it is rounded to the nearest double, ruling A7).
    ///
    /// ```
    /// let error = gcx::Encoder::new()
    ///     .exact(true)
    ///     .json_to_layout("t", "[0.12345678901234567890123]")
    ///     .unwrap_err();
    /// assert_eq!(
    ///     (error.code(), error.position().unwrap().offset),
    ///     ("inexact_number", 1)
    /// );
    /// ```
    #[must_use]
    pub fn exact(mut self, exact: bool) -> Self {
        self.options.exact = exact;
        self
    }

    /// Sets whether a comma in a field's name is written as `\,` (default `false`). Other
    /// implementations read such a name as two columns (ruling X2), so by default it is an error in
    /// rows, and in responses the object becomes a cell of JSON.
    #[must_use]
    pub fn escape_commas(mut self, escaped: bool) -> Self {
        self.options.escape_commas = escaped;
        self
    }

    /// Sets whether the layout of the tool is used even when a response does not fit it (default
    /// `false`: such a response is written whole, in the [typed form](crate::encode_response), under
    /// the tool's name; ruling X13). Members outside the layout are dropped, and
    /// [`Encoded::left_out`] lists them. A response that contradicts the layout is `invalid_shape`.
    ///
    /// ```
    /// let response = serde_json::json!({"results": [], "took_ms": 3});
    /// let encoded = gcx::Encoder::new()
    ///     .layout_only(true)
    ///     .encode_layout_with_report("search_symbols", &response)?;
    /// assert_eq!(encoded.left_out, ["took_ms"]);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    #[must_use]
    pub fn layout_only(mut self, only: bool) -> Self {
        self.options.misfits = if only { Misfits::LeftOut } else { Misfits::Typed };
        self
    }

    /// Sets whether members outside the tool's layout are written in addition to it (default
    /// `false`: the whole response is written in the typed form; ruling X13). Further members of
    /// rows become columns after those of the layout. Further integers and truth values of the
    /// response become metadata, and its other members become sections. The metadata `extras` of
    /// the first header lists them, so that they are decoded again.
    ///
    /// The whole response is still written in the typed form if a member can't be represented
    /// exactly in this way: its name is in use or can't be in a header, its cell would be empty or
    /// be read as another value, or its list is only partly used. With
    /// [`layout_only`](Self::layout_only) such a member is dropped.
    ///
    /// ```
    /// let response = serde_json::json!({
    ///     "results": [{"id": "a.go::A", "kind": "type", "name": "A", "lang": "go"}],
    ///     "took_ms": 3,
    /// });
    /// let encoded = gcx::Encoder::new()
    ///     .extra_columns(true)
    ///     .encode_layout_with_report("search_symbols", &response)?;
    /// assert_eq!(
    ///     encoded.text,
    ///     "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig,lang \
    ///      extras=1,took_ms rows=1 took_ms=3\n\
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

    /// Adds a comment after the first header. Readers skip comments, and intermediaries may remove
    /// them.
    #[must_use]
    pub fn comment(mut self, text: impl Into<String>) -> Self {
        self.options.comments.push(text.into());
        self
    }

    /// Encodes rows as one section: see [`to_string`](crate::to_string).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn to_string<I: IntoRows>(&self, tool: &str, rows: I) -> Result<String, Error> {
        let mut table = Table::default();
        for row in rows.into_rows() {
            row::push(&mut table, &row)?;
        }
        table.into_section(tool, &self.options)
    }

    /// Encodes rows as one section, as bytes.
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string).
    pub fn to_vec<I: IntoRows>(&self, tool: &str, rows: I) -> Result<Vec<u8>, Error> {
        self.to_string(tool, rows).map(String::into_bytes)
    }

    /// Encodes rows as one section into `writer`. The columns are known only after the last row, so
    /// all rows are collected before the first is written. To write rows in constant memory use
    /// [`Writer`](crate::Writer).
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string), and `io` when the writer fails.
    pub fn to_writer<W, I>(&self, mut writer: W, tool: &str, rows: I) -> Result<(), Error>
    where
        W: Write,
        I: IntoRows,
    {
        writer.write_all(self.to_string(tool, rows)?.as_bytes())?;
        Ok(writer.flush()?)
    }

    /// Writes sections row by row: see [`Writer`]. The metadata and comments of this encoder are
    /// not written.
    pub fn writer<W: Write>(&self, writer: W) -> Writer<W> {
        self.options.writer(writer)
    }

    /// Encodes the response of a tool: see [`encode_layout`](crate::encode_layout).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn encode_layout<T>(&self, tool: &str, response: &T) -> Result<String, Error>
    where
        T: Serialize + ?Sized,
    {
        self.encode_layout_with_report(tool, response).map(|encoded| encoded.text)
    }

    /// As [`Encoder::encode_layout`], with what [`Encoder::layout_only`] drops.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn encode_layout_with_report<T>(&self, tool: &str, response: &T) -> Result<Encoded, Error>
    where
        T: Serialize + ?Sized,
    {
        self.encode_value(tool, response, Form::Plain)
    }

    /// Encodes any JSON without loss: see [`encode_response`](crate::encode_response).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn encode_response<T>(&self, tool: &str, response: &T) -> Result<String, Error>
    where
        T: Serialize + ?Sized,
    {
        self.encode_value(tool, response, Form::Typed).map(|encoded| encoded.text)
    }

    /// Encodes a value by way of its JSON text.
    fn encode_value<T>(&self, tool: &str, response: &T, form: Form) -> Result<Encoded, Error>
    where
        T: Serialize + ?Sized,
    {
        let json = response_of(response)
            .map_err(|problem| Error::encode(problem.kind(), problem.message()))?;
        self.encode(tool, &json, Origin::Written, form)
    }

    /// Encodes a JSON text.
    pub(super) fn encode(
        &self,
        tool: &str,
        json: &str,
        origin: Origin,
        form: Form,
    ) -> Result<Encoded, Error> {
        if let Some(text) = response::encode_text(tool, json, origin, form, &self.options) {
            return Ok(Encoded { text: text?, left_out: Vec::new() });
        }
        let reader = match origin {
            Origin::Caller => Reader::new(json).in_doubles().exact(self.options.exact),
            Origin::Written => Reader::new(json).max_nesting(RESPONSE_NESTING),
        };
        let value = Json::read_whole(reader).map_err(|error| Error::of_json(json, &error))?;
        let (text, left_out) = response::encode(tool, &value, form, &self.options)?;
        let text = String::from_utf8(text).expect("because it is made of strings");
        Ok(Encoded { text, left_out: left_out.into_iter().collect() })
    }
}
