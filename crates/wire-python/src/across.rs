//! `wire_formats.gcf.graph` across calls: sessions, deltas and the exchange.
//!
//! Locks are taken while the GIL is released, and no Python runs under one, so that threads wait
//! for each other and never forever.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use gcf::Error;
use gcf::graph::{
    self, DeltaEdge, DiffOutcome, FullReason, OutOfSync, Outcome, Request, SentAs, SessionLimits,
    SymbolKey,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use wire_core::{PackRoot, Payload, WordPunctuation};

use crate::error::{Format, OrRaise};
use crate::graph::{encoder, limits};
use crate::input::Input;
use crate::payload::{Given, Members, PyPayload};

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn root_of(text: &str) -> PyResult<PackRoot<'static>> {
    PackRoot::new(text.to_owned()).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The stable name of a reason to send a payload in full.
fn reason_code(reason: FullReason) -> &'static str {
    match reason {
        FullReason::Requested => "requested",
        FullReason::UnknownRoot => "unknown_root",
        FullReason::StoreFailed => "store_failed",
        FullReason::NotWorthIt => "not_worth_it",
        FullReason::NoDelta(why) => why.code(),
        FullReason::TooManyIds => "too_many_ids",
        FullReason::Expired => "expired",
        FullReason::DuplicateSymbol => "duplicate_symbol",
        _ => "other",
    }
}

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
pub(crate) struct Delta(graph::Delta<'static>);

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
        let decoder = graph::Decoder::new().limits(limits(line_bytes, items));
        let delta = decoder.delta_from_slice(bytes).map(graph::Delta::into_owned);
        delta.or_raise(py, Format::Gcf).map(Delta)
    }

    /// The delta of the dict that `to_dict` gives.
    #[staticmethod]
    fn from_dict(value: &Bound<'_, PyDict>) -> PyResult<Delta> {
        let members = Members::new(value, "$");
        let need = |name: &str| -> PyResult<PackRoot<'static>> {
            members.need::<String>(name, "a string")?;
            Ok(members.root(name)?.unwrap_or(root_of("-")?))
        };
        let tool: String = members.get("tool", "a string")?.unwrap_or_default();
        let mut delta = graph::Delta::new(tool, need("base_root")?, need("new_root")?);
        if let Some(tokens) = members.get::<Bound<'_, PyDict>>("tokens", "a dict")? {
            let tokens = Members::new(&tokens, "$.tokens");
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
            let of = Members::new(&dict, format!("$.removed[{at}]"));
            let kind: String = of.need("kind", "a string")?;
            let name: String = of.need("qualified_name", "a string")?;
            delta.removed.push(SymbolKey::new(kind, name));
        }
        let edges = |name: &str| -> PyResult<Vec<DeltaEdge<'static>>> {
            let edge = |(at, dict): (usize, Bound<'_, PyDict>)| {
                let of = Members::new(&dict, format!("$.{name}[{at}]"));
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
        encoder.delta_to_string(&self.0).or_raise(py, Format::Gcf)
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
        DiffOutcome::Delta(delta) => Bound::new(py, Delta(*delta))?.into_any(),
        DiffOutcome::SendFull(why) => {
            Bound::new(py, SendFull { code: why.code(), reason: why.summary() })?.into_any()
        }
    })
}

/// What a session wrote.
#[pyclass(module = "wire_formats.gcf.graph", frozen)]
pub(crate) struct Sent {
    delivery: graph::Delivery,
    /// The text to send.
    #[pyo3(get)]
    text: String,
    /// "session": with references; "full": without, and the session starts over; "plain": a delta
    /// that stands on its own.
    #[pyo3(get)]
    sent_as: &'static str,
    /// Why it is sent in full, by a stable name; None otherwise.
    #[pyo3(get)]
    reason: Option<&'static str>,
    /// The number of symbols that are declared in the session.
    #[pyo3(get)]
    declared: usize,
    /// The number of symbols that refer to earlier declarations.
    #[pyo3(get)]
    referenced: usize,
}

impl Sent {
    fn new(sent: graph::Sent, text: Vec<u8>) -> Self {
        let (sent_as, reason, declared, referenced) = match sent.sent_as {
            SentAs::Session { declared, referenced } => ("session", None, declared, referenced),
            SentAs::Full(reason) => ("full", Some(reason_code(reason)), 0, 0),
            SentAs::Plain => ("plain", None, 0, 0),
        };
        let text = String::from_utf8(text).expect("because it is made of strings");
        Sent { delivery: sent.delivery, text, sent_as, reason, declared, referenced }
    }
}

/// The side of a session that writes: symbols that the reader has are referred to by their ids.
///
/// Confirm what arrived, since only that is referred to later. Times are seconds of a clock that
/// never goes back; without `now` the time since the session was made is taken.
#[pyclass(module = "wire_formats.gcf.graph", frozen)]
pub(crate) struct Session {
    session: Mutex<graph::Session>,
    began: Instant,
}

