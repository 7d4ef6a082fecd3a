//! What is read: text or bytes.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};
use wire_core::{Limits, Position};

use crate::error::{Format, Problem};

/// Inputs below this size are read in less time than it takes to let other threads run and to wait
/// for them again.
const WORTH_DETACHING: usize = 4096;

/// A str, or anything that holds bytes; what could change meanwhile is copied.
pub(crate) enum Input<'py> {
    Text(Bound<'py, PyString>),
    Bytes(Bound<'py, PyBytes>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Input<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return Ok(Input::Text(text.to_owned()));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Input::Bytes(bytes.to_owned()));
        }
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
            return Ok(Input::Bytes(bytes.cast_into()?));
        }
        let class = object.get_type().fully_qualified_name()?;
        let message = format!(
            "the input is of the type {class}, expected str, bytes, bytearray or memoryview"
        );
        Err(PyTypeError::new_err(message))
    }
}

impl Input<'_> {
    /// The bytes.
    pub(crate) fn bytes(&self, format: Format) -> PyResult<&[u8]> {
        match self {
            Input::Bytes(bytes) => Ok(bytes.as_bytes()),
            Input::Text(text) => text.to_str().map(str::as_bytes).map_err(|_| {
                let message =
                    "the text contains half a surrogate pair, which UTF-8 can't represent";
                Problem::new("invalid_utf8", message).raise(text.py(), format, None, false)
            }),
        }
    }

    /// The text.
    pub(crate) fn text(&self, format: Format) -> PyResult<&str> {
        let bytes = self.bytes(format)?;
        std::str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            let mut problem = Problem::new("invalid_utf8", "the input is not UTF-8");
            problem.position = Some(Position::in_text(bytes, at));
            let py = match self {
                Input::Text(text) => text.py(),
                Input::Bytes(bytes) => bytes.py(),
            };
            problem.raise(py, format, None, false)
        })
    }
}

/// The limits that a caller asks for, in place of those of a format.
pub(crate) fn limits(of: Limits, line_bytes: Option<usize>, items: Option<usize>) -> Limits {
    let of = line_bytes.map_or(of, |bytes| of.with_line_bytes(bytes));
    items.map_or(of, |items| of.with_items(items))
}

/// Works on so many bytes, while other threads run Python.
pub(crate) fn detached<T: Send>(
    py: Python<'_>,
    bytes: usize,
    work: impl FnOnce() -> T + Send,
) -> T {
    if bytes < WORTH_DETACHING { work() } else { py.detach(work) }
}

/// A value as an object of a type: dataclasses, pydantic models, and types of these.
pub(crate) fn typed<'py>(
    value: Bound<'py, PyAny>,
    wanted: Option<&Bound<'py, PyAny>>,
    format: Format,
) -> PyResult<Bound<'py, PyAny>> {
    static CONVERT: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let Some(wanted) = wanted else { return Ok(value) };
    let convert = CONVERT.import(value.py(), "wire_formats._types", "convert")?;
    convert.call1((value, wanted, format.name()))
}
