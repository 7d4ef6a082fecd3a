//! What `delta.rs`, `session.rs` and `exchange.rs` have in common: `wire_formats.gcf.graph` across
//! calls.
//!
//! Locks are taken while the GIL is released, and no Python runs under one, so that threads wait
//! for each other and never forever.

use std::sync::{Mutex, MutexGuard, PoisonError};

use gcf::graph::Outcome;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wire_core::PackRoot;

/// What a lock guards; a panic under it leaves what was there.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The pack root of a text.
pub(crate) fn root_of(text: &str) -> PyResult<PackRoot<'static>> {
    PackRoot::new(text.to_owned()).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The code of the reason why a payload was sent in full.
pub(crate) fn reason_of(outcome: Outcome) -> Option<&'static str> {
    match outcome {
        Outcome::Full(reason) => Some(reason.code()),
        _ => None,
    }
}
