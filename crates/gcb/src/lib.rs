//! GCB1: graph payloads as bytes, the smallest and fastest format of this family.
//!
//! The crate is for services, caches and daemons that exchange or store payloads. For language
//! models use the text of `wire-gcf`.
//!
//! # Write, and read back
//!
//! ```
//! use gcb::{Payload, Symbol};
//!
//! let mut payload = Payload { tool: "t".into(), ..Payload::default() };
//! payload.symbols = vec![Symbol::new("function", "pkg.Auth").with_score(0.78)];
//! let bytes = gcb::to_vec(&payload)?;
//! assert_eq!(gcb::from_slice(&bytes)?, payload);
//!
//! // One field of a cached payload, without building it:
//! let view = gcb::View::new(&bytes)?;
//! let first = view.symbols().next().unwrap();
//! assert_eq!(first.qualified_name(), "pkg.Auth");
//!
//! // An error has a code and the offset of its byte.
//! let error = gcb::from_slice(&bytes[..5]).unwrap_err();
//! assert_eq!(error.code(), "unexpected_end");
//! # Ok::<(), gcb::Error>(())
//! ```
//!
//! Varints are unsigned LEB128 in their shortest form. Of a [`Payload`] only the `pack_root` is
//! dropped. Numbers are 32-bit floats (IEEE 754), and decode to their shortest decimal. A kind,
//! provenance, edge type or status outside the format's tables has no id and is an error, so
//! nothing is lost silently.
//!
//! # Where to look
//!
//! | to … | use |
//! |---|---|
//! | encode and decode a payload | [`to_vec`], [`from_slice`] |
//! | read a few fields without building a payload | [`View`]; [`SharedView`] owns its bytes |
//! | read a payload that is larger than memory | [`Reader`] |
//! | read names that are newer than this version | [`Decoder::unknown_ids_as_words`] |
//!
//! [The format's page](https://github.com/wire-formats/wire/blob/main/docs/formats/gcb.md) explains the bytes.

mod decode;
mod encode;
mod error;
mod io;
mod layout;

use wire_core::{
    Audience, Codec, CodecError, CodecInfo, Fidelity, Field, Loss, Magic, Representation, Treatment,
};

pub use decode::{Decoder, EdgeRef, Edges, SharedView, SymbolRef, Symbols, View};
pub use encode::Encoder;
pub use error::{Error, ErrorKind};
pub use io::{Reader, from_reader, to_writer};
pub use wire_core::{Edge, NamedEdge, Payload, PayloadBuilder, Symbol};
// Their types are those of this crate's functions.
pub use {bytes, wire_core};

/// The encoded payload.
///
/// # Errors
///
/// As [`Encoder::encode`].
pub fn to_vec(payload: &Payload<'_>) -> Result<Vec<u8>, Error> {
    Encoder::new().to_vec(payload)
}

/// Decodes a payload, borrowing its text from `input`.
///
/// # Errors
///
/// As [`Decoder::from_slice`].
pub fn from_slice(input: &[u8]) -> Result<Payload<'_>, Error> {
    Decoder::new().from_slice(input)
}

/// GCB1 as a [`Codec`], for registries.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gcb {
    decoder: Decoder,
}

const INFO: CodecInfo =
    CodecInfo::new("gcb", "The fastest form, as bytes, for services and caches; not for models.")
        .with_aliases(&["binary"])
        .with_audience(Audience::Services)
        .with_representation(Representation::Binary)
        .with_magic(Magic::Prefix(layout::MAGIC))
        .with_extensions(&["gcb"])
        .with_media_type("application/vnd.gcb")
        .with_fidelity(Fidelity::new(&[
            Loss::new(Field::PackRoot, Treatment::Dropped),
            Loss::new(Field::Score, Treatment::SinglePrecision),
            Loss::new(Field::Components, Treatment::SinglePrecision),
        ]));

impl Gcb {
    /// A codec with these options.
    pub const fn new(decoder: Decoder) -> Self {
        Gcb { decoder }
    }
}

impl Codec for Gcb {
    fn info(&self) -> &CodecInfo {
        &INFO
    }

    fn encode(&self, payload: &Payload<'_>, out: &mut Vec<u8>) -> Result<(), CodecError> {
        Ok(Encoder::new().encode(payload, out)?)
    }

    fn decode<'a>(&self, input: &'a [u8]) -> Result<Payload<'a>, CodecError> {
        Ok(self.decoder.from_slice(input)?)
    }
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
