//! What an input is (its format, and what is in it), its value as JSON, and that in each format.
//!
//! The crate is for programs that are given any text or bytes, such as a page in a browser: it reads
//! no file and starts no thread. The command `wirefmt` detects and reads its inputs by this code.
//!
//! An input is detected by its first bytes, or else by the extension of its name. So the codecs of
//! a [`Registry`](wire_registry::Registry) are found, and [these](Source) formats of values: JSON,
//! JSON lines, YAML, TOML, CSV and the generic profile of GCF. The members of JSON tell whether it
//! is a payload, the response of a query, or any other value.
//!
//! ```
//! use wire_input::Document;
//! use wire_input::wire_registry::Registry;
//!
//! let mut registry = Registry::new();
//! registry.register(gcf::Gcf::default())?;
//!
//! let document =
//!     Document::detect(b"name;size\nx;1\n", Some("csv"), None, &registry);
//! assert_eq!(
//!     (document.format(), document.content()),
//!     (Some("csv"), Some("value"))
//! );
//! let (value, warnings) = document.read()?;
//! assert_eq!(value.text(), r#"[{"name":"x","size":"1"}]"#);
//! assert_eq!(warnings[0].code, "delimiter");
//!
//! let document = Document::detect(b"[1,\n x]", None, None, &registry);
//! let error = document.read().unwrap_err();
//! assert_eq!(
//!     (error.code(), error.position().map(|at| at.line)),
//!     ("json_syntax", Some(2))
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `csv` | yes | CSV and TSV |
//! | `toml` | yes | TOML |
//! | `yaml` | yes | YAML |
//!
//! Without its feature a format is not detected, and its name is unknown.

// Without one of them some helpers have no user.
#![cfg_attr(
    not(all(feature = "csv", feature = "toml", feature = "yaml")),
    allow(dead_code, unused_variables)
)]

mod document;
mod forms;
pub mod graph;
mod minified;
pub mod response;
mod source;
pub mod value;
mod warning;

pub use document::{Answer, Document, JsonKind, Kind, Members};
pub use forms::{Form, Held, PlaceIn, rounded};
pub use minified::{Minified, placed};
// Their types are those of this crate's functions.
pub use goon;
pub use serde_json;
pub use source::{Csv, GCF, GCX, GOON, JSON, JSON_LINES, JSON_PRETTY, Named, Source, Tags, Types};
pub use warning::{Warning, plural};
pub use wire_registry;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
