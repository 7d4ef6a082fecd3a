//! `wire_formats.gcf.graph`: the graph profile of GCF.

use gcf::graph::{Decoder, Dialect, Encoder, RootAlgorithm, StreamHead};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wire_core::{Limits, Payload};

use crate::error::{Format, OrRaise, Reader};
use crate::input::{Input, detached, limits};
use crate::payload::{Given, PyPayload};
use crate::repairs::{Repair, repairs, repairs_in_words};

/// The encoder that options ask for.
pub(crate) fn encoder(
    dialect: &str,
    root: Option<&str>,
    replace_white_space: Option<char>,
) -> PyResult<Encoder> {
    let dialect = Dialect::from_name(dialect).ok_or_else(|| {
        let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        PyValueError::new_err(format!(
            "dialect is {dialect:?}, expected one of {}",
            names.join(", ")
        ))
    })?;
    let encoder = Encoder::new().dialect(dialect).replace_white_space(replace_white_space);
    let Some(name) = root else { return Ok(encoder) };
    let algorithm = RootAlgorithm::from_name(name).ok_or_else(|| {
        let names: Vec<_> = RootAlgorithm::ALL.iter().map(|algorithm| algorithm.name()).collect();
        PyValueError::new_err(format!("root is {name:?}, expected one of {}", names.join(", ")))
    })?;
    Ok(encoder.root_algorithm(Some(algorithm)))
}

fn decoder(final_newline: bool, line_bytes: Option<usize>, items: Option<usize>) -> Decoder {
    let limits = limits(Limits::DEFAULT, line_bytes, items);
    Decoder::new().limits(limits).require_final_newline(final_newline)
}

/// A payload as GCF.
///
/// >>> from wire_formats.gcf import graph
/// >>> symbols = [{"qualified_name": "a", "kind": "function", "score": 0.5}]
/// >>> print(graph.dumps({"tool": "t", "symbols": symbols}), end="")
/// GCF tool=t budget=0 tokens=0 symbols=1
/// ## targets
/// @0 fn a 0.50 structural
///
/// `dialect` is the version of the format: "v1", "v1.4" or "v3". `replace_white_space` is a
/// character that is written in place of white space in names, which is an error otherwise.
/// `stream` is the form of a producer that does not know the counts at first, with the counts after
/// the rows: "positional" or "labeled".
///
/// Raises `gcf.Error` for a payload that GCF can't represent.
#[pyfunction]
#[pyo3(signature = (payload, *, dialect="v1", replace_white_space=None, stream=None))]
pub(crate) fn dumps(
    py: Python<'_>,
    payload: Given<'_>,
    dialect: &str,
    replace_white_space: Option<char>,
    stream: Option<&str>,
) -> PyResult<String> {
    let encoder = encoder(dialect, None, replace_white_space)?;
    let encoder = match stream {
        None => encoder,
        Some("positional") => encoder.labeled_counts(false),
        Some("labeled") => encoder.labeled_counts(true),
        Some(other) => {
            let message = format!("stream is {other:?}, expected \"positional\" or \"labeled\"");
            return Err(PyValueError::new_err(message));
        }
    };
    let payload = payload.payload();
    let written = py.detach(|| match stream {
        None => encoder.to_string(payload),
        Some(_) => streamed(encoder, payload),
    });
    written.or_raise(py, Format::Gcf)
}

/// The payload symbol by symbol and edge by edge.
fn streamed(encoder: Encoder, payload: &Payload<'_>) -> Result<String, gcf::Error> {
    let head = StreamHead {
        tool: &payload.tool,
        token_budget: payload.token_budget,
        tokens_used: payload.tokens_used,
        pack_root: payload.pack_root.clone(),
    };
    let mut stream = encoder.writer(Vec::new(), &head)?;
    for symbol in &payload.symbols {
        stream.symbol(symbol)?;
    }
    for edge in &payload.edges {
        stream.edge(edge)?;
    }
    Ok(String::from_utf8(stream.finish()?).expect("because it is made of strings"))
}

