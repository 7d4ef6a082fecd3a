//! The data model that the `wire` formats share: a graph payload, its vocabulary, errors with
//! positions, limits, fidelity as data, and the [`Codec`] trait.
//!
//! The crate is for authors of codecs. To read or write a format, use the crate of that format or
//! `wire-registry`; they re-export these types.
//!
//! # Anatomy of a payload
//!
//! In its JSON form (feature `serde`):
//!
//! ```json
//! {
//!   "tool": "context_for_task",                       // the tool that made it
//!   "tokens_used": 1847, "token_budget": 5000,   // its tokens, and their maximum
//!   "pack_root": "a1b2c3",                       // its identity, if there is one
//!   "symbols": [{
//!     "qualified_name": "billing.Ledger.Post",   // identity, with the kind
//!     "kind": "method",                               // open vocabulary: `Kind`
//!     "score": 0.78,                                  // relevance
//!     "signature": "func (l *Ledger) Post(e Entry)",  // left out when empty
//!     "provenance": "lsp_resolved",              // open: `Provenance`
//!     "distance": 0,                             // edges from what was asked for
//!     "components": { "blast_radius": 0.4, "confidence": 0.25, "recency": 0.06,
//!                     "distance": 0.15 }
//!   }],
//!   "edges": [{                                  // by name, in memory by index
//!     "source": "billing.Server", "target": "billing.Ledger.Post",
//!     "edge_type": "calls", "status": "added"    // left out when unchanged
//!   }]
//! }
//! ```
//!
//! In memory, edges are indices ([`Edge`]), so that two symbols may share a name.
//! [`PayloadBuilder`] accepts edges by name and resolves them once.
//!
//! # Where to look
//!
//! | to … | use |
//! |---|---|
//! | build a payload with edges by name | [`PayloadBuilder`], [`NamedEdge`] |
//! | write a codec of payloads, or of any JSON | [`Codec`], [`ValueCodec`], [`CodecInfo`], [`Fidelity`] |
//! | define a codec's errors from a table | [`error_kinds!`] |
//! | read lines, and show input in messages | the module [`text`] |
//! | write numbers as the formats do | the module [`number`] |
//! | read and write JSON without losing a digit | the module [`json`] |
//! | write a `Serializer` or `Deserializer` | the module [`de`], [`forward_serialize!`], [`forward_deserialize!`], [`map_key!`], [`serialize_elements!`], [`serialize_fields!`] |
//! | fit a payload into a token budget | [`fit_to_budget`], [`TokenCounter`] |
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `serde` | no | `Serialize` and `Deserialize` for [`Payload`], with the member names above; the modules [`json`] and [`de`] |

mod builder;
mod codec;
#[cfg(feature = "serde")]
pub mod de;
mod error;
mod fidelity;
mod fit;
#[cfg(feature = "serde")]
pub mod json;
mod limits;
mod names;
pub mod number;
mod order;
mod payload;
#[cfg(feature = "serde")]
mod payload_json;
mod position;
mod serde_methods;
pub mod text;
mod token;
mod value_codec;
mod vocab;

pub use builder::{Dangling, NamedEdge, PayloadBuilder};
pub use codec::{
    Audience, Codec, CodecError, CodecInfo, Directions, EncodeReport, Magic, Representation,
};
pub use error::ErrorDetail;
pub use fidelity::{Fidelity, Field, Loss, LossCount, LossReport, SymbolOrder, Treatment};
pub use fit::{BudgetedPayload, FitError, fit_to_budget};
pub use limits::{Limits, MAX_NESTING};
pub use names::{BuildError, EdgeNameError, Endpoint, NameProblem, UnnamedEnd};
pub use payload::{Components, Edge, InvalidPackRoot, PackRoot, Payload, Symbol};
pub use position::Position;
pub use token::{Runs, TokenCounter, WordPunctuation};
pub use value_codec::ValueCodec;
pub use vocab::{EdgeStatus, EdgeType, Kind, NameBlock, Provenance, Unlisted};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
