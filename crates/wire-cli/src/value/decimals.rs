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
    /// Notes on how it was read.
    pub(super) notes: Vec<Warning>,
}

/// What became of a decimal that was read as a double; the text may have a plus sign.
pub(super) fn fidelity_of(text: &str, double: f64) -> Fidelity {
    fidelity(text.strip_prefix('+').unwrap_or(text), double)
}

/// The decimals that were rounded, and the position of the first.
#[derive(Debug, Default)]
pub(super) struct Doubles {
    rounded: usize,
    first: Option<Position>,
}

impl Doubles {
    /// Adds a decimal that was rounded; of the first one, also its position.
    pub(super) fn add(&mut self, first: Option<Position>) {
        self.rounded += 1;
        self.first = self.first.or(first);
    }

    /// Whether no decimal was rounded so far.
    pub(super) fn is_empty(&self) -> bool {
        self.rounded == 0
    }

    /// The warning for the decimals that were rounded, if there are any.
    pub(super) fn warning(&self) -> Option<Warning> {
        let doubles = json::Doubles { rounded: self.rounded, ..json::Doubles::default() };
        losses(&doubles, self.first).pop().map(Warning::loss)
    }
}
