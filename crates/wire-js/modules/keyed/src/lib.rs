//! Sets of rows with a key, and the changes between two of them, for JavaScript.
//!
//! JavaScript has each set and each delta as its text, which its collector of garbage knows.

use gcf::keyed::{Delta, KeyedSet, Message};
use wasm_bindgen::prelude::*;
use wire_core::PackRoot;
use wire_core::json::{Json, Layout, Text};
use wire_js::{OrThrow, Thrown, number, object, string, text};

/// What a text is, as JSON: a set, a delta, or what it says of a set that has not changed.
#[wasm_bindgen]
pub fn parse(input: &[u8]) -> Result<String, Thrown> {
    match message(input)? {
        Message::Full(set) => Ok(json_of_set(&set)),
        Message::Delta(delta) => Ok(json_of_delta(&delta)),
        Message::Unchanged { root, count } => {
            Ok(object([("root", string(root.as_str())), ("count", number(count))]))
        }
        _ => Err(Thrown::new("unexpected_answer", "the message has no class", None)),
    }
}

/// The set of a consumer after a text, as JSON; `held` is the set that it has.
#[wasm_bindgen]
pub fn receive(input: &[u8], held: Option<Vec<u8>>) -> Result<String, Thrown> {
    let message = message(input)?;
    let held = held.map(|held| set_of(&held)).transpose()?;
    message.apply(held).or_throw().map(|set| json_of_set(&set))
}

/// The set of rows, as JSON. `rows` is the JSON of an array, or of an object of objects, `fields` of
/// an array of names.
#[wasm_bindgen]
pub fn set(
    rows: &[u8],
    key: &str,
    fields: Option<Vec<u8>>,
    name: Option<Vec<u8>>,
) -> Result<String, Thrown> {
    let json = text(rows)?;
    let rows = Text::new(json);
    let made = match fields {
        Some(fields) => {
            let Ok(Json::Array(fields)) = Json::parse(text(&fields)?) else {
                return Err(Thrown::option("fields", "no array", "an array of names"));
            };
            KeyedSet::new(key, fields.iter().filter_map(Json::as_str))
                .and_then(|mut set| set.extend(&rows).map(|()| set))
        }
        None if json.starts_with('{') => KeyedSet::from_map(key, &rows),
        None => KeyedSet::from_rows(key, &rows),
    };
    let set = made.or_throw()?;
    Ok(json_of_set(&match name {
        Some(name) => set.with_name(text(&name)?),
        None => set,
    }))
}

/// The text of a set as the answer of a tool.
#[wasm_bindgen]
pub fn with_tool(set: &[u8], tool: &str) -> Result<String, Thrown> {
    set_of(set)?.with_tool(tool).or_throw().map(|set| set.to_string())
}

/// The text that says that a set has not changed.
#[wasm_bindgen]
pub fn unchanged(set: &[u8]) -> Result<String, Thrown> {
    Ok(set_of(set)?.unchanged_to_string())
}

/// What turns one set into the next, as JSON.
#[wasm_bindgen]
pub fn delta_to(base: &[u8], next: &[u8]) -> Result<String, Thrown> {
    set_of(base)?.delta_to(&set_of(next)?).or_throw().map(|delta| json_of_delta(&delta))
}

/// The delta between sets of these roots, with the key and the fields of a set, as JSON. `added` and `changed` are the JSON of arrays,
/// and each of `removed` is that of a key.
#[wasm_bindgen]
#[allow(clippy::too_many_arguments)] // they are options in JavaScript
pub fn delta(
    of: &[u8],
    base_root: &str,
    new_root: &str,
    added: &[u8],
    changed: &[u8],
    removed: Vec<String>,
    tool: Option<String>,
    tokens: Option<u32>,
    full_tokens: Option<u32>,
) -> Result<String, Thrown> {
    let mut delta = Delta::new(&set_of(of)?, root_of(base_root)?, root_of(new_root)?);
    delta.add(&Text::new(text(added)?)).or_throw()?;
    delta.change(&Text::new(text(changed)?)).or_throw()?;
    delta.remove(removed.iter().map(|key| Text::new(key))).or_throw()?;
    if let Some(tool) = tool {
        delta = delta.with_tool(&tool).or_throw()?;
    }
    if let (Some(tokens), Some(full)) = (tokens, full_tokens) {
        delta = delta.with_tokens(tokens.into(), full.into());
    }
    Ok(json_of_delta(&delta))
}

/// Whether the text of a delta is less than 60 % of that of the whole set.
#[wasm_bindgen]
pub fn is_worth_it(delta: &[u8], full: &[u8]) -> Result<bool, Thrown> {
    let full = set_of(full)?;
    Ok(matches!(message(delta)?, Message::Delta(delta) if delta.is_worth_it(&full)))
}

/// The JSON of the rows of a set, or of those that a delta has added, changed or removed.
#[wasm_bindgen]
pub fn rows(input: &[u8], of: &str) -> Result<String, Thrown> {
    let rows = match (message(input)?, of) {
        (Message::Delta(delta), "added") => delta.added(),
        (Message::Delta(delta), "changed") => delta.changed(),
        (Message::Delta(delta), _) => delta.removed(),
        (message, _) => message.apply(None).and_then(|set| set.rows()),
    };
    Ok(Json::Array(rows.or_throw()?).to_text(Layout::Compact))
}

fn message(input: &[u8]) -> Result<Message, Thrown> {
    text(input)?.parse::<Message>().or_throw()
}

fn set_of(input: &[u8]) -> Result<KeyedSet, Thrown> {
    message(input)?.apply(None).or_throw()
}

fn root_of(text: &str) -> Result<PackRoot<'static>, Thrown> {
    PackRoot::new(text.to_owned())
        .map_err(|_| Thrown::option("root", text, "a text without spaces"))
}

fn json_of_set(set: &KeyedSet) -> String {
    object([
        ("text", string(&set.to_string())),
        ("root", string(set.root().as_str())),
        ("key", string(set.key())),
        ("fields", Json::Array(set.fields().iter().map(|field| string(field)).collect())),
        ("name", string(set.name())),
        ("size", number(Some(set.len() as u64))),
    ])
}

fn json_of_delta(delta: &Delta) -> String {
    let savings = delta.savings().map(|savings| savings.to_string().into());
    object([
        ("text", string(&delta.to_string())),
        ("baseRoot", string(delta.base_root().as_str())),
        ("newRoot", string(delta.new_root().as_str())),
        ("tool", delta.tool().map_or(Json::Null, string)),
        ("savings", savings.map_or(Json::Null, Json::Number)),
        ("size", number(Some(delta.len() as u64))),
    ])
}
