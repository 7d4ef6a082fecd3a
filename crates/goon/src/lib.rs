//! GOON: the response of a graph query as text with fewer tokens than JSON.
//!
//! The crate is for servers that answer graph queries of language models. It writes responses
//! deterministically, and reads them back strictly.
//!
//! # Write, and read back
//!
//! ```
//! use goon::{Edge, GraphResponse, Node, QueryType};
//!
//! let mut response = GraphResponse::new(QueryType::Traversal);
//! response.nodes = vec![
//!     Node::new("User", 1).with("username", "alice"),
//!     Node::new("MergeRequest", 42)
//!         .with("title", "Fix auth bug")
//!         .with("iid", 101),
//! ];
//! response.edges = vec![Edge::new(("User", 1), "AUTHORED", ("MergeRequest", 42))];
//! let text = goon::to_string(&response)?;
//! assert!(text.contains("MergeRequest(1):\n42 iid=101 title=\"Fix auth bug\"\n"));
//! assert!(text.ends_with("@edges\nAUTHORED(1):\nUser:1 --> MergeRequest:42\n"));
//! assert_eq!(goon::from_str(&text)?.edges, response.edges);
//!
//! // An error has a code and a position.
//! let error = goon::from_str(&text.replace("nodes:2", "nodes:3")).unwrap_err();
//! assert_eq!(error.code(), "count_mismatch");
//! # Ok::<(), goon::Error>(())
//! ```
//!
//! # Where to look
//!
//! | to … | use |
//! |---|---|
//! | encode and decode a response | [`to_string`], [`from_str`]; with options [`Encoder`], [`Decoder`] |
//! | convert the JSON of a response | [`json_to_goon`], [`goon_to_json`] |
//! | build a response | [`GraphResponse`], [`Node`], [`Edge`] |
//! | send a text with the name and version of its format | [`Stamped`], [`Envelope`] |
//! | put graph payloads into a registry | [`Goon`] |
//!
//! [The format's page](https://github.com/wire-formats/wire/blob/main/docs/formats/goon.md) explains the text and what it loses.

mod codec;
mod datetime;
mod decode;
mod encode;
mod error;
mod grammar;
mod json;
mod limits;
mod response;
mod stamped;
mod strict_value;
mod value;
mod version;

use std::io::{Read, Write};

pub use codec::Goon;
pub use decode::Decoder;
pub use encode::{EncodeReport, Encoder};
pub use error::{Error, ErrorKind};
pub use limits::LIMITS;
pub use response::{
    Column, Edge, GraphResponse, GroupColumn, GroupKind, Node, Pagination, QueryType, Row,
};
pub use stamped::{Envelope, FORMAT_NAME, Stamped};
pub use version::Version;
// Their types are those of this crate's functions.
pub use {serde_json, wire_core};

/// Encodes a response as text with the default options: version 1.0.0, and long texts are cut.
///
/// # Errors
///
/// `not_representable` for data that the version can't represent; `invalid_name` for names that
/// could not be read back (ruling N6); `duplicate_node`, `conflicting_node`, `dangling_edge`,
/// `broken_path`, `invalid_cell`, `unnamed_column`, `duplicate_column`, `unknown_member` of a
/// node's cell, `key_collision` and `too_deep`, as [`ErrorKind`] describes them.
pub fn to_string(response: &GraphResponse) -> Result<String, Error> {
    Encoder::new().to_string(response)
}

/// Encodes a response as bytes.
///
/// # Errors
///
/// As [`to_string`].
pub fn to_vec(response: &GraphResponse) -> Result<Vec<u8>, Error> {
    Encoder::new().to_vec(response)
}

/// Encodes a response into `writer`.
///
/// # Errors
///
/// As [`to_string`], and `io` when the writer fails.
pub fn to_writer<W: Write>(writer: W, response: &GraphResponse) -> Result<(), Error> {
    Encoder::new().to_writer(writer, response)
}

/// Decodes the response of a text, of either version.
///
/// # Errors
///
/// `not_goon`, `unsupported_version`, `invalid_header`, `invalid_section`, `count_mismatch` and the
/// other codes of decoding, each with its position.
pub fn from_str(text: &str) -> Result<GraphResponse, Error> {
    Decoder::new().from_str(text)
}

/// Decodes the response of a text given as bytes.
///
/// # Errors
///
/// As [`from_str`], and `invalid_utf8`.
pub fn from_slice(input: &[u8]) -> Result<GraphResponse, Error> {
    Decoder::new().from_slice(input)
}

/// Reads `reader` to its end and decodes the response.
///
/// # Errors
///
/// As [`from_slice`], and `io` when the reader fails.
pub fn from_reader<R: Read>(reader: R) -> Result<GraphResponse, Error> {
    Decoder::new().from_reader(reader)
}

/// Encodes a response given as JSON text in its [JSON form](GraphResponse::from_json_str).
///
/// ```
/// let json = concat!(
///     r#"{"query_type":"search","nodes":[{"type":"User","id":1,"name":"ann"}],"#,
///     r#""edges":[]}"#,
/// );
/// let text = goon::json_to_goon(json)?;
/// assert!(text.ends_with("@nodes\nUser(1):\n1 name=ann\n@edges\n"));
/// assert_eq!(goon::goon_to_json(&text)?, json);
/// # Ok::<(), goon::Error>(())
/// ```
///
/// # Errors
///
/// As [`GraphResponse::from_json_str`], with the position in the JSON text, and as [`to_string`].
pub fn json_to_goon(json: &str) -> Result<String, Error> {
    Encoder::new().json_to_goon(json)
}

/// Decodes a text to its JSON form, as JSON text without white space; [`Decoder::pretty`] indents
/// it.
///
/// # Errors
///
/// As [`from_str`].
pub fn goon_to_json(text: &str) -> Result<String, Error> {
    Decoder::new().goon_to_json(text)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
