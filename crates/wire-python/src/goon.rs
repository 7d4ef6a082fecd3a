//! `wire_formats.goon`: GOON.

use goon::{Decoder, Encoder, GraphResponse, Version};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{Format, OrRaise, Problem, Reader};
use crate::input::{Input, detached, limits, typed};
use crate::object::object;
use crate::values::tape_of;
use crate::walk::Walk;

/// The response of a graph query as GOON.
///
/// >>> from wire_formats import goon
/// >>> nodes = [{"type": "User", "id": 8, "properties": {"name": "Ann"}}]
/// >>> text = goon.dumps({"query_type": "search", "nodes": nodes, "edges": []})
/// >>> goon.loads(text)["nodes"][0]["id"]
/// 8
///
/// `obj` is the JSON form of a response. `version` is "1.0.0" or "4.0.1". Long texts are cut, as
/// the format asks for: after `long_text` characters in `body`, `description`, `name`, `note` and
/// `title`, and after `other_text` elsewhere; `truncation=False` cuts nothing. `quote_numbers`
/// writes texts that look like numbers in quotes. `drop_unrepresentable` leaves out what the
/// version has no place for, which is an error otherwise. `default`, `index`,
/// `nan` and `digits` are as in `gcf.dumps`.
///
/// Raises `goon.Error` for an object that is not a response, and for values that GOON can't
/// represent.
#[pyfunction]
#[pyo3(signature = (obj, *, default=None, index=true, nan="error", digits=None, version="1.0.0", quote_numbers=false, long_text=None, other_text=None, truncation=true, drop_unrepresentable=false))]
#[allow(clippy::fn_params_excessive_bools, clippy::too_many_arguments)] // they are keywords in Python
pub(crate) fn dumps(
    py: Python<'_>,
    obj: &Bound<'_, PyAny>,
    default: Option<&Bound<'_, PyAny>>,
    index: bool,
    nan: &str,
    digits: Option<u8>,
    version: &str,
    quote_numbers: bool,
    long_text: Option<usize>,
    other_text: Option<usize>,
    truncation: bool,
    drop_unrepresentable: bool,
) -> PyResult<String> {
    let encoder =
        encoder(version, quote_numbers, long_text, other_text, truncation, drop_unrepresentable)?;
    let walk = Walk::new(py, Format::Goon, default)?.index(index).nan(nan)?.digits(digits)?;
    let value = serde_json::to_value(object(&walk, obj))
        .map_err(|error| walk.raise(Problem::new("invalid_member", error.to_string())))?;
    let written =
        GraphResponse::from_value(&value).and_then(|response| encoder.to_string(&response));
    written.or_raise(py, Format::Goon)
}

/// The JSON form of a response in GOON. With `type`, a dataclass, a pydantic model or a type of
/// them, it is of that.
///
/// `line_bytes` bounds the length of a line (64 MiB), and `items` the number of nodes, edges and
/// rows (16,777,216).
///
/// Raises `goon.Error` with the code, line, column and offset of what is wrong.
#[pyfunction]
#[pyo3(signature = (s, *, r#type=None, line_bytes=None, items=None))]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    s: Input<'py>,
    r#type: Option<&Bound<'py, PyAny>>,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let bytes = s.bytes(Format::Goon)?;
    let limits = limits(goon::LIMITS, line_bytes, items);
    let decoder = Decoder::new().limits(limits);
    let tape =
        detached(py, bytes.len(), || decoder.from_slice(bytes).map(|response| tape_of(&response)));
    let value = tape
        .or_raise_reading(py, Reader::Goon, bytes)?
        .expect("because JSON has no variants")
        .build(py, Format::Goon)?;
    typed(value, r#type, Format::Goon)
}

fn encoder(
    version: &str,
    quote_numbers: bool,
    long_text: Option<usize>,
    other_text: Option<usize>,
    truncation: bool,
    drop_unrepresentable: bool,
) -> PyResult<Encoder> {
    let version = Version::from_name(version).ok_or_else(|| {
        let names: Vec<_> = Version::ALL.iter().map(|version| version.name()).collect();
        PyValueError::new_err(format!(
            "version is {version:?}, expected one of {}",
            names.join(", ")
        ))
    })?;
    let mut encoder = Encoder::new()
        .version(version)
        .quote_numbers(quote_numbers)
        .drop_unrepresentable(drop_unrepresentable);
    if long_text.is_some() || !truncation {
        encoder = encoder.long_text(long_text);
    }
    if other_text.is_some() || !truncation {
        encoder = encoder.other_text(other_text);
    }
    Ok(encoder)
}

/// The JSON text of a response as GOON: see `dumps` for the options.
///
/// A decimal that is not a double is rounded; with `exact=True` it is an error, "inexact_number".
///
/// Raises `goon.Error` with the place in the JSON text. The GIL is released meanwhile.
#[pyfunction]
#[pyo3(signature = (s, *, version="1.0.0", quote_numbers=false, long_text=None, other_text=None, truncation=true, drop_unrepresentable=false, exact=false))]
#[allow(clippy::fn_params_excessive_bools, clippy::too_many_arguments)] // they are keywords in Python
pub(crate) fn from_json(
    py: Python<'_>,
    s: Input<'_>,
    version: &str,
    quote_numbers: bool,
    long_text: Option<usize>,
    other_text: Option<usize>,
    truncation: bool,
    drop_unrepresentable: bool,
    exact: bool,
) -> PyResult<String> {
    let encoder =
        encoder(version, quote_numbers, long_text, other_text, truncation, drop_unrepresentable)?;
    let json = s.text(Format::Goon)?;
    let encoder = encoder.exact(exact);
    let made = detached(py, json.len(), || encoder.json_to_goon(json));
    made.or_raise(py, Format::Goon)
}

/// A text in GOON as the JSON text of its response.
///
/// Raises `goon.Error` as `loads` does. The GIL is released meanwhile.
#[pyfunction]
pub(crate) fn to_json(py: Python<'_>, s: Input<'_>) -> PyResult<String> {
    let bytes = s.bytes(Format::Goon)?;
    let json = detached(py, bytes.len(), || {
        Decoder::new().from_slice(bytes).map(|response| response.to_value().to_string())
    });
    json.or_raise_reading(py, Reader::Goon, bytes)
}
