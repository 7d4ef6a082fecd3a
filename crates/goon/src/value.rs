//! The value table: how the value of a property or cell is written, and what a token is read as.

use std::fmt::Write as _;

use serde_json::{Number, Value};
use wire_core::text::shown;

use crate::grammar::{ELLIPSIS, is_bare, is_long_text};
use crate::{Error, ErrorKind};

/// How strings are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Strings {
    /// Whether one that would be read as a number is quoted.
    pub(crate) quote_numbers: bool,
    /// The longest, in characters, of texts that are long by nature, and of others; none for no limit.
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
}

/// The text of a value, and the number of characters that it had if it was cut.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) token: String,
    pub(crate) cut: Option<usize>,
}

/// Writes a value that stands under this key.
pub(crate) fn write(key: &str, value: &Value, strings: &Strings) -> Result<Written, Error> {
    let token = match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) => number_token(number),
        Value::String(text) => return Ok(write_string(key, text, strings)),
        Value::Array(_) | Value::Object(_) => {
            let mut json = String::new();
            push_json(&mut json, value, 1)?;
            return Ok(write_string(key, &json, strings));
        }
    };
    Ok(Written { token, cut: None })
}

/// Integers in their digits, doubles as Rust displays them.
pub(crate) fn number_token(number: &Number) -> String {
    match number.as_f64() {
        Some(double) if number.is_f64() => double.to_string(),
        _ => number.to_string(),
    }
}

fn write_string(key: &str, text: &str, strings: &Strings) -> Written {
    let limit = strings.limit(key);
    let length = limit.map_or(0, |_| text.chars().count());
    match limit.filter(|&limit| length > limit) {
        None => Written { token: string_token(text, strings), cut: None },
        Some(limit) => {
            let kept = limit.saturating_sub(ELLIPSIS.len());
            let cut: String = text.chars().take(kept).chain(ELLIPSIS.chars()).collect();
            Written { token: string_token(&cut, strings), cut: Some(length) }
        }
    }
}

fn string_token(text: &str, strings: &Strings) -> String {
    if matches!(text, "true" | "false" | "null") {
        return format!("\"{text}\"");
    }
    if is_bare(text) {
        let looks_like_number = strings.quote_numbers && number(text).is_some();
        return if looks_like_number { format!("\"{text}\"") } else { text.to_owned() };
    }
    datetime(text).unwrap_or_else(|| quoted(text))
}

fn quoted(text: &str) -> String {
    let mut token = String::with_capacity(text.len() + 2);
    token.push('"');
    for c in text.chars() {
        match c {
            '\\' => token.push_str("\\\\"),
            '"' => token.push_str("\\\""),
            '\n' => token.push_str("\\n"),
            '\r' => token.push_str("\\r"),
            '\t' => token.push_str("\\t"),
            c if c.is_control() => {}
            c => token.push(c),
        }
    }
    token.push('"');
    token
}

/// The text of a datetime with a `T` in it; none if the text is no datetime of the one shape, or none that there is
/// (ruling N7).
pub(crate) fn datetime(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let is_digits = |range: std::ops::Range<usize>| {
        bytes.get(range).is_some_and(|part| part.iter().all(u8::is_ascii_digit))
    };
    let digits = [0..4, 5..7, 8..10, 11..13, 14..16, 17..19].into_iter().all(is_digits);
    let marks = [(4, b'-'), (7, b'-'), (13, b':'), (16, b':')];
    let marked = marks.into_iter().all(|(at, mark)| bytes.get(at) == Some(&mark));
    if !digits || !marked || !matches!(bytes[10], b'T' | b' ') {
        return None;
    }
    let mut rest = &text[19..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let end = fraction.find(|c: char| !c.is_ascii_digit()).unwrap_or(fraction.len());
        if end == 0 {
            return None;
        }
        rest = &fraction[end..];
    }
    let mut text = text.to_owned();
    text.replace_range(10..11, "T");
    let valid = match rest.as_bytes() {
        [] => chrono::NaiveDateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%.f").is_ok(),
        b"Z" => chrono::DateTime::parse_from_rfc3339(&text).is_ok(),
        [b'+' | b'-', h1, h2, b':', m1, m2] => {
            [h1, h2, m1, m2].into_iter().all(u8::is_ascii_digit)
                && chrono::DateTime::parse_from_rfc3339(&text).is_ok()
        }
        _ => false,
    };
    valid.then_some(text)
}

/// How deep arrays and objects may stand in each other: what `serde_json` reads.
const MAX_DEPTH: usize = 127;

/// That no array or object stands too deep, before what would go into them by itself.
pub(crate) fn check_depth(value: &Value) -> Result<(), Error> {
    // A little more than a response needs around the values of its nodes.
    const DEEPEST: usize = MAX_DEPTH + 8;
    let mut open = vec![(value, 0)];
    while let Some((value, depth)) = open.pop() {
        if depth > DEEPEST {
            let message = format!(
                "a value is nested deeper than {MAX_DEPTH} levels, expected at most as many"
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
    if depth > MAX_DEPTH {
        let message =
            format!("a value is nested deeper than {MAX_DEPTH} levels, expected at most as many");
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
    if let Some(integer) = text.parse::<i64>().ok().filter(|integer| integer.to_string() == text) {
        return Some(integer.into());
    }
    if let Some(integer) = text.parse::<u64>().ok().filter(|integer| integer.to_string() == text) {
        return Some(integer.into());
    }
    let double = text.parse::<f64>().ok().filter(|double| double.is_finite())?;
    (double.to_string() == text).then(|| double.into())
}

/// Whether a value says how long a text was before it was cut: an integer, larger than what is left of the text.
pub(crate) fn is_length(length: &Value, text: &Value) -> bool {
    let left =
        text.as_str().filter(|text| text.ends_with(ELLIPSIS)).map(|text| text.chars().count());
    left.zip(length.as_u64()).is_some_and(|(left, length)| length > left as u64)
}

/// What a bare token is read as; none if it is none.
pub(crate) fn read_bare(token: &str) -> Option<Value> {
    match token {
        "true" => Some(true.into()),
        "false" => Some(false.into()),
        "null" => Some(Value::Null),
        _ if !is_bare(token) => None,
        _ => Some(number(token).unwrap_or_else(|| token.into())),
    }
}

/// What the quoted token at the start of `text` is read as, and its length. The error is the byte at which it is wrong, and
/// what was found there.
pub(crate) fn read_quoted(text: &str) -> Result<(String, usize), (usize, String)> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((value, at + 1)),
            '\\' => match chars.next() {
                Some((_, '\\')) => value.push('\\'),
                Some((_, '"')) => value.push('"'),
                Some((_, 'n')) => value.push('\n'),
                Some((_, 'r')) => value.push('\r'),
                Some((_, 't')) => value.push('\t'),
                Some((_, other)) => {
                    return Err((at, format!("the escape \\{}", other.escape_debug())));
                }
                None => return Err((at, "a backslash at the end".to_owned())),
            },
            c if c.is_control() => return Err((at, format!("the control character {c:?}"))),
            c => value.push(c),
        }
    }
    Err((text.len(), format!("no quote behind {}", shown(text))))
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
            assert_eq!(datetime(text).as_deref(), written, "{text:?}");
        }
    }
}
