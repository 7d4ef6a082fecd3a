//! The typed form as a codec of values.

use wire_core::value::{Flaw, flaw};
use wire_core::{Audience, CodecError, CodecInfo, Magic, Position, ValueCodec};

use crate::decode::Decoder;
use crate::encode::Encoder;
use crate::json::Exact;

/// GCX1 as a [`ValueCodec`], for registries. It writes the typed form under one tool name, and
/// reads any form.
///
/// ```
/// use gcx::GcxValues;
/// use gcx::wire_core::ValueCodec;
///
/// let text = GcxValues::default().encode(r#"[{"id": 18446744073709551616, "name": null}]"#)?;
/// assert_eq!(
///     String::from_utf8_lossy(&text),
///     "GCX1 tool=value fields=id,name rows=1 typed=objects:integer,null\n18446744073709551616\t\n",
/// );
/// assert_eq!(GcxValues::default().decode(&text)?, r#"[{"id":18446744073709551616,"name":null}]"#);
/// # Ok::<(), gcx::wire_core::CodecError>(())
/// ```
#[derive(Clone, Debug)]
pub struct GcxValues {
    tool: String,
    encoder: Encoder,
    decoder: Decoder,
}

const INFO: CodecInfo = CodecInfo::new("gcx", "Values as rows of text with typed columns.")
    .with_audience(Audience::Agents)
    .with_magic(Magic::Prefix(b"GCX1 "))
    .with_extensions(&["gcx"])
    .with_media_type("application/vnd.gcx+text");

impl GcxValues {
    /// A codec that writes `tool` as the tool (default `value`), with these options.
    pub fn new(tool: impl Into<String>, encoder: Encoder, decoder: Decoder) -> Self {
        GcxValues { tool: tool.into(), encoder, decoder }
    }
}

impl Default for GcxValues {
    fn default() -> Self {
        GcxValues::new("value", Encoder::new(), Decoder::new())
    }
}

impl ValueCodec for GcxValues {
    fn info(&self) -> &CodecInfo {
        &INFO
    }

    fn encode(&self, json: &str) -> Result<Vec<u8>, CodecError> {
        let value: Exact = json.parse().map_err(|error| refused(json, &error))?;
        Ok(self.encoder.encode_typed(&self.tool, &value)?.into_bytes())
    }

    fn decode(&self, input: &[u8]) -> Result<String, CodecError> {
        let text = std::str::from_utf8(input).map_err(|error| {
            let position = Position::in_text(input, error.valid_up_to());
            let message = format!("{position}: the input is not UTF-8, expected UTF-8 text");
            CodecError::new("invalid_utf8", Some(position), message)
        })?;
        Ok(self.decoder.decode_exact(text)?.to_string())
    }
}

/// The error of a JSON text, with its position.
#[cold]
fn refused(json: &str, error: &serde_json::Error) -> CodecError {
    let Some(found) = flaw(json, |_| None) else {
        return CodecError::new("out_of_range", None, error.to_string());
    };
    let code = match found.kind {
        Flaw::Syntax => "json_syntax",
        Flaw::TooDeep => "too_deep",
        Flaw::DuplicateKey => "duplicate_key",
        Flaw::OutOfRange => "out_of_range",
    };
    let position = Position::in_text(json.as_bytes(), found.at);
    CodecError::new(code, Some(position), format!("{position}: {}", found.into_message()))
}
