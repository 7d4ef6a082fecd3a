//! A vocabulary as a WebAssembly module of its own, since it is larger than the formats.

use wasm_bindgen::prelude::*;
use wire_core::TokenCounter;
use wire_js::{Thrown, text};
use wire_tokens::Counter;

const COUNTER: Counter =
    if cfg!(feature = "o200k") { Counter::O200kBase } else { Counter::Cl100kBase };

/// The number of tokens of a text.
#[wasm_bindgen]
pub fn count(input: &[u8]) -> Result<usize, Thrown> {
    Ok(COUNTER.count(text(input)?))
}

/// The lengths of the tokens of a text, in bytes, in their order.
#[wasm_bindgen]
pub fn lengths(input: &[u8]) -> Result<Vec<u32>, Thrown> {
    let length = |(_, length)| u32::try_from(length).expect("because a token is short");
    Ok(COUNTER.pieces(text(input)?).map(length).collect())
}
