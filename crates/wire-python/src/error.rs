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

    /// The same, with a hint if the input is for another module.
    fn or_raise_reading(self, py: Python<'_>, reader: Reader, input: &[u8]) -> PyResult<T>;
}

impl<T, E: Into<Problem>> OrRaise<T> for Result<T, E> {
    fn or_raise(self, py: Python<'_>, format: Format) -> PyResult<T> {
        self.map_err(|error| {
            let problem: Problem = error.into();
            problem.raise(py, format, None, false)
        })
    }

    fn or_raise_reading(self, py: Python<'_>, reader: Reader, input: &[u8]) -> PyResult<T> {
        self.map_err(|error| {
            let mut problem: Problem = error.into();
            problem.message.extend(reader.hint(input));
            problem.raise(py, reader.format(), None, false)
        })
    }
}

/// A module that reads texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reader {
    Gcf,
    Graph,
    Keyed,
    Gcx,
    Goon,
    Gcb,
}

impl Reader {
    const fn format(self) -> Format {
        match self {
            Reader::Gcf | Reader::Graph | Reader::Keyed => Format::Gcf,
            Reader::Gcx => Format::Gcx,
            Reader::Goon => Format::Goon,
            Reader::Gcb => Format::Gcb,
        }
    }

    /// The name of what it reads, and the module's name.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Reader::Gcf => ("GCF", "gcf"),
            Reader::Graph => ("GCF of a graph", "gcf.graph"),
            Reader::Keyed => ("a keyed set or a delta of one", "gcf.keyed"),
            Reader::Gcx => ("GCX1", "gcx"),
            Reader::Goon => ("GOON", "goon"),
            Reader::Gcb => ("GCB1", "gcb"),
        }
    }

    /// The module that reads an input, by the input's first line.
    fn of(start: &[u8]) -> Option<Self> {
        let line = start.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let has =
            |word: &str| line.split(|byte| *byte == b' ').any(|of| of.starts_with(word.as_bytes()));
        Some(match line {
            [b'G', b'C', b'F', b' ', ..] if !has("profile=generic") => Reader::Graph,
            [b'G', b'C', b'F', b' ', ..] if has("pack_root=") || has("delta=") => Reader::Keyed,
            [b'G', b'C', b'F', b' ', ..] => Reader::Gcf,
            [b'G', b'C', b'X', b'1', ..] => Reader::Gcx,
            [b'G', b'C', b'B', b'1', ..] => Reader::Gcb,
            line if line.starts_with(b"@header") => Reader::Goon,
            _ => return None,
        })
    }

    /// A hint for a caller who passed an input of another module.
    #[cold]
    fn hint(self, input: &[u8]) -> Option<String> {
        let start = input.strip_prefix(b"\xef\xbb\xbf").unwrap_or(input).trim_ascii_start();
        if let Some(found) = Reader::of(start) {
            let (name, module) = found.names();
            return (found != self).then(|| {
                format!("; the input is {name}, which `wire_formats.{module}.loads` reads")
            });
        }
        if let Some(b'{' | b'[') = start.first() {
            return Some("; the input looks like JSON, which `json.loads` reads".to_owned());
        }
        if self.format() != Format::Gcf {
            return None;
        }
        let answer = if input.windows(5).any(|bytes| bytes == b"\nGCF ") {
            ", and `recover` finds a text in an answer"
        } else {
            ""
        };
        Some(format!(
            "; `wire_formats.gcf.loads` reads texts that begin with `GCF profile=generic`, `wire_formats.gcf.graph.loads` those that begin with `GCF tool=…`{answer}"
        ))
    }
}
