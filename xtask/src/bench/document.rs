//! The page that says how fast everything is.

use crate::tools::{Outcome, write_between};

pub(super) const DOCUMENT: &str = "docs/performance.md";

/// Writes a table between the lines that mark its place.
pub(super) fn write(begin: &str, end: &str, table: &str) -> Outcome {
    write_between(DOCUMENT, begin, end, table)
}
