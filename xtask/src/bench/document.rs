//! The page that says how fast everything is.

use std::fs;

use crate::tools::{Outcome, root};

pub(super) const DOCUMENT: &str = "docs/performance.md";

/// Writes a table between the lines that mark its place.
pub(super) fn write(begin: &str, end: &str, table: &str) -> Outcome {
    let path = root().join(DOCUMENT);
    let text = fs::read_to_string(&path).map_err(|error| format!("{DOCUMENT}: {error}"))?;
    let (before, rest) =
        text.split_once(begin).ok_or_else(|| format!("{DOCUMENT} has no {}", begin.trim_end()))?;
    let (_, after) =
        rest.split_once(end).ok_or_else(|| format!("{DOCUMENT} has no {}", end.trim_end()))?;
    fs::write(&path, format!("{before}{begin}{table}{end}{after}"))
        .map_err(|error| format!("{DOCUMENT}: {error}"))
}
