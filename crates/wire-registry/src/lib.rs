//! Choosing a wire format at run time: by name or alias, first bytes, media type or extension, or
//! by what it costs.
//!
//! A [`Registry`] is a value: make one, register the codecs that you want, and pass it around. JSON
//! ([`json::Json`], names `json` and `json-pretty`), [XML](xml::Xml) and
//! [Markdown](markdown::Markdown) are built in; every other format is one line each.
//! [`Registry::transcode`] goes from one format to another and says what was lost,
//! [`Registry::encode_smallest`] takes the format that costs the fewest tokens.
//!
//! ```
//! use wire_registry::Registry;
//!
//! let mut registry = Registry::new();
//! registry.register(gcf::Gcf::default())?;
//! registry.register(gcb::Gcb::default())?;
//!
//! let json = br#"{"tool":"t","tokens_used":0,"token_budget":0,"symbols":[
//!     {"qualified_name":"a","kind":"function","score":0.5,"provenance":"structural","distance":0}]}"#;
//! let payload = registry.decode("json", json)?;
//! let bytes = registry.encode("binary", &payload)?; // an alias of gcb
//! assert_eq!(registry.detect(&bytes).map(|codec| codec.info().name()), Some("gcb"));
//! let names: Vec<_> = registry.list().map(|info| info.name()).collect();
//! assert_eq!(names, ["json", "json-pretty", "xml", "markdown", "gcf", "gcb"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Values
//!
//! Codecs of [`wire_core::ValueCodec`] hold any JSON value. They are registered beside those of
//! payloads, with names of their own; [`Registry::values`] finds, negotiates and converts with
//! them.
//!
//! ```
//! # use wire_registry::Registry;
//! let mut registry = Registry::new();
//! registry.register_value(gcf::generic::GcfValues::default())?;
//! let text = registry.values().transcode("json", "gcf", br#"[{"id": 1}, {"id": 2}]"#)?;
//! assert_eq!(text, b"GCF profile=generic\n## [2]{id}\n1\n2\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The JSON form
//!
//! Member names and order are those of the format's documentation; `wire_core`'s crate page shows
//! an annotated document. `pack_root`, `signature`, `status` and an empty `edges` are left out.
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
pub use smallest::{AllowedLosses, Candidate, Chooser, NothingHolds, Outcome, Reason, Smallest};
pub use values::Values;
// Its types are those of this crate's functions.
pub use wire_core;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
