//! Edge lines, `@target<@source type [status]`.

use wire_core::text::{is_token, shown};
use wire_core::{EdgeStatus, EdgeType};

use super::symbol::leading_id;
use crate::ErrorKind;
use crate::graph::grammar::{EDGE_ARROW, ID_SIGIL};
use crate::lines::Diagnosis;

/// An edge line as it is in the text: with ids, not indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EdgeLine<'a> {
    /// The id that the arrow points at.
    pub(crate) target: u32,
    /// The id that the arrow comes from.
    pub(crate) source: u32,
    pub(crate) edge_type: EdgeType<'a>,
    pub(crate) status: EdgeStatus<'a>,
    /// Offset in the line of the source's id.
    pub(crate) source_at: usize,
}

const SHAPE: &str = "`@target<@source type [status]`";

/// Scans a line that begins with `@` in the group of edges.
#[inline]
pub(crate) fn edge_line(line: &str) -> Result<EdgeLine<'_>, Diagnosis> {
    let bytes = line.as_bytes();
    let wrong = |at, problem| Err(wrong_shape(line, at, problem));
    let (target, arrow) = leading_id(line, 1)?;
    if bytes.get(arrow) != Some(&EDGE_ARROW) {
        return wrong(arrow, "an edge line has no `<` after its target");
    }
    if bytes.get(arrow + 1) != Some(&ID_SIGIL) {
        return wrong(arrow + 1, "an edge line has no `@` and source id after its `<`");
    }
    let source_at = arrow + 2;
    let (source, space) = leading_id(line, source_at)?;
    if bytes.get(space) != Some(&b' ') {
        return wrong(space, "an edge line has no space and type after its source");
    }
    let words = &line[space + 1..];
    let (edge_type, status) = match words.bytes().position(|byte| byte == b' ') {
        Some(end) => (&words[..end], Some(&words[end + 1..])),
        None => (words, None),
    };
    let edge_type = match EdgeType::from(edge_type) {
        EdgeType::Other(_) if !is_token(edge_type) => {
            return Err(bad_word(line, "type", edge_type, space + 1));
        }
        edge_type => edge_type,
    };
    let status = match status {
        None => EdgeStatus::Unchanged,
        Some("") => return wrong(line.len(), "an edge line ends in a space"),
        Some(word) => match EdgeStatus::from(word) {
            EdgeStatus::Other(_) if !is_token(word) => {
                return Err(bad_word(line, "status", word, line.len() - word.len()));
            }
            status => status,
        },
    };
    Ok(EdgeLine { target, source, edge_type, status, source_at })
}

/// The error of a line in the group of edges that is not a line of the format.
#[cold]
pub(crate) fn not_an_edge(line: &str) -> Diagnosis {
    wrong_shape(line, 0, "an edge line does not begin with `@`")
}

#[cold]
fn wrong_shape(line: &str, at: usize, problem: &str) -> Diagnosis {
    let at = at.min(line.len());
    Diagnosis::new(ErrorKind::InvalidEdgeSyntax, at, format!("{problem}, expected {SHAPE}"))
}

#[cold]
fn bad_word(line: &str, what: &str, found: &str, at: usize) -> Diagnosis {
    if found.is_empty() {
        return wrong_shape(line, at, &format!("an edge line has an empty {what}"));
    }
    let word = shown(found);
    if found.contains([' ', '\t']) {
        return wrong_shape(line, at, &format!("an edge line has {word} after its source"));
    }
    let message =
        format!("the edge's {what} is {word}, expected no white space and no control character");
    Diagnosis::new(ErrorKind::InvalidName, at, message)
}
