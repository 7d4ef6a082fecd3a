//! A registry of formats, from which a program chooses one at run time: by name, first bytes, media
//! type, file extension, HTTP `Accept`, or number of tokens.
//!
//! The crate is for programs that read or write more than one format. A [`Registry`] is a value:
//! make one, register codecs, and pass it around. JSON ([`json::Json`], with the names `json` and
//! `json-pretty`), [XML](xml::Xml) and [Markdown](markdown::Markdown) are built in; one line
//! registers another codec.
//!
//! | to … | use |
//! |---|---|
//! | encode and decode by name | [`Registry::encode`], [`Registry::decode`] |
//! | convert between formats, with a report of the losses | [`Registry::transcode`] |
//! | recognize a format | [`Registry::detect`], [`Registry::by_extension`], [`Registry::by_media_type`] |
//! | answer an HTTP request | [`Registry::negotiate`] |
//! | use the fewest tokens | [`Registry::encode_smallest`], [`Chooser`] |
//!
//! ```
//! use wire_registry::Registry;
//!
//! let mut registry = Registry::new();
//! registry.register(gcf::Gcf::default())?;
//! registry.register(gcb::Gcb::default())?;
//!
//! let json = br#"{"tool":"t","tokens_used":0,"token_budget":0,"symbols":[
//!     {"qualified_name":"a","kind":"function","score":0.5,
//!      "provenance":"structural","distance":0}]}"#;
//! let payload = registry.decode("json", json)?;
//! let bytes = registry.encode("binary", &payload)?; // an alias of gcb
//! assert_eq!(
//!     registry.detect(&bytes).map(|codec| codec.info().name()),
//!     Some("gcb")
//! );
//! let names: Vec<_> = registry.list().map(|info| info.name()).collect();
//! assert_eq!(names, ["json", "json-pretty", "xml", "markdown", "gcf", "gcb"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values
//!
//! Codecs of any JSON value implement [`wire_core::ValueCodec`]. They are registered separately
//! from those of payloads, and have separate names; [`Registry::values`] finds, negotiates and
//! converts with them.
//!
//! ```
//! # use wire_registry::Registry;
//! let mut registry = Registry::new();
//! registry.register_value(gcf::GcfValues::default())?;
//! let text =
//!     registry.values().transcode("json", "gcf", br#"[{"id": 1}, {"id": 2}]"#)?;
//! assert_eq!(text, b"GCF profile=generic\n## [2]{id}\n1\n2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The JSON form
//!
//! Member names and order are those of the format's documentation; `wire_core`'s crate page shows
//! an annotated document. An absent `pack_root`, an empty `signature`, the status `unchanged` and
//! empty `edges` are left out.
//! Unknown members are ignored on read, and a missing required one is an error with its path. Edges
//! are by name, so a payload with an edge to a name that two symbols share can't be written as
//! JSON.

mod error;
pub mod json;
pub mod markdown;
mod negotiate;
mod registry;
mod smallest;
mod table;
mod values;
pub mod xml;

pub use error::{DuplicateName, RegistryError, UnknownFormat};
pub use registry::{Registry, Transcoded};
pub use smallest::{
    AllowedLosses, Candidate, Chooser, FORMS, INPUT, NothingHolds, Outcome, Reason, Smallest,
    is_near,
};
pub use values::Values;
// Its types are those of this crate's functions.
pub use wire_core;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
