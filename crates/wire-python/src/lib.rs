//! The extension module of the Python package `wire-formats`: conversion between Python's objects and the formats, and nothing
//! else. What people import is in `python/wire_formats`.

mod error;
mod gcf;
mod input;
mod object;
mod tape;

use pyo3::prelude::*;

/// The extension module; import `wire_formats`.
#[pymodule]
fn _wire_formats(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let submodule = |name: &str| PyModule::new(py, &format!("wire_formats.{name}"));
    let gcf = submodule("gcf")?;
    gcf.add_function(wrap_pyfunction!(gcf::dumps, &gcf)?)?;
    gcf.add_function(wrap_pyfunction!(gcf::loads, &gcf)?)?;
    module.add("gcf", gcf)?;
    Ok(())
}
