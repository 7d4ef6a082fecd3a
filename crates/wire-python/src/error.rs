//! Errors of the formats as Python's: one class a format, with code and place (ruling P3).

use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use wire_core::{CodecError, Position};

/// Whose error it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Gcf,
    Gcb,
    Gcx,
    Goon,
    Json,
}

impl Format {
    /// The name of the format, which is the name of its module, too.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Format::Gcf => "gcf",
            Format::Gcb => "gcb",
            Format::Gcx => "gcx",
            Format::Goon => "goon",
            Format::Json => "json",
        }
    }

    /// The code of NaN and infinities.
    pub(crate) const fn not_finite(self) -> &'static str {
        if matches!(self, Format::Gcx) { "non_finite_number" } else { "out_of_range" }
    }
}

/// What an error says.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) code: &'static str,
    pub(crate) message: String,
    pub(crate) position: Option<Position>,
}

impl Problem {
    pub(crate) fn new(code: &'static str, message: impl Into<String>) -> Self {
        Problem { code, message: message.into(), position: None }
    }

    /// The exception. `path` is where in the object it is, as `$.orders[2].id`; `overflow` says
    /// that it is about an integer that does not fit, which makes it an `OverflowError`, too.
    pub(crate) fn raise(
        self,
        py: Python<'_>,
        format: Format,
        path: Option<&str>,
        overflow: bool,
    ) -> PyErr {
        static MAKE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        let Problem { code, message, position } = self;
        let place = position.map(|place| {
            // Binary input has no lines.
            let text = (place.line > 0).then_some((place.line, place.column));
            (text.map(|(line, _)| line), text.map(|(_, column)| column), place.offset)
        });
        let (line, column, offset) =
            place.map_or((None, None, None), |(line, column, offset)| (line, column, Some(offset)));
        let arguments = (format.name(), code, message, line, column, offset, path, overflow);
        let made =
            MAKE.import(py, "wire_formats._errors", "make").and_then(|make| make.call1(arguments));
        made.map_or_else(|error| error, PyErr::from_value)
    }
}

macro_rules! problems {
    ($($error:ty),*) => {$(
        impl From<$error> for Problem {
            fn from(error: $error) -> Self {
                Problem { code: error.code(), message: error.to_string(), position: error.position() }
            }
        }
    )*};
}

problems! { gcf::Error, gcb::Error, gcx::Error, goon::Error, CodecError }

/// What `?` does with an error of a format that was found while a text was read.
pub(crate) trait OrRaise<T> {
    fn or_raise(self, py: Python<'_>, format: Format) -> PyResult<T>;
}

impl<T, E: Into<Problem>> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>, format: Format) -> PyResult<T> {
        self.map_err(|error| {
            let problem: Problem = error.into();
            problem.raise(py, format, None, false)
        })
    }
}
