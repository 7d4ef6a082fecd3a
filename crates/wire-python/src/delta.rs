//! Deltas: what changes one payload into another.

use gcf::graph::{self, DeltaEdge, SymbolKey};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wire_core::{Limits, PackRoot, Payload, WordPunctuation};

use crate::error::{Format, OrRaise};
use crate::graph::encoder;
use crate::input::{Input, detached, limits};
use crate::payload::{Given, Members, PyPayload};
use crate::shared::root_of;

/// What changes one payload, the base, into another.
///
/// >>> from wire_formats.gcf import graph
/// >>> base = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
/// >>> new = {"tool": "t", "symbols": [{"qualified_name": "b", "kind": "function"}]}
/// >>> delta = graph.diff(base, new)
/// >>> delta.apply(base).symbols[0]["qualified_name"]
/// 'b'
#[pyclass(module = "wire_formats.gcf.graph", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct Delta(pub(crate) graph::Delta<'static>);

#[pymethods]
impl Delta {
    /// The delta of a text.
    #[staticmethod]
    #[pyo3(signature = (s, *, line_bytes=None, items=None))]
    fn loads(
        py: Python<'_>,
        s: Input<'_>,
        line_bytes: Option<usize>,
        items: Option<usize>,
    ) -> PyResult<Delta> {
        let bytes = s.bytes(Format::Gcf)?;
        let decoder = graph::Decoder::new().limits(limits(Limits::DEFAULT, line_bytes, items));
        let delta =
            detached(py, bytes.len(), || decoder.decode_delta(bytes).map(graph::Delta::into_owned));
        delta.or_raise(py, Format::Gcf).map(Delta)
    }

