//! The decoder and its options.

use std::io::Read;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire_core::Limits;
use wire_core::json::Layout;

use super::cell::Beyond;
use super::members::Empty;
use super::rows;
use super::slice_reader::SliceReader;
use crate::Error;
use crate::io::Reader;
use crate::json::Exact;
use crate::limits::LIMITS;
use crate::response;

/// Decodes rows and responses, with options. The functions [`from_str`](crate::from_str) and
/// [`decode_response`](crate::decode_response) use the default options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoder {
    pub(crate) limits: Limits,
    require_final_newline: bool,
    empty: Empty,
    /// Of the JSON text that is written.
    pub(super) layout: Layout,
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder::new()
    }
}

impl Decoder {
    /// The default options.
    pub const fn new() -> Self {
        Decoder {
            limits: LIMITS,
            require_final_newline: false,
            empty: Empty::Text,
            layout: Layout::Compact,
        }
    }

    /// Sets the limits (default [`LIMITS`]).
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether text is an error when its last line has no line ending (default `false`: such
    /// text is accepted when the last section declares its number of rows).
    #[must_use]
    pub const fn require_final_newline(mut self, required: bool) -> Self {
        self.require_final_newline = required;
        self
    }

    /// Sets whether an empty cell is read as a missing field, so that `#[serde(default)]` decides,
    /// in rows of types (default `false`: it is read as the empty text or list, or as `None`; for a
    /// number or truth value it is an error).
    ///
    /// ```
    /// #[derive(serde::Deserialize, PartialEq, Debug)]
    /// struct Count {
    ///     id: String,
    ///     #[serde(default)]
    ///     n: u32,
    /// }
    /// let text = "GCX1 tool=t fields=id,n rows=1\na\t\n";
    /// let counts: Vec<Count> =
    ///     gcx::Decoder::new().empty_is_absent(true).from_str(text)?;
    /// assert_eq!(counts, [Count { id: "a".into(), n: 0 }]);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    #[must_use]
    pub const fn empty_is_absent(mut self, absent: bool) -> Self {
        self.empty = if absent { Empty::Absent } else { Empty::Text };
        self
    }

    /// Sets whether [`gcx_to_json`](Decoder::gcx_to_json) indents JSON by two spaces (default `false`: no
    /// white space).
    #[must_use]
    pub const fn pretty(mut self, pretty: bool) -> Self {
        self.layout = Layout::of(pretty);
        self
    }

    /// Decodes the rows of a text: see [`from_str`](crate::from_str).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn from_str<'a, T: Deserialize<'a>>(&self, text: &'a str) -> Result<T, Error> {
        rows::section(&mut self.slice_reader(text), self.empty)
    }

    /// Decodes the rows of a text given as bytes.
    ///
    /// # Errors
    ///
    /// As [`from_str`](crate::from_str), and `invalid_utf8`.
    pub fn from_slice<'a, T: Deserialize<'a>>(&self, input: &'a [u8]) -> Result<T, Error> {
        self.from_str(Error::utf8(input)?)
    }

    /// Decodes the rows that `reader` yields. At most one line is in memory besides the decoded
    /// value.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`], and `io` when the reader fails.
    pub fn from_reader<R: Read, T: DeserializeOwned>(&self, reader: R) -> Result<T, Error> {
        rows::section(&mut self.reader(reader), self.empty)
    }

    /// Decodes a response to JSON: see [`decode_response`](crate::decode_response).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn decode_response(&self, text: &str) -> Result<Value, Error> {
        let response = response::decode(self.slice_reader(text), Beyond::Doubles)?;
        Ok(Exact(response)
            .into_value()
            .expect("because other integers are refused where they stand"))
    }

    /// Decodes a response to JSON with all digits of its integers: see
    /// [`decode_exact`](crate::decode_exact).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn decode_exact(&self, text: &str) -> Result<Exact, Error> {
        response::decode(self.slice_reader(text), Beyond::Digits).map(Exact)
    }

    /// Reads the sections of a text row by row, borrowing from the text: see [`SliceReader`].
    pub fn slice_reader<'a>(&self, text: &'a str) -> SliceReader<'a> {
        SliceReader::with(text, self.limits, self.require_final_newline)
    }

    /// Reads the sections that `reader` yields row by row: see [`Reader`].
    pub fn reader<R: Read>(&self, reader: R) -> Reader<R> {
        Reader::with(reader, self.limits, self.require_final_newline)
    }
}
