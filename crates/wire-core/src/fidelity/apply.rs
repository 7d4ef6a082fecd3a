//! Losing it: what becomes of a payload, and how much of it a loss hits.

use super::loss::{Field, Loss, Treatment};
use crate::number::{round_to_hundredths, widen_f32};
use crate::payload::{Components, Payload};
use crate::vocab::EdgeStatus;

impl Treatment {
    #[allow(clippy::cast_possible_truncation)] // the rounding is the point
    fn number(self, value: f64) -> f64 {
        match self {
            Treatment::Dropped => 0.0,
            Treatment::WithoutCarriageReturns
            | Treatment::WithoutControlCharacters
            | Treatment::OnlyConfidence
            | Treatment::SortedOnce => value,
            Treatment::TwoDecimals => round_to_hundredths(value),
            Treatment::SinglePrecision => widen_f32(value as f32),
        }
    }

    fn text(self, text: &str) -> String {
        match self {
            Treatment::Dropped => String::new(),
            Treatment::WithoutCarriageReturns => text.replace('\r', ""),
            Treatment::WithoutControlCharacters => text
                .chars()
                .filter(|c| !c.is_ascii_control() || matches!(c, '\n' | '\r' | '\t'))
                .collect(),
            Treatment::TwoDecimals
            | Treatment::SinglePrecision
            | Treatment::OnlyConfidence
            | Treatment::SortedOnce => text.to_owned(),
        }
    }

    fn components(self, components: Components) -> Components {
        if self == Treatment::OnlyConfidence {
            return Components { confidence: components.confidence, ..Components::default() };
        }
        Components {
            blast_radius: self.number(components.blast_radius),
            confidence: self.number(components.confidence),
            recency: self.number(components.recency),
            distance: self.number(components.distance),
        }
    }
}

impl Loss {
    pub(super) fn apply(self, payload: &mut Payload<'_>) {
        match self.field {
            Field::Tool => payload.tool = "".into(),
            Field::Tokens => (payload.tokens_used, payload.token_budget) = (0, 0),
            Field::PackRoot => payload.pack_root = None,
            Field::EdgeStatus => {
                for edge in &mut payload.edges {
                    edge.status = EdgeStatus::Unchanged;
                }
            }
            Field::Edges => {
                let Payload { symbols, edges, .. } = payload;
                let kind = |end: u32| {
                    symbols.get(end as usize).map(|symbol| symbol.kind.as_str().to_owned())
                };
                edges.sort_by_cached_key(|edge| {
                    let (source, target) =
                        ((kind(edge.source), edge.source), (kind(edge.target), edge.target));
                    (edge.edge_type.as_str().to_owned(), source, target)
                });
                edges.dedup();
            }
            Field::Signature => {
                for symbol in &mut payload.symbols {
                    symbol.signature = self.treatment.text(&symbol.signature).into();
                }
            }
            Field::Score => {
                for symbol in &mut payload.symbols {
                    symbol.score = self.treatment.number(symbol.score);
                }
            }
            Field::Components => {
                for symbol in &mut payload.symbols {
                    symbol.components = self.treatment.components(symbol.components);
                }
            }
        }
    }

    pub(super) fn count(self, payload: &Payload<'_>) -> usize {
        // Bits, so that NaN is equal to itself.
        let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || a == b;
        let same_components = |a: Components, b: Components| {
            same(a.blast_radius, b.blast_radius)
                && same(a.confidence, b.confidence)
                && same(a.recency, b.recency)
                && same(a.distance, b.distance)
        };
        let symbols = payload.symbols.iter();
        match self.field {
            Field::Tool => usize::from(!payload.tool.is_empty()),
            Field::Tokens => usize::from(payload.tokens_used > 0 || payload.token_budget > 0),
            Field::PackRoot => usize::from(payload.pack_root.is_some()),
            Field::EdgeStatus => {
                payload.edges.iter().filter(|edge| edge.status != EdgeStatus::Unchanged).count()
            }
            Field::Edges => {
                let mut changed = payload.clone();
                self.apply(&mut changed);
                payload.edges.len()
                    - payload.edges.iter().zip(&changed.edges).filter(|(a, b)| a == b).count()
            }
            Field::Signature => symbols
                .filter(|symbol| self.treatment.text(&symbol.signature) != symbol.signature)
                .count(),
            Field::Score => symbols
                .filter(|symbol| !same(symbol.score, self.treatment.number(symbol.score)))
                .count(),
            Field::Components => symbols
                .filter(|symbol| {
                    !same_components(
                        symbol.components,
                        self.treatment.components(symbol.components),
                    )
                })
                .count(),
        }
    }
}
