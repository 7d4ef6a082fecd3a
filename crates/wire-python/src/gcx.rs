//! `wire_formats.gcx`: GCX1.

use gcx::layout::Layout;
use gcx::{Decoder, Encoder, Header};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::Table;
use crate::error::{Format, OrRaise, Problem, Reader};
use crate::input::{Input, detached, limits, typed};
use crate::object::object;
use crate::values::tape_of;
use crate::walk::{Walk, warn_of_columns};

/// An object as GCX1.
///
/// >>> from wire_formats import gcx
/// >>> gcx.dumps([{"id": "a", "size": 1.5}, {"id": "b", "size": None}])
/// 'GCX1 tool=value fields=id,size rows=2 typed=objects:string,float?\na\t1.5\nb\t\n'
///
/// Without `tool` the header has the types of the columns, so the text decodes to an equal object.
/// With the name of a tool that has a layout (fixed columns), a response that fits the layout is
/// written by it, and any other with types. A tool without a layout has the plain form, which does
/// not distinguish None, "" and a missing member, nor "1" and 1; `typed=True` adds the types.
///
/// `extra_columns` writes members outside of the layout after its columns; `escape_commas` allows
/// commas in the names of fields. `default`, `index`, `nan` and `digits` are as in `gcf.dumps`.
/// Integers keep all of their digits.
///
/// Raises `gcx.Error` with the path for a value that GCX1 can't represent, and `TypeError` for an
/// object of another type. The GIL is not released.
#[pyfunction]
#[pyo3(signature = (obj, tool=None, *, default=None, index=true, nan="error", digits=None, typed=false, extra_columns=false, escape_commas=false))]
#[allow(clippy::fn_params_excessive_bools, clippy::too_many_arguments)] // they are keywords in Python
pub(crate) fn dumps(
    py: Python<'_>,
    obj: &Bound<'_, PyAny>,
    tool: Option<&str>,
    default: Option<&Bound<'_, PyAny>>,
    index: bool,
    nan: &str,
    digits: Option<u8>,
    typed: bool,
    extra_columns: bool,
    escape_commas: bool,
) -> PyResult<String> {
    let encoder = encoder(extra_columns, escape_commas);
    let walk = Walk::new(py, Format::Gcx, default)?
        .index(index)
        .nan(nan)?
        .digits(digits)?
        .keeping_columns();
    let value = object(&walk, obj);
    let typed = typed || tool.is_none();
    let tool = tool.unwrap_or(TOOL);
    let written = if typed {
        encoder.encode_response(tool, &value)
    } else {
        encoder.encode_layout(tool, &value)
    };
    let text = written.map_err(|error| walk.raise(error))?;
    let Some(columns) = walk.take_columns() else { return Ok(text) };
    // A layout has columns of its own.
    let has_layout = !typed && Layout::of(tool).is_some();
    match without_rows(&encoder, tool, &columns, typed) {
        Some(text) if !has_layout => Ok(text),
        _ => warn_of_columns(py, &columns).map(|()| text),
    }
}

/// The text of a section that has these columns and no rows.
fn without_rows(encoder: &Encoder, tool: &str, columns: &[String], typed: bool) -> Option<String> {
    let mut header = Header::new(tool, columns.iter().map(String::as_str)).with_rows(0);
    if typed {
        let types = vec!["string"; columns.len()].join(",");
        header = header.with_meta("typed", format!("objects:{types}"));
    }
    let mut writer = encoder.writer(Vec::new());
    writer.begin(&header).ok()?;
    String::from_utf8(writer.finish().ok()?).ok()
}

/// The text of an array of objects that has these columns and no rows.
pub(crate) fn table_without_rows(columns: &[String]) -> Option<String> {
    without_rows(&Encoder::new(), TOOL, columns, true)
}

/// The tool of what is written without one.
pub(crate) const TOOL: &str = "value";

fn encoder(extra_columns: bool, escape_commas: bool) -> Encoder {
    Encoder::new().extra_columns(extra_columns).escape_commas(escape_commas)
}

