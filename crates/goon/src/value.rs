//! The value table: how the value of a property or cell is written, and how a token is read.

use std::fmt::Write as _;

use serde_json::{Number, Value};
use wire_core::MAX_NESTING;
use wire_core::text::shown;

use crate::datetime::is_datetime;
use crate::grammar::{ELLIPSIS, QUOTED_SPECIAL, count, first_of, id, is_bare, is_long_text};
use crate::{Error, ErrorKind};

/// The way in which strings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strings {
    /// `true` if one that would be read as a number is quoted.
    pub(crate) quote_numbers: bool,
    /// The maximum length in characters of texts with the shorter limit, and of other texts; `None`
    /// for no limit.
    pub(crate) long_text: Option<usize>,
    pub(crate) other_text: Option<usize>,
}

impl Strings {
    pub(crate) const DEFAULT: Strings =
        Strings { quote_numbers: false, long_text: Some(200), other_text: Some(1000) };

    /// The longest string of this key, in characters.
    pub(crate) fn limit(&self, key: &str) -> Option<usize> {
        if is_long_text(key) { self.long_text } else { self.other_text }
    }

    /// A lower bound of both limits.
    fn shortest_limit(&self) -> usize {
        let limit = |limit: Option<usize>| limit.unwrap_or(usize::MAX);
        limit(self.long_text).min(limit(self.other_text))
    }
}

/// Appends the value of this key. If its text was cut, returns the number of characters that it
/// had.
pub(crate) fn push(
    out: &mut String,
    key: &str,
    value: &Value,
    strings: &Strings,
) -> Result<Option<usize>, Error> {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(true) => out.push_str("true"),
        Value::Bool(false) => out.push_str("false"),
        Value::Number(number) => push_number(out, number)?,
        Value::String(text) => return Ok(push_text(out, key, text, strings)),
        Value::Array(_) | Value::Object(_) => {
            let mut json = String::new();
            push_json(&mut json, value, 1)?;
            return Ok(push_text(out, key, &json, strings));
        }
    }
    Ok(None)
}

/// Integers in their digits, doubles as Rust displays them.
pub(crate) fn push_number(out: &mut String, number: &Number) -> Result<(), Error> {
    if let Some(integer) = number.as_i64() {
        push_integer(out, integer);
    } else if let Some(double) = double(number)? {
        let _ = write!(out, "{double}");
    } else {
        let _ = write!(out, "{number}");
    }
    Ok(())
}

/// The double that a number is; `None` for an integer. In a build in which `serde_json` keeps all
/// digits, a number may be larger than any double.
fn double(number: &Number) -> Result<Option<f64>, Error> {
    let double = number.as_f64().ok_or_else(|| {
        let message = format!("a number is {number}, expected one in the range of doubles");
        Error::encode(ErrorKind::OutOfRange, message)
    })?;
    Ok(number.is_f64().then_some(double))
}

/// Appends the digits of an integer.
pub(crate) fn push_integer(out: &mut String, integer: impl itoa::Integer) {
    out.push_str(itoa::Buffer::new().format(integer));
}

fn push_text(out: &mut String, key: &str, text: &str, strings: &Strings) -> Option<usize> {
    // A text has no more characters than bytes, and most texts are shorter than any limit.
    if text.len() <= strings.shortest_limit() {
        push_string(out, text, strings);
        return None;
    }
    let limit = strings.limit(key).filter(|&limit| text.len() > limit);
    let length = limit.map_or(0, |_| text.chars().count());
    match limit.filter(|&limit| length > limit) {
        None => {
            push_string(out, text, strings);
            None
        }
        Some(limit) => {
            let kept = limit.saturating_sub(ELLIPSIS.len());
            let cut: String = text.chars().take(kept).chain(ELLIPSIS.chars()).collect();
            push_string(out, &cut, strings);
            Some(length)
        }
    }
}

fn push_string(out: &mut String, text: &str, strings: &Strings) {
    if is_bare(text) {
        let is_other = matches!(text, "true" | "false" | "null")
            || (strings.quote_numbers && number(text).is_some());
        if is_other {
            out.extend(["\"", text, "\""]);
        } else {
            out.push_str(text);
        }
    } else if is_datetime(text) {
        // A datetime with a `T` is bare and does not get here, so this one has a space.
        out.extend([&text[..10], "T", &text[11..]]);
    } else {
        push_quoted(out, text);
    }
}

fn push_quoted(out: &mut String, text: &str) {
    out.push('"');
    let mut rest = text;
    while let Some(at) = first_of(QUOTED_SPECIAL, rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let mut chars = rest[at..].chars();
        match chars.next() {
            Some('\\') => out.push_str("\\\\"),
            Some('"') => out.push_str("\\\""),
            Some('\n') => out.push_str("\\n"),
            Some('\r') => out.push_str("\\r"),
            Some('\t') => out.push_str("\\t"),
            // Other ASCII control characters have no escape, and are removed (ruling N15).
            Some(c) if c.is_ascii_control() => {}
            c => out.extend(c),
        }
        rest = chars.as_str();
    }
    out.push_str(rest);
    out.push('"');
}

