//! GCF, the generic profile, for JavaScript; and what choosing a format needs to know of JSON.

use gcf::{Decoder, Encoder, Spec, TableHead, Writer};
use wasm_bindgen::prelude::*;
use wire_core::json::{Json, Layout, Strings, Text, equal, laid_out};
use wire_core::{Position, Runs, TokenCounter};
use wire_js::{OrThrow, Thrown, recovered, repair, text};
use wire_registry::FORMS;

/// JSON text as GCF.
#[wasm_bindgen]
pub fn from_json(json: &[u8], spec: &str, exact: bool) -> Result<String, Thrown> {
    let named = Spec::from_name(spec).ok_or_else(|| Thrown::option("spec", spec, "3.5 or 3.6"))?;
    Encoder::new().spec(named).exact(exact).json_to_gcf(text(json)?).or_throw()
}

/// GCF as JSON text.
#[wasm_bindgen]
pub fn to_json(input: &[u8]) -> Result<String, Thrown> {
    gcf::gcf_to_json(text(input)?).or_throw()
}

/// The value in a model's answer as JSON text, and what was repaired, as one JSON text.
#[wasm_bindgen]
pub fn recover(answer: &[u8]) -> Result<String, Thrown> {
    let (value, account) = Decoder::new().recover::<Json<'static>>(answer).or_throw()?;
    let repairs = account.repairs.iter().map(|found| {
        let reason = found.reason.map(gcf::ErrorKind::code);
        repair(found.line, found.offset, found.kind.code(), reason, found.kind.is_loss())
    });
    Ok(recovered(&value.to_text(Layout::Compact), repairs.collect()))
}

/// The lines of a GCF table without its trailer: the first two lines if `row` is empty, and
/// otherwise the line of this row. `fields` is a JSON array of names, `row` a JSON object.
#[wasm_bindgen]
pub fn lines(fields: &[u8], row: &[u8]) -> Result<String, Thrown> {
    let Ok(Json::Array(fields)) = Json::parse(text(fields)?) else {
        return Err(Thrown::option("fields", "no array", "an array of names"));
    };
    let mut lines = Vec::new();
    let mut writer = Writer::new(&mut lines).or_throw()?;
    writer.begin(&TableHead::rows(fields.iter().filter_map(Json::as_str))).or_throw()?;
    if !row.is_empty() {
        writer.row(&Text::new(text(row)?)).or_throw()?;
    }
    drop(writer);
    let text = String::from_utf8(lines).expect("because it is made of strings");
    let head = if row.is_empty() { 0 } else { 2 };
    Ok(text.split_inclusive('\n').skip(head).collect())
}

/// A JSON text without white space, and with every digit.
#[wasm_bindgen]
pub fn minified(json: &[u8]) -> Result<String, Thrown> {
    let json = text(json)?;
    laid_out(json, Layout::Compact, Strings::AsWritten).map_err(|error| {
        let position = Position::in_text(json.as_bytes(), error.offset());
        let message = format!("{position}: {}", error.message());
        Thrown::new(error.kind().code(), &message, Some(position))
    })
}

/// Returns `true` if two JSON texts are the same value: numbers as decimals, members in any order.
#[wasm_bindgen]
pub fn same(one: &[u8], other: &[u8]) -> Result<bool, Thrown> {
    Ok(equal(text(one)?, text(other)?))
}

/// The number of tokens of a text by the estimate of runs.
#[wasm_bindgen]
pub fn runs(input: &[u8]) -> usize {
    Runs.count(&String::from_utf8_lossy(input))
}

/// The names of the formats that are chosen from by default, with spaces between them.
#[wasm_bindgen]
pub fn forms() -> String {
    FORMS.join(" ")
}

/// The choice among texts: see [`wire_js::choose`].
#[wasm_bindgen]
pub fn choose(
    counter: &str,
    is_estimate: bool,
    forms: &str,
    bytes: &[u32],
    tokens: &[u32],
) -> Option<String> {
    wire_js::choose(counter, is_estimate, forms, bytes, tokens)
}

/// Returns `true` if the result of a tool is left as it is (ruling M5). `arguments` is the JSON of an
/// object, `json` that of the result.
#[wasm_bindgen]
pub fn left_verbatim(tool: &str, arguments: &str, json: &str) -> bool {
    wire_mcp::left_verbatim(tool, arguments, json).is_some()
}
