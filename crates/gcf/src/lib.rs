//! GCF, the Graph Compact Format: graph payloads as text for language models.
//!
//! JSON spends most of a model's token budget on field names, quotes and repeated identifiers. GCF
//! writes a symbol as one line of positional fields, and an edge as two local ids and a word. The
//! profile for graphs is [`graph`]; start there. Any other JSON goes by the `generic` profile.
//!
//! # Strictness
//!
//! Decoding is strict: everything that the grammar does not allow is an [`Error`] with a stable code,
//! a line, a column and an offset. [`graph::Decoder::from_str_lenient`] takes what it can and reports
//! every line that it left out. Nothing is dropped in silence, in either direction.

mod bounded_vec;
mod error;
#[cfg(feature = "generic")]
pub mod generic;
pub mod graph;
mod inspect;

pub use error::{Error, ErrorKind};
pub use graph::Gcf;
pub use inspect::{Content, Inspection, inspect};
// Its types are those of this crate's functions.
pub use wire_core;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
