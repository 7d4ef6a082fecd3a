//! Stores of [`gcf`]'s exchanges, for servers of graphs that run as several processes or start
//! anew: memory, and behind it a folder, Redis or Valkey.
//!
//! A server keeps the packs that it has sent, so that the next answer can be a delta
//! ([`gcf::graph::Exchange`]). With a [`Store`] that is shared, any process finds what another has
//! sent.
//!
//! ```
//! use gcf::graph::{
//!     Dialect, Encoder, Exchange, Outcome, Payload, Replica, Request, Symbol,
//! };
//! use wire_store::Store;
//!
//! # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
//! # let folder = std::env::temp_dir().join(format!("wire-store-doc-{}", std::process::id()));
//! let address = format!("folder:{}", folder.display());
//! let mut payload = Payload { tool: "t".into(), ..Payload::default() };
//! payload.symbols =
//!     (0..50).map(|n| Symbol::new("function", format!("pkg.f{n}"))).collect();
//!
//! let encoder = Encoder::new().dialect(Dialect::V3);
//! let server =
//!     Exchange::with_store(encoder, Store::open(&address)?.tenant("acme"));
//! let mut text = String::new();
//! server.answer_async(Request::Full, &payload, &mut text).await?;
//! let reader = Replica::from_answer(&text)?;
//!
//! // Another process, and something has changed.
//! let server =
//!     Exchange::with_store(encoder, Store::open(&address)?.tenant("acme"));
//! payload.symbols[0].qualified_name = "pkg.renamed".into();
//! text.clear();
//! let answer = server.answer_async(reader.request(), &payload, &mut text).await?;
//! assert_eq!(answer.outcome, Outcome::Delta);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! # })?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is stored
//!
//! | address | engine | feature |
//! |---|---|---|
//! | `memory:` | none: the memory of this process | |
//! | `folder:PATH` | a folder, a file for each pack | |
//! | `redis://[USER:PASSWORD@]HOST[:PORT][/DB]`, `valkey://…` | Redis, Valkey | `redis` |
//! | `rediss://…`, `valkeys://…` | the same over TLS | `rediss` |
//!
//! The engine has a text for each pack: GCF in the dialect of the exchange. Its key is
//! `wire:1:` and the SHA-256 of the tenant, dialect, root algorithm and root, so no text of a caller
//! is a key, and another version of this layout has keys of its own. A text is decoded, and its root
//! computed, before it is used; what is not the pack of its key is removed and counted (ruling F3).
//! [`RootAlgorithm::Identity`](gcf::graph::RootAlgorithm::Identity) does not cover scores, so a
//! change of these alone is not noticed.
//!
//! # Failures
//!
//! An engine that is slow or gone costs tokens and no answer (rulings F2 and F3). Each request to it
//! waits for at most [`Options::timeout`]; an answer reads at most once and writes at most once.
//! After [`Options::failures`] failures in a row nobody asks it for [`Options::pause`], then one
//! request tries. Deltas from packs in memory continue, all others are answers in full. A log line a
//! minute says so, and [`Store::metrics`] counts. An engine that was emptied is filled again as packs
//! are used (ruling F4).
//!
//! Asking an engine needs a runtime of Tokio with its clock, and for Redis with its network.

mod breaker;
mod counters;
mod engine;
mod folder;
mod options;
#[cfg(feature = "redis")]
mod redis;
mod store;
#[cfg(test)]
mod tests;

pub use counters::Counts;
pub use gcf;
pub use options::{OpenError, Options};
pub use store::{Store, Tenant};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
