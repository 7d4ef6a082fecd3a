//! Payloads of graphs as a class, and as the dicts of their JSON form (ruling R1).

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyUnicodeError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyInt, PyList, PyString};
use wire_core::{Components, Dangling, Edge, NamedEdge, PackRoot, Payload, PayloadBuilder, Symbol};

use crate::error::{Format, Problem};
use crate::object::object;
use crate::values::tape_of;
use crate::walk::{NO_UTF8, Step, Walk, class_name};

/// A graph payload: symbols, and edges between them.
///
/// >>> from wire_formats import Payload
/// >>> payload = Payload.from_dict({
/// ...     "tool": "context",
/// ...     "symbols": [
/// ...         {"qualified_name": "pkg.Auth", "kind": "type", "score": 0.9},
/// ...         {"qualified_name": "pkg.Login", "kind": "function", "score": 0.7, "distance": 1},
/// ...     ],
/// ...     "edges": [{"source": "pkg.Login", "target": "pkg.Auth", "edge_type": "calls"}],
/// ... })
/// >>> len(payload), payload.edges[0]["source"]
/// (2, 1)
///
/// A payload never changes, so that threads may share it.
#[pyclass(name = "Payload", module = "wire_formats", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyPayload(pub(crate) Payload<'static>);

#[pymethods]
impl PyPayload {
    /// The payload of its JSON form. The ends of edges are qualified names, or indices into
    /// `symbols`.
    ///
    /// A symbol needs `qualified_name` and `kind`, an edge `source`, `target` and `edge_type`; all
    /// other members have defaults. Members of other names are ignored. Raises `wire_formats.Error`
    /// for a member that is missing or of another type, and for an edge to no symbol.
    #[staticmethod]
    fn from_dict(value: &Bound<'_, PyDict>) -> PyResult<PyPayload> {
        read(value, Format::Json).map(PyPayload)
    }

    /// The JSON form, as a dict. Edges are by name; with `indices=True` they are by the index of
    /// their symbols, which says which of two symbols of one name is meant.
    #[pyo3(signature = (*, indices=false))]
    fn to_dict<'py>(&self, py: Python<'py>, indices: bool) -> PyResult<Bound<'py, PyDict>> {
        let payload = &self.0;
        let dict = PyDict::new(py);
        dict.set_item("tool", &*payload.tool)?;
        dict.set_item("tokens_used", payload.tokens_used)?;
        dict.set_item("token_budget", payload.token_budget)?;
        if let Some(root) = &payload.pack_root {
            dict.set_item("pack_root", root.as_str())?;
        }
        dict.set_item("symbols", self.symbols(py)?)?;
        if payload.edges.is_empty() {
            return Ok(dict);
        }
        let edges = self.edges(py)?;
        if !indices {
            for (edge, names) in edges.iter().zip(payload.edge_names()) {
                let (source, target) = names.map_err(|end| {
                    Problem::new("ambiguous_symbol_name", end.to_string()).raise(
                        py,
                        Format::Json,
                        None,
                        false,
                    )
                })?;
                edge.set_item("source", source)?;
                edge.set_item("target", target)?;
            }
        }
        dict.set_item("edges", edges)?;
        Ok(dict)
    }

    /// The tool that made the payload.
    #[getter]
    fn tool(&self) -> &str {
        &self.0.tool
    }

    /// The number of tokens that the payload uses.
    #[getter]
    fn tokens_used(&self) -> u64 {
        self.0.tokens_used
    }

    /// The number of tokens that it had to stay within.
    #[getter]
    fn token_budget(&self) -> u64 {
        self.0.token_budget
    }

    /// The identity that the payload states, or None.
    #[getter]
    fn pack_root(&self) -> Option<&str> {
        self.0.pack_root.as_ref().map(PackRoot::as_str)
    }

    /// The symbols, as dicts.
    #[getter]
    pub(crate) fn symbols<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for symbol in &self.0.symbols {
            list.append(symbol_dict(py, symbol)?)?;
        }
        Ok(list)
    }

    /// The edges, as dicts; `source` and `target` are indices into `symbols`.
    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for edge in &self.0.edges {
            let dict = PyDict::new(py);
            dict.set_item("source", edge.source)?;
            dict.set_item("target", edge.target)?;
            dict.set_item("edge_type", edge.edge_type.as_str())?;
            if !edge.status.is_unchanged() {
                dict.set_item("status", edge.status.as_str())?;
            }
            list.append(dict)?;
        }
        Ok(list)
    }

    fn __len__(&self) -> usize {
        self.0.symbols.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let Payload { tool, symbols, edges, .. } = &self.0;
        format!("<Payload of {tool:?}: {} symbols, {} edges>", symbols.len(), edges.len())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyDict>,))> {
        let from_dict = py.get_type::<PyPayload>().getattr("from_dict")?;
        Ok((from_dict, (self.to_dict(py, true)?,)))
    }
}

/// A payload that was passed, as the class or as a dict.
pub(crate) enum Given<'py> {
    Class(Bound<'py, PyPayload>),
    Read(Box<Payload<'static>>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Given<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Given::of(&object, Format::Gcf)
    }
}

