//! Where the text begins in an answer.

use super::lines::looks_like_one;
use crate::answer::{before_in_line, begins_line, header_among, is_fence};
use crate::generic::decode::check_header;
use crate::generic::grammar::HEADER;
use crate::{Error, ErrorKind};

/// The problem of an answer that mentions the header.
pub(super) const NOTHING: &str = "a header is mentioned, but nothing after it belongs to a value, expected lines of the format after a header line";

/// The offset of the header in an answer: the first valid one. A header at the beginning of a line
/// is preferred to one inside a line, which may be only a mention.
pub(super) fn header_in(answer: &str) -> Result<usize, Error> {
    const LONGEST: usize = 4_096;
    let (mut wrong, mut mentioned) = (None, None);
    // Where the line ends that was looked at last: many headers may share a line.
    let mut line_end = 0;
    let headers = answer.match_indices(HEADER).filter_map(|(at, _)| {
        if line_end <= at {
            // In a string of JSON its end is escaped.
            let end = memchr::memchr3(b'\n', b'\r', b'\\', &answer.as_bytes()[at..]);
            line_end = end.map_or(answer.len(), |end| at + end);
        }
        let is_ended = line_end < answer.len().min(at + LONGEST);
        let end = if is_ended { line_end } else { at + HEADER.len() };
        let line = &answer[at..end];
        let begins_line = before_in_line(answer, at, &["\n"])
            .is_some_and(|before| begins_line(before, before.len()));
        match check_header(line) {
            // If words follow it, it is a sentence that begins with a mention.
            Err(error) if begins_line && !is_sentence(line) => {
                wrong.get_or_insert((at, error));
                None
            }
            checked => {
                mentioned.get_or_insert(at);
                checked.ok().map(|()| ((at, is_ended.then_some(end)), begins_line))
            }
        }
    });
    // The value follows: in a string of JSON with escaped line endings, or on the next line.
    let is_followed = |(_, end): (usize, Option<usize>), _| {
        let behind = end.map_or("", |end| &answer[end..]);
        let mut next = behind.lines().filter(|next| !next.trim().is_empty() && !is_fence(next));
        behind.starts_with("\\n")
            || behind.starts_with("\\r\\n")
            || (behind.starts_with(['\r', '\n'])
                && next.next().is_some_and(|next| looks_like_one(next.trim_start())))
    };
    let found = header_among(headers, is_followed).map(|(at, _)| at);
    found.ok_or_else(|| match (wrong, mentioned) {
        (None, Some(at)) => {
            Error::decode(ErrorKind::NothingToRecover, answer.as_bytes(), at, NOTHING)
        }
        (Some((at, error)), _) => {
            let inside = error.position().map_or(0, |position| position.offset);
            let at = at + usize::try_from(inside).unwrap_or(0);
            Error::decode(error.kind(), answer.as_bytes(), at, error.message())
        }
        (None, None) => {
            let message = format!("the answer has no line `{HEADER}`, expected one");
            Error::decode(ErrorKind::MissingHeader, answer.as_bytes(), 0, message)
        }
    })
}

/// Returns `true` if a header's line has more text, but no field.
fn is_sentence(line: &str) -> bool {
    let more = line.strip_prefix(HEADER).unwrap_or_default();
    !more.trim().is_empty() && more.starts_with(' ') && !more.contains('=')
}
