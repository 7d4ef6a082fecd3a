//! The integers that a target can represent.

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
