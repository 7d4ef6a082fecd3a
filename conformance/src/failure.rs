//! What an implementation fails with, and what a case expects it to.

use std::fmt;

use serde::Deserialize;
use wire_core::Position;

use crate::verdict::Verdict;

/// The error that a case expects.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedError {
    /// The stable code.
    pub code: String,
    /// The line, from 1.
    pub line: Option<u64>,
    /// The column, from 1.
    pub column: Option<u64>,
    /// Bytes before the place.
    pub offset: Option<u64>,
}

/// An implementation's error, as far as cases look at it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable code.
    pub code: String,
    /// The place.
    pub position: Option<Position>,
    /// The message, for people.
    pub message: String,
}

impl Failure {
    /// A failure of this code, place and message.
    pub fn new(code: &str, position: Option<Position>, message: &dyn fmt::Display) -> Self {
        Failure { code: code.to_owned(), position, message: message.to_string() }
    }

    /// Entry points that should agree do not.
    pub fn disagreement(what: &str) -> Self {
        Failure::new(DISAGREEMENT, None, &what)
    }
}

const DISAGREEMENT: &str = "entry_points_disagree";

/// Why a case fails whose implementation does not do what it should.
pub(crate) fn failed(what: &str) -> impl Fn(Failure) -> String {
    move |failure| format!("it does not {what}: {} ({})", failure.message, failure.code)
}

/// Why a case about more than one text fails whose implementation does.
#[allow(clippy::needless_pass_by_value, reason = "it maps an error")]
pub(crate) fn fails(failure: Failure) -> String {
    format!("it fails: {} ({})", failure.message, failure.code)
}

/// That an outcome is this error.
pub(crate) fn refused<T: fmt::Debug>(
    outcome: Result<T, Failure>,
    expected: &ExpectedError,
) -> Verdict {
    match outcome {
        Ok(found) => Err(format!("it is taken, as {found:?}")),
        Err(failure) => same_error(expected, &failure),
    }
}

fn same_error(expected: &ExpectedError, found: &Failure) -> Verdict {
    let place = |part: fn(&Position) -> u64| found.position.as_ref().map(part);
    let wrong_place = [
        (expected.line, place(|position| position.line)),
        (expected.column, place(|position| position.column)),
        (expected.offset, place(|position| position.offset)),
    ]
    .iter()
    .any(|(expected, found)| expected.is_some() && expected != found);
    if found.code == DISAGREEMENT || found.code != expected.code || wrong_place {
        return Err(format!(
            "the error is {} at {:?} ({}), expected {expected:?}",
            found.code, found.position, found.message
        ));
    }
    Ok(())
}
