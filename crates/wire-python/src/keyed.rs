//! `wire_formats.gcf.keyed`: sets of rows with a key, and what changes between calls.

use std::num::NonZeroU32;
use std::sync::Mutex;

use gcf::Decoder;
use gcf::Error;
use gcf::keyed::{self, Message, Policy};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::error::{Format, OrRaise, Problem, Reader};
use crate::input::{Input, detached, limits};
use crate::object::object;
use crate::read::Kept;
use crate::shared::{locked, root_of};
use crate::walk::Walk;

/// Rows of scalars with the same fields, one of which, the key, no two rows have alike.
///
/// >>> from wire_formats.gcf import keyed
/// >>> base = keyed.KeyedSet([{"id": 1, "n": "x"}, {"id": 2, "n": "y"}], key="id")
/// >>> next = keyed.KeyedSet([{"id": 1, "n": "x"}, {"id": 2, "n": "z"}], key="id")
/// >>> delta = base.delta_to(next)
/// >>> keyed.receive(delta.dumps(), base) == next
/// True
///
/// `rows` is an array of objects, a frame, or an object of objects by their keys. `fields` are the
/// fields in their order, which an array without rows needs; `name` is the name of the table in the
/// text; `index=False` leaves out the index of a pandas frame. Two sets with the same rows in
/// another order are equal. Raises `gcf.Error` with the code "not_keyed" or "duplicate_key" for other rows.
#[pyclass(module = "wire_formats.gcf.keyed", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct KeyedSet(keyed::KeyedSet);

#[pymethods]
impl KeyedSet {
    #[new]
    #[pyo3(signature = (rows, *, key, fields=None, name=None, default=None, index=true, nan="error", digits=None))]
    #[allow(clippy::too_many_arguments)] // they are keywords in Python
    fn new(
        py: Python<'_>,
        rows: &Bound<'_, PyAny>,
        key: &str,
        fields: Option<Vec<String>>,
        name: Option<&str>,
        default: Option<&Bound<'_, PyAny>>,
        index: bool,
        nan: &str,
        digits: Option<u8>,
    ) -> PyResult<Self> {
        let walk = Walk::new(py, Format::Gcf, default)?
            .index(index)
            .nan(nan)?
            .digits(digits)?
            .keeping_columns();
        let given = object(&walk, rows);
        let no_fields = fields.is_none();
        let mut made = match fields {
            Some(fields) => keyed::KeyedSet::new(key, fields)
                .and_then(|mut set| set.extend(&given).map(|()| set)),
            None if rows.is_instance_of::<PyDict>() => keyed::KeyedSet::from_map(key, &given),
            None => keyed::KeyedSet::from_rows(key, &given),
        };
        if let (true, Some(columns)) = (no_fields, walk.take_columns()) {
            made = keyed::KeyedSet::new(key, columns);
        }
        let set = made.map_err(|error| walk.raise(error))?;
        Ok(KeyedSet(match name {
            Some(name) => set.with_name(name),
            None => set,
        }))
    }

    /// The whole set as text; `tool` is the tool whose answer it is. The GIL is released meanwhile.
    #[pyo3(signature = (*, tool=None))]
    fn dumps(&self, py: Python<'_>, tool: Option<&str>) -> PyResult<String> {
        let written = py.detach(|| match tool {
            Some(tool) => self.0.clone().with_tool(tool).map(|set| set.to_string()),
            None => Ok(self.0.to_string()),
        });
        written.or_raise(py, Format::Gcf)
    }

    /// The text that says that the set has not changed.
    fn dumps_unchanged(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.unchanged_to_string())
    }

    /// What turns this set into the next one. Raises `gcf.Error` with the code "schema_change"
    /// where the fields differ: send the whole set then.
    fn delta_to(&self, py: Python<'_>, next: &Bound<'_, KeyedSet>) -> PyResult<KeyedDelta> {
        let next = &next.get().0;
        py.detach(|| self.0.delta_to(next)).or_raise(py, Format::Gcf).map(KeyedDelta)
    }

    /// The set that a delta makes of this one. Nothing is applied in part.
    fn apply(&self, py: Python<'_>, delta: &Bound<'_, KeyedDelta>) -> PyResult<KeyedSet> {
        let delta = &delta.get().0;
        py.detach(|| self.0.apply(delta)).or_raise(py, Format::Gcf).map(KeyedSet)
    }

    /// The rows, as dicts.
    fn rows<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        rows_of(py, py.detach(|| self.0.rows()))
    }

    /// The root: the identity of the rows, in whatever order they are.
    #[getter]
    fn root(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.root().as_str().to_owned())
    }

    /// The name of the key.
    #[getter]
    fn key(&self) -> &str {
        self.0.key()
    }

    /// The names of the fields, the key among them.
    #[getter]
    fn fields(&self) -> Vec<String> {
        self.0.fields().to_vec()
    }

    /// The name of the table in the text.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        format!("<KeyedSet: {} rows by {}>", self.0.len(), self.0.key())
    }
}

