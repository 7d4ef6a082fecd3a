//! GCX1: the responses of tools as tab-separated rows.
//!
//! A header names the columns once, so rows contain only values. The crate is for servers of tools
//! whose clients are language models, and for anybody who wants JSON of records in fewer tokens.
//!
//! # Write, and read back
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize, PartialEq, Debug)]
//! struct Symbol {
//!     id: String,
//!     line: Option<u32>,
//! }
//!
//! let symbols = vec![
//!     Symbol { id: "pkg.Auth".into(), line: Some(42) },
//!     Symbol { id: "pkg.auth".into(), line: None },
//! ];
//! let text = gcx::to_string("search_symbols", &symbols)?;
//! assert_eq!(
//!     text,
//!     "GCX1 tool=search_symbols fields=id,line rows=2\n\
//!      pkg.Auth\t42\n\
//!      pkg.auth\t\n",
//! );
//! assert_eq!(gcx::from_str::<Vec<Symbol>>(&text)?, symbols);
//!
//! // An error has a code and a position.
//! let wrong = text.replace("42", "x");
//! let error = gcx::from_str::<Vec<Symbol>>(&wrong).unwrap_err();
//! assert_eq!(error.code(), "invalid_cell");
//! assert_eq!(error.position().unwrap().to_string(), "line 2, column 10");
//! # Ok::<(), gcx::Error>(())
//! ```
//!
//! # The JSON of a tool
//!
//! The header names the types of the columns, so any JSON decodes to an equal value. A tool of the
//! table of [layouts](layout) has columns of its own with [`encode_layout`].
//!
//! ```
//! let response = serde_json::json!([
//!     {"file": "auth_test.go", "flaky": false},
//!     {"file": null, "flaky": true},
//! ]);
//! let text = gcx::encode_response("get_test_targets", &response)?;
//! assert_eq!(
//!     text,
//!     "GCX1 tool=get_test_targets fields=file,flaky rows=2 \
//!      typed=objects:string?,boolean\n\
//!      auth_test.go\tfalse\n\
//!      \ttrue\n",
//! );
//! assert_eq!(gcx::decode_response(&text)?, response);
//! # Ok::<(), gcx::Error>(())
//! ```
//!
//! # Where to look
//!
//! | to … | use |
//! |---|---|
//! | convert JSON text without a tree | [`json_to_gcx`], [`gcx_to_json`] |
//! | read or write row by row | [`Reader`], [`SliceReader`], [`Writer`] |
//! | choose options | [`Encoder`], [`Decoder`] |
//! | encode the response of a known tool | [`encode_layout`], [`json_to_layout`] |
//! | serve several repositories | the module [`workspace`] |
//! | encode graph payloads | the codec [`Gcx`] |
//!
//! [The format's page](https://github.com/wire-formats/wire/blob/main/docs/formats/gcx.md) explains the text.

mod codec;
mod decode;
mod encode;
mod error;
mod escape;
mod grammar;
mod header;
mod io;
pub mod json;
mod json_text;
mod limits;
mod response;
mod special;
mod values;
pub mod workspace;

