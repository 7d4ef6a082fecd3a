//! The extension module of the Python package `wire-formats-tokens`: the vocabularies, apart from
//! the formats, since they are twenty times as large.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use wire_core::TokenCounter;
use wire_tokens::Counter;

/// Below this size counting takes less time than letting other threads run.
const WORTH_DETACHING: usize = 1024;

/// The number of tokens of a text in a vocabulary: "o200k_base" or "cl100k_base".
///
/// >>> import wire_formats_tokens
/// >>> wire_formats_tokens.count("hello world", "o200k_base")
/// 2
///
/// The GIL is released meanwhile.
#[pyfunction]
fn count(py: Python<'_>, text: &str, vocabulary: &str) -> PyResult<usize> {
    let counter = Counter::from_name(vocabulary).ok_or_else(|| {
        let message =
            format!("vocabulary is {vocabulary:?}, expected \"o200k_base\" or \"cl100k_base\"");
        PyValueError::new_err(message)
    })?;
    Ok(if text.len() < WORTH_DETACHING {
        counter.count(text)
    } else {
        py.detach(|| counter.count(text))
    })
}

/// Vocabularies for `wire_formats.count_tokens`, which finds this module by itself.
#[pymodule]
fn wire_formats_tokens(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(count, module)?)
}
