//! What `smallest` compares with, how it chooses, and by what it counts when no vocabulary is installed.

use pyo3::prelude::*;
use pyo3::types::PyList;
use wire_core::{TokenCounter, WordPunctuation};
use wire_registry::Chooser;

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

/// The number of tokens of a text by the word-and-punctuation estimate.
#[pyfunction]
pub(crate) fn count_words(py: Python<'_>, text: &str) -> usize {
    detached(py, text.len(), || WordPunctuation.count(text))
}

/// The choice among forms with these names and tokens (ruling X16): the index of the chosen one, the
/// reason, and each form in words. None if there is no form, or an unknown one.
#[pyfunction]
pub(crate) fn choose(forms: Vec<(String, usize)>) -> Option<(usize, String, Vec<String>)> {
    let mut chooser = Chooser::new(&WordPunctuation);
    for (name, _) in &forms {
        let name = ["json", "gcf", "gcx"].into_iter().find(|known| *known == name.as_str())?;
        chooser.offer(name, Ok(""));
    }
    let counts = forms.iter().map(|(_, tokens)| *tokens).collect();
    let chosen = chooser.choose_counting(|_| counts).ok()?;
    let index = forms.iter().position(|(name, _)| name == chosen.format)?;
    let words = chosen.candidates.iter().map(ToString::to_string).collect();
    Some((index, chosen.reason.to_string(), words))
}