fn rows_of(py: Python<'_>, rows: Result<Vec<Kept>, Error>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for Kept(row) in rows.or_raise(py, Format::Gcf)? {
        list.append(row.build(py, Format::Gcf)?)?;
    }
    Ok(list)
}

/// What changes one keyed set into another. `KeyedSet.delta_to` makes one; a producer that knows
/// what changed makes it from the rows.
///
/// `of` is a set with the key and the fields; its rows don't count. `removed` is a list of keys.
/// `tokens` and `full_tokens` are those of the delta and of the whole set, for the savings in the
/// text.
#[pyclass(name = "Delta", module = "wire_formats.gcf.keyed", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct KeyedDelta(keyed::Delta);

#[pymethods]
impl KeyedDelta {
    #[new]
    #[pyo3(signature = (of, base_root, new_root, *, added=None, changed=None, removed=None, tool=None, tokens=None, full_tokens=None, default=None, index=true, nan="error", digits=None))]
    #[allow(clippy::too_many_arguments)] // they are keywords in Python
    fn new(
        py: Python<'_>,
        of: &Bound<'_, KeyedSet>,
        base_root: &str,
        new_root: &str,
        added: Option<&Bound<'_, PyAny>>,
        changed: Option<&Bound<'_, PyAny>>,
        removed: Option<Vec<Bound<'_, PyAny>>>,
        tool: Option<&str>,
        tokens: Option<u64>,
        full_tokens: Option<u64>,
        default: Option<&Bound<'_, PyAny>>,
        index: bool,
        nan: &str,
        digits: Option<u8>,
    ) -> PyResult<Self> {
        let walk = Walk::new(py, Format::Gcf, default)?.index(index).nan(nan)?.digits(digits)?;
        let mut delta = keyed::Delta::new(&of.get().0, root_of(base_root)?, root_of(new_root)?);
        if let Some(rows) = added {
            delta.add(&object(&walk, rows)).map_err(|error| walk.raise(error))?;
        }
        if let Some(rows) = changed {
            delta.change(&object(&walk, rows)).map_err(|error| walk.raise(error))?;
        }
        if let Some(keys) = removed {
            let keys = keys.iter().map(|key| object(&walk, key));
            delta.remove(keys).map_err(|error| walk.raise(error))?;
        }
        if let Some(tool) = tool {
            delta = delta.with_tool(tool).or_raise(py, Format::Gcf)?;
        }
        if let (Some(tokens), Some(full)) = (tokens, full_tokens) {
            delta = delta.with_tokens(tokens, full);
        }
        Ok(KeyedDelta(delta))
    }

    /// The delta as text. The GIL is released meanwhile.
    fn dumps(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.to_string())
    }

    /// Whether its text is less than 60 % of that of the whole set, in bytes.
    fn is_worth_it(&self, py: Python<'_>, full: &Bound<'_, KeyedSet>) -> bool {
        let full = &full.get().0;
        py.detach(|| self.0.is_worth_it(full))
    }

    /// The rows that the base does not have.
    #[getter]
    fn added<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        rows_of(py, py.detach(|| self.0.added()))
    }

    /// The rows that replace those with the same key.
    #[getter]
    fn changed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        rows_of(py, py.detach(|| self.0.changed()))
    }

    /// The rows that are gone, each with its key alone.
    #[getter]
    fn removed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        rows_of(py, py.detach(|| self.0.removed()))
    }

    /// The root of the set that it applies to.
    #[getter]
    fn base_root(&self) -> &str {
        self.0.base_root().as_str()
    }

    /// The root of the set that comes out.
    #[getter]
    fn new_root(&self) -> &str {
        self.0.new_root().as_str()
    }

    /// The tool, or None.
    #[getter]
    fn tool(&self) -> Option<&str> {
        self.0.tool()
    }

    /// What it saves against the whole set, in percent, if that is stated.
    #[getter]
    fn savings(&self) -> Option<i64> {
        self.0.savings()
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __repr__(&self) -> String {
        format!("<Delta: {} rows by {}>", self.0.len(), self.0.key())
    }
}

