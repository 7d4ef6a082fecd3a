//! Lines of an answer: which belong to the text, and what was done to them.

use std::borrow::Cow;

use crate::answer::is_invisible;

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
