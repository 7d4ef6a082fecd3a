//! Registers a codec of your own, MessagePack, beside the family's, and sends one payload through
//! all.
//!
//! ```text
//! cargo run -p wire-registry --example messagepack
//! ```

#![allow(clippy::print_stdout)] // it is a program

use wire_core::{
    Audience, Codec, CodecError, CodecInfo, Directions, NamedEdge, Payload, PayloadBuilder,
    Representation, Symbol,
};
use wire_registry::Registry;

/// The payload's serde form as MessagePack with member names.
struct MessagePack;

const INFO: CodecInfo = CodecInfo::new("msgpack", "MessagePack, for interop with other stacks.")
    .with_audience(Audience::Services)
    .with_representation(Representation::Binary)
    .with_extensions(&["msgpack"])
    .with_media_type("application/vnd.msgpack");

impl Codec for MessagePack {
    fn info(&self) -> &CodecInfo {
        &INFO
    }

    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        let bytes = rmp_serde::to_vec_named(payload)
            .map_err(|error| CodecError::new("msgpack_encode", None, error))?;
        out.extend_from_slice(&bytes);
        Ok(())
    }

    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        rmp_serde::from_slice(input).map_err(|error| CodecError::new("msgpack_decode", None, error))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default())?;
    registry.register(gcb::Gcb::default())?;
    registry.register(MessagePack)?;

    let payload = PayloadBuilder::new("context_for_task")
        .token_budget(5000)
        .symbol(Symbol::new("method", "billing.Ledger.Post").with_score(0.78))
        .symbol(Symbol::new("function", "billing.NewServer").with_score(0.5).with_distance(1))
        .edge(NamedEdge::new("billing.NewServer", "calls", "billing.Ledger.Post"))
        .build()?;
    // Markdown is written and not read.
    for info in registry.list().filter(|info| info.directions() == Directions::Both) {
        let bytes = registry.encode(info.name(), &payload)?;
        let back = registry.decode(info.name(), &bytes)?;
        println!(
            "{:12} {:4} bytes, comes back equal: {}",
            info.name(),
            bytes.len(),
            back == payload
        );
        assert_eq!(back, payload);
    }
    Ok(())
}
