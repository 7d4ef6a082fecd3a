//! The graph profile as a codec.

use wire_core::{Audience, Codec, CodecError, CodecInfo, Magic, Payload};

use super::{Decoder, Dialect, EncodeReport, Encoder};

/// GCF's graph profile as a [`Codec`], for registries.
#[derive(Clone, Copy, Debug)]
pub struct Gcf {
    encoder: Encoder,
    decoder: Decoder,
    info: CodecInfo,
}

const fn info(dialect: Dialect) -> CodecInfo {
    CodecInfo::new("gcf", "Graph text for language models under a token budget.")
        .with_audience(Audience::Agents)
        .with_magic(Magic::Prefix(b"GCF"))
        .with_extensions(&["gcf"])
        .with_media_type("application/vnd.gcf+text")
        .with_fidelity(dialect.fidelity())
}

impl Gcf {
    /// A codec with these options.
    pub const fn new(encoder: Encoder, decoder: Decoder) -> Self {
        Gcf { encoder, decoder, info: info(encoder.written_dialect()) }
    }
}

impl Default for Gcf {
    fn default() -> Self {
        Gcf::new(Encoder::new(), Decoder::new())
    }
}

impl Codec for Gcf {
    fn info(&self) -> &CodecInfo {
        &self.info
    }

    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        self.encoder.encode(payload, out)?;
        Ok(())
    }

    fn encode_with_report(
        &self,
        payload: &Payload<'_>,
        out: &mut Vec<u8>,
    ) -> Result<wire_core::EncodeReport, CodecError> {
        let EncodeReport { names_changed } = self.encoder.encode(payload, out)?;
        let losses = self.info.fidelity().report(payload);
        Ok(wire_core::EncodeReport::new(losses).with_names_changed(names_changed))
    }

    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        Ok(self.decoder.from_slice(input)?)
    }
}