impl<'py> Given<'py> {
    /// The payload; what is wrong with a dict is an error of the format.
    pub(crate) fn of(object: &Bound<'py, PyAny>, format: Format) -> PyResult<Self> {
        if let Ok(payload) = object.cast::<PyPayload>() {
            return Ok(Given::Class(payload.clone()));
        }
        match object.cast::<PyDict>() {
            Ok(dict) => read(dict, format).map(|payload| Given::Read(Box::new(payload))),
            Err(_) => {
                let class = object.get_type().fully_qualified_name()?;
                let message = format!("a payload is of the type {class}, expected Payload or dict");
                Err(PyTypeError::new_err(message))
            }
        }
    }
}

impl Given<'_> {
    pub(crate) fn payload(&self) -> &Payload<'static> {
        match self {
            Given::Class(payload) => &payload.get().0,
            Given::Read(payload) => payload,
        }
    }
}

fn symbol_dict<'py>(py: Python<'py>, symbol: &Symbol<'_>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("qualified_name", &*symbol.qualified_name)?;
    dict.set_item("kind", symbol.kind.as_str())?;
    dict.set_item("score", symbol.score)?;
    if !symbol.signature.is_empty() {
        dict.set_item("signature", &*symbol.signature)?;
    }
    dict.set_item("provenance", symbol.provenance.as_str())?;
    dict.set_item("distance", symbol.distance)?;
    let components = PyDict::new(py);
    let Components { blast_radius, confidence, recency, distance } = symbol.components;
    components.set_item("blast_radius", blast_radius)?;
    components.set_item("confidence", confidence)?;
    components.set_item("recency", recency)?;
    components.set_item("distance", distance)?;
    dict.set_item("components", components)?;
    Ok(dict)
}

/// Members of a dict, each of the type that is asked for.
pub(crate) struct Members<'d, 'py> {
    dict: &'d Bound<'py, PyDict>,
    path: String,
    /// Whose errors are raised.
    format: Format,
}

impl<'d, 'py> Members<'d, 'py> {
    pub(crate) fn new(
        dict: &'d Bound<'py, PyDict>,
        path: impl Into<String>,
        format: Format,
    ) -> Self {
        Members { dict, path: path.into(), format }
    }

    fn problem(&self, name: &str, code: &'static str, message: String, overflow: bool) -> PyErr {
        let path = format!("{}.{name}", self.path);
        Problem::new(code, message).raise(self.dict.py(), self.format, Some(&path), overflow)
    }

    pub(crate) fn get<T>(&self, name: &str, expected: &str) -> PyResult<Option<T>>
    where
        T: FromPyObjectOwned<'py>,
    {
        let Some(value) = self.dict.get_item(name)?.filter(|value| !value.is_none()) else {
            return Ok(None);
        };
        value
            .extract::<T>()
            .map(Some)
            .map_err(|error| self.unfit(name, &value, &error.into(), expected))
    }

    /// A member that is of another type, or that does not fit its type.
    #[cold]
    fn unfit(&self, name: &str, value: &Bound<'py, PyAny>, error: &PyErr, expected: &str) -> PyErr {
        let py = value.py();
        let is_too_large = error.is_instance_of::<PyOverflowError>(py);
        let (code, message) = if value.is_instance_of::<PyString>()
            && error.is_instance_of::<PyUnicodeError>(py)
        {
            ("invalid_value", NO_UTF8.to_owned())
        } else if is_too_large {
            let digits = py.get_type::<PyInt>().call_method1("__repr__", (value,));
            let digits =
                digits.map_or_else(|_| "very long".to_owned(), |digits| digits.to_string());
            ("out_of_range", format!("the member is {digits}, expected {expected}"))
        } else {
            let class = class_name(value);
            ("invalid_member", format!("the member is of the type {class}, expected {expected}"))
        };
        self.problem(name, code, message, is_too_large)
    }

    pub(crate) fn need<T>(&self, name: &str, expected: &str) -> PyResult<T>
    where
        T: FromPyObjectOwned<'py>,
    {
        self.get(name, expected)?.ok_or_else(|| {
            let message = format!("the member is missing, expected {expected}");
            self.problem(name, "missing_member", message, false)
        })
    }

    fn number(&self, name: &str) -> PyResult<f64> {
        Ok(self.get(name, "a number")?.unwrap_or_default())
    }

