//! Writing and reading payloads whose size is not known beforehand (ruling G13).

mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;
