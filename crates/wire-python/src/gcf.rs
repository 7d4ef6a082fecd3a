//! `wire_formats.gcf`: the generic profile of GCF.

use gcf::{Decoder, Encoder, Spec, Writer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::columns::Table;
use crate::error::{Format, OrRaise, Reader};
use crate::input::{Input, detached, limits, typed};
use crate::object::object;
use crate::read::Kept;
use crate::repairs::{Repair, repairs, repairs_in_words};
use crate::tape::Tape;
use crate::walk::{Walk, warn_of_columns};

/// An object as GCF.
///
/// >>> from wire_formats import gcf
/// >>> print(gcf.dumps({"users": [{"id": 1, "name": "Ann"}, {"id": 2, "name": "Bo"}]}), end="")
/// GCF profile=generic
/// ## users [2]{id,name}
/// 1|Ann
/// 2|Bo
///
/// `default` is called with an object of any other type and returns what to write instead.
/// `index=False` leaves out the index of a pandas frame or series. `nan="null"` writes null for NaN
/// and infinities, which are an error otherwise. `digits` rounds floats to so many significant digits,
/// from 1 to 17: a loss that nothing states but `smallest`. `spec` is the version of the
/// specification: "3.5", which every reader reads, or "3.6". `flatten=False` writes objects in rows
/// as attachments and never as columns.
///
/// Raises `gcf.Error` with the path for a value that GCF can't represent; for an integer beyond 64
/// bits it is also an `OverflowError`. Raises `TypeError` for an object of another type. The GIL is
/// not released, because Python objects are read.
#[pyfunction]
#[pyo3(signature = (obj, *, default=None, index=true, nan="error", digits=None, spec="3.5", flatten=true))]
#[allow(clippy::too_many_arguments)] // they are keywords in Python
pub(crate) fn dumps(
    py: Python<'_>,
    obj: &Bound<'_, PyAny>,
    default: Option<&Bound<'_, PyAny>>,
    index: bool,
    nan: &str,
    digits: Option<u8>,
    spec: &str,
    flatten: bool,
) -> PyResult<String> {
    let walk = Walk::new(py, Format::Gcf, default)?
        .index(index)
        .nan(nan)?
        .digits(digits)?
        .keeping_columns();
    let encoder = Encoder::new().spec(spec_of(spec)?).flatten(flatten);
    let text = encoder.to_string(&object(&walk, obj)).map_err(|error| walk.raise(error))?;
    let Some(columns) = walk.take_columns() else { return Ok(text) };
    match without_rows(&columns) {
        Some(text) => Ok(text),
        None => warn_of_columns(py, &columns).map(|()| text),
    }
}

/// The text of a table that has these columns and no rows.
pub(crate) fn without_rows(columns: &[String]) -> Option<String> {
    let mut writer = Writer::new(Vec::new()).ok()?;
    writer.begin(&::gcf::TableHead::rows(columns)).ok()?;
    let text = String::from_utf8(writer.finish().ok()?).ok()?;
    // The number of rows is known, so that it needs no trailer.
    let (header, fields) = text.split_once("[?]")?;
    Some(format!("{header}[0]{}\n", fields.lines().next()?))
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
/// `type` is a dataclass, a pydantic model, or a type of them as `list[Model]`, and what comes back
/// is of it. `require_final_newline` refuses a text whose last line has no line ending.
/// `line_bytes` bounds the length of a line (64 MiB), and `items` the number of lines (16,777,216).
///
/// Raises `gcf.Error` with the code, line, column and offset of what is wrong. The GIL is released
/// while the text is read.
#[pyfunction]
#[pyo3(signature = (s, *, r#type=None, require_final_newline=false, line_bytes=None, items=None))]
pub(crate) fn loads<'py>(
    py: Python<'py>,
    s: Input<'py>,
    r#type: Option<&Bound<'py, PyAny>>,
    require_final_newline: bool,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let decoder = decoder(require_final_newline, line_bytes, items);
    let bytes = s.bytes(Format::Gcf)?;
    let tape: Result<Tape<'_>, _> = detached(py, bytes.len(), || decoder.from_slice(bytes));
    typed(
        tape.or_raise_reading(py, Reader::Gcf, bytes)?.build(py, Format::Gcf)?,
        r#type,
        Format::Gcf,
    )
}

/// The rows of a text in GCF as Arrow columns, without Python's objects in between.
///
/// >>> from wire_formats import gcf
/// >>> gcf.loads_arrow("GCF profile=generic\n## [2]{id,name}\n1|Ann\n2|Bo\n")
/// <Table: 2 rows of id, name>
///
/// `polars.DataFrame`, `pandas.DataFrame.from_arrow`, `pyarrow.table` and whatever else has the
/// Arrow C stream interface take it. Columns are integers, doubles, truth values, strings, lists or
/// structs; an absent member is null. Dates are strings, as they were written: cast them
/// afterwards. `require_final_newline`, `line_bytes` and `items` are as in `loads`.
///
/// Raises `gcf.Error` if the text is not an array of objects, or a column has values of two kinds,
/// with the path.
#[pyfunction]
#[pyo3(signature = (s, *, require_final_newline=false, line_bytes=None, items=None))]
pub(crate) fn loads_arrow(
    py: Python<'_>,
    s: Input<'_>,
    require_final_newline: bool,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<Table> {
    let decoder = decoder(require_final_newline, line_bytes, items);
    let bytes = s.bytes(Format::Gcf)?;
    let read = || decoder.from_slice(bytes).map(|tape: Tape<'_>| Table::new(&tape));
    let table = detached(py, bytes.len(), read).or_raise_reading(py, Reader::Gcf, bytes)?;
    table.map_err(|refused| refused.raise(py, Format::Gcf))
}

fn decoder(
    require_final_newline: bool,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> Decoder {
    let limits = limits(gcf::LIMITS, line_bytes, items);
    Decoder::new().limits(limits).require_final_newline(require_final_newline)
}

/// A value that was found in a model's answer.
#[pyclass(module = "wire_formats.gcf", frozen, get_all)]
pub(crate) struct Recovered {
    /// The value.
    value: Py<PyAny>,
    /// Everything that was repaired or left out, in the order of the answer.
    repairs: Vec<Py<Repair>>,
}

#[pymethods]
impl Recovered {
    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let value = self.value.bind(py).repr()?;
        Ok(format!("<Recovered: {value}, {}>", repairs_in_words(&self.repairs)))
    }
}

/// Finds the value in a model's answer, and repairs what is nearly one. Nothing is invented, and
/// every repair is reported.
///
/// >>> from wire_formats import gcf
/// >>> rows = "GCF profile=generic\n## users [3]{id,name}\n1|Ann\n2|Bo\n"
/// >>> found = gcf.recover("Sure:\n```\n" + rows + "```\n")
/// >>> found.value
/// {'users': [{'id': 1, 'name': 'Ann'}, {'id': 2, 'name': 'Bo'}]}
/// >>> [repair.code for repair in found.repairs]
/// ['surrounding_text', 'code_fence', 'wrong_count', 'code_fence']
///
/// Raises `gcf.Error` where there is nothing to recover. The GIL is released meanwhile.
#[pyfunction]
pub(crate) fn recover(py: Python<'_>, answer: Input<'_>) -> PyResult<Recovered> {
    let bytes = answer.bytes(Format::Gcf)?;
    let found = detached(py, bytes.len(), || Decoder::new().recover::<Kept>(bytes));
    let (Kept(tape), account) = found.or_raise(py, Format::Gcf)?;
    let value = tape.build(py, Format::Gcf)?.unbind();
    Ok(Recovered { value, repairs: repairs(py, &account.repairs)? })
}

/// Encodes flat objects with their rows in groups, so that a value that many rows share is written
/// once for each group.
///
/// `group` is the field of that value, and `key` a field that is different in every object. The
/// order of the groups is that of their first objects. Readers of specification 3.6 read it.
#[pyfunction]
#[pyo3(signature = (obj, *, key, group, default=None, index=true, nan="error", digits=None))]
#[allow(clippy::too_many_arguments)] // they are keywords in Python
pub(crate) fn dumps_in_groups(
    py: Python<'_>,
    obj: &Bound<'_, PyAny>,
    key: &str,
    group: &str,
    default: Option<&Bound<'_, PyAny>>,
    index: bool,
    nan: &str,
    digits: Option<u8>,
) -> PyResult<String> {
    let walk = Walk::new(py, Format::Gcf, default)?.index(index).nan(nan)?.digits(digits)?;
    let written = Encoder::new().to_string_in_groups(&object(&walk, obj), key, group);
    written.map_err(|error| walk.raise(error))
}

/// JSON text as GCF, without objects in between.
///
/// >>> from wire_formats import gcf
/// >>> gcf.from_json('{"ports": [8080, 8443]}')
/// 'GCF profile=generic\nports[2]: 8080,8443\n'
///
/// A decimal that is not a double is rounded; with `exact=True` it is an error, "inexact_number".
///
/// Raises `gcf.Error` with the place in the JSON text: "json_syntax", "duplicate_key",
/// "out_of_range", "too_deep". The GIL is released meanwhile.
#[pyfunction]
#[pyo3(signature = (s, *, spec="3.5", exact=false))]
pub(crate) fn from_json(py: Python<'_>, s: Input<'_>, spec: &str, exact: bool) -> PyResult<String> {
    let encoder = Encoder::new().spec(spec_of(spec)?).exact(exact);
    let json = s.text(Format::Gcf)?;
    detached(py, json.len(), || encoder.json_to_gcf(json)).or_raise(py, Format::Gcf)
}

/// A text in GCF as minified JSON, without objects in between.
///
/// >>> from wire_formats import gcf
/// >>> gcf.to_json("GCF profile=generic\nports[2]: 8080,8443\n")
/// '{"ports":[8080,8443]}'
///
/// Raises `gcf.Error` as `loads` does. The GIL is released meanwhile.
#[pyfunction]
pub(crate) fn to_json(py: Python<'_>, s: Input<'_>) -> PyResult<String> {
    let text = s.text(Format::Gcf)?;
    let json = detached(py, text.len(), || Decoder::new().gcf_to_json(text));
    json.or_raise_reading(py, Reader::Gcf, text.as_bytes())
}
