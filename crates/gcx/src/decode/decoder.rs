//! The decoder: its options, and what it reads with them.

use std::io::BufRead;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use wire_core::Limits;
use wire_core::value::Layout;

use super::cell::Beyond;
use super::members::Empty;
use super::reader::Reader;
use super::rows;
use crate::Error;
use crate::io::StreamReader;
use crate::json::Exact;
use crate::limits::LIMITS;
use crate::response;

/// Decodes rows and responses. The functions [`from_str`](crate::from_str) and
/// [`decode_response`](crate::decode_response) do so with the default options.
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
        Decoder {
            limits: LIMITS,
            require_final_newline: false,
            empty: Empty::Text,
            layout: Layout::Compact,
        }
    }
}

impl Decoder {
    /// The default options.
    pub fn new() -> Self {
        Decoder::default()
    }

    /// Sets the limits (default [`LIMITS`]).
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Refuses text whose last line has no line ending (default: taken when the last section declares its rows).
    #[must_use]
    pub fn require_final_newline(mut self) -> Self {
        self.require_final_newline = true;
        self
    }

    /// Reads an empty cell as a field that is not there, so that `#[serde(default)]` decides, in rows from and to types
    /// (default: as the empty text or list, and as `None`; a number or truth value it is not).
    ///
    /// ```
    /// #[derive(serde::Deserialize, PartialEq, Debug)]
    /// struct Count {
    ///     id: String,
    ///     #[serde(default)]
    ///     n: u32,
    /// }
    /// let text = "GCX1 tool=t fields=id,n rows=1\na\t\n";
    /// let counts: Vec<Count> = gcx::Decoder::new().empty_is_absent().from_str(text)?;
    /// assert_eq!(counts, [Count { id: "a".into(), n: 0 }]);
    /// # Ok::<(), gcx::Error>(())
    /// ```
    #[must_use]
    pub fn empty_is_absent(mut self) -> Self {
        self.empty = Empty::Absent;
        self
    }

    /// Indents the JSON of [`to_json`](crate::to_json) by two spaces (default: it has no white space).
    #[must_use]
    pub fn pretty(mut self) -> Self {
        self.layout = Layout::Pretty;
        self
    }

    /// The rows of a text: see [`from_str`](crate::from_str).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn from_str<'a, T: Deserialize<'a>>(&self, text: &'a str) -> Result<T, Error> {
        rows::section(&mut self.reader(Reader::new(text)), self.empty)
    }

    /// The rows of a text, as bytes.
    ///
    /// # Errors
    ///
    /// As [`from_str`](crate::from_str), and `invalid_utf8`.
    pub fn from_slice<'a, T: Deserialize<'a>>(&self, input: &'a [u8]) -> Result<T, Error> {
        rows::section(&mut self.reader(Reader::from_slice(input)?), self.empty)
    }

    /// The rows that a reader gives, of which no more than a line is held besides the value.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`], and `io` when the reader fails.
    pub fn from_reader<T: DeserializeOwned>(&self, reader: impl BufRead) -> Result<T, Error> {
        let mut reader = StreamReader::new(reader).limits(self.limits);
        if self.require_final_newline {
            reader = reader.require_final_newline();
        }
        rows::section(&mut reader, self.empty)
    }

    /// The JSON of a response: see [`decode_response`](crate::decode_response).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn decode_response(&self, text: &str) -> Result<Value, Error> {
        let response = response::decode(self.reader(Reader::new(text)), Beyond::Doubles)?;
        Ok(Exact(response)
            .into_value()
            .expect("because other integers are refused where they stand"))
    }

    /// The JSON of a response with all digits of its integers: see [`decode_exact`](crate::decode_exact).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn decode_exact(&self, text: &str) -> Result<Exact, Error> {
        response::decode(self.reader(Reader::new(text)), Beyond::Kept).map(Exact)
    }

    pub(crate) fn reader<'a>(&self, reader: Reader<'a>) -> Reader<'a> {
        let reader = reader.limits(self.limits);
        if self.require_final_newline { reader.require_final_newline() } else { reader }
    }
}
