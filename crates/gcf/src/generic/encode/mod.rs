//! Writing: a value is [recorded](record) on a [`Tape`](tape::Tape), because the header of a table names the fields of all its rows, and the
//! tape becomes text.

mod fills;
mod group;
mod key;
mod options;
mod record;
mod rows;
mod shape;
mod table;
mod tape;
mod write;

pub use options::{Encoder, Spec};
pub(super) use rows::{ScalarRows, scalar_rows};
