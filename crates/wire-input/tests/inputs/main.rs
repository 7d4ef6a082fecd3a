//! What inputs are, and their values. The tests are one program.

#![allow(clippy::unwrap_used)] // helpers of tests

#[cfg(feature = "csv")]
mod csv_types;
mod documents;
mod forms;
mod json;
mod pieces;
#[cfg(all(feature = "csv", feature = "toml", feature = "yaml"))]
mod read;
#[cfg(feature = "yaml")]
mod yaml;
