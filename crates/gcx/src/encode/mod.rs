//! Writing: the lines of sections, and what serde makes of rows and cells.

mod json;
mod key;
mod options;
mod table;
pub(crate) mod value;
mod writer;

pub(crate) use options::Misfits;
pub use options::{Encoded, Encoder};
pub use writer::Writer;
