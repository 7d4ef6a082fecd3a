//! The exchange: a server that answers as briefly as it can, and a client's copy.

use std::sync::Mutex;

use gcf::graph::{self, OutOfSync, Request};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wire_core::{Payload, WordPunctuation};

use crate::error::{Format, OrRaise};
use crate::graph::encoder;
use crate::input::Input;
use crate::payload::{Given, PyPayload};
use crate::shared::{locked, reason_of, root_of};

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
    /// The number of tokens of the answer, by the counter of the exchange.
    tokens: u64,
    /// The number of tokens of the full payload.
    full_tokens: u64,
    /// How many symbols have another score, provenance, distance or kind, although the answer does
    /// not say so, because identity roots do not cover these.
    unseen_changes: usize,
}

#[pymethods]
impl Answer {
    fn __repr__(&self) -> String {
        let reason = self.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        let Answer { outcome, tokens, full_tokens, root, .. } = self;
        format!("<Answer: {outcome}{reason}, {tokens} of {full_tokens} tokens, root {root}>")
    }
}

/// The server side of an exchange: it sends only what the client does not have yet.
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
    /// `threshold` is the part of the full payload's tokens that a delta stays under. They are
    /// counted by an estimate: "runs", also "estimate", or "word-punctuation", by which headers are.
    #[new]
    #[pyo3(signature = (*, dialect="v1", root=None, threshold=0.6, counter="estimate"))]
    fn new(dialect: &str, root: Option<&str>, threshold: f64, counter: &str) -> PyResult<Self> {
        let exchange = graph::Exchange::new(encoder(dialect, root, None)?).threshold(threshold);
        match counter {
            "estimate" | "runs" => Ok(Exchange(exchange)),
            "words" | "word-punctuation" => Ok(Exchange(exchange.counter(WordPunctuation))),
            _ => Err(PyValueError::new_err(format!(
                "counter is {counter:?}, expected 'estimate', 'runs', 'words' or 'word-punctuation'"
            ))),
        }
    }

    /// Answers a client whose payload has the root `held`; None if it has no payload.
    #[pyo3(signature = (held, payload))]
    fn answer(&self, py: Python<'_>, held: Option<&str>, payload: Given<'_>) -> PyResult<Answer> {
        let held = held.map(root_of).transpose()?;
        let payload = payload.payload();
        let answered = py.detach(|| {
            let mut text = String::new();
            let request = held.as_ref().map_or(Request::Full, Request::Since);
            self.0.answer(request, payload, &mut text).map(|answer| (answer, text))
        });
        let (answer, text) = answered.or_raise(py, Format::Gcf)?;
        let outcome = answer.outcome.name();
        let reason = reason_of(answer.outcome);
        let root = answer.root.as_str().to_owned();
        let (tokens, full_tokens) = (answer.tokens, answer.full_tokens);
        let unseen_changes = answer.unseen_changes;
        Ok(Answer { text, outcome, reason, root, tokens, full_tokens, unseen_changes })
    }
}

enum Held {
    Replica(Box<graph::Replica>),
    OutOfSync(Box<OutOfSync>),
}

/// A client's copy of a payload, which answers of an exchange keep up to date.
///
/// An answer that can't be applied raises `gcf.Error`. The old payload is kept and `root` is None,
/// so the next request asks for the full payload.
#[pyclass(module = "wire_formats.gcf.graph", frozen)]
pub(crate) struct Replica(Mutex<Option<Held>>);

#[pymethods]
impl Replica {
    /// Takes the first answer, which is a full payload.
    #[new]
    fn new(py: Python<'_>, answer: Input<'_>) -> PyResult<Self> {
        let text = answer.text(Format::Gcf)?;
        let replica = py.detach(|| graph::Replica::from_answer(text));
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

    /// The root to send with the next request: that of the payload, or None to ask for the full
    /// payload.
    #[getter]
    fn root(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| match &*locked(&self.0) {
            Some(Held::Replica(replica)) => match replica.request() {
                Request::Since(root) => Some(root.as_str().to_owned()),
                _ => None,
            },
            _ => None,
        })
    }
}
