//! Encoding and decoding payloads whose size is not known in advance (ruling G13).

mod reader;
mod writer;

pub use reader::Reader;
pub use writer::Writer;
