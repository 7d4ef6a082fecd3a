//! Payloads of graphs for JavaScript, in GCF's graph profile and GCB1.

use gcf::Gcf;
use gcf::graph::{Decoder, Dialect, Encoder};
use wasm_bindgen::prelude::*;
use wire_core::{Codec, Payload};
use wire_js::{OrThrow, Thrown, recovered, repair};
use wire_registry::json::Json;

const STRINGS: &str = "because it is made of strings";

fn convert(from: &impl Codec, to: &impl Codec, input: &[u8]) -> Result<Vec<u8>, Thrown> {
    let payload = from.decode(input).or_throw()?;
    let mut made = Vec::new();
    to.encode(&payload, &mut made).or_throw()?;
    Ok(made)
}

/// The JSON form of a payload, without the final newline.
fn json_of(payload: &Payload<'_>) -> Result<String, Thrown> {
    let mut made = Vec::new();
    Json::compact().encode(payload, &mut made).or_throw()?;
    made.pop();
    Ok(String::from_utf8(made).expect(STRINGS))
}

/// The JSON form of a payload as GCF's graph profile.
#[wasm_bindgen]
pub fn from_json(json: &[u8], dialect: &str) -> Result<String, Thrown> {
    let named = Dialect::from_name(dialect)
        .ok_or_else(|| Thrown::option("dialect", dialect, "v1, v1.4 or v3"))?;
    let graph = Gcf::new(Encoder::new().dialect(named), Decoder::new());
    let made = convert(&Json::compact(), &graph, json)?;
    Ok(String::from_utf8(made).expect(STRINGS))
}

/// A text of GCF's graph profile as the JSON form of its payload.
#[wasm_bindgen]
pub fn to_json(input: &[u8]) -> Result<String, Thrown> {
    json_of(&gcf::graph::from_slice(input).or_throw()?)
}

/// The payload in a model's answer as JSON text, and what was repaired, as one JSON text.
#[wasm_bindgen]
pub fn recover(answer: &[u8]) -> Result<String, Thrown> {
    let (payload, account) = Decoder::new().recover(answer).or_throw()?;
    let repairs = account.repairs.iter().map(|found| {
        let reason = found.reason.map(gcf::ErrorKind::code);
        repair(found.line, found.offset, found.kind.code(), reason, found.kind.is_loss())
    });
    Ok(recovered(&json_of(&payload)?, repairs.collect()))
}

/// The JSON form of a payload as GCB1.
#[wasm_bindgen]
pub fn gcb_from_json(json: &[u8]) -> Result<Vec<u8>, Thrown> {
    convert(&Json::compact(), &gcb::Gcb::default(), json)
}

/// GCB1 as the JSON form of its payload.
#[wasm_bindgen]
pub fn gcb_to_json(input: &[u8]) -> Result<String, Thrown> {
    json_of(&gcb::from_slice(input).or_throw()?)
}
