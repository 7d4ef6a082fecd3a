//! What stands behind a name or an id and says what the value is (sections 7.3, 7.4.4 and 7.6).

use wire_core::text::shown;

use crate::ErrorKind;
use crate::generic::problem::Problem;

/// How many rows, items or values there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    Exact(u64),
    /// `?`: the trailer says it (section 8.2).
    Deferred,
}

/// What a value is.
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

/// The head at the start of `text`; none if there is none.
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
            let message = "a keyed map has no list of fields, expected `{key,…}` behind its count";
            return Err(Problem::new(ErrorKind::InvalidFieldList, behind, message));
        }
        None => Head::Array(count, None),
        Some(b'{') => Head::Array(count, Some(behind)),
        Some(b':') if matches!(behind.as_bytes(), [b':'] | [b':', b' ', ..]) => {
            Head::Inline(count, &behind[1..])
        }
        Some(_) => {
            let message = format!(
                "behind a count stands {}, expected `{{fields}}`, `: values` or the end of the line",
                shown(behind)
            );
            return Err(Problem::new(ErrorKind::UnrecognizedLine, behind, message));
        }
    }))
}

/// A count without leading zeros, or `?`.
fn count(digits: &str) -> Option<Count> {
    if digits == "?" {
        return Some(Count::Deferred);
    }
    exact_count(digits).map(Count::Exact)
}

/// A number without a sign and leading zeros.
pub(super) fn exact_count(digits: &str) -> Option<u64> {
    let canonical = digits == "0" || !digits.starts_with('0');
    id(digits).filter(|_| canonical)
}

/// A number without a sign.
pub(super) fn id(digits: &str) -> Option<u64> {
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}
