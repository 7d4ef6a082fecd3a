//! Tables row by row, in memory that does not grow with them (specification 3.5.3, section 8).

mod lines;
mod reader;
mod writer;

pub use reader::{Reader, TableHead};
pub use writer::Writer;
