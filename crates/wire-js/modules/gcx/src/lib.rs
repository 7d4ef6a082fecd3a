//! GCX1 for JavaScript.

use wasm_bindgen::prelude::*;
use wire_js::{OrThrow, Thrown, text};

/// JSON text as GCX1: of a tool, or the typed form if there is none.
#[wasm_bindgen]
pub fn from_json(
    json: &[u8],
    tool: Option<String>,
    typed: bool,
    exact: bool,
) -> Result<String, Thrown> {
    let encoder = gcx::Encoder::new().exact(exact);
    let json = text(json)?;
    match tool {
        Some(tool) if !typed => encoder.json_to_layout(&tool, json).or_throw(),
        tool => encoder.json_to_gcx(tool.as_deref().unwrap_or("value"), json).or_throw(),
    }
}

/// GCX1 as JSON text.
#[wasm_bindgen]
pub fn to_json(input: &[u8]) -> Result<String, Thrown> {
    gcx::gcx_to_json(text(input)?).or_throw()
}
