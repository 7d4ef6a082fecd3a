//! Sessions: both sides, and what was sent.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use gcf::Error;
use gcf::graph::{self, Outcome, SessionLimits};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wire_core::{Limits, Payload};

use crate::delta::Delta;
use crate::error::{Format, OrRaise};
use crate::graph::encoder;
use crate::input::{Input, limits};
use crate::payload::{Given, PyPayload};
use crate::shared::{locked, reason_of};

/// What a session wrote.
#[pyclass(module = "wire_formats.gcf.graph", frozen)]
pub(crate) struct Sent {
    delivery: graph::Delivery,
    /// The text to send.
    #[pyo3(get)]
    text: String,
    /// "session": with references; "full": without, and the session starts over; "plain": a delta,
    /// which needs no session.
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
        let (declared, referenced) = match sent.outcome {
            Outcome::Session { declared, referenced } => (declared, referenced),
            _ => (0, 0),
        };
        let sent_as = sent.outcome.name();
        let reason = reason_of(sent.outcome);
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
            let mut limits = SessionLimits::default();
            limits.ids = ids;
            session = session.limits(limits);
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
        py.detach(|| locked(&self.session).ids())
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
        let decoder = graph::Decoder::new().limits(limits(Limits::DEFAULT, line_bytes, items));
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
        let read = py.detach(|| locked(&self.0).decode(bytes).map(Payload::into_owned));
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
        py.detach(|| locked(&self.0).ids())
    }

    fn __bool__(&self) -> bool {
        true
    }
}
