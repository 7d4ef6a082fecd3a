//! The integers that a target can represent.

use std::borrow::Cow;
use std::ops::Range;

use serde_json::Value;
use wire_core::{CodecError, Position};

use crate::source::GCF;

/// The integers that a target can represent (ruling A6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integers {
    /// Integers of 64 bits with a sign, as in GCF.
    Signed,
    /// Those of 64 bits with a sign or without, as in a [`Value`].
    Any,
    /// All: whoever reads the text keeps their digits.
    All,
}

impl Integers {
    /// The integers of a value in this format.
    pub(crate) fn of(format: &str) -> Self {
        if format == GCF { Integers::Signed } else { Integers::Any }
    }

    /// Whether they have a value, if that is an integer.
    pub(super) fn hold(self, value: &Value) -> bool {
        self != Integers::Signed || !value.is_u64() || value.is_i64()
    }

    /// Whether they have the integer of these digits.
    pub(super) fn hold_digits(self, digits: &str) -> bool {
        match self {
            Integers::Signed => digits.parse::<i64>().is_ok(),
            Integers::Any => digits.parse::<i64>().is_ok() || digits.parse::<u64>().is_ok(),
            Integers::All => true,
        }
    }

    /// Whether they include the number of this JSON literal; any finite double is included.
    pub(super) fn hold_literal(self, literal: &str) -> bool {
        if literal.contains(['.', 'e', 'E']) {
            return literal.parse().is_ok_and(|double: f64| double.is_finite());
        }
        self.hold_digits(literal)
    }

    /// The error for a number that is not one of them.
    pub(super) fn too_large(self, number: &str, position: Option<Position>) -> CodecError {
        const LONGEST: usize = 60;
        let more = if number.len() > LONGEST { "…" } else { "" };
        let number: String = number.chars().take(LONGEST).collect();
        let sign = if self == Integers::Signed { " with a sign" } else { "" };
        let message = format!(
            "the number {number}{more} is out of range, expected an integer of 64 bits{sign} or a finite number; write others as strings"
        );
        CodecError::new("out_of_range", position, message)
    }
}

/// A JSON text in which strings replace the integers that a target can't represent.
pub(crate) struct AsStrings<'t> {
    original: &'t str,
    pub(crate) text: Cow<'t, str>,
    /// The ranges of the integers in the original.
    integers: Vec<Range<usize>>,
}

impl<'t> AsStrings<'t> {
    /// The text with strings of their digits for the integers outside of these. Only valid integers
    /// that are values become strings, so that the text is JSON if and only if the original is.
    pub(crate) fn of(original: &'t str, held: Integers) -> Self {
        let found = (held != Integers::All).then(|| wire_core::value::integers(original));
        let is_value = |at: usize, digits: &str| {
            let after = original[at + digits.len()..].trim_start_matches(BLANK);
            is_integer(digits) && !after.starts_with(':')
        };
        let integers: Vec<_> = found
            .into_iter()
            .flatten()
            .filter(|&(at, digits)| !held.hold_digits(digits) && is_value(at, digits))
            .map(|(at, digits)| at..at + digits.len())
            .collect();
        if integers.is_empty() {
            return AsStrings { original, text: original.into(), integers };
        }
        let mut text = String::with_capacity(original.len() + QUOTES * integers.len());
        let mut end = 0;
        for integer in &integers {
            text.push_str(&original[end..integer.start]);
            text.push('"');
            text.push_str(&original[integer.clone()]);
            text.push('"');
            end = integer.end;
        }
        text.push_str(&original[end..]);
        AsStrings { original, text: text.into(), integers }
    }

    /// The text in which they are integers.
    pub(crate) fn original(&self) -> &'t str {
        self.original
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.integers.len()
    }

    /// An error in the text, with its position in the original.
    pub(crate) fn moved(&self, error: CodecError) -> CodecError {
        let Some(position) = error.position().filter(|_| self.count() > 0) else { return error };
        let at = usize::try_from(position.offset).unwrap_or(usize::MAX);
        let text = error.to_string();
        let message = text.strip_prefix(&format!("{position}: ")).unwrap_or(&text).to_owned();
        let position = Position::in_text(self.original.as_bytes(), self.place(at));
        CodecError::new(error.code(), Some(position), message)
    }

    /// The offset in the original that an offset in the text has.
    pub(super) fn place(&self, at: usize) -> usize {
        // How many begin before it.
        let before = self
            .integers
            .iter()
            .enumerate()
            .take_while(|(index, integer)| integer.start + QUOTES * index < at)
            .count();
        match before.checked_sub(1).map(|last| &self.integers[last]) {
            None => at,
            Some(last) if at < last.end + QUOTES * before => last.start,
            Some(_) => at - QUOTES * before,
        }
    }
}

/// How many bytes a string has more than its digits.
const QUOTES: usize = 2;

/// The white space of JSON.
pub(super) const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];

/// Whether this is an integer of JSON: `-?(0|[1-9][0-9]*)`.
fn is_integer(literal: &str) -> bool {
    let digits = literal.strip_prefix('-').unwrap_or(literal);
    digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !(digits.is_empty() || digits.starts_with('0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_that_are_not_held_are_strings_and_places_are_those_of_the_original() {
        let json =
            "[9223372036854775808, 1, \"9223372036854775808\",\n -9223372036854775809, 1e30, x]";
        let made = AsStrings::of(json, Integers::Signed);
        assert_eq!(
            made.text,
            "[\"9223372036854775808\", 1, \"9223372036854775808\",\n \"-9223372036854775809\", 1e30, x]"
        );
        assert_eq!(made.count(), 2);
        let unsigned = AsStrings::of(json, Integers::Any);
        assert_eq!(unsigned.count(), 1);
        for piece in ["[", "1,", "\",\n", "1e30", "x]"] {
            let at = made.text.rfind(piece).unwrap();
            let error =
                CodecError::new("x", Some(Position::in_text(made.text.as_bytes(), at)), "m");
            let found = made.moved(error).position().unwrap();
            assert_eq!(found, Position::in_text(json.as_bytes(), json.rfind(piece).unwrap()));
        }
        let inside = Position { offset: 60, line: 2, column: 10 };
        let found = made.moved(CodecError::new("x", Some(inside), "m")).position().unwrap();
        assert_eq!((found.line, found.column), (2, 2));
    }

    /// Text that is not JSON does not become JSON.
    #[test]
    fn only_integers_of_json_are_strings() {
        for json in [
            "[2026-11-24]",
            "[-]",
            "[1-2]",
            "[099999999999999999999]",
            "[-099999999999999999999]",
            "[+99999999999999999999]",
            "{99999999999999999999 : 1}",
        ] {
            let made = AsStrings::of(json, Integers::Signed);
            assert!(serde_json::from_str::<Value>(&made.text).is_err(), "{json}: {}", made.text);
        }
    }
}