/// Checks that arrays and objects are not nested too deep, before anything recurses into them.
pub(crate) fn check_depth(value: &Value) -> Result<(), Error> {
    // Slightly more levels than a response needs around the values of its nodes.
    const DEEPEST: usize = MAX_NESTING + 8;
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > DEEPEST {
            let message = format!(
                "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
            );
            return Err(Error::encode(ErrorKind::TooDeep, message));
        }
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Value::Object(members) => {
                open.extend(members.values().map(|member| (member, depth + 1)));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Appends compact JSON with sorted keys.
fn push_json(out: &mut String, value: &Value, depth: usize) -> Result<(), Error> {
    if depth > MAX_NESTING {
        let message = format!(
            "a value is nested deeper than {MAX_NESTING} levels, expected at most that many"
        );
        return Err(Error::encode(ErrorKind::TooDeep, message));
    }
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                push_json(out, item, depth + 1)?;
            }
            out.push(']');
        }
        Value::Object(members) => {
            let sorted: std::collections::BTreeMap<&String, &Value> = members.iter().collect();
            out.push('{');
            for (index, (key, value)) in sorted.into_iter().enumerate() {
                let comma = if index > 0 { "," } else { "" };
                let _ = write!(out, "{comma}{}:", Value::from(key.as_str()));
                push_json(out, value, depth + 1)?;
            }
            out.push('}');
        }
        // As in builds in which `serde_json` does not keep all digits.
        Value::Number(number) => {
            let _ = match double(number)? {
                Some(double) => write!(out, "{}", Value::from(double)),
                None => write!(out, "{number}"),
            };
        }
        scalar => {
            let _ = write!(out, "{scalar}");
        }
    }
    Ok(())
}

/// The number that is written as this text.
pub(crate) fn number(text: &str) -> Option<Value> {
    if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return None;
    }
    if let Some(integer) = id(text) {
        return Some(integer.into());
    }
    if let Some(integer) = count(text) {
        return Some(integer.into());
    }
    let double = text.parse::<f64>().ok().filter(|double| double.is_finite())?;
    (double.to_string() == text).then(|| double.into())
}

/// Returns `true` if a value states the length of a text before it was cut: an integer greater than
/// the length of the cut text.
pub(crate) fn is_length(length: &Value, text: &Value) -> bool {
    let left =
        text.as_str().filter(|text| text.ends_with(ELLIPSIS)).map(|text| text.chars().count());
    left.zip(length.as_u64()).is_some_and(|(left, length)| length > left as u64)
}

/// The value of a bare token; `None` when it is not a valid token.
pub(crate) fn read_bare(token: &str) -> Option<Value> {
    match token {
        "true" => Some(true.into()),
        "false" => Some(false.into()),
        "null" => Some(Value::Null),
        _ if !is_bare(token) => None,
        _ => Some(number(token).unwrap_or_else(|| token.into())),
    }
}

/// The text of the quoted token at the start of `text`, and the token's length. The error is what
/// was found in place of a rest of the token.
pub(crate) fn read_quoted(text: &str) -> Result<(String, usize), String> {
    let mut value = String::new();
    let mut start = 1;
    while let Some(found) = first_of(QUOTED_SPECIAL, &text.as_bytes()[start..]) {
        let at = start + found;
        let mut chars = text[at..].chars();
        let c = chars.next().expect("because a byte of it was found");
        match c {
            '"' if value.is_empty() => return Ok((text[start..at].to_owned(), at + 1)),
            '"' => {
                value.push_str(&text[start..at]);
                return Ok((value, at + 1));
            }
            '\\' => {
                value.push_str(&text[start..at]);
                value.push(match chars.next() {
                    Some('\\') => '\\',
                    Some('"') => '"',
                    Some('n') => '\n',
                    Some('r') => '\r',
                    Some('t') => '\t',
                    Some(other) => {
                        return Err(format!("the escape \\{}", other.escape_debug()));
                    }
                    None => return Err("a backslash at the end".to_owned()),
                });
                start = at + 2;
            }
            c if c.is_ascii_control() => {
                return Err(format!("the control character {c:?}"));
            }
            c => {
                value.push_str(&text[start..at]);
                value.push(c);
                start = at + c.len_utf8();
            }
        }
    }
    Err(format!("no quote after {}", shown(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn datetimes_of_the_one_shape() {
        for (text, written) in [
            ("2026-05-08 22:55:58", Some("2026-05-08T22:55:58")),
            ("2026-05-08 22:55:58.467450", Some("2026-05-08T22:55:58.467450")),
            ("2026-05-08 22:55:58.1234567890123", Some("2026-05-08T22:55:58.1234567890123")),
            ("2026-05-08 22:55:58Z", Some("2026-05-08T22:55:58Z")),
            ("2026-05-08 22:55:58+02:00", Some("2026-05-08T22:55:58+02:00")),
            ("2024-02-29 00:00:00", Some("2024-02-29T00:00:00")),
            ("2026-02-29 00:00:00", None),
            ("2026-13-08 22:55:58", None),
            ("2026-05-08 24:00:00", None),
            ("2026-05-08  22:55:58", None),
            ("2026-05-08\t22:55:58", None),
            ("2026-05-08 22:55", None),
            ("2026-05-08 22:55:58.", None),
            ("2026-05-08 22:55:58+0200", None),
            ("2026-05-08 22:55:58 UTC", None),
            ("2026-05-08t22:55:58", None),
            ("2026-05-8 22:55:58", None),
            ("２026-05-08 22:55:58", None),
        ] {
            assert_eq!(is_datetime(text), written.is_some(), "{text:?}");
            let mut token = String::new();
            push_string(&mut token, text, &Strings::DEFAULT);
            let quoted = format!("\"{}\"", text.replace('\t', "\\t"));
            let other = if is_bare(text) { text } else { &quoted };
            assert_eq!(token, written.unwrap_or(other), "{text:?}");
        }
    }
}
