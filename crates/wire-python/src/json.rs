//! What `smallest` compares with, how it chooses, and by what it counts when no vocabulary is installed.

use pyo3::prelude::*;
use pyo3::types::PyList;
use wire_core::{Runs, TokenCounter, WordPunctuation};
use wire_registry::{Chooser, FORMS};

use crate::error::{Format, Problem};
use crate::input::detached;
use crate::object::object;
use crate::walk::Walk;
use crate::{gcf, gcx};

/// An object as minified JSON. Of a frame without rows, JSON does not hold the names of the columns:
/// with `columns=True` they are returned, too, and otherwise Python warns. `read` is a list to
/// which each iterator is appended, with the list of its items. The number of doubles that `digits`
/// changed comes last.
#[pyfunction]
#[pyo3(signature = (obj, *, default=None, index=true, nan="error", digits=None, columns=false, read=None))]
#[allow(clippy::too_many_arguments)] // they are keywords in Python
pub(crate) fn dumps_json(
    py: Python<'_>,
    obj: &Bound<'_, PyAny>,
    default: Option<&Bound<'_, PyAny>>,
    index: bool,
    nan: &str,
    digits: Option<u8>,
    columns: bool,
    read: Option<&Bound<'_, PyList>>,
) -> PyResult<(String, Option<Vec<String>>, usize)> {
    let mut walk =
        Walk::new(py, Format::Json, default)?.index(index).nan(nan)?.digits(digits)?.noting(read);
    if columns {
        walk = walk.keeping_columns();
    }
    let text = serde_json::to_string(&object(&walk, obj))
        .map_err(|error| walk.raise(Problem::new("invalid_value", error.to_string())))?;
    Ok((text, walk.take_columns(), walk.rounded()))
}

/// The text of a frame without rows; None if the format can't hold the names of its columns.
#[pyfunction]
pub(crate) fn without_rows(format: &str, columns: Vec<String>) -> Option<String> {
    match format {
        "gcf" => gcf::without_rows(&columns),
        "gcx" => gcx::table_without_rows(&columns),
        _ => None,
    }
}

/// The number of tokens of a text by the estimate of runs, or by that of words and punctuation.
#[pyfunction]
pub(crate) fn estimate(py: Python<'_>, name: &str, text: &str) -> usize {
    let counter: &dyn TokenCounter = if name == "runs" { &Runs } else { &WordPunctuation };
    detached(py, text.len(), || counter.count(text))
}

/// The names of the formats that are chosen from by default.
#[pyfunction]
pub(crate) fn forms() -> Vec<&'static str> {
    FORMS.to_vec()
}

/// The choice among texts with the names of their formats, their bytes and their tokens (ruling
/// X17): the name of the chosen one, and why in words. None if there is no text.
#[pyfunction]
pub(crate) fn choose(
    counter: &str,
    is_estimate: bool,
    forms: Vec<(String, usize, usize)>,
) -> Option<(&'static str, String)> {
    let known = |(name, bytes, tokens): (String, usize, usize)| {
        Some((wire_mcp::Format::from_name(&name)?.name(), bytes, tokens))
    };
    let chosen = Chooser::of_counted(counter, is_estimate, forms.into_iter().filter_map(known))?;
    Some((chosen.format, chosen.to_string()))
}

/// Whether the result of a tool, as JSON, is left as it is (ruling M5). `arguments` is the JSON of an
/// object.
#[pyfunction]
pub(crate) fn left_verbatim(tool: &str, arguments: &str, json: &str) -> bool {
    wire_mcp::left_verbatim(tool, arguments, json).is_some()
}
