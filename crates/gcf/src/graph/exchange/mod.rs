//! Sending a payload to a consumer that may have an earlier one (ruling G12; specification 3.5.3,
//! section 10.3).
//!
//! The consumer sends the root of its payload. The server answers that nothing has changed, or with
//! a delta, or with the full payload.
//!
//! ```
//! use gcf::graph::{Encoder, Exchange, Outcome, Replica, Request};
//! use wire_core::{Payload, Symbol};
//!
//! let server = Exchange::new(Encoder::new());
//! let mut payload = Payload { tool: "t".into(), ..Payload::default() };
//! payload.symbols =
//!     (0..50).map(|n| Symbol::new("function", format!("pkg.f{n}"))).collect();
//!
//! // The consumer holds nothing, and so asks for everything.
//! let mut text = String::new();
//! let answer = server.answer(Request::Full, &payload, &mut text)?;
//! assert!(matches!(answer.outcome, Outcome::Full(_)));
//! let consumer = Replica::from_answer(&text)?;
//!
//! // Something has changed since.
//! payload.symbols[0].qualified_name = "pkg.renamed".into();
//! text.clear();
//! let answer = server.answer(consumer.request(), &payload, &mut text)?;
//! assert_eq!(answer.outcome, Outcome::Delta);
//! let consumer = consumer.receive(&text)?;
//! assert_eq!(consumer.payload().symbols.len(), 50);
//!
//! // And nothing since then.
//! text.clear();
//! let answer = server.answer(consumer.request(), &payload, &mut text)?;
//! assert_eq!(answer.outcome, Outcome::Unchanged);
//! assert!(consumer.receive(&text).is_ok());
//! # Ok::<(), gcf::Error>(())
//! ```

mod consumer;
mod server;
mod store;
mod unchanged;

pub use consumer::{OutOfSync, Replica};
pub use server::{Answer, Exchange};
pub use store::{AsyncPackStore, MemoryStore, PackKey, PackStore, StoreError};

use wire_core::PackRoot;

/// The request of a consumer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Request<'r> {
    /// The full payload: the consumer has no payload with a usable root.
    Full,
    /// The changes since the payload with this root.
    Since(&'r PackRoot<'r>),
}
