//! The text of an input.

use wire_core::{CodecError, Position};

/// The text of an input.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, CodecError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        let message = if bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") {
            "the input is UTF-16, expected UTF-8 text"
        } else {
            "the input is not UTF-8, expected UTF-8 text"
        };
        CodecError::new("invalid_utf8", Some(position), message)
    })
}