impl Session {
    fn now(&self, now: Option<f64>) -> PyResult<Duration> {
        let Some(seconds) = now else { return Ok(self.began.elapsed()) };
        Duration::try_from_secs_f64(seconds)
            .map_err(|_| PyValueError::new_err("now is not a number of seconds from 0"))
    }

    fn write(
        &self,
        py: Python<'_>,
        write: impl FnOnce(&mut graph::Session, &mut Vec<u8>) -> Result<graph::Sent, Error> + Send,
    ) -> PyResult<Sent> {
        let written = py.detach(|| {
            let mut out = Vec::new();
            write(&mut locked(&self.session), &mut out).map(|sent| (sent, out))
        });
        written.or_raise(py, Format::Gcf).map(|(sent, text)| Sent::new(sent, text))
    }
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (*, dialect="v1", root=None, compute_roots=false, redeclare_changed=false, max_ids=None, replace_white_space=None))]
    fn new(
        dialect: &str,
        root: Option<&str>,
        compute_roots: bool,
        redeclare_changed: bool,
        max_ids: Option<u32>,
        replace_white_space: Option<char>,
    ) -> PyResult<Self> {
        let mut session = graph::Session::new(encoder(dialect, root, replace_white_space)?)
            .redeclare_changed(redeclare_changed)
            .compute_roots(compute_roots);
        if let Some(ids) = max_ids {
            session = session.limits(SessionLimits::default().with_ids(ids));
        }
        Ok(Session { session: Mutex::new(session), began: Instant::now() })
    }

    /// Writes a payload.
    #[pyo3(signature = (payload, *, now=None))]
    fn dumps(&self, py: Python<'_>, payload: Given<'_>, now: Option<f64>) -> PyResult<Sent> {
        let now = self.now(now)?;
        let payload = payload.payload();
        self.write(py, |session, out| session.encode(payload, now, out))
    }

    /// Writes a delta.
    #[pyo3(signature = (delta, *, now=None))]
    fn dumps_delta(
        &self,
        py: Python<'_>,
        delta: &Bound<'_, Delta>,
        now: Option<f64>,
    ) -> PyResult<Sent> {
        let now = self.now(now)?;
        let delta = &delta.get().0;
        self.write(py, |session, out| session.encode_delta(delta, now, out))
    }

    /// The reader has it.
    fn confirm(&self, py: Python<'_>, sent: &Bound<'_, Sent>) {
        let delivery = sent.get().delivery;
        py.detach(|| locked(&self.session).confirm(delivery));
    }

    /// The reader did not get it.
    fn roll_back(&self, py: Python<'_>, sent: &Bound<'_, Sent>) {
        let delivery = sent.get().delivery;
        py.detach(|| locked(&self.session).roll_back(delivery));
    }

    /// Forgets everything; the reader has to, too.
    fn reset(&self, py: Python<'_>) {
        py.detach(|| locked(&self.session).reset());
    }

    /// The number of ids that were given.
    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| locked(&self.session).len())
    }

    fn __bool__(&self) -> bool {
        true
    }
}

/// The side of a session that reads: references become the symbols of earlier texts.
#[pyclass(module = "wire_formats.gcf.graph", frozen)]
pub(crate) struct SessionReader(Mutex<graph::SessionReader>);

#[pymethods]
impl SessionReader {
    #[new]
    #[pyo3(signature = (*, max_ids=None, require_symbol_count=false, check_roots=true, line_bytes=None, items=None))]
    fn new(
        max_ids: Option<usize>,
        require_symbol_count: bool,
        check_roots: bool,
        line_bytes: Option<usize>,
        items: Option<usize>,
    ) -> Self {
        let decoder = graph::Decoder::new().limits(limits(line_bytes, items));
        let mut reader = graph::SessionReader::new()
            .decoder(decoder)
            .require_symbol_count(require_symbol_count)
            .check_roots(check_roots);
        if let Some(ids) = max_ids {
            reader = reader.max_ids(ids);
        }
        SessionReader(Mutex::new(reader))
    }

    /// The whole payload of a text of the session.
    fn loads(&self, py: Python<'_>, s: Input<'_>) -> PyResult<PyPayload> {
        let bytes = s.bytes(Format::Gcf)?;
        let read = py.detach(|| locked(&self.0).from_slice(bytes).map(Payload::into_owned));
        read.or_raise(py, Format::Gcf).map(PyPayload)
    }

    /// The payload that a delta of the session makes of `base`.
    fn apply_delta(&self, py: Python<'_>, s: Input<'_>, base: Given<'_>) -> PyResult<PyPayload> {
        let text = s.text(Format::Gcf)?;
        let base = base.payload();
        let applied = py.detach(|| locked(&self.0).apply_delta(text, base));
        applied.or_raise(py, Format::Gcf).map(PyPayload)
    }

    /// Forgets everything, when the writer was asked to start over.
    fn reset(&self, py: Python<'_>) {
        py.detach(|| locked(&self.0).reset());
    }

    /// The number of ids that are known.
    fn __len__(&self, py: Python<'_>) -> usize {
        py.detach(|| locked(&self.0).len())
    }

    fn __bool__(&self) -> bool {
        true
    }
}

