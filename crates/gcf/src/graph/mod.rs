//! The graph profile: a [`Payload`] of ranked symbols and edges as text.
//!
//! # Anatomy of a payload
//!
//! ```text
//! GCF tool=context_for_task budget=5000 tokens=97 symbols=3
//! ## targets
//! @0 method billing.Ledger.Post 0.78 lsp_resolved
//! ## related
//! @1 fn billing.NewServer 0.54 lsp_resolved
//! @2 svc billing-api 0.51 otel_trace
//! ## edges
//! @0<@1 calls
//! @1<@2 runtime_calls added
//! ```
//!
//! | line | what it says |
//! |---|---|
//! | `GCF …` | the header: the tool, its token budget, the tokens used |
//! | `## targets` | a group: symbols at distance 0 |
//! | `## related` | those at distance 1 (then `extended`, `distance_3`, …) |
//! | `@0 method …` | id, kind (abbreviated), qualified name, score, provenance |
//! | `## edges` | the edges, from 1.2 on with a count: `## edges [2]` |
//! | `@0<@1 calls` | target, source, type |
//! | `… added` | a status, when two versions are compared |
//!
//! An edge line names the target first: `@0<@1 calls` means that `@1` calls `@0`. A *dialect* is a
//! version of the format to write, such as [`Dialect::V3`]; decoding accepts all of them. A
//! *provenance* (`lsp_resolved`) states how a symbol became known, and a *distance* how many hops
//! it is from the query's targets.
//!
//! Signatures and score components are not written, and scores have two decimals: see the fidelity
//! in [`Gcf`](crate::Gcf)'s [`CodecInfo`](wire_core::CodecInfo). [`to_string`] says nothing of what it
//! drops; [`encode_with_report`](wire_core::Codec::encode_with_report) counts it, so that another
//! payload comes back only where the report says so.
//!
//! ```
//! use gcf::graph::{NamedEdge, PayloadBuilder, Symbol};
//! use gcf::wire_core::Codec;
//!
//! let signature = "func (l *Ledger) Post() error";
//! let post = Symbol::new("method", "billing.Ledger.Post").with_score(0.78);
//! let server = Symbol::new("function", "billing.NewServer").with_score(0.54);
//! let payload = PayloadBuilder::new("context_for_task")
//!     .symbol(post.with_signature(signature))
//!     .symbol(server.with_distance(1))
//!     .edge(NamedEdge::new("billing.NewServer", "calls", "billing.Ledger.Post"))
//!     .build()?;
//! let text = gcf::graph::to_string(&payload)?;
//! assert!(text.ends_with("## edges\n@0<@1 calls\n"));
//!
//! // The model does not see signatures; GCX1, GOON and GCB1 have them.
//! let mut same = Vec::new();
//! let report = gcf::Gcf::default().encode_with_report(&payload, &mut same)?;
//! assert_eq!(report.losses.to_string(), "signatures are dropped (1 symbol)");
//! assert_eq!(same, text.as_bytes());
//! let back = gcf::graph::from_str(&text)?;
//! assert!(back.edges == payload.edges && back.symbols[0].signature.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod codec;
pub(crate) mod decode;
mod delta;
mod dialect;
mod encode;
mod exchange;
pub(crate) mod grammar;
mod reason;
mod recover;
mod refused;
mod root;
mod session;
mod stream;

use std::io::{Read, Write};

pub use crate::repair::{Repair, RepairKind};
pub use crate::root::RootAlgorithm;
pub use decode::{Decoder, Report, Skipped};
pub use delta::{Delta, DeltaEdge, SymbolKey};
pub use dialect::Dialect;
pub use encode::{EncodeReport, Encoder, StreamHead};
pub use exchange::{
    Answer, AsyncPackStore, Exchange, MemoryStore, OutOfSync, PackKey, PackStore, Replica, Request,
    StoreError,
};
pub use reason::{FullReason, Outcome};
pub use recover::Recovery;
pub use session::{Delivery, Sent, Session, SessionLimits, SessionReader};
pub use stream::Writer;
pub use wire_core::{Edge, NamedEdge, PackRoot, Payload, PayloadBuilder, Symbol};

use crate::Error;

/// Encodes `payload` in [`Dialect::V1`].
///
/// # Errors
///
/// As [`Encoder::encode`].
pub fn to_string(payload: &Payload<'_>) -> Result<String, Error> {
    Encoder::new().to_string(payload)
}

/// Encodes `payload` in [`Dialect::V1`], as bytes.
///
/// # Errors
///
/// As [`Encoder::encode`].
pub fn to_vec(payload: &Payload<'_>) -> Result<Vec<u8>, Error> {
    Encoder::new().to_vec(payload)
}

/// Decodes a payload of any dialect, borrowing its text from `text`.
///
/// # Errors
///
/// As [`Decoder::from_str`].
pub fn from_str(text: &str) -> Result<Payload<'_>, Error> {
    Decoder::new().from_str(text)
}

/// Decodes a payload of any dialect from bytes, borrowing its text from them.
///
/// # Errors
///
/// As [`Decoder::from_slice`].
pub fn from_slice(input: &[u8]) -> Result<Payload<'_>, Error> {
    Decoder::new().from_slice(input)
}

/// Encodes `payload` in [`Dialect::V1`] into `writer`.
///
/// # Errors
///
/// As [`Encoder::encode`], before anything is written, and `io` when the writer fails.
pub fn to_writer<W: Write>(writer: W, payload: &Payload<'_>) -> Result<(), Error> {
    Encoder::new().to_writer(writer, payload)
}

/// Reads `reader` to its end and decodes a payload of any dialect.
///
/// # Errors
///
/// As [`Decoder::from_slice`], and `io` when the reader fails.
pub fn from_reader<R: Read>(reader: R) -> Result<Payload<'static>, Error> {
    Decoder::new().from_reader(reader)
}
