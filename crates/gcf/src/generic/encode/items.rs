//! Items of arrays one by one, for streams, which can't know the form of their array in advance.

use serde::Serialize;

use super::config::Config;
use super::record::tape_within;
use super::write;
use crate::Error;

/// Appends a value as the item of this index, in so many arrays and objects; after an error nothing
/// is appended.
///
/// # Errors
///
/// As [`Encoder::to_string`](super::Encoder::to_string).
pub(in crate::generic) fn push_item<T: Serialize + ?Sized>(
    value: &T,
    index: usize,
    depth: usize,
    out: &mut String,
) -> Result<(), Error> {
    write::item(&tape_within(value, depth)?, Config::DEFAULT, index, out);
    Ok(())
}
