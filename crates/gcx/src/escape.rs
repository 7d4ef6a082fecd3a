//! Escapes, in both directions.

use std::borrow::Cow;

use crate::grammar::{ESCAPE, escape_of, unescaped};

/// The part of a line in which a text is written. It decides which characters are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Cell,
    Header,
    Field,
}

/// Appends a text, and escapes the characters that are not allowed at its place.
pub(crate) fn push_escaped(out: &mut String, text: &str, place: Place) {
    let text = &*without_carriage_returns(text);
    let in_header = matches!(place, Place::Header | Place::Field);
    // Few texts contain any of these; the others are copied whole.
    if !in_header && memchr::memchr3(b'\t', b'\n', ESCAPE, text.as_bytes()).is_none() {
        out.push_str(text);
        return;
    }
    let mut copied = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b' ' | b'=' if in_header => byte,
            b',' if place == Place::Field => byte,
            _ => match escape_of(byte) {
                Some(escape) => escape,
                None => continue,
            },
        };
        out.push_str(&text[copied..at]);
        out.extend([char::from(ESCAPE), char::from(escape)]);
        copied = at + 1;
    }
    out.push_str(&text[copied..]);
}

/// The text as it is written (ruling X5).
pub(crate) fn without_carriage_returns(text: &str) -> Cow<'_, str> {
    match memchr::memchr(b'\r', text.as_bytes()) {
        Some(_) => text.replace('\r', "").into(),
        None => text.into(),
    }
}

/// The index of the first `byte` without a backslash before it, or the end.
pub(crate) fn unescaped_end(text: &str, byte: u8) -> usize {
    let mut at = 0;
    while let Some(found) = memchr::memchr2(byte, ESCAPE, &text.as_bytes()[at..]) {
        at += found;
        if text.as_bytes()[at] == byte {
            return at;
        }
        at = (at + 2).min(text.len());
    }
    text.len()
}

/// The text without its escapes. A backslash at the end is itself.
pub(crate) fn unescape(text: &str) -> Cow<'_, str> {
    let Some(first) = memchr::memchr(ESCAPE, text.as_bytes()) else { return Cow::Borrowed(text) };
    let mut plain = String::with_capacity(text.len());
    plain.push_str(&text[..first]);
    let mut rest = text[first..].chars();
    while let Some(c) = rest.next() {
        match (c, rest.clone().next()) {
            ('\\', Some(escaped)) => {
                plain.push(unescaped(escaped));
                rest.next();
            }
            (c, _) => plain.push(c),
        }
    }
    Cow::Owned(plain)
}
