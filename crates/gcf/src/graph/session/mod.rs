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
//!     let sent = session.encode(&payload, Duration::from_secs(seconds), &mut out)?;
//!     text = String::from_utf8(out)?;
//!     assert_eq!(reader.from_str(&text)?, payload);
//!     session.confirm(sent.delivery); // the consumer has it
//! }
//! assert!(text.ends_with("## targets\n@0  # previously transmitted\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod consumer;
mod known;
mod ledger;
mod limits;
mod producer;
mod sent;

pub use consumer::SessionReader;
pub(super) use known::KnownSymbols;
pub use limits::SessionLimits;
pub use producer::Session;
pub use sent::{Delivery, Sent};
