//! Names with white space, and the errors of payloads that neither a text nor a root can represent.

use std::borrow::Cow;

use wire_core::Kind;
use wire_core::text::shown;

use crate::{Error, ErrorKind};

/// A name as it is written: with `white_space` in place of each white-space character, if given.
pub(in crate::graph) fn written(text: &str, white_space: Option<char>) -> Cow<'_, str> {
    match white_space {
        Some(with) if text.contains(char::is_whitespace) => {
            text.replace(char::is_whitespace, with.encode_utf8(&mut [0; 4])).into()
        }
        _ => Cow::Borrowed(text),
    }
}

/// A name that no line can contain. `what` identifies it in the payload.
#[cold]
pub(in crate::graph) fn not_a_token(what: &str, found: &str) -> Error {
    let problem = if found.is_empty() { "empty".to_owned() } else { shown(found) };
    let message =
        format!("{what} is {problem}, expected a name without white space and control characters");
    Error::encode(ErrorKind::InvalidName, message)
}

/// A kind outside the vocabulary that readers would read as one of it. `place` identifies its
/// symbol.
#[cold]
pub(in crate::graph) fn reserved_kind(place: &str, word: &str) -> Error {
    let full = Kind::from_abbreviation(word);
    let message = format!(
        "{place}.kind is {word:?}, which GCF reads as {full}, expected {:?} or another name",
        full.as_str()
    );
    Error::encode(ErrorKind::ReservedKind, message)
}

/// A score that is not finite. `place` identifies its symbol.
#[cold]
pub(in crate::graph) fn bad_score(place: &str, score: f64) -> Error {
    let message = format!("{place}.score is {score}, expected a finite number");
    Error::encode(ErrorKind::InvalidScore, message)
}

/// A source or target of an edge that is not a symbol.
#[cold]
pub(in crate::graph) fn out_of_range(index: usize, end: &str, found: u32, symbols: usize) -> Error {
    let message = format!(
        "edges[{index}].{end} is {found}, expected the index of one of the {symbols} symbols"
    );
    Error::encode(ErrorKind::EdgeIndexOutOfRange, message)
}
