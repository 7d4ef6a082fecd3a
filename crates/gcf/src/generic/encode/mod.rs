//! Writing: a value is [recorded](record) on a [`Tape`](tape::Tape), because the header of a table
//! names the fields of all its rows, and the tape becomes text.

mod cells;
#[cfg(feature = "json")]
mod json;
mod key;
mod keys;
mod options;
mod prepared;
mod record;
mod recorded;
mod rows;
mod shape;
mod table;
mod tape;
mod write;
mod writer;

pub use options::{Encoder, Spec};
pub use prepared::Prepared;
pub(super) use rows::{ScalarRows, scalar_rows};
pub(super) use write::push_item;
