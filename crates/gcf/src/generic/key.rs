//! Keys: of members, sections, fields and attachments alike (specification 3.5.3, section 2a).

use std::borrow::Cow;

use super::problem::Problem;
use super::scalar::{push_quoted, read_quoted};

/// Separates the keys of a path in the name of a column (section 7.4.6).
pub(super) const PATH: char = '>';

/// Whether the name of a column is a path: keys that are not empty, separated by `>` (section
/// 7.4.6.2).
pub(super) fn is_path(name: &str) -> bool {
    name.contains(PATH) && name.split(PATH).all(|key| !key.is_empty())
}

/// Whether a key is written without quotes (section 2a.1).
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
