//! What the page shows of a JSON value: its forms and what they lose. Most of what is pasted is one, so
//! the page loads this module first, and that for all other texts only when one comes.

use wasm_bindgen::prelude::*;
use wire_core::json::{Error, Reader, Token};
use wire_core::{CodecError, Representation};
use wire_input::serde_json::{Value, json};
use wire_input::{Form, JsonKind, Members, Minified, Source, Warning};
use wire_input::{GCX, JSON, JSON_PRETTY, response};
use wire_js::{OrThrow, Thrown};
use wire_registry::FORMS;

/// A text that was read, and its forms.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Opened {
    format: &'static str,
    content: &'static str,
    warnings: Vec<Warning>,
    forms: Vec<Form>,
    chooses_all: bool,
}

impl Opened {
    /// A text of this format and content, and what is to be said about reading it.
    pub fn new(
        format: &'static str,
        content: &'static str,
        warnings: Vec<Warning>,
        forms: Vec<Form>,
    ) -> Self {
        Opened { format, content, warnings, forms, chooses_all: false }
    }

    /// Sets whether all forms are candidates, and not only [`FORMS`].
    #[must_use]
    pub fn choosing_all(mut self, chooses_all: bool) -> Self {
        self.chooses_all = chooses_all;
        self
    }
}

#[wasm_bindgen]
impl Opened {
    /// Its format, content, warnings and forms, as the text of a JSON object.
    pub fn about(&self) -> String {
        let warning =
            |warning: &Warning| json!({ "message": warning.message, "isLoss": warning.is_loss });
        let form = |form: &Form| {
            json!({
                "format": form.format,
                "isText": form.representation == Representation::Text,
                "isCandidate": self.chooses_all || FORMS.contains(&form.format),
                "losses": form.losses,
                "code": form.bytes.as_ref().err().map(CodecError::code),
                "message": form.bytes.as_ref().err().map(CodecError::message),
            })
        };
        let warnings: Vec<Value> = self.warnings.iter().map(warning).collect();
        let forms: Vec<Value> = self.forms.iter().map(form).collect();
        json!({ "format": self.format, "content": self.content, "warnings": warnings, "forms": forms })
            .to_string()
    }

    /// The bytes of a form; none if it could not be made.
    pub fn bytes(&self, index: usize) -> Vec<u8> {
        let form = self.forms.get(index).and_then(|form| form.bytes.as_ref().ok());
        form.cloned().unwrap_or_default()
    }
}

/// A JSON text whose value is neither a payload, a query's response, a tool's result nor two
/// payloads. `None` of all other texts, also of those that are wrong.
#[wasm_bindgen]
pub fn open_value(input: &[u8]) -> Option<Opened> {
    let text = std::str::from_utf8(input).ok()?;
    let is_value = text.trim_start().starts_with(['{', '['])
        && Members::of(input).kind() == JsonKind::Other
        && !is_for_page(text).ok()?;
    let (value, warnings) = Minified::read(Source::Json, input).ok().filter(|_| is_value)?;
    let mut forms = value.forms(&|_, _| None);
    for form in forms.iter_mut().filter(|form| form.format == GCX) {
        prove(form, &value, |bytes| response::read(bytes).ok().map(|(_, value)| value));
    }
    Some(Opened::new(JSON, "value", warnings, forms))
}

/// Returns `true` of an object with a list `content`, which may be a tool's result, and of a list of
/// two payloads: the large module knows them.
fn is_for_page(json: &str) -> Result<bool, Error> {
    let mut reader = Reader::new(json);
    if let Token::Object = reader.value()? {
        while let Some(key) = reader.key()? {
            if key.decode() == "content" {
                return Ok(reader.peek() == Some(b'['));
            }
            reader.skip()?;
        }
        return Ok(false);
    }
    let mut items = Vec::new();
    while items.len() < 3 && reader.item()? {
        items.push(reader.skip()?);
    }
    let is_payload = |item: &&str| Members::of(item.as_bytes()).kind() == JsonKind::Payload;
    Ok(items.len() == 2 && items.iter().all(is_payload))
}

/// A JSON text with line breaks.
#[wasm_bindgen]
pub fn pretty_value(input: &[u8]) -> Result<String, Thrown> {
    let (value, _) = Minified::read(Source::Json, input).or_throw()?;
    value.in_form(JSON_PRETTY).or_throw()
}

/// Adds a loss to a form that states none and is not read back as an equal value.
pub fn prove(form: &mut Form, value: &Minified, read: impl Fn(&[u8]) -> Option<Minified>) {
    let Some(bytes) = form.bytes.as_ref().ok().filter(|_| form.losses.is_empty()) else { return };
    match read(bytes) {
        Some(back) if value.is_same(back.text()) => {}
        Some(_) => form.losses.push("not every value decodes to an equal one".to_owned()),
        None => form.losses.push("it is written and not read".to_owned()),
    }
}

/// Whether two JSON texts are the same value: numbers as decimals, members in any order.
#[wasm_bindgen]
pub fn same(one: &str, other: &str) -> bool {
    Minified::of(one.to_owned()).is_same(other)
}

/// The choice among texts that are counted exactly: see [`wire_js::choose`].
#[wasm_bindgen]
pub fn choose(counter: &str, forms: &str, bytes: &[u32], tokens: &[u32]) -> Option<String> {
    wire_js::choose(counter, false, forms, bytes, tokens)
}
