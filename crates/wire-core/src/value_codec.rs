//! The trait of formats that represent any JSON value.

use crate::codec::{CodecError, CodecInfo};

/// Encodes any JSON value to a format and decodes it: [`Codec`](crate::Codec) for values.
///
/// Values are passed as JSON text, which keeps every digit of every number and which a codec can
/// read without a tree. A codec of values is lossless or fails: every text that it encodes decodes
/// to an equal value. The order of the members of objects and the notation of numbers don't matter.
///
/// An implementation is a plain value that contains its options. It keeps no state between calls.
///
/// ```
/// use wire_core::{CodecError, CodecInfo, Magic, ValueCodec};
///
/// const INFO: CodecInfo =
///     CodecInfo::new("sequence", "JSON behind a record separator (RFC 7464).")
///         .with_magic(Magic::Prefix(b"\x1e"))
///         .with_media_type("application/json-seq");
///
/// struct Sequence;
/// impl ValueCodec for Sequence {
///     fn info(&self) -> &CodecInfo {
///         &INFO
///     }
///     fn encode(&self, json: &str) -> Result<Vec<u8>, CodecError> {
///         // A real one looks whether it is JSON.
///         Ok(format!("\x1e{json}\n").into_bytes())
///     }
///     fn decode(&self, input: &[u8]) -> Result<String, CodecError> {
///         let text = std::str::from_utf8(input)
///             .ok()
///             .and_then(|text| text.strip_prefix('\x1e'));
///         let text = text.ok_or_else(|| {
///             CodecError::new(
///                 "not_a_sequence",
///                 None,
///                 "no record begins the input",
///             )
///         })?;
///         Ok(text.trim_end().to_owned())
///     }
/// }
/// assert_eq!(Sequence.decode(&Sequence.encode("[1]")?)?, "[1]");
/// # Ok::<(), CodecError>(())
/// ```
pub trait ValueCodec: Send + Sync {
    /// The format's name, magic, media type and audience. The fidelity is about payloads and has no
    /// meaning here.
    fn info(&self) -> &CodecInfo;

    /// The value of a JSON text in the format.
    ///
    /// # Errors
    ///
    /// With the position in the JSON text: when the text is not JSON, an object has a duplicate
    /// key, or the format can't represent the value.
    fn encode(&self, json: &str) -> Result<Vec<u8>, CodecError>;

    /// The value of a whole input, as JSON text.
    ///
    /// # Errors
    ///
    /// When the input is not valid in the format, with the position.
    fn decode(&self, input: &[u8]) -> Result<String, CodecError>;
}
