//! The numbers of YAML and TOML, and those that a target can represent.

use serde_json::Number;
use wire_core::json::{self, Fidelity, fidelity};
use wire_core::{CodecError, Position};

use super::Tree;
use super::json::losses;
use crate::source::GCF;
use crate::warning::Warning;

/// The integers that a target can represent (ruling A6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integers {
    /// Integers of 64 bits with a sign, as in GCF.
    Signed,
    /// Integers of any length, as in JSON.
    Any,
}

impl Integers {
    /// The integers of a value in this format.
    pub fn of(format: &str) -> Self {
        if format == GCF { Integers::Signed } else { Integers::Any }
    }

    /// Returns `true` if they have a number, if that is an integer of 64 bits.
    pub(super) fn hold(self, number: &Number) -> bool {
        self != Integers::Signed || !number.is_u64() || number.is_i64()
    }

    /// The error for a number that is not one of them.
    pub(super) fn too_large(self, number: &str, position: Option<Position>) -> CodecError {
        const LONGEST: usize = 60;
        let more = if number.len() > LONGEST { "…" } else { "" };
        let number: String = number.chars().take(LONGEST).collect();
        let integer = match self {
            Integers::Signed => "an integer of 64 bits with a sign",
            Integers::Any => "an integer",
        };
        let message = format!(
            "the number {number}{more} is out of range, expected {integer} or a finite number; write others as strings"
        );
        CodecError::new("out_of_range", position, message)
    }
}

/// A value, and what became of its numbers.
pub(super) struct Read {
    /// As JSON without white space.
    pub(super) json: String,
    /// The number of integers that became strings.
    pub(super) strings: usize,
    pub(super) doubles: Doubles,
    /// Notes on how it was read.
    pub(super) notes: Vec<Warning>,
}

impl From<Read> for Tree {
    fn from(read: Read) -> Self {
        let Read { json, strings, doubles, notes } = read;
        Tree { json, strings, warnings: doubles.warning().into_iter().chain(notes).collect() }
    }
}

/// The changes of a decimal that was read as a double; the text may have a plus sign.
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

    /// Returns `true` if no decimal was rounded so far.
    pub(super) fn is_empty(&self) -> bool {
        self.rounded == 0
    }

    /// The warning for the decimals that were rounded, if there are any.
    pub(super) fn warning(&self) -> Option<Warning> {
        let doubles = json::Doubles { rounded: self.rounded, ..json::Doubles::default() };
        losses(&doubles, self.first).pop().map(Warning::loss)
    }
}