use std::io::{Read, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use codec::Gcx;
pub use decode::{Decoder, Row, SliceReader};
pub use encode::{Encoded, Encoder, IntoRows, Writer};
pub use error::{Error, ErrorKind};
pub use header::Header;
pub use io::Reader;
pub use json_text::{gcx_to_json, json_to_gcx, json_to_layout};
pub use limits::LIMITS;
pub use response::layout;
pub use values::GcxValues;
// Their types are those of this crate's functions.
pub use {serde_json, wire_core};

/// Encodes rows as one section. Rows are anything that iterates over values that serde can
/// serialize.
///
/// A struct has one column for each field, in the order of their declaration. A map has one for
/// each key, sorted. The section has the columns of all rows. Other values are the cells of a
/// single column `value`. A cell is a number, a name or a text; `None` is an empty cell; arrays and
/// nested objects are compact JSON (rulings X6, X7). The number of rows is declared.
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
/// struct Symbol<'a> {
///     id: &'a str,
///     line: Option<u32>,
///     tags: Vec<&'a str>,
/// }
/// let symbols = [
///     Symbol { id: "pkg.Auth", line: Some(42), tags: vec!["api"] },
///     Symbol { id: "pkg.auth", line: None, tags: vec![] },
/// ];
/// let text = gcx::to_string("search_symbols", &symbols)?;
/// assert_eq!(
///     text,
///     "GCX1 tool=search_symbols fields=id,line,tags rows=2\n\
///      pkg.Auth\t42\t[\"api\"]\n\
///      pkg.auth\t\t[]\n",
/// );
/// # Ok::<(), gcx::Error>(())
/// ```
///
/// # Errors
///
/// With the number of the row and the name of the field:
///
/// - `non_finite_number` and `too_deep`;
/// - `invalid_key`, and `duplicate_field` for a duplicate field of a row or key of an object;
/// - `not_a_row` when some rows are objects and others are single values;
/// - `invalid_value` when a value can't be serialized, and for a variant whose cell would be empty;
/// - `invalid_field` and `missing_tool` as [`Writer::begin`].
pub fn to_string<I: IntoRows>(tool: &str, rows: I) -> Result<String, Error> {
    Encoder::new().to_string(tool, rows)
}

/// Encodes rows as one section, as bytes.
///
/// # Errors
///
/// As [`to_string`].
pub fn to_vec<I: IntoRows>(tool: &str, rows: I) -> Result<Vec<u8>, Error> {
    Encoder::new().to_vec(tool, rows)
}

/// Encodes rows as one section into `writer`. All rows are collected before the first is written:
/// see [`Encoder::to_writer`].
///
/// # Errors
///
/// As [`to_string`], and `io` when the writer fails.
pub fn to_writer<W, I>(writer: W, tool: &str, rows: I) -> Result<(), Error>
where
    W: Write,
    I: IntoRows,
{
    Encoder::new().to_writer(writer, tool, rows)
}

/// Decodes the rows of a text with one section, as a sequence of values that serde can deserialize.
/// A struct or map instead of a sequence reads the only row.
///
/// A cell is read as the requested type:
///
/// - An empty cell is `None`, or the empty string, list or map.
/// - A list may have commas between its elements, or be a JSON array. Nested structs and maps are
///   JSON.
/// - Where no type is requested (for example in a [`Value`], or in the fields of a flattened
///   struct), a cell is a number if it is one in canonical notation; else a truth value, a JSON
///   array or a JSON object if it is one. An empty cell is null, and any other cell is text.
///
/// ```
/// #[derive(serde::Deserialize, PartialEq, Debug)]
/// struct Symbol<'a> {
///     id: &'a str,
///     line: Option<u32>,
///     tags: Vec<String>,
/// }
/// let text = "GCX1 tool=search_symbols fields=id,line,tags,path\n\
///             pkg.Auth\t42\tapi,v2\n\
///             pkg.auth\n";
/// let symbols: Vec<Symbol> = gcx::from_str(text)?;
/// let tags = vec!["api".into(), "v2".into()];
/// assert_eq!(symbols[0], Symbol { id: "pkg.Auth", line: Some(42), tags });
/// assert_eq!(symbols[1], Symbol { id: "pkg.auth", line: None, tags: vec![] });
///
/// let text = "GCX1 tool=t fields=id,line\na\tx\n";
/// let error = gcx::from_str::<Vec<Symbol>>(text).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"line 2, column 3: the cell is "x", expected an integer of the type u32"#,
/// );
/// # Ok::<(), gcx::Error>(())
/// ```
///
/// # Errors
///
/// As [`SliceReader`]. With its position: `invalid_cell` for a cell that does not match its type,
/// `invalid_row` for a row that does not, `invalid_shape` for a second section and for a field's
/// name of more than 256 bytes.
pub fn from_str<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    Decoder::new().from_str(text)
}

/// Decodes the rows of a text given as bytes.
///
/// # Errors
///
/// As [`from_str`], and `invalid_utf8`.
pub fn from_slice<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
    Decoder::new().from_slice(input)
}

