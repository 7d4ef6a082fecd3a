//! What the page shows of a text: what it is, its forms and what they lose, what the proxy makes of
//! a tool's result, the changes between two payloads, and the repairs of a model's answer.

mod changes;
mod tool;

use gcf::graph::Repair;
use js_values::{Opened, prove};
use wasm_bindgen::prelude::*;
use wire_core::TokenCounter;
use wire_input::Answer;
use wire_input::serde_json::{Value, json};
use wire_input::wire_registry::Registry;
use wire_input::{Document, Held, JsonKind, Kind, Source, Tags, Types};
use wire_js::{OrThrow, Thrown};

#[wasm_bindgen]
extern "C" {
    /// The tokens of a text. The page's worker defines it, by a vocabulary that is loaded apart.
    #[wasm_bindgen(js_name = countTokens)]
    fn count_tokens(text: &str) -> usize;
}

const YAML: &str = "yaml";
/// What is no format: a text for people, which may have JSON in it.
const TEXT: &str = "text";

/// The counter of the page.
struct Tokens;

impl TokenCounter for Tokens {
    fn name(&self) -> &'static str {
        "o200k_base"
    }

    fn count(&self, text: &str) -> usize {
        count_tokens(text)
    }
}

/// Reads a text in the format `from`, or in the one that its first bytes or the extension of its
/// name tell, if `from` is empty. A text that these don't tell is YAML if two of its lines name a key
/// and it can be read; else it is a text, as with the format [`TEXT`]. `flags` has a line for each
/// flag of `wirefmt` that is on. An error is thrown where the text can't be read.
#[wasm_bindgen]
pub fn open(input: &[u8], extension: &str, from: &str, flags: &str) -> Result<Opened, Thrown> {
    let registry = registry();
    let named = (!from.is_empty()).then_some(from);
    let mut document = Document::detect(input, Some(extension), named, &registry);
    if document.format().is_none() && named.is_none() && is_yaml(input, &registry) {
        document = Document::detect(input, None, Some(YAML), &registry);
    }
    if let Kind::Value(source) = &mut document.kind {
        flags.lines().for_each(|flag| set(source, flag));
    }
    let format = document.format().unwrap_or(TEXT);
    let content = document.content().unwrap_or_default();
    let opened = |content, forms| Opened::new(format, content, Vec::new(), forms);
    if document.format().is_none() && (from.is_empty() || from == TEXT) {
        wire_js::text(input)?;
        return Ok(match tool::forms_of_text(input) {
            Some(forms) => opened("text with JSON", forms),
            None => opened("", Vec::new()),
        });
    }
    let (value, warnings) = document.read().or_throw()?;
    if let Some(forms) = tool::forms(&value) {
        return Ok(opened("tool result", forms));
    }
    if let Some(forms) = changes::forms(&value, &registry) {
        return Ok(opened("two payloads", forms).choosing_all(true));
    }
    let (held, further) = document.held(None, |_| None).or_throw()?;
    let mut forms = held.forms(input, &registry, &|_, _| None);
    let read = |format, bytes: &[u8]| {
        let document = Document::detect(bytes, None, Some(format), &registry);
        document.read().ok().map(|(value, _)| value)
    };
    let is_payload = matches!(held, Held::Payload(_));
    // What a payload leaves out of the input is told apart.
    let written = forms[0].bytes.as_ref().ok().filter(|_| is_payload);
    let value = written.and_then(|bytes| read(forms[0].format, bytes)).unwrap_or(value);
    for form in &mut forms {
        let format = form.format;
        prove(form, &value, |bytes| read(format, bytes));
    }
    let told = if warnings.is_empty() { further } else { warnings };
    let content =
        if is_payload || document.json() != Some(JsonKind::Payload) { content } else { "value" };
    let chooses_all = held.is_candidate("xml");
    Ok(Opened::new(format, content, told, forms).choosing_all(chooses_all))
}

/// Sets what a flag says of how a text is read.
fn set(source: &mut Source, flag: &str) {
    match (source, flag.split_once(' ').unwrap_or((flag, ""))) {
        (Source::Csv(csv), ("--infer-types", _)) => csv.types = Some(Types::All),
        (Source::Csv(csv), ("--rename-duplicates", _)) => csv.renames = true,
        (Source::Csv(csv), ("--delimiter", "tab")) => csv.delimiter = Some(b'\t'),
        (Source::Csv(csv), ("--delimiter", name)) => csv.delimiter = name.bytes().next(),
        (Source::Yaml(tags), ("--yaml-tags", "drop")) => *tags = Some(Tags::Drop),
        (Source::Yaml(tags), ("--yaml-tags", "keep")) => *tags = Some(Tags::Keep),
        _ => {}
    }
}

/// Returns `true` if a text can be read as YAML, and no text for people looks like it by chance: two
/// lines name a key.
fn is_yaml(input: &[u8], registry: &Registry) -> bool {
    let text = std::str::from_utf8(input).unwrap_or_default();
    let names_key = |line: &&str| {
        let line = line.trim_start().trim_start_matches("- ");
        let (key, rest) = line.split_once(':').unwrap_or_default();
        !key.is_empty() && !key.contains(['{', '[']) && (rest.is_empty() || rest.starts_with(' '))
    };
    text.lines().filter(names_key).nth(1).is_some()
        && Document::detect(input, None, Some(YAML), registry).read().is_ok()
}

/// A text as JSON with line breaks.
#[wasm_bindgen]
pub fn pretty(input: &[u8], from: &str) -> Result<String, Thrown> {
    let registry = registry();
    let (value, _) = Document::detect(input, None, Some(from), &registry).read().or_throw()?;
    value.in_form("json-pretty").or_throw()
}

/// What a model's answer says, and what was repaired to read it, as the text of a JSON object.
#[wasm_bindgen]
pub fn recover(answer: &[u8]) -> Result<String, Thrown> {
    let (json, repairs) = match Answer::detect(answer) {
        Answer::Value => {
            let (value, account) = gcf::Decoder::new().recover::<Value>(answer).or_throw()?;
            (value.to_string(), account.repairs)
        }
        Answer::Payload => {
            let (payload, account) = gcf::graph::Decoder::new().recover(answer).or_throw()?;
            (changes::json_of(&payload).or_throw()?, account.repairs)
        }
    };
    let repair = |found: &Repair| {
        json!({
            "line": found.line,
            "code": found.kind.code(),
            "message": found.kind.summary(),
            "reason": found.reason.map(gcf::ErrorKind::summary),
            "isLoss": found.kind.is_loss(),
        })
    };
    let repairs: Vec<Value> = repairs.iter().map(repair).collect();
    Ok(json!({ "json": json, "repairs": repairs }).to_string())
}

/// The formats of the family.
fn registry() -> Registry {
    const DISTINCT: &str = "because the names of the family's codecs are distinct";
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).expect(DISTINCT);
    registry.register(gcx::Gcx::default()).expect(DISTINCT);
    registry.register(goon::Goon::default()).expect(DISTINCT);
    registry.register(gcb::Gcb::default()).expect(DISTINCT);
    registry
}
