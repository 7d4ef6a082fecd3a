//! The terms of `serde_json`: its names for what serde has no name for, its depth, its messages.

pub(crate) use wire_core::value::NUMBER;

use crate::error::Problem;

/// What `serde_json` calls a text that is JSON already in serde's terms.
pub(crate) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// How deep arrays and objects may stand in each other: what `serde_json` reads, so that all that
/// is written is read.
pub(crate) const MAX_DEPTH: usize = 127;

/// What a type says of JSON, without the place, which is in the cell.
pub(crate) fn without_place<T>(value: Result<T, serde_json::Error>) -> Result<T, Problem> {
    value.map_err(|error| {
        let text = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        serde::de::Error::custom(text.strip_suffix(&place).unwrap_or(&text))
    })
}
