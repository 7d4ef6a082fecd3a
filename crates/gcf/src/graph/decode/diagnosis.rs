//! An error inside one line, before it knows where the line is.

use super::line::Line;
use crate::{Error, ErrorKind};

/// What is wrong with a line, and at which byte of it.
pub(crate) type Diagnosis = wire_core::__private::Diagnosis<ErrorKind>;

/// The error of a problem in this line.
#[cold]
pub(in crate::graph) fn place(line: &Line<'_>, number: u64, problem: Diagnosis) -> Error {
    let position = problem.position(line.text.as_bytes(), number, line.start as u64);
    Error::at(problem.kind, position, problem.into_message())
}
