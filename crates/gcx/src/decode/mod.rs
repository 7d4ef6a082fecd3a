//! Decoding: the lines of a text, its rows, and their deserialization.

pub(crate) mod cell;
mod decoder;
mod diagnosis;
mod header;
mod members;
mod plain;
mod record;
mod row;
pub(crate) mod rows;
mod scanner;
mod sections;
mod slice_reader;
mod to_json;

pub use decoder::Decoder;
pub use row::Row;
pub(crate) use row::place_of;
pub(crate) use scanner::{Event, LastLine, Scanner};
pub(crate) use sections::{Sections, Walk, check_names};
pub use slice_reader::SliceReader;
