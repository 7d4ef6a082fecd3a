//! GCF, the Graph Compact Format: any value of serde, and graphs of ranked symbols, as text for
//! language models.
//!
//! JSON spends most of a model's tokens on field names, quotes and repeated identifiers. GCF names
//! the fields of a table once, and the identifiers of a graph once.
//!
//! # Write, and read back
//!
//! ```
//! # #[cfg(feature = "generic")] {
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct User<'a> {
//!     id: u32,
//!     name: Option<&'a str>,
//! }
//!
//! let users = [User { id: 1, name: Some("Alice") }, User { id: 2, name: None }];
//! let text = gcf::to_string(&users)?;
//! assert_eq!(text, "GCF profile=generic\n## [2]{id,name}\n1|Alice\n2|-\n");
//! assert_eq!(gcf::from_str::<Vec<User>>(&text)?, users);
//!
//! // Whatever the grammar does not allow is an error with a code and a position.
//! let cut = "GCF profile=generic\n## [2]{id,name}\n1|Alice\n";
//! let error = gcf::from_str::<Vec<User>>(cut).unwrap_err();
//! assert_eq!(error.code(), "count_mismatch");
//! assert_eq!(error.position().unwrap().line, 2);
//! # }
//! # Ok::<(), gcf::Error>(())
//! ```
//!
//! # Send only what changed
//!
//! ```
//! # #[cfg(feature = "json")] {
//! use gcf::keyed::{KeyedSet, Message, Policy, Session};
//! use serde_json::json;
//!
//! let rows = json!([{"id": 1, "at": "Oslo"}, {"id": 2, "at": "Rome"}]);
//! let orders = KeyedSet::from_rows("id", &rows)?;
//! let mut session = Session::new(orders, Policy::default());
//! let mut client = session.full().parse::<Message>()?.apply(None)?;
//!
//! let rows = json!([{"id": 1, "at": "Bonn"}, {"id": 2, "at": "Rome"}]);
//! let later = KeyedSet::from_rows("id", &rows)?;
//! let update = session.next(later.clone());
//! assert!(update.text.ends_with("key=id\n## changed [1]{@id,at}\n1|Bonn\n"));
//! client = update.text.parse::<Message>()?.apply(Some(client))?;
//! assert_eq!(client, later);
//! # }
//! # Ok::<(), gcf::Error>(())
//! ```
//!
//! # Where to look
//!
//! | to … | use |
//! |---|---|
//! | convert JSON text without a tree | `json_to_gcf`, `gcf_to_json` |
//! | read and write row by row | `Reader`, `Writer` |
//! | choose options | `Encoder`, `Decoder` |
//! | send a table again after rows of it changed | the module `keyed` |
//! | encode and decode graphs | the module [`graph`], whose page explains the text |
//! | send a graph again after it changed | [`graph::Exchange`], [`graph::Delta`], [`graph::Session`] |
//! | decode damaged text, or a model's answer | `Decoder::recover`, [`graph::Decoder::recover`] |
//! | find out what a text is | [`inspect`] |
//!
//! [The format's page](https://github.com/wire-formats/wire/blob/main/docs/formats/gcf-generic.md) explains the text of values, and what is kept: all of JSON, but for
//! the sign of zero and the spelling of numbers.
mod answer;
mod bounded_vec;
mod error;
#[cfg(feature = "generic")]
mod generic;
pub mod graph;
mod header;
mod inspect;
mod lines;
mod repair;
mod root;

pub use error::{Error, ErrorKind};
#[cfg(feature = "generic")]
pub use generic::{
    Decoder, Encoder, LIMITS, Prepared, Reader, Recovery, Spec, TableHead, TableKind, Writer,
    from_reader, from_slice, from_str, keyed, to_string, to_vec, to_writer,
};
#[cfg(feature = "json")]
pub use generic::{GcfValues, gcf_to_json, json_to_gcf};
pub use graph::codec::Gcf;
pub use inspect::{Content, Inspection, inspect};
// Its types are those of this crate's functions.
#[cfg(feature = "json")]
pub use serde_json;
pub use wire_core;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
