//! The names of the generic profile, and which lines are none of the value, for both directions.
//! Both profiles share the marks of sections, comments and trailers.

use std::borrow::Cow;

use super::problem::Problem;
use super::scalar::{push_quoted, read_quoted};
use crate::lines::{SUMMARY, is_indented_comment};

/// The whole first line of a value.
pub(super) const HEADER_LINE: &str = "GCF profile=generic\n";
/// The header of a value, without the fields that may follow.
pub(crate) const HEADER: &str = HEADER_LINE.split_at(HEADER_LINE.len() - 1).0;
/// The beginning of a header of any profile.
pub(super) const ANY_PROFILE: &str = "GCF profile=";

/// Returns `true` if a line is the trailer (section 8.4).
pub(super) fn is_summary(line: &str) -> bool {
    line.strip_prefix(SUMMARY).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// Returns `true` if a line is blank or a comment. A line with a tab before anything else is
/// neither: a tab is no indentation (section 4.1).
pub(super) fn is_ignored(line: &str) -> bool {
    is_indented_comment(line) || line.trim_start_matches(' ').is_empty()
}

/// Separates the keys of a path in the name of a column (section 7.4.6).
pub(super) const PATH: char = '>';

/// Returns `true` if the name of a column is a path: keys that are not empty, separated by `>`
/// (section 7.4.6.2).
pub(super) fn is_path(name: &str) -> bool {
    name.contains(PATH) && name.split(PATH).all(|key| !key.is_empty())
}

/// Returns `true` if a key is written without quotes (section 2a.1).
pub(super) fn is_bare_key(key: &str) -> bool {
    let mut bytes = key.bytes();
    bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Appends a key, in quotes unless it is a bare key.
pub(super) fn push_key(out: &mut String, key: &str) {
    if is_bare_key(key) { out.push_str(key) } else { push_quoted(out, key) }
}

/// The key at the start of `text`, and its length in bytes; `None` if there is no key.
pub(super) fn read_key(text: &str) -> Result<Option<(Cow<'_, str>, usize)>, Problem> {
    if text.starts_with('"') {
        return read_quoted(text).map(Some);
    }
    let end = text
        .bytes()
        .position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_'))
        .unwrap_or(text.len());
    Ok(is_bare_key(&text[..end]).then(|| (Cow::Borrowed(&text[..end]), end)))
}
