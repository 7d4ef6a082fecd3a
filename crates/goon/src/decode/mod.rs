//! Decoding: the lines, their content, and the response.

mod body;
mod edges;
mod group;
mod header;
mod index;
mod lines;
mod nodes;
mod pairs;
mod rows;

use std::io::Read;

use wire_core::Limits;
use wire_core::json::Layout;

use crate::Error;
use crate::limits::LIMITS;
use crate::response::GraphResponse;
use crate::version::Version;

/// Decodes responses, with options. The functions [`from_str`](crate::from_str) and its siblings
/// use the default options.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decoder {
    limits: Limits,
    layout: Layout,
}

impl Default for Decoder {
    fn default() -> Self {
        Decoder::new()
    }
}

impl Decoder {
    /// The default options.
    pub const fn new() -> Self {
        Decoder { limits: LIMITS, layout: Layout::Compact }
    }

    /// Sets the limits (default [`LIMITS`]): on the length of lines, and on the numbers of nodes,
    /// of edges and of rows, each counted separately.
    #[must_use]
    pub const fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether [`goon_to_json`](Decoder::goon_to_json) indents JSON by two spaces (default `false`: no
    /// white space).
    #[must_use]
    pub const fn pretty(mut self, pretty: bool) -> Self {
        self.layout = Layout::of(pretty);
        self
    }

    pub(crate) fn is_pretty(&self) -> bool {
        self.layout == Layout::Pretty
    }

    /// Decodes the response of a text.
    ///
    /// # Errors
    ///
    /// As [`from_str`](crate::from_str).
    pub fn from_str(&self, text: &str) -> Result<GraphResponse, Error> {
        self.from_str_versioned(text).map(|(response, _)| response)
    }

    /// Decodes the response of a text, and returns it with the version that the text states.
    ///
    /// # Errors
    ///
    /// As [`from_str`](crate::from_str).
    pub fn from_str_versioned(&self, text: &str) -> Result<(GraphResponse, Version), Error> {
        let mut lines = lines::Lines::new(text, self.limits);
        let header = header::read(&mut lines)?;
        let version = header.version;
        Ok((body::read(&mut lines, header, self.limits)?, version))
    }

    /// Decodes the response of a text given as bytes.
    ///
    /// # Errors
    ///
    /// As [`from_str`](crate::from_str), and `invalid_utf8`.
    pub fn from_slice(&self, input: &[u8]) -> Result<GraphResponse, Error> {
        self.from_str(Error::utf8(input)?)
    }

    /// Reads `reader` to its end and decodes the response.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`], and `io` when the reader fails.
    pub fn from_reader<R: Read>(&self, mut reader: R) -> Result<GraphResponse, Error> {
        let mut input = Vec::new();
        reader.read_to_end(&mut input)?;
        self.from_slice(&input)
    }
}
