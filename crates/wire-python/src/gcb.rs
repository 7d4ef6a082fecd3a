//! `wire_formats.gcb`: GCB1.

use gcb::Decoder;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wire_core::Limits;

use crate::error::{Format, OrRaise, Reader};
use crate::input::{Input, detached, limits};
use crate::payload::{Given, PyPayload};

/// A payload as GCB1, which is bytes.
///
/// >>> from wire_formats import gcb
/// >>> symbols = [{"qualified_name": "a", "kind": "function", "score": 0.5}]
/// >>> data = gcb.dumps({"tool": "t", "symbols": symbols})
/// >>> gcb.loads(data).symbols[0]["score"]
/// 0.5
///
/// Raises `gcb.Error` for a payload that GCB1 can't represent.
#[pyfunction]
pub(crate) fn dumps<'py>(
    py: Python<'py>,
    payload: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyBytes>> {
    let payload = Given::of(payload, Format::Gcb)?;
    let payload = payload.payload();
    let bytes = py.detach(|| gcb::to_vec(payload)).or_raise(py, Format::Gcb)?;
    Ok(PyBytes::new(py, &bytes))
}

/// The payload of bytes in GCB1.
///
/// `unknown_ids_as_words` reads an id that is in no table as the word `unknown_N`. `line_bytes`
/// bounds the length of a string (1 MiB), and `items` the number of symbols, and of edges
/// (16,777,216).
///
/// Raises `gcb.Error` with the code and offset of what is wrong.
#[pyfunction]
#[pyo3(signature = (data, *, unknown_ids_as_words=false, line_bytes=None, items=None))]
pub(crate) fn loads(
    py: Python<'_>,
    data: Input<'_>,
    unknown_ids_as_words: bool,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<PyPayload> {
    let bytes = data.bytes(Format::Gcb)?;
    let decoder = Decoder::new()
        .limits(limits(Limits::DEFAULT, line_bytes, items))
        .unknown_ids_as_words(unknown_ids_as_words);
    let read =
        detached(py, bytes.len(), || decoder.from_slice(bytes).map(wire_core::Payload::into_owned));
    read.or_raise_reading(py, Reader::Gcb, bytes).map(PyPayload)
}
