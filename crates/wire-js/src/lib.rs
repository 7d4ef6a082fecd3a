//! What the WebAssembly modules of the JavaScript package `wire-formats` share: errors and texts.
//!
//! Values cross the boundary as JSON text, in bytes of UTF-8: the engine's own `JSON` reads and
//! writes it in less time than objects could be walked from here.

use std::borrow::Cow;
use std::str;

use wasm_bindgen::JsValue;
use wire_core::json::{Json, Layout};
use wire_core::{CodecError, Position};
use wire_registry::{Chooser, INPUT};

/// An error for JavaScript: the text of a JSON object, from which the package makes a `WireError`.
#[derive(Debug)]
pub struct Thrown(String);

impl From<Thrown> for JsValue {
    fn from(thrown: Thrown) -> JsValue {
        JsValue::from_str(&thrown.0)
    }
}

impl Thrown {
    /// An error with a code.
    pub fn new(code: &str, message: &str, position: Option<Position>) -> Self {
        // Bytes have no lines.
        let in_text = position.filter(|position| position.line > 0);
        Thrown(object([
            ("code", string(code)),
            ("message", string(message)),
            ("line", number(in_text.map(|position| position.line))),
            ("column", number(in_text.map(|position| position.column))),
            ("offset", number(position.map(|position| position.offset))),
        ]))
    }

    /// An option that has another value than the format knows.
    pub fn option(name: &str, found: &str, expected: &str) -> Self {
        let message = format!("{name} is {found:?}, expected {expected}");
        Thrown::new("invalid_option", &message, None)
    }
}

/// Errors of the formats as those for JavaScript.
pub trait OrThrow<T> {
    /// The value, or the error for JavaScript.
    fn or_throw(self) -> Result<T, Thrown>;
}

impl<T, E: Into<CodecError>> OrThrow<T> for Result<T, E> {
    fn or_throw(self) -> Result<T, Thrown> {
        self.map_err(|error| {
            let error = error.into();
            Thrown::new(error.code(), &error.to_string(), error.position())
        })
    }
}

/// Bytes as text.
pub fn text(bytes: &[u8]) -> Result<&str, Thrown> {
    str::from_utf8(bytes).map_err(|error| {
        let position = Position::in_text(bytes, error.valid_up_to());
        let message = format!("{position}: the input is not UTF-8");
        Thrown::new("invalid_utf8", &message, Some(position))
    })
}

/// A repair of an answer, for JavaScript.
pub fn repair(
    line: u64,
    offset: u64,
    code: &str,
    reason: Option<&str>,
    is_loss: bool,
) -> Json<'static> {
    let members = [
        ("line", number(Some(line))),
        ("offset", number(Some(offset))),
        ("code", string(code)),
        ("reason", reason.map_or(Json::Null, string)),
        ("isLoss", Json::Bool(is_loss)),
    ];
    Json::Object(members.map(|(name, value)| (Cow::Borrowed(name), value)).into())
}

/// The JSON text of what a recovery found; the value is JSON text itself.
pub fn recovered(value: &str, repairs: Vec<Json<'static>>) -> String {
    object([("value", string(value)), ("repairs", Json::Array(repairs))])
}

/// The choice among texts (ruling X17): the name of a form, a space, and why in words. `forms` has
/// the names of their forms with spaces between them; then come the bytes and the tokens of each.
/// `None` if there is no text.
pub fn choose(
    counter: &str,
    is_estimate: bool,
    forms: &str,
    bytes: &[u32],
    tokens: &[u32],
) -> Option<String> {
    const KNOWN: [&str; 8] = [INPUT, "json", "gcf", "gcx", "goon", "delta", "xml", "markdown"];
    let known = |name| KNOWN.into_iter().find(|known| *known == name);
    let texts = forms.split(' ').zip(bytes).zip(tokens).filter_map(|((name, bytes), tokens)| {
        Some((known(name)?, *bytes as usize, *tokens as usize))
    });
    let chosen = Chooser::of_counted(counter, is_estimate, texts)?;
    Some(format!("{} {chosen}", chosen.format))
}

/// The JSON text of an object.
pub fn object<const N: usize>(members: [(&'static str, Json<'static>); N]) -> String {
    let members = members.map(|(name, value)| (Cow::Borrowed(name), value));
    Json::Object(members.into()).to_text(Layout::Compact)
}

/// A string of JSON.
pub fn string(text: &str) -> Json<'static> {
    Json::String(text.to_owned().into())
}

/// A number of JSON, or null.
pub fn number(number: Option<u64>) -> Json<'static> {
    number.map_or(Json::Null, |number| Json::Number(number.to_string().into()))
}
