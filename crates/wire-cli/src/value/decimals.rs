//! The decimals of YAML and TOML, which are read as doubles (ruling A7).

use serde_json::Value;
use wire_core::__private::json::{self, Fidelity, fidelity};
use wire_core::Position;

use super::text::losses;
use crate::converted::Warning;

/// A value, and what became of its numbers.
pub(super) struct Read {
    pub(super) value: Value,
    /// The number of integers that became strings.
    pub(super) strings: usize,
    pub(super) doubles: Doubles,
}

/// The decimals that were rounded, and the position of the first.
#[derive(Debug, Default)]
pub(super) struct Doubles {
    rounded: usize,
    first: Option<Position>,
}

impl Doubles {
    /// Adds a decimal that was read as a double. Returns whether it is in the range of doubles.
    pub(super) fn add(&mut self, text: &str, value: &Value, position: Position) -> bool {
        let Some(double) = value.as_f64() else { return true };
        match fidelity(text.strip_prefix('+').unwrap_or(text), double) {
            Fidelity::Exact(_) => true,
            Fidelity::OutOfRange => false,
            Fidelity::Rounded(_) => {
                self.rounded += 1;
                self.first.get_or_insert(position);
                true
            }
        }
    }

    /// The warning for the decimals that were rounded, if there are any.
    pub(super) fn warning(&self) -> Option<Warning> {
        let doubles = json::Doubles { rounded: self.rounded, ..json::Doubles::default() };
        losses(&doubles, self.first).pop().map(Warning::loss)
    }
}
