//! JSON text as the response of a tool, and back, with the default options.

use crate::{Decoder, Encoder, Error};

/// Encodes the response of a tool given as JSON text. The result is that of
/// [`encode_layout`](crate::encode_layout) for its value. An array of objects, of a tool
/// without a layout, is converted without a tree, in less time and memory.
///
/// ```
/// let text = gcx::json_to_layout(
///     "list",
///     r#"[{"id": 18446744073709551616, "at": [1, 2.50]}, {"id": null}]"#,
/// )?;
/// assert_eq!(
///     text,
///     "GCX1 tool=list fields=at,id rows=2\n[1,2.5]\t18446744073709551616\n\t\n"
/// );
///
/// let error =
///     gcx::json_to_layout("list", "[{\"id\": 1},\n {\"id\": 2, \"id\": 3}]")
///         .unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     r#"line 2, column 12: the key "id" appears twice, expected once"#
/// );
/// # Ok::<(), gcx::Error>(())
/// ```
///
/// # Errors
///
/// With the position in the JSON text: `json_syntax`; `duplicate_key`, at the second key;
/// `out_of_range` for a number such as `1e400` beyond the range of doubles (integers keep all
/// digits, ruling A6); `too_deep`. Without a position: the errors of
/// [`encode_layout`](crate::encode_layout).
pub fn json_to_layout(tool: &str, json: &str) -> Result<String, Error> {
    Encoder::new().json_to_layout(tool, json)
}

/// Encodes any JSON text as the response of a tool without loss. The result is that of
/// [`encode_response`](crate::encode_response) for its value, in less time and memory, as with
/// [`json_to_layout`].
///
/// ```
/// let json = r#"[{"id":"42","size":1.0},{"id":"","size":null}]"#;
/// let text = gcx::json_to_gcx("list", json)?;
/// assert_eq!(
///     text,
///     "GCX1 tool=list fields=id,size rows=2 typed=objects:string,float?\n42\t1\n\
///      \t\n"
/// );
/// assert_eq!(gcx::gcx_to_json(&text)?, json);
/// # Ok::<(), gcx::Error>(())
/// ```
///
/// # Errors
///
/// As [`json_to_layout`] and [`encode_response`](crate::encode_response).
pub fn json_to_gcx(tool: &str, json: &str) -> Result<String, Error> {
    Encoder::new().json_to_gcx(tool, json)
}

/// Decodes the response of any tool, in any form, to minified JSON text with the literals of all
/// its numbers (ruling A7). [`Decoder::pretty`] indents it.
///
/// ```
/// let json = gcx::gcx_to_json(
///     "GCX1 tool=t fields=id,on rows=1\n18446744073709551616\ttrue\n",
/// )?;
/// assert_eq!(json, r#"[{"id":18446744073709551616,"on":true}]"#);
/// # Ok::<(), gcx::Error>(())
/// ```
///
/// # Errors
///
/// As [`decode_exact`](crate::decode_exact).
pub fn gcx_to_json(text: &str) -> Result<String, Error> {
    Decoder::new().gcx_to_json(text)
}
