//! The header line.

use std::borrow::Cow;

use wire_core::Limits;
use wire_core::text::{read_by, shown};

use super::diagnosis::Diagnosis;
use crate::ErrorKind;
use crate::escape::{unescape, unescaped_end};
use crate::grammar::{FIELDS, ROWS, TAG, TAG_STEM, TOOL};
use crate::header::Header;

/// Returns `true` if the line begins a section of any version. The writer escapes rows that would
/// look like that (ruling X3). A row of another implementation is read as a header when its first
/// cell begins with `GCX` and a digit.
pub(super) fn is_header(line: &str) -> bool {
    let version = line.strip_prefix(TAG_STEM).and_then(|version| version.bytes().next());
    version.is_some_and(|byte| byte.is_ascii_digit())
}

/// Parses the header line; also returns the offset of its `rows`.
pub(super) fn header(line: &str, limits: Limits) -> Result<(Header<'_>, usize), Diagnosis> {
    let wrong = |kind, found: &str| {
        let expected = "a header line `GCX1 tool=… fields=…`";
        Diagnosis::new(kind, 0, format!("the line begins with {found}, expected {expected}"))
    };
    let rest = match line.strip_prefix(TAG) {
        Some(rest) if rest.is_empty() || rest.starts_with(' ') => rest,
        _ => {
            let word = line.split(' ').next().unwrap_or_default();
            let kind =
                if is_header(word) { ErrorKind::UnsupportedVersion } else { ErrorKind::NotGcx };
            return Err(wrong(kind, &format!("{}{}", shown(word), read_by(word))));
        }
    };
    let mut header = Header::default();
    let (mut has_tool, mut has_fields, mut rows_at) = (false, false, 0);
    let mut at = line.len() - rest.len();
    while at < line.len() {
        let start = at + 1; // after the space
        let end = start + unescaped_end(&line[start..], b' ');
        let field = &line[start..end];
        at = end;
        let equals = unescaped_end(field, b'=');
        if equals == 0 || equals == field.len() {
            let message =
                format!("a field is {}, expected `key=value` after a single space", shown(field));
            return Err(Diagnosis::new(ErrorKind::MalformedHeader, start, message));
        }
        let (key, value) = (unescape(&field[..equals]), &field[equals + 1..]);
        let value_at = start + equals + 1;
        let duplicate = || {
            let message =
                format!("the key {} appears twice, expected once", shown(&field[..equals]));
            Err(Diagnosis::new(ErrorKind::DuplicateKey, start, message))
        };
        match &*key {
            TOOL if std::mem::replace(&mut has_tool, true) => return duplicate(),
            TOOL => {
                if value.is_empty() {
                    let message = "the tool is empty, expected a name";
                    return Err(Diagnosis::new(ErrorKind::MissingTool, value_at, message));
                }
                header.tool = unescape(value);
            }
            FIELDS if std::mem::replace(&mut has_fields, true) => return duplicate(),
            FIELDS => (header.fields, header.by_name) = field_names(value, value_at, limits)?,
            ROWS if header.rows.is_some() => return duplicate(),
            ROWS => {
                let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                let count = value.parse().ok().filter(|_| digits);
                let invalid = || {
                    let message =
                        format!("`rows` is {}, expected a decimal number below 2^64", shown(value));
                    Diagnosis::new(ErrorKind::InvalidRowCount, value_at, message)
                };
                header.rows = Some(count.ok_or_else(invalid)?);
                rows_at = start;
            }
            _ => {
                if header.meta.len() >= limits.items {
                    return Err(too_many("metadata", start, limits));
                }
                if header.meta.insert(key, unescape(value)).is_some() {
                    return duplicate();
                }
            }
        }
    }
    for (there, kind, what) in [
        (has_tool, ErrorKind::MissingTool, "tool"),
        (has_fields, ErrorKind::MissingFields, "fields"),
    ] {
        if !there {
            let message = format!("the header has no `{what}=…`, expected `GCX1 tool=… fields=…`");
            return Err(Diagnosis::new(kind, line.len(), message));
        }
    }
    Ok((header, rows_at))
}

/// The names of the fields, and the columns in their order.
#[allow(clippy::type_complexity)] // both go into the header
fn field_names(
    value: &str,
    at: usize,
    limits: Limits,
) -> Result<(Vec<Cow<'_, str>>, Vec<usize>), Diagnosis> {
    let mut names = Vec::new();
    let mut starts = Vec::new();
    let mut start = 0;
    loop {
        let end = start + unescaped_end(&value[start..], b',');
        let name = unescape(&value[start..end]);
        if name.is_empty() {
            let message = "a field has no name, expected `fields=a,b,…` with at least one";
            return Err(Diagnosis::new(ErrorKind::MissingFields, at + start, message));
        }
        if names.len() >= limits.items {
            return Err(too_many("fields", at + start, limits));
        }
        names.push(name);
        starts.push(at + start);
        if end == value.len() {
            break;
        }
        start = end + 1;
    }
    let mut by_name: Vec<usize> = (0..names.len()).collect();
    by_name.sort_by(|&a, &b| names[a].cmp(&names[b]));
    let twice = by_name.windows(2).filter(|pair| names[pair[0]] == names[pair[1]]);
    if let Some(again) = twice.map(|pair| pair[1]).min() {
        let message = format!("the field {} appears twice, expected once", shown(&names[again]));
        return Err(Diagnosis::new(ErrorKind::DuplicateField, starts[again], message));
    }
    Ok((names, by_name))
}

#[cold]
fn too_many(what: &str, at: usize, limits: Limits) -> Diagnosis {
    let message =
        format!("there are more than {} {what}, expected at most that many", limits.items);
    Diagnosis::new(ErrorKind::TooManyItems, at, message)
}