/// Decodes the rows that `reader` yields. At most one line is in memory besides the decoded value.
///
/// # Errors
///
/// As [`from_slice`], and `io` when the reader fails.
pub fn from_reader<R: Read, T: DeserializeOwned>(reader: R) -> Result<T, Error> {
    Decoder::new().from_reader(reader)
}

/// Encodes the response of a tool: by the [layout] of the tool, as a shape of a [workspace], or by
/// the generic fallback, which accepts any JSON.
///
/// ```
/// let response = serde_json::json!({
///     "results": [{
///         "id": "auth.go::Auth",
///         "kind": "type",
///         "name": "Auth",
///         "file_path": "auth.go",
///         "start_line": 7,
///     }],
///     "total": 12,
/// });
/// let text = gcx::encode_layout("search_symbols", &response)?;
/// assert_eq!(
///     text,
///     "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig \
///      rows=1 total=12\n\
///      auth.go::Auth\ttype\tAuth\tauth.go\t7\t\n",
/// );
/// assert_eq!(gcx::decode_response(&text)?, response);
/// # Ok::<(), gcx::Error>(())
/// ```
///
/// A response that does not fit its tool's layout is written whole, as [`encode_response`] does, so
/// that nothing is lost (ruling X13). A tool without a layout uses the plain fallback. It does not
/// distinguish `null`, `""` and a missing member, nor a number from text that looks like one;
/// [`encode_response`] does.
///
/// # Errors
///
/// `too_deep`, `missing_tool`, `non_finite_number`, `invalid_key`, and `invalid_value` for values
/// that are not JSON.
pub fn encode_layout<T>(tool: &str, response: &T) -> Result<String, Error>
where
    T: Serialize + ?Sized,
{
    Encoder::new().encode_layout(tool, response)
}

/// Encodes any JSON as the response of a tool without loss: the header names the types of the
/// columns (ruling X10). Layouts are not used. The columns are in the order in which the members
/// first appear, and objects in cells keep the order of their members (ruling X15).
///
/// ```
/// let response = serde_json::json!([
///     {"id": "42", "size": 1.0},
///     {"id": "", "size": null},
/// ]);
/// let text = gcx::encode_response("list", &response)?;
/// assert_eq!(
///     text,
///     "GCX1 tool=list fields=id,size rows=2 typed=objects:string,float?\n\
///      42\t1\n\
///      \t\n",
/// );
/// assert_eq!(gcx::decode_response(&text)?, response);
/// # Ok::<(), gcx::Error>(())
/// ```
///
/// # Errors
///
/// `too_deep` when arrays and objects are nested more than 127 levels below a cell; `missing_tool`.
pub fn encode_response<T>(tool: &str, response: &T) -> Result<String, Error>
where
    T: Serialize + ?Sized,
{
    Encoder::new().encode_response(tool, response)
}

/// Decodes the response of any tool, in any form, to JSON.
///
/// # Errors
///
/// As [`SliceReader`]. With its position: `invalid_shape` for sections, columns or numbers of rows
/// that the tool does not have, `invalid_cell` for a cell that does not match its column,
/// `out_of_range` for an integer beyond 64 bits that is not the text of a double (ruling A6), and
/// `invalid_types`.
pub fn decode_response(text: &str) -> Result<Value, Error> {
    Decoder::new().decode_response(text)
}

/// Decodes a response to JSON with all digits of its integers, which can be written as JSON text or
/// as GCX1 again.
///
/// ```
/// let text = "GCX1 tool=t fields=id typed=objects:integer rows=1\n\
///             18446744073709551616\n";
/// let value = gcx::decode_exact(text)?;
/// assert_eq!(value.to_string(), r#"[{"id":18446744073709551616}]"#);
/// assert_eq!(gcx::decode_response(text).unwrap_err().code(), "out_of_range");
/// # Ok::<(), gcx::Error>(())
/// ```
///
/// # Errors
///
/// As [`decode_response`], except `out_of_range`.
pub fn decode_exact(text: &str) -> Result<json::Exact, Error> {
    Decoder::new().decode_exact(text)
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
