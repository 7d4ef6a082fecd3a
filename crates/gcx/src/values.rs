//! The typed form as a codec of values.

use wire_core::{Audience, CodecError, CodecInfo, Magic, ValueCodec};

use crate::Error;
use crate::decode::Decoder;
use crate::encode::Encoder;

/// GCX1 as a [`ValueCodec`], for registries. It writes the typed form under one tool name, and
/// reads any form.
///
/// ```
/// use gcx::GcxValues;
/// use gcx::wire_core::ValueCodec;
///
/// let text = GcxValues::default()
///     .encode(r#"[{"id": 18446744073709551616, "name": null}]"#)?;
/// assert_eq!(
///     String::from_utf8_lossy(&text),
///     "GCX1 tool=value fields=id,name rows=1 typed=objects:integer,null\n\
///      18446744073709551616\t\n",
/// );
/// assert_eq!(
///     GcxValues::default().decode(&text)?,
///     r#"[{"id":18446744073709551616,"name":null}]"#
/// );
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
    /// A codec that writes `tool` as the tool (default `value`), with these options. It never rounds
    /// a decimal ([`Encoder::exact`]), because a codec of values is lossless or fails.
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
        Ok(self.encoder.clone().exact(true).json_to_gcx(&self.tool, json)?.into_bytes())
    }

    fn decode(&self, input: &[u8]) -> Result<String, CodecError> {
        Ok(self.decoder.gcx_to_json(Error::utf8(input)?)?)
    }
}
