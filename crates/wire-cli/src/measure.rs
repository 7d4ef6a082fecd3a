//! The size of a text in bytes and tokens.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

pub(crate) use wire_tokens::measure::{change, part_saved};

/// Bytes after gzip at its default level.
pub(crate) fn gzip(bytes: &[u8]) -> usize {
    const NEVER: &str = "because a vector takes all that is written";
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect(NEVER);
    encoder.finish().expect(NEVER).len()
}
