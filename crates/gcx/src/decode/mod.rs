//! Reading: the lines of a text, its rows, and what serde makes of them.

pub(crate) mod cell;
mod header;
mod options;
mod plain;
mod reader;
pub(crate) mod record;
mod row;
mod scanner;

pub use options::Decoder;
pub use reader::Reader;
pub(crate) use reader::{Sections, Walk};
pub use row::Row;
pub(crate) use row::place_of;
pub(crate) use scanner::{Event, LastLine, Scanner};
