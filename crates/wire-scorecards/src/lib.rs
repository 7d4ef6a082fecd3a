//! Measures the tokens of each format on the payloads of the repository, and compares them with the
//! figures that the formats' authors state (ruling S2).
//!
//! # Anatomy of a scorecard
//!
//! ```text
//! # Context packs in every format                    the title, and what was measured
//! ![Context packs in every format](packs.svg)        the chart, where there is one
//! ## Tokens by cl100k_base                           a section: a table, and what is to be said of it
//! | pack | pretty JSON | JSON | gcf | …
//! | context_for_task_10 | 2071 | 1518 | 242 | …
//! ```
//!
//! # Cards
//!
//! | card | what is measured |
//! |---|---|
//! | `packs` | six context packs in every format of payloads |
//! | `tools` | twenty responses of tools, as GCX and as JSON |
//! | `queries` | responses of graph queries, as GOON and as JSON |
//! | `delta` | what sessions and deltas save when an agent asks again |
//! | `real` | what package managers, servers and log services print, in our forms and in other people's |
//!
//! The time of encoding has its own scorecard, [`Scorecards::latency`], because its figures are
//! those of one machine at one moment. The figures of the other cards are the same on every
//! machine.
//!
//! ```no_run
//! use wire_scorecards::{Card, Scorecards, stale};
//! use wire_tokens::Counter;
//!
//! let scorecards = Scorecards::new("fixtures").counters(vec![Counter::O200kBase]);
//! let cards = [scorecards.measure(Card::Packs)?, scorecards.measure(Card::Delta)?];
//! println!("{}", cards[0].markdown());
//! for name in stale("docs/scorecards".as_ref(), &cards)? {
//!     println!("{name} is not what is measured now");
//! }
//! # Ok::<(), wire_scorecards::Error>(())
//! ```

pub mod calls;
mod card;
mod chart;
mod delta;
mod error;
mod fixtures;
mod formats;
mod gzip;
mod latency;
mod packs;
mod queries;
mod real;
mod scorecards;
mod tools;

pub use card::{Scorecard, json, markdown};
pub use error::Error;
pub use real::Real;
pub use scorecards::{Card, Scorecards, stale};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