    /// A root; an empty one is none.
    pub(crate) fn root(&self, name: &str) -> PyResult<Option<PackRoot<'static>>> {
        let root: Option<String> = self.get(name, "a string")?;
        let root = root.filter(|root| !root.is_empty()).map(PackRoot::new).transpose();
        root.map_err(|error| self.problem(name, "invalid_member", error.to_string(), false))
    }

    /// The dicts of a list.
    pub(crate) fn dicts(&self, name: &str) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let list: Option<Bound<'py, PyAny>> = self.get(name, "a list")?;
        let Some(mut list) = list else { return Ok(Vec::new()) };
        if list.get_type().hasattr("__arrow_c_stream__")? {
            list = rows_of(name, &list, self.format)?;
        }
        let not_dicts =
            || self.problem(name, "invalid_member", "expected a list of dicts".into(), false);
        if list.is_instance_of::<PyString>() || list.is_instance_of::<PyDict>() {
            return Err(not_dicts());
        }
        let items = list.try_iter().map_err(|_| not_dicts())?;
        items.map(|item| item?.cast_into().map_err(|_| not_dicts())).collect()
    }

    pub(crate) fn symbols(&self, name: &str) -> PyResult<Vec<Symbol<'static>>> {
        let path = &self.path;
        let symbol = |(at, dict): (usize, Bound<'py, PyDict>)| {
            symbol(&Members::new(&dict, format!("{path}.{name}[{at}]"), self.format))
        };
        self.dicts(name)?.into_iter().enumerate().map(symbol).collect()
    }
}

/// The rows of a frame that is a member, as dicts.
fn rows_of<'py>(
    name: &str,
    frame: &Bound<'py, PyAny>,
    format: Format,
) -> PyResult<Bound<'py, PyAny>> {
    let walk = Walk::new(frame.py(), format, None)?;
    let tape = tape_of(&object(&walk, frame)).map_err(|error| {
        walk.step(Step::Key(name.to_owned()));
        walk.raise(Problem::new("invalid_member", error.to_string()))
    });
    tape?.build(frame.py(), format)
}

fn symbol(members: &Members<'_, '_>) -> PyResult<Symbol<'static>> {
    let kind: String = members.need("kind", "a string")?;
    let name: String = members.need("qualified_name", "a string")?;
    let mut symbol = Symbol::new(kind, name);
    symbol.score = members.number("score")?;
    if let Some(provenance) = members.get::<String>("provenance", "a string")? {
        symbol = symbol.with_provenance(provenance);
    }
    symbol.distance =
        members.get("distance", "an integer from 0 to 4294967295")?.unwrap_or_default();
    symbol.signature = members.get::<String>("signature", "a string")?.unwrap_or_default().into();
    if let Some(dict) = members.get::<Bound<'_, PyDict>>("components", "a dict")? {
        let of = Members::new(&dict, format!("{}.components", members.path), members.format);
        symbol.components.blast_radius = of.number("blast_radius")?;
        symbol.components.confidence = of.number("confidence")?;
        symbol.components.recency = of.number("recency")?;
        symbol.components.distance = of.number("distance")?;
    }
    Ok(symbol)
}

/// One end of an edge.
#[derive(FromPyObject)]
enum End {
    Index(u32),
    Name(String),
}

fn read(dict: &Bound<'_, PyDict>, format: Format) -> PyResult<Payload<'static>> {
    let members = Members::new(dict, "$", format);
    let mut payload = Payload {
        tool: members.get::<String>("tool", "a string")?.unwrap_or_default().into(),
        tokens_used: members
            .get("tokens_used", "an integer from 0 to 18446744073709551615")?
            .unwrap_or_default(),
        token_budget: members
            .get("token_budget", "an integer from 0 to 18446744073709551615")?
            .unwrap_or_default(),
        pack_root: members.root("pack_root")?,
        symbols: members.symbols("symbols")?,
        edges: Vec::new(),
    };
    let mut by_name = Vec::new();
    for (at, dict) in members.dicts("edges")?.into_iter().enumerate() {
        let of = Members::new(&dict, format!("$.edges[{at}]"), format);
        let expected = "a name or an index";
        let ends = (of.need("source", expected)?, of.need("target", expected)?);
        let edge_type: String = of.need("edge_type", "a string")?;
        let status: String = of.get("status", "a string")?.unwrap_or_default();
        match ends {
            (End::Index(source), End::Index(target)) => {
                payload.edges.push(Edge::new(source, target, edge_type).with_status(status));
            }
            (End::Name(source), End::Name(target)) => {
                by_name.push(NamedEdge::new(source, edge_type, target).with_status(status));
            }
            _ => {
                let message = "one end is a name and the other an index, expected two of a kind";
                return Err(of.problem("target", "invalid_member", message.to_owned(), false));
            }
        }
        if !by_name.is_empty() && !payload.edges.is_empty() {
            let message = "some edges are by name and others by index, expected all alike";
            return Err(of.problem("source", "invalid_member", message.to_owned(), false));
        }
    }
    if by_name.is_empty() {
        return Ok(payload);
    }
    let mut builder = PayloadBuilder::new(payload.tool)
        .tokens_used(payload.tokens_used)
        .token_budget(payload.token_budget)
        .symbols(payload.symbols)
        .edges(by_name);
    if let Some(root) = payload.pack_root {
        builder = builder.pack_root(root);
    }
    let built = builder.resolve(Dangling::Refused).map(|(payload, _)| payload);
    built.map_err(|error| {
        Problem::new(error.code(), error.to_string()).raise(dict.py(), format, None, false)
    })
}
