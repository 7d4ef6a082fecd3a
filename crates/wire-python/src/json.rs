//! What `smallest` compares with, and by what it counts when no vocabulary is installed.

use pyo3::prelude::*;
use wire_core::{TokenCounter, WordPunctuation};

use crate::error::{Format, Problem};
use crate::input::detached;
use crate::object::object;
use crate::walk::Walk;

/// An object as minified JSON.
#[pyfunction]
#[pyo3(signature = (obj, *, default=None))]
pub(crate) fn dumps_json(
    py: Python<'_>,
    obj: &Bound<'_, PyAny>,
    default: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let walk = Walk::new(py, Format::Json, default)?;
    serde_json::to_string(&object(&walk, obj))
        .map_err(|error| walk.raise(Problem::new("invalid_value", error.to_string())))
}

/// The number of tokens of a text by the word-and-punctuation estimate.
#[pyfunction]
pub(crate) fn count_words(py: Python<'_>, text: &str) -> usize {
    detached(py, text.len(), || WordPunctuation.count(text))
}
