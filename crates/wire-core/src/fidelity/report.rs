//! The losses of one payload.

use std::fmt;

use super::loss::{Field, Loss, SymbolOrder};

/// The losses of one payload: see [`Fidelity::report`](crate::Fidelity::report).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossReport {
    pub(super) losses: Vec<LossCount>,
    pub(super) order: SymbolOrder,
}

impl LossReport {
    /// Returns `true` if a round trip returns the payload unchanged.
    pub fn is_clean(&self) -> bool {
        self.losses.is_empty() && self.order == SymbolOrder::AsGiven
    }

    /// The losses; each has a count of at least 1.
    pub fn losses(&self) -> &[LossCount] {
        &self.losses
    }

    /// The order that the symbols get; [`SymbolOrder::AsGiven`] when they already have the codec's
    /// order.
    pub fn order(&self) -> SymbolOrder {
        self.order
    }

    /// Each loss as a phrase, such as `signatures are dropped (3 symbols)`; empty when nothing is
    /// lost.
    pub fn in_words(&self) -> Vec<String> {
        let losses = self.losses.iter().map(ToString::to_string);
        losses.chain(self.order.description().map(str::to_owned)).collect()
    }
}

/// The losses as phrases, separated by semicolons; empty when nothing is lost.
impl fmt::Display for LossReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words().join("; "))
    }
}

/// A loss, with the number of affected parts of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossCount {
    /// The loss.
    pub loss: Loss,
    /// The number of affected symbols or edges; 1 for a field of the payload itself.
    pub count: usize,
}

impl fmt::Display for LossCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.loss.field, self.count) {
            (Field::Tool | Field::Tokens | Field::PackRoot, _) => write!(f, "{}", self.loss),
            (Field::Edges | Field::EdgeStatus, 1) => write!(f, "{} (1 edge)", self.loss),
            (Field::Edges | Field::EdgeStatus, count) => write!(f, "{} ({count} edges)", self.loss),
            (_, 1) => write!(f, "{} (1 symbol)", self.loss),
            (_, count) => write!(f, "{} ({count} symbols)", self.loss),
        }
    }
}
