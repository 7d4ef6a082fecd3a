//! What the crates of this workspace share, and nobody else may use: it may change in any version.

pub mod json;
