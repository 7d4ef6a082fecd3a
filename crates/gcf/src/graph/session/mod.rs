//! Payloads that build on earlier ones: a symbol is declared once, and later payloads refer to its
//! id (ruling G9; specification 3.5.3, section 9).
//!
//! ```
//! use std::time::Duration;
//!
//! use gcf::graph::{Encoder, Session, SessionReader};
//! use wire_core::{Payload, Symbol};
//!
//! let mut session = Session::new(Encoder::new());
//! let mut reader = SessionReader::new();
//! let mut payload = Payload { tool: "t".into(), ..Payload::default() };
//! payload.symbols = vec![Symbol::new("function", "pkg.Auth").with_score(0.78)];
//!
//! let mut text = String::new();
//! for seconds in 0..2 {
//!     let mut out = Vec::new();
//!     let sent =
//!         session.encode(&payload, Duration::from_secs(seconds), &mut out)?;
//!     text = String::from_utf8(out)?;
//!     assert_eq!(reader.decode(&text)?, payload);
//!     session.confirm(sent.delivery); // the consumer has it
//! }
//! assert!(text.ends_with("## targets\n@0  # previously transmitted\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod consumer;
mod known;
mod ledger;
mod producer;

use std::time::Duration;

pub use consumer::SessionReader;
pub(super) use known::KnownSymbols;
pub use producer::Session;

use super::encode::EncodeReport;
use super::reason::Outcome;

/// An unconfirmed payload, for [`Session::confirm`] and
/// [`Session::roll_back`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delivery(u64);

/// The result of [`Session::encode`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// The delivery to confirm when the consumer has the payload.
    pub delivery: Delivery,
    /// How it was written.
    pub outcome: Outcome,
    /// The changes that the encoder made in the payload.
    pub report: EncodeReport,
}

/// The bounds of a session (3.5.3, section 9.5). When a bound is reached, the producer sends a full
/// payload and the session starts over. Set the fields of [`SessionLimits::default`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// The maximum number of ids (default 65,536). A consumer stores a symbol for each.
    pub ids: u32,
    /// The longest time without a payload. Default 30 minutes.
    pub idle: Duration,
    /// The longest time since the first payload. Default 24 hours.
    pub lifetime: Duration,
    /// The maximum number of payloads that are neither confirmed nor rolled back (default 64).
    /// Beyond it the oldest is assumed to be lost, and its symbols are declared again.
    pub deliveries: usize,
}

impl Default for SessionLimits {
    fn default() -> Self {
        SessionLimits {
            ids: 65_536,
            idle: Duration::from_secs(30 * 60),
            lifetime: Duration::from_secs(24 * 60 * 60),
            deliveries: 64,
        }
    }
}