/// A producer that sends a set again and again, as the whole or as what changed.
///
/// The whole set goes out on every turn that `full_every` divides, since models lose track of long
/// chains of deltas; with `size_guard=True` as soon as the deltas are as many bytes as the whole
/// set. Send `full()` first, and then what `next` makes of each set.
#[pyclass(name = "Session", module = "wire_formats.gcf.keyed", frozen)]
pub(crate) struct KeyedSession(Mutex<keyed::Session>);

#[pymethods]
impl KeyedSession {
    #[new]
    #[pyo3(signature = (base, *, full_every=15, size_guard=false, tool=None))]
    fn new(
        py: Python<'_>,
        base: &Bound<'_, KeyedSet>,
        full_every: u32,
        size_guard: bool,
        tool: Option<&str>,
    ) -> PyResult<Self> {
        let turns = NonZeroU32::new(full_every)
            .ok_or_else(|| PyValueError::new_err("full_every is 0, expected a number of turns"))?;
        let policy = if size_guard { Policy::SizeGuard } else { Policy::EveryTurns(turns) };
        let mut base = base.get().0.clone();
        if let Some(tool) = tool {
            base = base.with_tool(tool).or_raise(py, Format::Gcf)?;
        }
        Ok(KeyedSession(Mutex::new(keyed::Session::new(base, policy))))
    }

    /// The text of the whole set that the consumer has.
    fn full(&self, py: Python<'_>) -> String {
        py.detach(|| locked(&self.0).full())
    }

    /// The text that makes `set` of what the consumer has.
    fn next(&self, py: Python<'_>, set: &Bound<'_, KeyedSet>) -> Update {
        let set = set.get().0.clone();
        let keyed::Update { text, is_full } = py.detach(|| locked(&self.0).next(set));
        Update { text, is_full }
    }
}

/// What a session sends next.
#[pyclass(module = "wire_formats.gcf.keyed", frozen, get_all)]
pub(crate) struct Update {
    /// The text.
    text: String,
    /// Whether it is the whole set and no delta.
    is_full: bool,
}

/// The set is still the one of this root.
#[pyclass(module = "wire_formats.gcf.keyed", frozen, get_all)]
pub(crate) struct Unchanged {
    /// The root.
    root: String,
    /// The number of rows, or None.
    count: Option<u64>,
}

fn read(
    py: Python<'_>,
    text: &str,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<Message> {
    let limits = limits(gcf::LIMITS, line_bytes, items);
    let decoder = Decoder::new().limits(limits);
    let message = detached(py, text.len(), || decoder.message_from_str(text));
    message.or_raise_reading(py, Reader::Keyed, text.as_bytes())
}

/// What a text is: a `KeyedSet`, a `Delta`, or `Unchanged`.
///
/// Raises `gcf.Error` with the code, line, column and offset of what is wrong. The GIL is released
/// while the text is read.
#[pyfunction]
#[pyo3(signature = (s, *, line_bytes=None, items=None))]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    s: Input<'py>,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    match read(py, s.text(Format::Gcf)?, line_bytes, items)? {
        Message::Full(set) => Ok(Bound::new(py, KeyedSet(set))?.into_any()),
        Message::Delta(delta) => Ok(Bound::new(py, KeyedDelta(delta))?.into_any()),
        Message::Unchanged { root, count } => {
            let root = root.as_str().to_owned();
            Ok(Bound::new(py, Unchanged { root, count })?.into_any())
        }
        other => {
            let message = format!("the message is {other:?}, which has no class");
            Err(Problem::new("unexpected_answer", message).raise(py, Format::Gcf, None, false))
        }
    }
}

/// Returns the set of a consumer after a text: the full set, or `held` with a delta applied.
///
/// Raises `gcf.Error` for a text that can't be read, or that is about another set than `held`.
/// `held` is unchanged then; ask for the full set. The GIL is released.
#[pyfunction]
#[pyo3(signature = (s, held=None, *, line_bytes=None, items=None))]
pub(crate) fn receive(
    py: Python<'_>,
    s: Input<'_>,
    held: Option<&Bound<'_, KeyedSet>>,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<KeyedSet> {
    let message = read(py, s.text(Format::Gcf)?, line_bytes, items)?;
    let held = held.map(|held| &held.get().0);
    py.detach(|| message.apply(held.cloned())).or_raise(py, Format::Gcf).map(KeyedSet)
}
