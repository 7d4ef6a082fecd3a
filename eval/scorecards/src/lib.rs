//! What each format costs on the payloads of the repository, beside the figures that the formats'
//! authors state (ruling S2). `cargo xtask scorecard` prints it.

mod calls;
mod card;
mod delta;
mod packs;
mod queries;
mod real;
mod scorecards;
mod tools;

pub use real::Real;
pub use scorecards::{Card, Inputs};
