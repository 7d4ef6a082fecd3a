//! GOON for JavaScript.

use goon::{Encoder, Version};
use wasm_bindgen::prelude::*;
use wire_js::{OrThrow, Thrown, text};

/// The JSON text of a response as GOON.
#[wasm_bindgen]
#[allow(clippy::fn_params_excessive_bools)] // they are named options in JavaScript
pub fn from_json(
    json: &[u8],
    version: &str,
    quote_numbers: bool,
    truncation: bool,
    drop_unrepresentable: bool,
    exact: bool,
) -> Result<String, Thrown> {
    let named = Version::from_name(version)
        .ok_or_else(|| Thrown::option("version", version, "1.0.0 or 4.0.1"))?;
    let mut encoder = Encoder::new()
        .version(named)
        .quote_numbers(quote_numbers)
        .drop_unrepresentable(drop_unrepresentable)
        .exact(exact);
    if !truncation {
        encoder = encoder.long_text(None).other_text(None);
    }
    encoder.json_to_goon(text(json)?).or_throw()
}

/// GOON as the JSON text of its response.
#[wasm_bindgen]
pub fn to_json(input: &[u8]) -> Result<String, Thrown> {
    goon::goon_to_json(text(input)?).or_throw()
}
