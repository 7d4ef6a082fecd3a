//! The conventions of `serde_json`: its marker names in serde, its maximum depth, its messages.

pub(crate) use wire_core::value::NUMBER;

use crate::error::Problem;

/// The name by which `serde_json` marks a text that is JSON already.
pub(crate) const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// The error of a type about JSON, without its position, which is relative to the cell.
pub(crate) fn without_place<T>(value: Result<T, serde_json::Error>) -> Result<T, Problem> {
    value.map_err(|error| serde::de::Error::custom(wire_core::value::without_place(&error)))
}
