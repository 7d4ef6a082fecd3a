//! What each format costs on the payloads of the repository, beside the figures that the formats'
//! authors state (ruling S2). `cargo xtask scorecard` prints it.
//!
//! | card | what is measured |
//! |---|---|
//! | `packs` | six context packs in every format of payloads |
//! | `tools` | twenty responses of tools, as GCX and as JSON |
//! | `queries` | responses of graph queries, as GOON and as JSON |
//! | `delta` | what sessions and deltas save when an agent asks again |
//! | `real` | what package managers, servers and log services print, in our forms and in other people's |

mod calls;
mod card;
mod delta;
mod packs;
mod queries;
mod real;
mod scorecards;
mod tools;

pub use packs::registry;
pub use real::Real;
pub use scorecards::{Card, Inputs};
