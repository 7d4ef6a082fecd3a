//! `wire_formats.gcf`: the generic profile of GCF.

use gcf::generic::{Decoder, Encoder, Spec};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::error::{Format, OrRaise};
use crate::input::{Input, detached};
use crate::object::Walk;
use crate::tape::Tape;

/// An object as GCF.
///
/// >>> from wire_formats import gcf
/// >>> print(gcf.dumps({"users": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]}), end="")
/// GCF profile=generic
/// ## users [2]{id,name}
/// 1|Ann
/// 2|Bo
///
/// `default` is called with an object of any other type and returns what to write instead. `spec` is the version of the
/// specification: "3.5", which every reader reads, or "3.6".
///
/// Raises `gcf.Error` for what GCF can't hold, with the path of it; one for an integer beyond 64 bits is an `OverflowError`, too.
/// Raises `TypeError` for an object of another type. The GIL is held, since objects are read where they are.
#[pyfunction]
#[pyo3(signature = (obj, *, default=None, spec="3.5"))]
pub(crate) fn dumps(
    py: Python<'_>,
    obj: &Bound<'_, PyAny>,
    default: Option<&Bound<'_, PyAny>>,
    spec: &str,
) -> PyResult<String> {
    let walk = Walk::new(py, Format::Gcf, default)?;
    let encoder = Encoder::new().spec(spec_of(spec)?);
    encoder.to_string(&walk.object(obj)).map_err(|error| walk.raise(error))
}

pub(crate) fn spec_of(name: &str) -> PyResult<Spec> {
    Spec::from_name(name).ok_or_else(|| {
        PyValueError::new_err(format!("spec is {name:?}, expected \"3.5\" or \"3.6\""))
    })
}

/// The object of a text in GCF.
///
/// >>> from wire_formats import gcf
/// >>> gcf.loads("GCF profile=generic\nports[2]: 8080,8443\n")
/// {'ports': [8080, 8443]}
///
/// `require_final_newline` refuses a text whose last line has no line ending.
///
/// Raises `gcf.Error` with the code, line, column and offset of what is wrong. The GIL is released while the text is read.
#[pyfunction]
#[pyo3(signature = (s, *, require_final_newline=false))]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    s: Input<'py>,
    require_final_newline: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let mut decoder = Decoder::new();
    if require_final_newline {
        decoder = decoder.require_final_newline();
    }
    let bytes = s.bytes(Format::Gcf)?;
    let tape: Result<Tape, _> = detached(py, bytes.len(), || decoder.from_slice(bytes));
    tape.or_raise(py, Format::Gcf)?.build(py)
}