/// What an exchange answers.
#[pyclass(module = "wire_formats.gcf.graph", frozen, get_all)]
pub(crate) struct Answer {
    /// The text to send.
    text: String,
    /// "unchanged", "delta" or "full".
    outcome: &'static str,
    /// Why it is sent in full, by a stable name; None otherwise.
    reason: Option<&'static str>,
    /// The root of the current payload.
    root: String,
    /// The number of tokens of the answer, by the word-and-punctuation estimate.
    tokens: u64,
    /// The number of tokens of the full payload.
    full_tokens: u64,
}

/// A server of payloads: it answers as briefly as what the client holds allows.
///
/// >>> from wire_formats.gcf import graph
/// >>> payload = {"tool": "t", "symbols": [{"qualified_name": "a", "kind": "function"}]}
/// >>> exchange = graph.Exchange()
/// >>> first = exchange.answer(None, payload)
/// >>> replica = graph.Replica(first.text)
/// >>> exchange.answer(replica.root, payload).outcome
/// 'unchanged'
#[pyclass(module = "wire_formats.gcf.graph", frozen)]
pub(crate) struct Exchange(graph::Exchange);

#[pymethods]
impl Exchange {
    /// `threshold` is the part of the full payload's tokens that a delta stays under.
    #[new]
    #[pyo3(signature = (*, dialect="v1", root=None, threshold=0.6))]
    fn new(dialect: &str, root: Option<&str>, threshold: f64) -> PyResult<Self> {
        Ok(Exchange(graph::Exchange::new(encoder(dialect, root, None)?).threshold(threshold)))
    }

    /// Answers a client that holds the payload of the root `held`, or nothing.
    #[pyo3(signature = (held, payload))]
    fn answer(&self, py: Python<'_>, held: Option<&str>, payload: Given<'_>) -> PyResult<Answer> {
        let held = held.map(root_of).transpose()?;
        let payload = payload.payload();
        let answered = py.detach(|| {
            let mut text = String::new();
            let request = Request::from_root(held.as_ref());
            self.0.answer(request, payload, &mut text).map(|answer| (answer, text))
        });
        let (answer, text) = answered.or_raise(py, Format::Gcf)?;
        let (outcome, reason) = match answer.outcome {
            Outcome::Unchanged => ("unchanged", None),
            Outcome::Delta => ("delta", None),
            Outcome::Full(reason) => ("full", Some(reason_code(reason))),
        };
        let root = answer.root.as_str().to_owned();
        let (tokens, full_tokens) = (answer.tokens, answer.full_tokens);
        Ok(Answer { text, outcome, reason, root, tokens, full_tokens })
    }
}

enum Held {
    Replica(Box<graph::Replica>),
    OutOfSync(Box<OutOfSync>),
}

/// A client's copy of a payload, which answers of an exchange keep up to date.
///
/// An answer that can't be used is a `gcf.Error`: what was held is still there, and `root` is None,
/// so that the next request is for the whole payload.
#[pyclass(module = "wire_formats.gcf.graph", frozen)]
pub(crate) struct Replica(Mutex<Option<Held>>);

#[pymethods]
impl Replica {
    /// Takes the first answer, which is a full payload.
    #[new]
    fn new(py: Python<'_>, answer: Input<'_>) -> PyResult<Self> {
        let replica = graph::Replica::from_answer(answer.text(Format::Gcf)?);
        let replica = replica.or_raise(py, Format::Gcf)?;
        Ok(Replica(Mutex::new(Some(Held::Replica(Box::new(replica))))))
    }

    /// Takes an answer.
    fn receive(&self, py: Python<'_>, answer: Input<'_>) -> PyResult<()> {
        let text = answer.text(Format::Gcf)?;
        let failed = py.detach(|| {
            let mut held = locked(&self.0);
            let next = match held.take()? {
                Held::Replica(replica) => replica.receive(text),
                Held::OutOfSync(replica) => replica.receive(text),
            };
            match next {
                Ok(replica) => {
                    *held = Some(Held::Replica(Box::new(replica)));
                    None
                }
                Err(out) => {
                    let problem: crate::error::Problem = crate::error::Problem {
                        code: out.error().code(),
                        message: out.error().to_string(),
                        position: out.error().position(),
                    };
                    *held = Some(Held::OutOfSync(Box::new(out)));
                    Some(problem)
                }
            }
        });
        failed.map_or(Ok(()), |problem| Err(problem.raise(py, Format::Gcf, None, false)))
    }

    /// The payload.
    #[getter]
    fn payload(&self, py: Python<'_>) -> PyPayload {
        PyPayload(py.detach(|| match &*locked(&self.0) {
            Some(Held::Replica(replica)) => replica.payload().clone(),
            Some(Held::OutOfSync(replica)) => replica.payload().clone(),
            None => Payload::default(),
        }))
    }

    /// What to ask for: the root of what is held, or None for the whole payload.
    #[getter]
    fn root(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| match &*locked(&self.0) {
            Some(Held::Replica(replica)) => {
                replica.request().root().map(|root| root.as_str().to_owned())
            }
            _ => None,
        })
    }
}
