//! Where the text begins in an answer, and which lines belong to it.

use std::borrow::Cow;

use crate::answer::{before_in_line, begins_line, header_among, is_fence, is_invisible};
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
    let is_followed = |(_, end): &(usize, Option<usize>), _| {
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

/// The part of a line that belongs to the text, if `before` precedes the header: without as much
/// indentation, or without the same mark of a quotation.
pub(super) fn undecorated<'t>(line: &'t str, before: &str) -> Option<&'t str> {
    if before.is_empty() {
        return None;
    }
    let is_quotation = before.chars().all(|c| c == '>' || c.is_whitespace());
    if is_quotation {
        let mark = Some(before.trim_end()).filter(|mark| !mark.is_empty());
        return line.strip_prefix(before).or_else(|| line.strip_prefix(mark?));
    }
    // After a bullet or a number, lines are indented like the text after it.
    let is_bullet = before
        .trim_end()
        .chars()
        .all(|c| matches!(c, '-' | '*' | '+' | '.' | ')' | ' ') || c.is_ascii_digit());
    let width = before.chars().count();
    let indented = is_bullet
        && line.len() >= width
        && line.as_bytes()[..width].iter().all(|&byte| byte == b' ');
    indented.then(|| &line[width..])
}

/// Returns `true` if a line is one of the format rather than prose: the head of a table or array, a
/// row with an index, cells, or a member.
pub(super) fn looks_like_one(text: &str) -> bool {
    let has_index = |text: &str| {
        let digits = text
            .strip_prefix('@')
            .map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
        digits > 0
    };
    let is_head = text.starts_with("##") && text.contains('[') && text.contains(']');
    // Rows of Markdown begin with a bar, and have spaces around those between cells.
    let has_cells = text.contains('|')
        && !text.starts_with('|')
        && !text.contains("| ")
        && !text.contains(" |");
    let is_member = text.split_once('=').is_some_and(|(key, _)| {
        !key.is_empty()
            && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '>'))
    });
    let is_quoted_member = text.starts_with('"') && text.contains("\"=");
    let is_list = text.split_once("]:").is_some_and(|(head, _)| {
        head.split_once('[').is_some_and(|(key, count)| {
            !key.contains(' ')
                && !count.is_empty()
                && count.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?')
        })
    });
    is_head || has_index(text) || has_cells || is_member || is_quoted_member || is_list
}

/// A line without invisible characters outside of quotes, with plain spaces for other ones and for
/// tabs before it; and whether there were any.
pub(super) fn mended_characters(line: &str) -> (Cow<'_, str>, bool, bool) {
    // Joiners are part of words and emojis, which may be without quotes.
    let is_invisible = |c: char| is_invisible(c) && !matches!(c, '\u{200c}' | '\u{200d}');
    let indent = line.len() - line.trim_start_matches([' ', '\t', '\u{a0}']).len();
    let has_white = line[..indent].contains(['\t', '\u{a0}']);
    if !line.contains(is_invisible) && !has_white {
        return (Cow::Borrowed(line), false, false);
    }
    let mut mended = String::with_capacity(line.len());
    let (mut has_invisible, mut quoted, mut escaped) = (false, false, false);
    for (at, c) in line.char_indices() {
        match c {
            '\t' if at < indent => mended.push_str("  "),
            '\u{a0}' if at < indent => mended.push(' '),
            c if is_invisible(c) && !quoted => has_invisible = true,
            c => mended.push(c),
        }
        quoted ^= c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
    }
    (Cow::Owned(mended), has_invisible, has_white)
}
