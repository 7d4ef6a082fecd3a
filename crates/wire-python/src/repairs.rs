//! What recovery did, for both profiles of GCF.

use pyo3::prelude::*;

/// One thing that was repaired or left out.
#[pyclass(module = "wire_formats.gcf", frozen, get_all)]
pub(crate) struct Repair {
    /// The line of the answer, from 1.
    line: u64,
    /// The number of bytes before the line.
    offset: u64,
    /// What was done, by a stable name as "code_fence".
    code: &'static str,
    /// Why a line was left out: the code of an error. None for other repairs.
    reason: Option<&'static str>,
    /// Whether something that the text says is not in the result.
    is_loss: bool,
}

#[pymethods]
impl Repair {
    fn __repr__(&self) -> String {
        let reason = self.reason.map(|reason| format!(" ({reason})")).unwrap_or_default();
        format!("<Repair in line {}: {}{reason}>", self.line, self.code)
    }
}

/// How many repairs there are, and the first of them.
pub(crate) fn repairs_in_words(repairs: &[Py<Repair>]) -> String {
    match repairs {
        [] => "no repairs".to_owned(),
        [one] => format!("1 repair: {}", one.get().code),
        [first, ..] => format!("{} repairs, the first: {}", repairs.len(), first.get().code),
    }
}

pub(crate) fn repairs(py: Python<'_>, found: &[gcf::graph::Repair]) -> PyResult<Vec<Py<Repair>>> {
    let repair = |repair: &gcf::graph::Repair| {
        Py::new(
            py,
            Repair {
                line: repair.line,
                offset: repair.offset,
                code: repair.kind.code(),
                reason: repair.reason.map(gcf::ErrorKind::code),
                is_loss: repair.kind.is_loss(),
            },
        )
    };
    found.iter().map(repair).collect()
}
