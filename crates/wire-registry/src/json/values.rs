//! JSON as a codec of values.

use wire_core::text::from_utf8;
use wire_core::value::{Flaw, Layout, flaw};
use wire_core::{Audience, CodecError, CodecInfo, Magic, Position, ValueCodec};

use super::{JsonErrorKind, codec_error};

/// Any value as JSON, compact or indented by two spaces, with a final newline. Numbers and strings
/// are copied as they are written, and a duplicate key is an error.
///
/// ```
/// use wire_core::ValueCodec;
/// use wire_registry::json::JsonValues;
///
/// let text = JsonValues::pretty().encode(r#"{"id": 18446744073709551616, "tags": []}"#)?;
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
        checked(json)?;
        Ok(laid_out(json, self.layout).into_bytes())
    }

    /// The text is returned unchanged, so that positions in it are positions in the input.
    fn decode(&self, input: &[u8]) -> Result<String, CodecError> {
        let text = from_utf8(input).map_err(|(at, message)| {
            codec_error(JsonErrorKind::InvalidUtf8, Some(Position::in_text(input, at)), message)
        })?;
        checked(text)?;
        Ok(text.to_owned())
    }
}

fn checked(json: &str) -> Result<(), CodecError> {
    let Some(found) = flaw(json, |_| None) else { return Ok(()) };
    let kind = match found.kind {
        Flaw::Syntax if found.at == json.len() => JsonErrorKind::UnexpectedEnd,
        Flaw::Syntax | Flaw::TooDeep => JsonErrorKind::Syntax,
        Flaw::DuplicateKey | Flaw::OutOfRange => JsonErrorKind::Data,
    };
    let position = Position::in_text(json.as_bytes(), found.at);
    Err(codec_error(kind, Some(position), found.into_message()))
}

/// The same JSON text with other white space. Tokens are copied, since no number type can represent
/// every number of a text.
fn laid_out(json: &str, layout: Layout) -> String {
    let mut out = String::with_capacity(json.len() + 1);
    let mut depth = 0_usize;
    let line = |out: &mut String, depth: usize| {
        if layout == Layout::Pretty {
            out.push('\n');
            out.extend(std::iter::repeat_n("  ", depth));
        }
    };
    let mut rest = json.trim_ascii_start();
    while let Some(first) = rest.chars().next() {
        let token = token(rest);
        rest = rest[token.len()..].trim_ascii_start();
        match first {
            '{' | '[' => {
                out.push_str(token);
                // Empty containers stay on one line.
                if !rest.starts_with(['}', ']']) {
                    depth += 1;
                    line(&mut out, depth);
                }
            }
            '}' | ']' => {
                if !out.ends_with(['{', '[']) {
                    depth = depth.saturating_sub(1);
                    line(&mut out, depth);
                }
                out.push_str(token);
            }
            ',' => {
                out.push_str(token);
                line(&mut out, depth);
            }
            ':' if layout == Layout::Pretty => out.push_str(": "),
            _ => out.push_str(token),
        }
    }
    out.push('\n');
    out
}

/// The first token of a JSON text that begins with one.
fn token(text: &str) -> &str {
    let bytes = text.as_bytes();
    let end = match bytes[0] {
        b'"' => {
            let mut at = 1;
            while at < bytes.len() && bytes[at] != b'"' {
                at += if bytes[at] == b'\\' { 2 } else { 1 };
            }
            at + 1
        }
        b'{' | b'}' | b'[' | b']' | b',' | b':' => 1,
        _ => {
            let is_end =
                |byte: &u8| matches!(byte, b'}' | b']' | b',' | b':') || byte.is_ascii_whitespace();
            bytes.iter().position(is_end).unwrap_or(bytes.len())
        }
    };
    &text[..end.min(bytes.len())]
}
