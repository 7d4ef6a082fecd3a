//! Encoding: the lines of sections, and the serialization of rows and cells.

mod encoder;
mod from_json;
mod into_rows;
mod key;
mod options;
mod row;
mod table;
pub(crate) mod value;
mod writer;

pub use encoder::{Encoded, Encoder};
pub use into_rows::IntoRows;
pub(crate) use options::{Misfits, Options};
pub(crate) use row::{Cells, push_object};
pub(crate) use table::Table;
pub use writer::Writer;
