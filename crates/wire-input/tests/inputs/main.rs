//! What inputs are, and their values. The tests are one program.

#[cfg(feature = "csv")]
mod csv_types;
mod documents;
mod forms;
mod json;
mod pieces;
#[cfg(feature = "yaml")]
mod yaml;
