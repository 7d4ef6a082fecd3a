//! The errors of a response that does not match a layout.

use wire_core::text::shown;

use crate::json::Json;
use crate::{Error, ErrorKind};

/// The name of a value's type in messages.
pub(super) fn kind_of(value: &Json<'_>) -> &'static str {
    match value {
        Json::Null => "null",
        Json::Bool(_) => "a truth value",
        Json::Number(_) => "a number",
        Json::String(_) => "a string",
        Json::Array(_) => "an array",
        Json::Object(_) => "an object",
    }
}

/// The error of a value that does not match its column.
#[cold]
pub(super) fn wrong(path: &str, found: &Json<'_>, expected: &str) -> Error {
    let found = match found {
        Json::String(text) => shown(text),
        Json::Number(literal) => shown(literal).replace('"', ""),
        other => kind_of(other).to_owned(),
    };
    invalid_at(&format!("{path} is {found}, expected {expected}"))
}

/// An error about the response as a whole.
#[cold]
pub(super) fn invalid(problem: &str) -> Error {
    Error::encode(
        ErrorKind::InvalidShape,
        format!("the response does not match the tool: {problem}"),
    )
}

/// The error about a position in the response.
#[cold]
pub(super) fn invalid_at(problem: &str) -> Error {
    Error::encode(ErrorKind::InvalidShape, format!("in the response, {problem}"))
}
