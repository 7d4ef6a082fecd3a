//! The first error of a JSON text, and its position. This code runs only for texts that could not
//! be read.

use std::borrow::Cow;
use std::collections::HashSet;

use super::literals::{after_number, after_string};
use crate::discarded::Discarded;
use crate::error::Diagnosis;
use crate::text::shown;

/// The kinds of errors in a JSON text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It is not JSON.
    Syntax,
    /// Arrays and objects are nested deeper than 127 levels.
    TooDeep,
    /// An object has a key twice.
    DuplicateKey,
    /// A number is not one that the target can represent.
    OutOfRange,
}

/// The kind of a format crate's errors for a [`Flaw`]. Their tables name these kinds alike.
#[doc(hidden)]
#[macro_export]
macro_rules! kind_of_flaw {
    ($kinds:ident, $flaw:expr) => {
        match $flaw {
            $crate::value::Flaw::Syntax => $kinds::JsonSyntax,
            $crate::value::Flaw::TooDeep => $kinds::TooDeep,
            $crate::value::Flaw::DuplicateKey => $kinds::DuplicateKey,
            $crate::value::Flaw::OutOfRange => $kinds::OutOfRange,
        }
    };
}

/// The first error of a JSON text, and its offset in bytes: that of the second of two equal keys,
/// of the number's literal, or of the bracket that is nested too deep. For the literal of a number
/// that the target can't represent, `refused` returns the reason (ruling A6).
///
/// ```
/// use wire_core::value::{Flaw, flaw};
///
/// let found = flaw(r#"{"a": 1, "b": {"a": 2, "c": [], "a": 3}}"#, |_| None).unwrap();
/// assert_eq!((found.kind, found.at), (Flaw::DuplicateKey, 32));
/// let found = flaw("[1, 2.5", |_| None).unwrap();
/// assert_eq!((found.kind, found.at), (Flaw::Syntax, 7));
/// let found = flaw("[1, 2.5]", |literal| literal.contains('.').then(|| "a fraction".to_owned())).unwrap();
/// assert_eq!((found.kind, found.at), (Flaw::OutOfRange, 4));
/// assert!(flaw("[1, 2.5]", |_| None).is_none());
/// ```
#[cold]
pub fn flaw(text: &str, refused: impl Fn(&str) -> Option<String>) -> Option<Diagnosis<Flaw>> {
    let stop = serde_json::from_str::<Discarded>(text).err();
    let (end, in_number) = match &stop {
        Some(error) => (offset(text, error), is_out_of_range(error)),
        None => (text.len(), false),
    };
    first_before(text, end, in_number, refused).or_else(|| {
        stop.map(|error| {
            let kind = if error.to_string().starts_with("recursion limit exceeded") {
                Flaw::TooDeep
            } else if in_number {
                Flaw::OutOfRange
            } else {
                Flaw::Syntax
            };
            Diagnosis::new(kind, end, message(&error))
        })
    })
}

/// The byte offset of `text` at which `serde_json` found an error; the end when the text ends too
/// early.
pub fn offset(text: &str, error: &serde_json::Error) -> usize {
    if error.is_eof() {
        return text.len();
    }
    let before = error.line().saturating_sub(1);
    let line: usize = text.split_inclusive('\n').take(before).map(str::len).sum();
    // The column counts the bytes of the line up to and including the wrong one.
    (line + error.column()).saturating_sub(1).min(text.len())
}

/// The message of `serde_json` without the position, shortened when it repeats much of the input.
pub fn message(error: &serde_json::Error) -> String {
    const LONGEST: usize = 300;
    let text = without_place(error);
    let mut message = String::new();
    for c in text.chars().take(LONGEST) {
        if c.is_control() { message.extend(c.escape_debug()) } else { message.push(c) }
    }
    if text.chars().nth(LONGEST).is_some() {
        message.push('…');
    }
    message
}

/// The message of `serde_json` without the position. For format crates, which state their own.
pub fn without_place(error: &serde_json::Error) -> String {
    let mut text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    if text.ends_with(&place) {
        text.truncate(text.len() - place.len());
    }
    if text == "recursion limit exceeded" {
        return "arrays and objects are nested more than 127 levels deep".to_owned();
    }
    text
}

/// Whether the error is about a number beyond the range of doubles.
pub fn is_out_of_range(error: &serde_json::Error) -> bool {
    error.to_string().starts_with("number out of range")
}

/// An open array, or an open object with the keys so far. The key is `None` where a value comes
/// next.
enum Open<'t> {
    Array,
    Object { keys: HashSet<Cow<'t, str>>, key_is_next: bool },
}

/// The first duplicate key or the first number that is out of range, whichever is earlier. Up to
/// `end` the text is valid JSON, so nothing else is checked. `in_number` says that `end` is in a
/// number.
fn first_before(
    text: &str,
    end: usize,
    in_number: bool,
    refused: impl Fn(&str) -> Option<String>,
) -> Option<Diagnosis<Flaw>> {
    let bytes = text.as_bytes();
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut at = 0;
    while at < end {
        let start = at;
        at += 1;
        match bytes[start] {
            b'[' => open.push(Open::Array),
            b'{' => open.push(Open::Object { keys: HashSet::new(), key_is_next: true }),
            b']' | b'}' => drop(open.pop()),
            b',' => {
                if let Some(Open::Object { key_is_next, .. }) = open.last_mut() {
                    *key_is_next = true;
                }
            }
            b'"' => {
                at = after_string(bytes, at);
                let Some(Open::Object { keys, key_is_next: next @ true }) = open.last_mut() else {
                    continue;
                };
                *next = false;
                // An unterminated string is not a key.
                let Some(key) = text.get(start..at).and_then(unquoted) else { continue };
                if keys.contains(&key) {
                    let message = format!("the key {} appears twice, expected once", shown(&key));
                    return Some(Diagnosis::new(Flaw::DuplicateKey, start, message));
                }
                keys.insert(key);
            }
            b'-' | b'0'..=b'9' => {
                at = after_number(bytes, at);
                // A number in which the text ends, or is wrong, is not complete.
                let is_whole = at <= end && bytes[at - 1].is_ascii_digit();
                if (is_whole || in_number)
                    && let Some(message) = refused(&text[start..at])
                {
                    return Some(Diagnosis::new(Flaw::OutOfRange, start, message));
                }
            }
            _ => {}
        }
    }
    None
}

/// The text of a string in quotes.
fn unquoted(string: &str) -> Option<Cow<'_, str>> {
    if string.contains('\\') {
        return serde_json::from_str::<String>(string).ok().map(Cow::Owned);
    }
    string.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed)
}
