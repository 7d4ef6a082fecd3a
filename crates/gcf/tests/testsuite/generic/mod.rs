//! The generic profile: what holds for every value and every text, and what is refused.

mod answers;
mod bounds;
#[cfg(feature = "json")]
mod json;
mod laws;
mod streams;
mod types;
mod values;

const HEADER: &str = "GCF profile=generic\n";
