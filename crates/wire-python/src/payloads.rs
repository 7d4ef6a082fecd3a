//! Payloads of graphs in GCX1 and GOON: `dumps_payload` and `loads_payload`.

use pyo3::prelude::*;
use wire_core::{Codec, Payload};

use crate::error::{Format, OrRaise};
use crate::input::{Input, detached, limits};
use crate::payload::{Given, PyPayload};

fn dumps(codec: &impl Codec, payload: &Bound<'_, PyAny>, format: Format) -> PyResult<String> {
    let py = payload.py();
    let payload = Given::of(payload, format)?;
    let payload = payload.payload();
    let written = py.detach(|| {
        let mut text = Vec::new();
        codec.encode(payload, &mut text).map(|()| text)
    });
    let text = written.or_raise(py, format)?;
    Ok(String::from_utf8(text).expect("because it is made of strings"))
}

fn loads(
    py: Python<'_>,
    codec: &impl Codec,
    text: &Input<'_>,
    format: Format,
) -> PyResult<PyPayload> {
    let bytes = text.bytes(format)?;
    let read = detached(py, bytes.len(), || codec.decode(bytes).map(Payload::into_owned));
    read.or_raise(py, format).map(PyPayload)
}

/// A payload of a graph as GCX1: a section of symbols, and one of edges. `gcf.graph` uses fewer
/// tokens.
#[pyfunction(name = "dumps_payload")]
pub(crate) fn dumps_gcx(payload: &Bound<'_, PyAny>) -> PyResult<String> {
    dumps(&gcx::Gcx::default(), payload, Format::Gcx)
}

/// The payload of a text of `dumps_payload`.
///
/// Raises `gcx.Error` with the code, line, column and offset of what is wrong.
#[pyfunction(name = "loads_payload")]
#[pyo3(signature = (s, *, line_bytes=None, items=None))]
pub(crate) fn loads_gcx(
    py: Python<'_>,
    s: Input<'_>,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<PyPayload> {
    let decoder = gcx::Decoder::new().limits(limits(gcx::LIMITS, line_bytes, items));
    loads(py, &gcx::Gcx::new(decoder), &s, Format::Gcx)
}

/// A payload of a graph as GOON. The tool, the tokens, the pack root and the status of edges are
/// dropped; `gcf.graph` keeps them.
#[pyfunction(name = "dumps_payload")]
pub(crate) fn dumps_goon(payload: &Bound<'_, PyAny>) -> PyResult<String> {
    dumps(&goon::Goon::default(), payload, Format::Goon)
}

/// The payload of a text of `dumps_payload`.
///
/// Raises `goon.Error` with the code, line, column and offset of what is wrong.
#[pyfunction(name = "loads_payload")]
#[pyo3(signature = (s, *, line_bytes=None, items=None))]
pub(crate) fn loads_goon(
    py: Python<'_>,
    s: Input<'_>,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<PyPayload> {
    let decoder = goon::Decoder::new().limits(limits(goon::LIMITS, line_bytes, items));
    loads(py, &goon::Goon::new(decoder), &s, Format::Goon)
}
