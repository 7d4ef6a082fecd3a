//! Encoding: the checks of a response, and its sections.

mod edges;
mod header;
mod name;
mod nodes;
mod options;
mod rows;

use std::io::Write;

use self::nodes::Written;
pub use self::options::EncodeReport;
use self::options::Options;
use crate::grammar::{EDGES, HEADER, NODES, PATHS, ROWS};
use crate::response::{GraphResponse, QueryType};
use crate::version::Version;
use crate::{Error, ErrorKind};

/// The approximate size of a node and of an edge in bytes. When it is too low, the text is
/// reallocated.
const NODE_SIZE: usize = 64;
const EDGE_SIZE: usize = 32;

/// Encodes responses, with options. The functions [`to_string`](crate::to_string) and its siblings
/// use the default options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoder {
    pub(crate) options: Options,
}

impl Encoder {
    /// The default options.
    pub const fn new() -> Self {
        Encoder { options: Options::DEFAULT }
    }

    /// Sets whether a decimal of a JSON text that is not the shortest text of a double is an error,
    /// `inexact_number` (default `false`: it is rounded to the nearest double, ruling A7).
    #[must_use]
    pub const fn exact(mut self, exact: bool) -> Self {
        self.options.exact = exact;
        self
    }

    /// Sets the version (default [`Version::V1_0_0`]).
    #[must_use]
    pub const fn version(mut self, version: Version) -> Self {
        self.options.version = version;
        self
    }

    /// Sets whether strings that look like numbers are quoted (default `false`: they are bare, so
    /// `18` and `"18"` are the same text; ruling N7).
    #[must_use]
    pub const fn quote_numbers(mut self, quoted: bool) -> Self {
        self.options.strings.quote_numbers = quoted;
        self
    }

    /// Sets the maximum length, in characters, of the texts of `body`, `description`, `name`,
    /// `note` and `title` (default `Some(200)`; at least 3). Longer texts are cut. In a node a
    /// property with the suffix `_len` states the full length; in a row nothing does, and
    /// [`EncodeReport::cut_cells`] counts the cut cells (ruling N16). With `None` no text is cut;
    /// the decoder then needs [limits](crate::Decoder::limits) for such long lines.
    #[must_use]
    pub fn long_text(mut self, characters: Option<usize>) -> Self {
        self.options.strings.long_text = characters.map(|characters| characters.max(3));
        self
    }

    /// Sets the maximum length, in characters, of the texts of all other keys (default
    /// `Some(1000)`; at least 3), like [`Encoder::long_text`].
    #[must_use]
    pub fn other_text(mut self, characters: Option<usize>) -> Self {
        self.options.strings.other_text = characters.map(|characters| characters.max(3));
        self
    }

    /// Sets whether data that the format can't represent is dropped (default `false`: it is an
    /// error). This concerns members of the pagination that the version does not have, and cells
    /// whose node appeared earlier with other properties, of which the first is kept (ruling N12).
    /// [`Encoder::encode`] returns the numbers of both.
    #[must_use]
    pub const fn drop_unrepresentable(mut self, dropped: bool) -> Self {
        self.options.drop_unrepresentable = dropped;
        self
    }

    /// Appends the text to `out`, and reports what was dropped or cut.
    ///
    /// ```
    /// use goon::{Encoder, GraphResponse, Pagination, QueryType};
    ///
    /// let mut response = GraphResponse::new(QueryType::Search);
    /// response.pagination =
    ///     Some(Pagination { truncated: Some(true), ..Pagination::default() });
    /// let mut out = Vec::new();
    /// let report =
    ///     Encoder::new().drop_unrepresentable(true).encode(&response, &mut out)?;
    /// assert_eq!(report.pagination_members, 1);
    /// # Ok::<(), goon::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string). Then `out` is what it was before the call.
    pub fn encode(
        &self,
        response: &GraphResponse,
        out: &mut Vec<u8>,
    ) -> Result<EncodeReport, Error> {
        let (text, report) = self.text(response)?;
        out.extend_from_slice(text.as_bytes());
        Ok(report)
    }

    /// Encodes a response as text.
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string).
    pub fn to_string(&self, response: &GraphResponse) -> Result<String, Error> {
        self.text(response).map(|(text, _)| text)
    }

    fn text(&self, response: &GraphResponse) -> Result<(String, EncodeReport), Error> {
        let aggregation = response.query_type == QueryType::Aggregation;
        if !aggregation {
            let columns = response.columns.len() + response.group_columns.len();
            if columns + response.rows.len() > 0 {
                let message = format!(
                    "a response of the query type {} has columns or rows, expected them in aggregations only",
                    response.query_type.name()
                );
                return Err(Error::encode(ErrorKind::NotRepresentable, message));
            }
        }
        let sizes = response.nodes.len() * NODE_SIZE + response.edges.len() * EDGE_SIZE;
        let mut text = String::with_capacity(sizes);
        let marker = |text: &mut String, marker: &str| text.extend([marker, "\n"]);
        marker(&mut text, NODES);
        let Written { nodes, conflicting } = nodes::section(&mut text, response, &self.options)?;
        let edges = if response.query_type == QueryType::PathFinding {
            marker(&mut text, PATHS);
            edges::paths(&mut text, response)?
        } else {
            marker(&mut text, EDGES);
            edges::section(&mut text, response)?
        };
        let mut cut_cells = 0;
        if aggregation {
            marker(&mut text, ROWS);
            cut_cells = rows::section(&mut text, response, &self.options.strings)?;
        }
        // The counts are known last, but come first in the text. Moving the text once is faster
        // than writing it twice.
        let mut report =
            EncodeReport { cut_cells, conflicting_nodes: conflicting, pagination_members: 0 };
        text.insert_str(0, &header::section(&self.options, response, nodes, edges, &mut report)?);
        debug_assert!(text.starts_with(HEADER));
        Ok((text, report))
    }

    /// Encodes a response as bytes.
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string).
    pub fn to_vec(&self, response: &GraphResponse) -> Result<Vec<u8>, Error> {
        self.to_string(response).map(String::into_bytes)
    }

    /// Encodes a response into `writer`.
    ///
    /// # Errors
    ///
    /// As [`to_string`](crate::to_string), and `io` when the writer fails.
    pub fn to_writer<W: Write>(
        &self,
        mut writer: W,
        response: &GraphResponse,
    ) -> Result<(), Error> {
        let text = self.to_string(response)?;
        writer.write_all(text.as_bytes())?;
        Ok(writer.flush()?)
    }
}