/// The response of a tool by its layout, and the paths of the members that the layout has no place
/// for, which are left out.
///
/// >>> from wire_formats import gcx
/// >>> gcx.dumps_layout({"results": [], "took_ms": 3}, "search_symbols")[1]
/// ['took_ms']
#[pyfunction]
#[pyo3(signature = (obj, tool, *, default=None, index=true, nan="error", digits=None, extra_columns=false, escape_commas=false))]
#[allow(clippy::too_many_arguments)] // they are keywords in Python
pub(crate) fn dumps_layout(
    py: Python<'_>,
    obj: &Bound<'_, PyAny>,
    tool: &str,
    default: Option<&Bound<'_, PyAny>>,
    index: bool,
    nan: &str,
    digits: Option<u8>,
    extra_columns: bool,
    escape_commas: bool,
) -> PyResult<(String, Vec<String>)> {
    let encoder = encoder(extra_columns, escape_commas).layout_only(true);
    let walk = Walk::new(py, Format::Gcx, default)?.index(index).nan(nan)?.digits(digits)?;
    let encoded = encoder
        .encode_layout_with_report(tool, &object(&walk, obj))
        .map_err(|error| walk.raise(error))?;
    Ok((encoded.text, encoded.left_out))
}

/// The object of a text in GCX1, of whichever tool. With `type`, a dataclass, a pydantic model or a
/// type of them, it is of that.
///
/// Integers keep all of their digits, as in `to_json`. `line_bytes` bounds the length of a line (64
/// MiB), and `items` the number of rows, of columns and of metadata (16,777,216).
///
/// Raises `gcx.Error` with the code, line, column and offset of what is wrong. The GIL is released
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
    let text = s.text(Format::Gcx)?;
    let decoder = decoder(require_final_newline, line_bytes, items);
    let tape = detached(py, text.len(), || decoder.decode_exact(text).map(|value| tape_of(&value)));
    let tape = tape.or_raise_reading(py, Reader::Gcx, text.as_bytes())?;
    let value = tape.expect(NO_VARIANTS).build(py, Format::Gcx)?;
    typed(value, r#type, Format::Gcx)
}

/// The rows of a text in GCX1 as Arrow columns, without Python's objects in between: see
/// `gcf.loads_arrow`.
///
/// >>> from wire_formats import gcx
/// >>> gcx.loads_arrow(gcx.dumps([{"id": "a", "size": 1.5}, {"id": "b", "size": None}]))
/// <Table: 2 rows of id, size>
///
/// Raises `gcx.Error` if the text is not an array of objects, or a column has values of two kinds,
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
    let text = s.text(Format::Gcx)?;
    let decoder = decoder(require_final_newline, line_bytes, items);
    let read =
        || decoder.decode_exact(text).map(|value| tape_of(&value).map(|tape| Table::new(&tape)));
    let table = detached(py, text.len(), read);
    let table = table.or_raise_reading(py, Reader::Gcx, text.as_bytes())?;
    table.expect(NO_VARIANTS).map_err(|refused| refused.raise(py, Format::Gcx))
}

const NO_VARIANTS: &str = "because JSON has no variants";

fn decoder(
    require_final_newline: bool,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> Decoder {
    Decoder::new()
        .limits(limits(gcx::LIMITS, line_bytes, items))
        .require_final_newline(require_final_newline)
}

/// The rows of each section of a text, as strings.
///
/// A section is a dict of `tool`, `fields`, `meta`, `declared` (the declared number of rows, or
/// None) and `rows`, each a list of cells.
#[pyfunction]
#[pyo3(signature = (s, *, require_final_newline=false, line_bytes=None, items=None))]
pub(crate) fn loads_sections<'py>(
    py: Python<'py>,
    s: Input<'py>,
    require_final_newline: bool,
    line_bytes: Option<usize>,
    items: Option<usize>,
) -> PyResult<Vec<Bound<'py, PyDict>>> {
    let text = s.text(Format::Gcx)?;
    let decoder = decoder(require_final_newline, line_bytes, items);
    let read = detached(py, text.len(), || {
        let mut reader = decoder.slice_reader(text);
        let mut sections = Vec::new();
        while let Some(header) = reader.next_section()? {
            let mut rows: Vec<Vec<String>> = Vec::new();
            while let Some(row) = reader.next_row()? {
                rows.push(row.cells().map(str::to_owned).collect());
            }
            sections.push((header, rows));
        }
        Ok::<_, gcx::Error>(sections)
    });
    let mut sections = Vec::new();
    for (header, rows) in read.or_raise_reading(py, Reader::Gcx, text.as_bytes())? {
        let dict = PyDict::new(py);
        dict.set_item("tool", header.tool())?;
        dict.set_item("fields", header.fields().collect::<Vec<_>>())?;
        let meta = PyDict::new(py);
        for (key, value) in header.all_meta() {
            meta.set_item(key, value)?;
        }
        dict.set_item("meta", meta)?;
        dict.set_item("declared", header.rows())?;
        dict.set_item("rows", rows)?;
        sections.push(dict);
    }
    Ok(sections)
}

