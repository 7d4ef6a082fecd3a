//! Reading: the lines of a text with their levels, then one container after the other as serde asks for them.

mod array;
mod columns;
mod discarded;
mod head;
mod key;
mod keyed;
mod lines;
mod object;
mod options;
mod reader;
mod row;
mod shape;
mod table;
mod value;

pub(super) use keyed::{KeyedRows, KeyedText};
pub(super) use lines::SUMMARY;
pub use options::Decoder;
pub(super) use options::{WithCounts, check_counts, check_header};
pub(super) use reader::too_large;
pub(super) use shape::{Declared, HeadLine, RowShape};
pub(super) use value::token_row;
