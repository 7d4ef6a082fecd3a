//! Limits on the lines of a payload.

use wire_core::Limits;

use crate::ErrorKind;
use crate::bounded_vec;
use crate::graph::grammar::{EDGE_ARROW, ID_SIGIL, NEXT_GROUP, SHORTEST_EDGE_LINE};
use crate::lines::Diagnosis;

#[cold]
pub(in crate::graph) fn too_many(what: &str, limits: Limits) -> Diagnosis {
    let message =
        format!("there are more than {} {what}, expected at most that many", limits.items);
    Diagnosis::new(ErrorKind::TooManyItems, 0, message)
}

/// An upper bound for the number of symbols in a text: lines with an id that are not edge lines.
pub(super) fn most_symbols(text: &str) -> usize {
    bounded_vec::lines(text, |line| match line {
        [ID_SIGIL, rest @ ..] => {
            rest.iter().find(|byte| !byte.is_ascii_digit()) != Some(&EDGE_ARROW)
        }
        _ => false,
    })
}

/// An upper bound for the number of edges in a text up to its next group: each has an arrow.
/// Checking every line, as above, would take an eighth of the time of reading a payload.
pub(super) fn most_edges(text: &str) -> usize {
    let text = text.as_bytes();
    let end = memchr::memmem::find(text, NEXT_GROUP.as_bytes()).unwrap_or(text.len());
    let arrows = memchr::memchr_iter(EDGE_ARROW, &text[..end]).count();
    arrows.min(end.div_ceil(SHORTEST_EDGE_LINE))
}