/// Writes sections of rows, as `loads_sections` returns them, as text. `comments`, a list of
/// strings, are written after the header.
#[pyfunction]
#[pyo3(signature = (sections, *, escape_commas=false))]
pub(crate) fn dumps_sections(
    py: Python<'_>,
    sections: Vec<Bound<'_, PyDict>>,
    escape_commas: bool,
) -> PyResult<String> {
    let sections = sections.iter().map(Section::of).collect::<PyResult<Vec<_>>>()?;
    let written = py.detach(|| {
        let mut writer = encoder(false, escape_commas).writer(Vec::new());
        for section in &sections {
            section.write(&mut writer)?;
        }
        Ok::<_, Problem>(writer.finish()?)
    });
    let bytes = written.or_raise(py, Format::Gcx)?;
    Ok(String::from_utf8(bytes).expect("because it is made of strings"))
}

struct Section {
    tool: String,
    fields: Vec<String>,
    meta: Vec<(String, String)>,
    declared: Option<u64>,
    comments: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Section {
    fn of(dict: &Bound<'_, PyDict>) -> PyResult<Self> {
        let members = crate::payload::Members::new(dict, "$", Format::Gcx);
        let meta: Option<Bound<'_, PyDict>> = members.get("meta", "a dict of strings")?;
        let meta = meta.map_or(Ok(Vec::new()), |meta| {
            meta.items().iter().map(|item| item.extract()).collect::<PyResult<Vec<_>>>()
        })?;
        Ok(Section {
            tool: members.need("tool", "a string")?,
            fields: members.need("fields", "a list of strings")?,
            meta,
            declared: members.get("declared", "an integer of 64 bits")?,
            comments: members.get("comments", "a list of strings")?.unwrap_or_default(),
            rows: members.get("rows", "a list of lists of strings")?.unwrap_or_default(),
        })
    }

    fn write(&self, writer: &mut gcx::Writer<Vec<u8>>) -> Result<(), Problem> {
        let mut header = Header::new(self.tool.as_str(), self.fields.iter().map(String::as_str));
        if let Some(rows) = self.declared {
            header = header.with_rows(rows);
        }
        for (key, value) in &self.meta {
            header = header.with_meta(key.as_str(), value.as_str());
        }
        writer.begin(&header)?;
        for comment in &self.comments {
            writer.comment(comment)?;
        }
        for row in &self.rows {
            writer.row(row)?;
        }
        Ok(())
    }
}

/// JSON text as GCX1: see `dumps` for `tool` and the options. Integers keep all of their digits.
///
/// >>> from wire_formats import gcx
/// >>> gcx.from_json('[{"id": 18446744073709551616}]')
/// 'GCX1 tool=value fields=id rows=1 typed=objects:integer\n18446744073709551616\n'
///
/// A decimal that is not a double is rounded; with `exact=True` it is an error, "inexact_number".
///
/// Raises `gcx.Error` with the code "json_syntax" and the position if the text is not JSON. The GIL
/// is released meanwhile.
#[pyfunction]
#[pyo3(signature = (s, tool=None, *, typed=false, extra_columns=false, escape_commas=false, exact=false))]
#[allow(clippy::fn_params_excessive_bools)] // they are keywords in Python
pub(crate) fn from_json(
    py: Python<'_>,
    s: Input<'_>,
    tool: Option<&str>,
    typed: bool,
    extra_columns: bool,
    escape_commas: bool,
    exact: bool,
) -> PyResult<String> {
    let encoder = encoder(extra_columns, escape_commas).exact(exact);
    let json = s.text(Format::Gcx)?;
    let made = detached(py, json.len(), || match tool {
        Some(tool) if !typed => encoder.json_to_layout(tool, json),
        tool => encoder.json_to_gcx(tool.unwrap_or(TOOL), json),
    });
    made.or_raise(py, Format::Gcx)
}

/// A text in GCX1 as minified JSON. Integers keep all of their digits.
///
/// Raises `gcx.Error` as `loads` does. The GIL is released meanwhile.
#[pyfunction]
pub(crate) fn to_json(py: Python<'_>, s: Input<'_>) -> PyResult<String> {
    let text = s.text(Format::Gcx)?;
    let json = detached(py, text.len(), || gcx::gcx_to_json(text));
    json.or_raise_reading(py, Reader::Gcx, text.as_bytes())
}
