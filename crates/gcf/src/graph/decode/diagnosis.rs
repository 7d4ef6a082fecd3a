//! An error inside one line, before it knows where the line is.

use std::ops::Deref;

use wire_core::Position;

use super::line::Line;
use crate::{Error, ErrorKind};

/// What is wrong with a line, and at which byte of it. Boxed, so that the results of the scanners
/// stay small: they are moved for every line, and an error is made once.
#[derive(Debug)]
pub(crate) struct Diagnosis(Box<Fault>);

#[derive(Debug)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    /// Offset in the line.
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Diagnosis {
    #[cold]
    pub(crate) fn new(kind: ErrorKind, at: usize, message: impl Into<String>) -> Self {
        Diagnosis(Box::new(Fault { kind, at, message: message.into() }))
    }

    pub(crate) fn into_message(self) -> String {
        self.0.message
    }
}

impl Deref for Diagnosis {
    type Target = Fault;

    fn deref(&self) -> &Fault {
        &self.0
    }
}

/// The error of a problem in this line.
#[cold]
pub(in crate::graph) fn place(line: &Line<'_>, number: u64, problem: Diagnosis) -> Error {
    let position = Position::in_line(line.text.as_bytes(), number, line.start as u64, problem.at);
    Error::at(problem.kind, position, problem.into_message())
}
