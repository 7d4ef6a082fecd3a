//! What `benches/` compares with, for the crate `gcf` before specification 3.6.

#[path = "../../src/generic.rs"]
pub mod generic;
#[path = "../../src/json.rs"]
pub mod json;
#[path = "../../src/rng.rs"]
pub mod rng;
