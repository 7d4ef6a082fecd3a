//! Reading: the lines of a text with their levels, then one container after the other as serde asks
//! for them.

mod array;
mod attachments;
mod cells;
mod columns;
mod container;
mod fields;
mod form;
mod groups;
mod head;
#[cfg(feature = "json")]
mod json;
mod key;
mod keyed;
mod lines;
mod object;
mod options;
mod positional;
mod reader;
mod row;
mod row_by_row;
mod table;
#[cfg(feature = "json")]
mod to_value;
mod token;
mod value;

pub(super) use head::{begins_section, miscounted};
pub(super) use keyed::{KeyedRows, KeyedText};
pub(super) use lines::{AFTER_TRAILER, End, NOT_WHOLE};
pub(super) use object::is_member_on_one_line;
pub use options::Decoder;
pub(super) use options::{check_counts, check_header};
pub(super) use row_by_row::{ReadRow, Repeated, RowByRow, check_indentation};
pub(super) use table::key_twice;
pub(super) use token::token_row;
