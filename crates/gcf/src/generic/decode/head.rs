//! Heads: the text after a name or an id, which says what the value is (sections 7.3, 7.4.4 and
//! 7.6).

use std::borrow::Cow;

use wire_core::text::shown;

use crate::ErrorKind;
use crate::generic::grammar::read_key;
use crate::generic::problem::Problem;
use crate::header::decimal;
use crate::lines::GROUP_PREFIX;

/// Returns `true` if a line begins an array, map or table; no row and no item does.
pub(in crate::generic) fn begins_section(line: &str) -> bool {
    line.starts_with(GROUP_PREFIX)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Exact(u64),
    /// `?`: the trailer says it (section 8.2).
    Deferred,
}

impl Count {
    /// Returns `true` if one more may follow after so many.
    #[inline]
    pub(super) fn allows(self, found: u64) -> bool {
        self != Count::Exact(found)
    }
}

/// The kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Head<'de> {
    /// `=scalar`
    Scalar(&'de str),
    /// `{}`: the members follow.
    Object,
    /// `[N]: values`
    Inline(Count, &'de str),
    /// `[N]` with the list of fields, if there is one; what follows are rows or items.
    Array(Count, Option<&'de str>),
    /// `[N:]` with the list of fields: rows that begin with a key.
    KeyedMap(Count, &'de str),
}

/// The head at the start of `text`; `None` if there is no head.
pub(super) fn head(text: &str) -> Result<Option<Head<'_>>, Problem> {
    if let Some(scalar) = text.strip_prefix('=') {
        return Ok(Some(Head::Scalar(scalar)));
    }
    if text == "{}" {
        return Ok(Some(Head::Object));
    }
    let Some(rest) = text.strip_prefix('[') else { return Ok(None) };
    let Some(end) = rest.find(']') else {
        let message = "a count does not end, expected `]`";
        return Err(Problem::new(ErrorKind::InvalidCount, rest, message));
    };
    let (inner, behind) = (&rest[..end], &rest[end + 1..]);
    let (digits, keyed) = match inner.strip_suffix(':') {
        Some(digits) => (digits, true),
        None => (inner, false),
    };
    let Some(count) = count(digits) else {
        let found = shown(inner);
        let message =
            format!("a count is {found}, expected a number without leading zeros, or `?`");
        return Err(Problem::new(ErrorKind::InvalidCount, rest, message));
    };
    Ok(Some(match behind.as_bytes().first() {
        Some(b'{') if keyed => Head::KeyedMap(count, behind),
        _ if keyed => {
            let message = "a keyed map has no list of fields, expected `{key,…}` after its count";
            return Err(Problem::new(ErrorKind::InvalidFieldList, behind, message));
        }
        None => Head::Array(count, None),
        Some(b'{') => Head::Array(count, Some(behind)),
        Some(b':') if matches!(behind.as_bytes(), [b':'] | [b':', b' ', ..]) => {
            Head::Inline(count, &behind[1..])
        }
        Some(_) => {
            let message = format!(
                "a count is followed by {}, expected `{{fields}}`, `: values` or the end of the line",
                shown(behind)
            );
            return Err(Problem::new(ErrorKind::UnrecognizedLine, behind, message));
        }
    }))
}

/// The name and the head on the line of a member: `key=…`, `key[N]: …`, `## key` or `## key [N]…`;
/// `None` if it is another line.
pub(super) fn named(line: &str) -> Result<Option<(Cow<'_, str>, Head<'_>)>, Problem> {
    let section = line.strip_prefix(GROUP_PREFIX);
    let text = section.unwrap_or(line);
    let Some((name, length)) = read_key(text)? else { return Ok(None) };
    let rest = &text[length..];
    let head = match section {
        None => head(rest)?.filter(|head| matches!(head, Head::Scalar(_) | Head::Inline(..))),
        Some(_) if rest.is_empty() => Some(Head::Object),
        Some(_) if rest.starts_with(" [") => head(&rest[1..])?,
        Some(_) => None,
    };
    Ok(head.map(|head| (name, head)))
}

/// The name that a line gives to a section, and what it is.
pub(super) type Section<'de> = (Option<Cow<'de, str>>, Head<'de>);

/// The name and the head on the line of a section, which has no name where it is the whole value:
/// `## [N]…`; `None` if it is another line.
pub(super) fn section(line: &str) -> Result<Option<Section<'_>>, Problem> {
    match line.strip_prefix(GROUP_PREFIX) {
        Some(rest) if rest.starts_with('[') => Ok(head(rest)?.map(|head| (None, head))),
        Some(_) => Ok(named(line)?.map(|(name, head)| (Some(name), head))),
        None => Ok(None),
    }
}

/// Returns `true` if a line is a member that is one line.
pub(in crate::generic) fn is_member_on_one_line(line: &str) -> bool {
    !begins_section(line) && matches!(named(line), Ok(Some(_)))
}

/// A count without leading zeros, or `?`.
fn count(digits: &str) -> Option<Count> {
    if digits == "?" {
        return Some(Count::Deferred);
    }
    exact_count(digits).map(Count::Exact)
}

/// The count of a keyed map that `line` begins. None has 0 members, since no object is written as
/// such a map (section 7.2a.4).
pub(super) fn count_of_map(count: Count, line: &str) -> Result<Count, Problem> {
    if count == Count::Exact(0) {
        let message = "the count of a keyed map is 0, expected at least 1";
        return Err(Problem::new(ErrorKind::InvalidCount, line, message));
    }
    Ok(count)
}

/// The problem if the number of rows, items or values is not the declared one. A caller that stops
/// after one too many passes that number.
pub(in crate::generic) fn miscounted(declared: u64, found: u64, what: &str) -> Option<String> {
    let more = if found > declared { " or more" } else { "" };
    (found != declared)
        .then(|| format!("there are {found}{more} {what}, expected {declared} as declared"))
}

/// The digits of the index that a row or item begins with, `@N `, and the text after it.
pub(super) fn indexed(text: &str) -> Option<(&str, &str)> {
    text.strip_prefix('@')?.split_once(' ')
}

pub(super) fn exact_count(digits: &str) -> Option<u64> {
    let canonical = digits == "0" || !digits.starts_with('0');
    decimal(digits).filter(|_| canonical)
}
