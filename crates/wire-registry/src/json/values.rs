//! JSON as a codec of values.

use wire_core::json::{self, ErrorKind, Layout, Reader, Strings, laid_out};
use wire_core::text::from_utf8;
use wire_core::{Audience, CodecError, CodecInfo, Magic, Position, ValueCodec};

use super::{JsonErrorKind, codec_error};

/// Any value as JSON, compact or indented by two spaces, with a final newline. Numbers and strings
/// are copied as they are written, and a duplicate key is an error.
///
/// ```
/// use wire_core::ValueCodec;
/// use wire_registry::json::JsonValues;
///
/// let text = JsonValues::pretty()
///     .encode(r#"{"id": 18446744073709551616, "tags": []}"#)?;
/// assert_eq!(text, b"{\n  \"id\": 18446744073709551616,\n  \"tags\": []\n}\n");
/// # Ok::<(), wire_core::CodecError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct JsonValues {
    layout: Layout,
}

const COMPACT: CodecInfo = CodecInfo::new("json", "JSON, minified: what every tool reads.")
    .with_audience(Audience::People)
    .with_magic(Magic::OneAfterWhitespace(b"{["))
    .with_extensions(&["json"])
    .with_media_type("application/json");

const PRETTY: CodecInfo =
    CodecInfo::new("json-pretty", "JSON, indented by two spaces: for people.")
        .with_audience(Audience::People)
        .with_media_type("application/json");

impl JsonValues {
    /// Without white space.
    pub const fn compact() -> Self {
        JsonValues { layout: Layout::Compact }
    }

    /// Indented by two spaces.
    pub const fn pretty() -> Self {
        JsonValues { layout: Layout::Pretty }
    }
}

impl ValueCodec for JsonValues {
    fn info(&self) -> &CodecInfo {
        match self.layout {
            Layout::Compact => &COMPACT,
            Layout::Pretty => &PRETTY,
        }
    }

    fn encode(&self, json: &str) -> Result<Vec<u8>, CodecError> {
        let text = laid_out(json, self.layout, Strings::AsWritten)
            .map_err(|error| refused(json, &error))?;
        Ok((text + "\n").into_bytes())
    }

    /// The text is returned unchanged, so that positions in it are positions in the input.
    fn decode(&self, input: &[u8]) -> Result<String, CodecError> {
        let text = from_utf8(input).map_err(|(at, message)| {
            codec_error(JsonErrorKind::InvalidUtf8, Some(Position::in_text(input, at)), message)
        })?;
        let mut reader = Reader::new(text);
        let read = reader.skip().and_then(|_| reader.end());
        read.map_err(|error| refused(text, &error))?;
        Ok(text.to_owned())
    }
}

/// The error of a text, with the codes of JSON.
#[cold]
pub(super) fn refused(json: &str, error: &json::Error) -> CodecError {
    let kind = match error.kind() {
        ErrorKind::UnexpectedEnd => JsonErrorKind::UnexpectedEnd,
        ErrorKind::Syntax | ErrorKind::TooDeep => JsonErrorKind::Syntax,
        _ => JsonErrorKind::Data,
    };
    let position = Position::in_text(json.as_bytes(), error.offset());
    codec_error(kind, Some(position), error.message().to_owned())
}
