//! The generic profile as a codec of values, and for JSON text with the default options.

use wire_core::{Audience, CodecError, CodecInfo, Magic, ValueCodec};

use super::grammar::HEADER;
use super::{Decoder, Encoder};
use crate::Error;

/// GCF's generic profile as a [`ValueCodec`], for registries.
///
/// ```
/// use gcf::GcfValues;
/// use gcf::wire_core::ValueCodec;
///
/// let text = GcfValues::default().encode(r#"[{"id": 1}, {"id": 2}]"#)?;
/// assert_eq!(text, b"GCF profile=generic\n## [2]{id}\n1\n2\n");
/// assert_eq!(GcfValues::default().decode(&text)?, r#"[{"id":1},{"id":2}]"#);
/// # Ok::<(), gcf::wire_core::CodecError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct GcfValues {
    encoder: Encoder,
    decoder: Decoder,
}

const INFO: CodecInfo = CodecInfo::new("gcf", "Values as text for language models.")
    .with_audience(Audience::Agents)
    .with_magic(Magic::Prefix(HEADER.as_bytes()))
    .with_extensions(&["gcf"])
    .with_media_type("application/vnd.gcf+text");

impl GcfValues {
    /// The codec with these options. It never rounds a decimal ([`Encoder::exact`]), because a codec
    /// of values is lossless or fails.
    pub const fn new(encoder: Encoder, decoder: Decoder) -> Self {
        GcfValues { encoder, decoder }
    }
}

impl ValueCodec for GcfValues {
    fn info(&self) -> &CodecInfo {
        &INFO
    }

    fn encode(&self, json: &str) -> Result<Vec<u8>, CodecError> {
        Ok(self.encoder.exact(true).json_to_gcf(json)?.into_bytes())
    }

    fn decode(&self, input: &[u8]) -> Result<String, CodecError> {
        Ok(self.decoder.gcf_to_json(Error::utf8(input)?)?)
    }
}

/// A JSON text as text.
///
/// # Errors
///
/// As [`Encoder::json_to_gcf`].
pub fn json_to_gcf(json: &str) -> Result<String, Error> {
    Encoder::new().json_to_gcf(json)
}

/// A text as minified JSON text.
///
/// # Errors
///
/// As [`Decoder::gcf_to_json`].
pub fn gcf_to_json(text: &str) -> Result<String, Error> {
    Decoder::new().gcf_to_json(text)
}
