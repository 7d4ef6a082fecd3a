//! Cuts an answer into pieces of text, and finds the header.

use std::collections::HashSet;

use super::mend;
use crate::answer::{
    Piece, Pieces, before_in_line, begins_line, header_among, is_blank, is_fence, lines,
    undecorated_start,
};
use crate::header::TAG;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct HeaderPlace {
    /// Number of its line, from 1.
    pub(super) number: u64,
    /// Offset of `GCF` in its line.
    pub(super) at: usize,
}

/// The position of the header. Lines of the format follow it escaped (as in JSON around a payload) or
/// on the next line; one that counts zero symbols needs none.
pub(super) fn find_header(answer: &str) -> Option<HeaderPlace> {
    let headers = lines(answer).filter_map(|line| {
        let at = header_in(&line.text)?;
        let begins_line = begins_line(&line.text, at);
        Some(((line, at), begins_line))
    });
    let is_followed = |(line, at): &(Piece<'_>, usize), begins: bool| {
        let behind = &answer[line.offset + line.text.len()..];
        let next = || behind.lines().find(|next| !next.trim().is_empty() && !is_fence(next));
        unescaped(line, *at).is_some()
            || next().is_some_and(|next| mend::looks_like_one(undecorated_start(next)))
            || (begins && counts_zero(&line.text))
    };
    header_among(headers, is_followed).map(|(line, at)| HeaderPlace { number: line.number, at })
}

/// Returns `true` if a header states that there are no symbols.
fn counts_zero(line: &str) -> bool {
    line.split([' ', '`', '"']).any(|field| field == "symbols=0")
}

/// The ids that symbol lines state: a decimal number after an `@` that begins its line (decoration
/// may precede it) and that is not part of an edge.
pub(super) fn ids_of_symbols(answer: &str) -> HashSet<u32> {
    let id = |(at, _): (usize, &str)| {
        let digits = &answer[at + 1..];
        let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        let symbol = rest.starts_with(is_blank) && begins_some_line(answer, at);
        digits[..digits.len() - rest.len()].parse().ok().filter(|_| symbol)
    };
    answer.match_indices('@').filter_map(id).collect()
}

/// Returns `true` if there is only decoration between `at` and the line ending before it, escaped.
fn begins_some_line(answer: &str, at: usize) -> bool {
    before_in_line(answer, at, &["\n", "\\n"]).is_some_and(|line| {
        let line = line.strip_suffix('\\').unwrap_or(line);
        begins_line(line, line.len())
    })
}

/// The offset of `GCF` where it begins a header: not after a letter or digit, and before white
/// space and `key=`.
pub(super) fn header_in(line: &str) -> Option<usize> {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(TAG).map(|(at, _)| at).find(|&at| {
        // A digit after it means another version, which the decoder rejects by name.
        let rest = line[at + TAG.len()..].trim_start_matches(|c: char| c.is_ascii_digit());
        // The checks are in this order, so that a line of `GCF` repeated takes linear time.
        !line[..at].ends_with(word)
            && rest.starts_with(is_blank)
            && begins_with_key(rest.trim_start_matches(is_blank))
    })
}

/// Returns `true` if the text begins with `key=`, where the key consists of letters and `_`.
fn begins_with_key(text: &str) -> bool {
    let behind = text.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '_');
    behind.len() < text.len() && behind.starts_with('=')
}

/// The pieces of a line in which `\n` is written for line endings, from byte `at` on.
///
/// `None` when the line contains no such escape.
pub(super) fn unescaped<'t>(line: &'t Piece<'_>, at: usize) -> Option<Pieces<'t>> {
    let text = &line.text[at..];
    if !text.contains("\\n") {
        return None;
    }
    let quoted = line.text[..at].ends_with('"');
    // Other marks may be part of a name, so only the last one ends the text.
    let text = ["`", "'"]
        .iter()
        .filter(|mark| line.text[..at].ends_with(**mark))
        .find_map(|mark| text.trim_end().strip_suffix(mark))
        .unwrap_or(text);
    let is_ended = line.terminated && !quoted;
    let pieces = Pieces::new(text, line.number, line.offset + at, quoted, is_ended);
    // A name in the header may contain a backslash and an `n`; then no line of the format follows.
    let of_the_format = |piece: Piece<'_>| {
        let text = undecorated_start(&piece.text);
        text.starts_with(['@', '#']) || mend::begins_with_kind(text)
    };
    let header_alone = quoted && pieces.clone().nth(1).is_none();
    (header_alone || pieces.clone().skip(1).any(of_the_format)).then_some(pieces)
}
