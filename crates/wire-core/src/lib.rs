//! The data model that the `wire` codecs share: a graph payload, its vocabulary, errors with
//! places, limits, fidelity as data, and the [`Codec`] trait.
//!
//! # Anatomy of a payload
//!
//! In its JSON form (feature `serde`):
//!
//! ```json
//! {
//!   "tool": "context_for_task",                       // who made it
//!   "tokens_used": 1847, "token_budget": 5000,        // what it costs, what it may cost
//!   "pack_root": "a1b2c3",                            // its identity, when there is one
//!   "symbols": [{
//!     "qualified_name": "billing.Ledger.Post",        // identity is (kind, qualified name)
//!     "kind": "method",                               // open vocabulary: `Kind`
//!     "score": 0.78,                                  // relevance
//!     "signature": "func (l *Ledger) Post(e Entry)",  // left out when empty
//!     "provenance": "lsp_resolved",                   // open vocabulary: `Provenance`
//!     "distance": 0,                                  // hops from the targets of the query
//!     "components": { "blast_radius": 0.4, "confidence": 0.25, "recency": 0.06, "distance": 0.15 }
//!   }],
//!   "edges": [{                                       // here by name, in memory by index
//!     "source": "billing.Server", "target": "billing.Ledger.Post",
//!     "edge_type": "calls", "status": "added"         // status left out when unchanged
//!   }]
//! }
//! ```
//!
//! In memory edges are indices ([`Edge`]), so that they can't point at nothing and two symbols may
//! share a name. [`PayloadBuilder`] takes edges by name and resolves them once.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `serde` | no | `Serialize` and `Deserialize` for [`Payload`], with the member names above |
//! | `value` | no | reading JSON values without ambiguity |

mod builder;
mod codec;
pub mod error;
mod fidelity;
mod fit;
#[cfg(feature = "serde")]
mod json;
mod limits;
pub mod lines;
mod names;
pub mod number;
mod order;
mod payload;
mod position;
mod serde_methods;
pub mod text;
mod token;
#[cfg(feature = "value")]
pub mod value;
mod value_codec;
mod vocab;

pub use builder::{NamedEdge, PayloadBuilder};
pub use codec::{
    Audience, Codec, CodecError, CodecInfo, Directions, EncodeReport, Magic, Representation,
};
pub use fidelity::{Fidelity, Field, Loss, LossCount, LossReport, SymbolOrder, Treatment};
pub use fit::{BudgetedPayload, FitError, fit_to_budget};
pub use limits::Limits;
pub use names::{EdgeNameError, Endpoint, NameProblem, UnnamedEnd};
pub use payload::{Components, Edge, InvalidPackRoot, PackRoot, Payload, Symbol};
pub use position::Position;
pub use token::{TokenCounter, WordPunctuation};
pub use value_codec::ValueCodec;
pub use vocab::{Block, EdgeStatus, EdgeType, Kind, Provenance, Unlisted};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
