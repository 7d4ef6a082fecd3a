//! What neither a text nor a root can say of a payload, and the errors that tell it.

use wire_core::Kind;
use wire_core::text::shown;

use crate::{Error, ErrorKind};

/// A name or word that no line can hold. `what` names its place in the payload.
#[cold]
pub(in crate::graph) fn not_a_token(what: &str, found: &str) -> Error {
    let problem = if found.is_empty() { "empty".to_owned() } else { shown(found) };
    Error::encode(
        ErrorKind::InvalidName,
        format!("{what} is {problem}, expected a name without white space and control characters"),
    )
}

/// A kind outside of the vocabulary that readers would take for one in it. `place` is that of its
/// symbol.
#[cold]
pub(in crate::graph) fn reserved_kind(place: &str, word: &str) -> Error {
    let full = Kind::from_abbreviation(word);
    Error::encode(
        ErrorKind::ReservedKind,
        format!(
            "{place}.kind is {word:?}, which GCF reads as {full}, expected {:?} or another word",
            full.as_str()
        ),
    )
}

/// A score that is no number. `place` is that of its symbol.
#[cold]
pub(in crate::graph) fn bad_score(place: &str, score: f64) -> Error {
    Error::encode(
        ErrorKind::InvalidScore,
        format!("{place}.score is {score}, expected a finite number"),
    )
}

/// An end of an edge that is no symbol.
#[cold]
pub(in crate::graph) fn out_of_range(index: usize, end: &str, found: u32, symbols: usize) -> Error {
    Error::encode(
        ErrorKind::EdgeIndexOutOfRange,
        format!(
            "edges[{index}].{end} is {found}, expected the index of one of the {symbols} symbols"
        ),
    )
}
