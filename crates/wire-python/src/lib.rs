//! The extension module of the Python package `wire-formats`: conversion between Python's objects
//! and the formats, and nothing else. What people import is in `python/wire_formats`.

mod arrow;
mod columns;
mod delta;
mod error;
mod exchange;
mod gcb;
mod gcf;
mod gcx;
mod goon;
mod graph;
mod input;
mod json;
mod keyed;
mod keys;
mod object;
mod payload;
mod payloads;
mod read;
mod repairs;
mod results;
mod session;
mod shared;
mod stack;
mod tape;
mod values;
mod walk;

use pyo3::prelude::*;

/// The extension module; import `wire_formats`. Free-threaded interpreters switch the GIL on for
/// it: objects are read where they are, and what another thread does to them meanwhile is held off
/// by the GIL.
#[pymodule(gil_used = true)]
fn _wire_formats(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    macro_rules! submodule {
        ($name:literal, $module:literal: $($function:path),*; $($class:ty),*) => {{
            let submodule = PyModule::new(py, $module)?;
            $( submodule.add_function(wrap_pyfunction!($function, &submodule)?)?; )*
            $( submodule.add_class::<$class>()?; )*
            module.add($name, submodule)?;
        }};
    }
    submodule! {
        "top", "wire_formats": json::dumps_json, json::without_rows, json::choose, json::estimate, json::forms, json::left_verbatim; results::Rewriter, payload::PyPayload, columns::Table
    }
    module.add("version", env!("CARGO_PKG_VERSION"))?;
    submodule! {
        "gcf", "wire_formats.gcf": gcf::dumps, gcf::loads, gcf::recover, gcf::dumps_in_groups,
        gcf::from_json, gcf::to_json, gcf::loads_arrow; gcf::Recovered, repairs::Repair
    }
    submodule! {
        "graph", "wire_formats.gcf.graph":
        graph::dumps, graph::loads, graph::loads_lenient, graph::recover, graph::pack_root, delta::diff;
        graph::Recovered, delta::Delta, delta::SendFull, session::Session, session::SessionReader, session::Sent,
        exchange::Exchange, exchange::Answer, exchange::Replica
    }
    submodule! {
        "keyed", "wire_formats.gcf.keyed": keyed::loads, keyed::receive;
        keyed::KeyedSet, keyed::KeyedDelta, keyed::KeyedSession, keyed::Update, keyed::Unchanged
    }
    submodule! {
        "gcx", "wire_formats.gcx":
        gcx::dumps, gcx::loads, gcx::dumps_layout, gcx::loads_sections, gcx::dumps_sections, gcx::from_json, gcx::to_json, gcx::loads_arrow,
        payloads::dumps_gcx, payloads::loads_gcx;
    }
    submodule! {
        "goon", "wire_formats.goon": goon::dumps, goon::loads, goon::from_json, goon::to_json,
        payloads::dumps_goon, payloads::loads_goon;
    }
    submodule! { "gcb", "wire_formats.gcb": gcb::dumps, gcb::loads; }
    Ok(())
}
