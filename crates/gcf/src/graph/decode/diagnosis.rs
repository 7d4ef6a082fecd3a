//! An error inside one line, before it knows where the line is.

use std::ops::Deref;

use wire_core::text::shown;

use crate::ErrorKind;

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

    #[cold]
    pub(crate) fn session_id_conflict(id: u32, kind: &str, qualified_name: &str) -> Self {
        let message = format!(
            "the session has bound @{id} to {kind} {}, expected the same symbol",
            shown(qualified_name)
        );
        Diagnosis::new(ErrorKind::SessionIdConflict, 1, message)
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