/// The payload of a text in any dialect.
///
/// `line_bytes` bounds the length of a line (1 MiB), and `items` the number of symbols, and of
/// edges (16,777,216).
///
/// Raises `gcf.Error` with the code, line, column and offset of what is wrong.
#[pyfunction]
#[pyo3(signature = (s, *, require_final_newline=false, line_bytes=None, items=None))]
pub(crate) fn loads(
    py: Python<'_>,
    s: Input<'_>,
    require_final_newline: bool,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<PyPayload> {
    let decoder = decoder(require_final_newline, line_bytes, items);
    let bytes = s.bytes(Format::Gcf)?;
    let payload =
        detached(py, bytes.len(), || decoder.from_slice(bytes).map(wire_core::Payload::into_owned));
    payload.or_raise_reading(py, Reader::Graph, bytes).map(PyPayload)
}

/// The payload of what can be read of a text, and a report as a dict of what was left out.
///
/// Raises `gcf.Error` where not even the header can be read.
#[pyfunction]
#[pyo3(signature = (s, *, require_final_newline=false, line_bytes=None, items=None))]
pub(crate) fn loads_lenient<'py>(
    py: Python<'py>,
    s: Input<'py>,
    require_final_newline: bool,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<(PyPayload, Bound<'py, PyDict>)> {
    let decoder = decoder(require_final_newline, line_bytes, items);
    let bytes = s.bytes(Format::Gcf)?;
    let read = detached(py, bytes.len(), || {
        decoder.decode_lenient(bytes).map(|(payload, report)| (payload.into_owned(), report))
    });
    let (payload, report) = read.or_raise_reading(py, Reader::Graph, bytes)?;
    let dict = PyDict::new(py);
    dict.set_item("declared_symbols", report.declared_symbols)?;
    dict.set_item("found_symbols", report.found_symbols)?;
    dict.set_item("declared_edges", report.declared_edges)?;
    dict.set_item("found_edges", report.found_edges)?;
    dict.set_item("last_good_line", report.last_good_line)?;
    dict.set_item("ends_in_newline", report.ends_in_newline)?;
    dict.set_item("is_clean", report.is_clean())?;
    let skipped = report.skipped.iter().map(|skipped| {
        let dict = PyDict::new(py);
        dict.set_item("line", skipped.line)?;
        dict.set_item("offset", skipped.offset)?;
        dict.set_item("reason", skipped.reason.code())?;
        Ok(dict)
    });
    dict.set_item("skipped", skipped.collect::<PyResult<Vec<_>>>()?)?;
    Ok((PyPayload(payload), dict))
}

/// A payload that was found in a model's answer.
#[pyclass(module = "wire_formats.gcf.graph", frozen, get_all)]
pub(crate) struct Recovered {
    /// The payload.
    payload: Py<PyPayload>,
    /// Everything that was repaired or left out, in the order of the answer.
    repairs: Vec<Py<Repair>>,
    /// The number of symbols that the text declares, or None.
    declared_symbols: Option<u64>,
    /// The number of symbols in the payload.
    found_symbols: u64,
    /// The number of edges that the text declares, or None.
    declared_edges: Option<u64>,
    /// The number of edges in the payload.
    found_edges: u64,
    /// The last line of the answer that was taken in, from 1; 0 if there is none.
    last_good_line: u64,
}

#[pymethods]
impl Recovered {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let payload = self.payload.bind(py).repr()?;
        Ok(format!("<Recovered: {payload}, {}>", repairs_in_words(&self.repairs)))
    }
}

/// Finds the payload in a model's answer, and repairs what is nearly one.
///
/// Raises `gcf.Error` where there is none.
#[pyfunction]
#[pyo3(signature = (answer, *, line_bytes=None, items=None))]
pub(crate) fn recover(
    py: Python<'_>,
    answer: Input<'_>,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<Recovered> {
    let bytes = answer.bytes(Format::Gcf)?;
    let decoder = decoder(false, line_bytes, items);
    let found = detached(py, bytes.len(), || decoder.recover(bytes));
    let (payload, account) = found.or_raise(py, Format::Gcf)?;
    Ok(Recovered {
        payload: Py::new(py, PyPayload(payload))?,
        repairs: repairs(py, &account.repairs)?,
        declared_symbols: account.declared_symbols,
        found_symbols: account.found_symbols,
        declared_edges: account.declared_edges,
        found_edges: account.found_edges,
        last_good_line: account.last_good_line,
    })
}

/// The root of a payload: its identity, as exchanges and deltas contain it.
///
/// By default it is the root of the payload as the text of `dialect` carries it, with scores of two
/// decimals; `as_given=True` hashes the payload as it is. `root` is the algorithm: "identity" or
/// "pack-root-v1"; None for the one of the dialect.
#[pyfunction]
#[pyo3(signature = (payload, *, dialect="v1", root=None, as_given=false))]
pub(crate) fn pack_root(
    py: Python<'_>,
    payload: Given<'_>,
    dialect: &str,
    root: Option<&str>,
    as_given: bool,
) -> PyResult<String> {
    let encoder = encoder(dialect, root, None)?;
    let payload = payload.payload();
    let found = py.detach(|| {
        if as_given {
            let dialect = Dialect::from_name(dialect).unwrap_or_default();
            let algorithm = root.and_then(RootAlgorithm::from_name);
            algorithm.unwrap_or(dialect.root_algorithm()).root(payload)
        } else {
            encoder.pack_root(payload)
        }
    });
    Ok(found.or_raise(py, Format::Gcf)?.as_str().to_owned())
}