    /// The delta of the dict that `to_dict` gives.
    #[staticmethod]
    fn from_dict(value: &Bound<'_, PyDict>) -> PyResult<Delta> {
        let members = Members::new(value, "$", Format::Gcf);
        let need = |name: &str| -> PyResult<PackRoot<'static>> {
            members.need::<String>(name, "a string")?;
            Ok(members.root(name)?.unwrap_or(root_of("-")?))
        };
        let tool: String = members.get("tool", "a string")?.unwrap_or_default();
        let mut delta = graph::Delta::new(tool, need("base_root")?, need("new_root")?);
        if let Some(tokens) = members.get::<Bound<'_, PyDict>>("tokens", "a dict")? {
            let tokens = Members::new(&tokens, "$.tokens", Format::Gcf);
            let expected = "an integer of 64 bits";
            let (of_delta, of_full) =
                (tokens.get("delta", expected)?, tokens.get("full", expected)?);
            match (of_delta, of_full) {
                (Some(of_delta), Some(of_full)) => delta = delta.with_tokens(of_delta, of_full),
                _ => {
                    delta.tokens = of_delta;
                    delta.savings = tokens.get("savings", expected)?;
                }
            }
        }
        delta.added = members.symbols("added")?;
        for (at, dict) in members.dicts("removed")?.into_iter().enumerate() {
            let of = Members::new(&dict, format!("$.removed[{at}]"), Format::Gcf);
            let kind: String = of.need("kind", "a string")?;
            let name: String = of.need("qualified_name", "a string")?;
            delta.removed.push(SymbolKey::new(kind, name));
        }
        let edges = |name: &str| -> PyResult<Vec<DeltaEdge<'static>>> {
            let edge = |(at, dict): (usize, Bound<'_, PyDict>)| {
                let of = Members::new(&dict, format!("$.{name}[{at}]"), Format::Gcf);
                let source: String = of.need("source", "a string")?;
                let target: String = of.need("target", "a string")?;
                Ok(DeltaEdge::new(source, of.need::<String>("edge_type", "a string")?, target))
            };
            members.dicts(name)?.into_iter().enumerate().map(edge).collect()
        };
        delta.edges_removed = edges("edges_removed")?;
        delta.edges_added = edges("edges_added")?;
        Ok(Delta(delta))
    }

    /// The delta as a dict; `tokens` is there if it is stated.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let delta = &self.0;
        let dict = PyDict::new(py);
        dict.set_item("tool", &*delta.tool)?;
        dict.set_item("base_root", delta.base_root.as_str())?;
        dict.set_item("new_root", delta.new_root.as_str())?;
        let tokens = PyDict::new(py);
        let stated = [("delta", delta.tokens), ("full", delta.full_tokens)];
        for (name, tokens_of) in stated {
            if let Some(count) = tokens_of {
                tokens.set_item(name, count)?;
            }
        }
        if let Some(savings) = delta.savings {
            tokens.set_item("savings", savings)?;
        }
        if !tokens.is_empty() {
            dict.set_item("tokens", tokens)?;
        }
        let removed = delta.removed.iter().map(|key| {
            let dict = PyDict::new(py);
            dict.set_item("kind", key.kind.as_str())?;
            dict.set_item("qualified_name", &*key.qualified_name)?;
            Ok(dict)
        });
        dict.set_item("removed", removed.collect::<PyResult<Vec<_>>>()?)?;
        let added = Payload { symbols: delta.added.clone(), ..Payload::default() };
        dict.set_item("added", PyPayload(added).symbols(py)?)?;
        for (name, edges) in
            [("edges_removed", &delta.edges_removed), ("edges_added", &delta.edges_added)]
        {
            let edges = edges.iter().map(|edge| {
                let dict = PyDict::new(py);
                dict.set_item("source", &*edge.source)?;
                dict.set_item("target", &*edge.target)?;
                dict.set_item("edge_type", edge.edge_type.as_str())?;
                Ok(dict)
            });
            dict.set_item(name, edges.collect::<PyResult<Vec<_>>>()?)?;
        }
        Ok(dict)
    }

    /// The delta as text.
    #[pyo3(signature = (*, dialect="v1", root=None, distances=false, replace_white_space=None))]
    fn dumps(
        &self,
        py: Python<'_>,
        dialect: &str,
        root: Option<&str>,
        distances: bool,
        replace_white_space: Option<char>,
    ) -> PyResult<String> {
        let encoder = encoder(dialect, root, replace_white_space)?.distances_in_deltas(distances);
        py.detach(|| encoder.delta_to_string(&self.0)).or_raise(py, Format::Gcf)
    }

    /// The payload that the delta makes of `base`. Nothing is applied in part.
    ///
    /// Raises `gcf.Error` where `base` is not what the delta was made for, and where something else
    /// than `new_root` comes out.
    fn apply(&self, py: Python<'_>, base: Given<'_>) -> PyResult<PyPayload> {
        let base = base.payload();
        py.detach(|| self.0.apply(base)).or_raise(py, Format::Gcf).map(PyPayload)
    }

    /// Whether it uses fewer tokens than this part of the full payload.
    #[pyo3(signature = (threshold=0.6))]
    fn is_worth_it(&self, threshold: f64) -> bool {
        self.0.is_worth_it(threshold)
    }

    /// The tool that made the new payload.
    #[getter]
    fn tool(&self) -> &str {
        &self.0.tool
    }

    /// The root of the base.
    #[getter]
    fn base_root(&self) -> &str {
        self.0.base_root.as_str()
    }

    /// The root of what comes out.
    #[getter]
    fn new_root(&self) -> &str {
        self.0.new_root.as_str()
    }

    /// The number of tokens of the delta, if it is stated.
    #[getter]
    fn tokens(&self) -> Option<u64> {
        self.0.tokens
    }

    /// What it saves against the full payload, in percent, if that is stated.
    #[getter]
    fn savings(&self) -> Option<i64> {
        self.0.savings
    }

    fn __bool__(&self) -> bool {
        !self.0.is_empty()
    }

    fn __repr__(&self) -> String {
        let delta = &self.0;
        format!(
            "<Delta: {} symbols removed, {} added, {} edges removed, {} added>",
            delta.removed.len(),
            delta.added.len(),
            delta.edges_removed.len(),
            delta.edges_added.len()
        )
    }
}

/// No delta can say what changed: send the payload in full.
#[pyclass(module = "wire_formats.gcf.graph", frozen, get_all)]
pub(crate) struct SendFull {
    /// Why, by a stable name as "edge_status".
    code: &'static str,
    /// Why, in words.
    reason: &'static str,
}

/// The delta between two payloads as texts of `dialect` carry them; `SendFull` where none can say
/// what changed. `distances` says that the delta will be written with them, so that its tokens are
/// right.
#[pyfunction]
#[pyo3(signature = (base, new, *, dialect="v1", root=None, distances=false))]
pub(crate) fn diff<'py>(
    py: Python<'py>,
    base: Given<'py>,
    new: Given<'py>,
    dialect: &str,
    root: Option<&str>,
    distances: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let encoder = encoder(dialect, root, None)?.distances_in_deltas(distances);
    let (base, new) = (base.payload(), new.payload());
    let between = py.detach(|| graph::Delta::between(base, new, &encoder, &WordPunctuation));
    Ok(match between.or_raise(py, Format::Gcf)? {
        Ok(delta) => Bound::new(py, Delta(delta))?.into_any(),
        Err(why) => {
            Bound::new(py, SendFull { code: why.code(), reason: why.summary() })?.into_any()
        }
    })
}
