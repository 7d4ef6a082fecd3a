//! GCF, the Graph Compact Format: graph payloads and any other value as text for language models.
//!
//! JSON spends most of a model's token budget on field names, quotes and repeated identifiers. GCF
//! writes a symbol as one line of positional fields, and an edge as two local ids and a type. The
//! crate is for servers of tools and agents that pay for every token of context.
//!
//! # A payload
//!
//! ```
//! use gcf::graph::{NamedEdge, PayloadBuilder, Symbol};
//!
//! let payload = PayloadBuilder::new("context_for_task")
//!     .symbol(Symbol::new("method", "billing.Ledger.Post").with_score(0.78))
//!     .symbol(Symbol::new("function", "billing.NewServer").with_score(0.54).with_distance(1))
//!     .edge(NamedEdge::new("billing.NewServer", "calls", "billing.Ledger.Post"))
//!     .build()?;
//! let text = gcf::graph::to_string(&payload)?;
//! assert_eq!(
//!     text,
//!     "GCF tool=context_for_task budget=0 tokens=0 symbols=2\n## targets\n\
//!      @0 method billing.Ledger.Post 0.78 structural\n## related\n\
//!      @1 fn billing.NewServer 0.54 structural\n## edges\n@0<@1 calls\n",
//! );
//! assert_eq!(gcf::graph::from_str(&text)?, payload);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where to look
//!
//! | to … | use |
//! |---|---|
//! | encode and decode payloads | the module [`graph`], whose page explains the text |
//! | encode and decode any other value | the module `generic` (feature `generic`, on by default) |
//! | send less when the receiver has an earlier payload | [`graph::Exchange`], [`graph::Delta`], [`graph::Session`] |
//! | decode damaged text, or a model's answer | [`graph::Decoder::decode_lenient`], [`graph::Decoder::recover`] |
//! | find out what a text is | [`inspect`] |
//!
//! # Strictness
//!
//! Decoding is strict: everything that the grammar does not allow is an [`Error`] with a stable
//! code, a line, a column and an offset. The lenient decoder reports every line that it leaves out.
//! Nothing is dropped silently, in either direction.
mod bounded_vec;
mod error;
#[cfg(feature = "generic")]
pub mod generic;
pub mod graph;
mod inspect;

/// The marks of a text, for programs of this workspace that look at texts themselves.
#[doc(hidden)]
pub mod grammar {
    #[cfg(feature = "generic")]
    pub use crate::generic::grammar::{HEADER, PROFILE};
    pub use crate::graph::grammar::{GROUP_PREFIX, TAG};
}

pub use error::{Error, ErrorKind};
pub use graph::Gcf;
pub use inspect::{Content, Inspection, inspect};
// Its types are those of this crate's functions.
#[cfg(feature = "json")]
pub use serde_json;
pub use wire_core;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
