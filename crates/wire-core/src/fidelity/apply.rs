//! Applying losses: how a payload changes, and how many of its parts a loss affects.

use super::loss::{Field, Loss, Treatment};
use crate::number::{round_to_hundredths, widen_f32};
use crate::payload::{Components, Edge, Payload, Symbol};
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

    pub(super) fn text(self, text: &str) -> String {
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

    /// Returns `true` if [`Treatment::text`] returns the same text.
    pub(super) fn keeps_text(self, text: &str) -> bool {
        match self {
            Treatment::Dropped => text.is_empty(),
            Treatment::WithoutCarriageReturns => !text.contains('\r'),
            Treatment::WithoutControlCharacters => {
                !text.contains(|c: char| c.is_ascii_control() && !matches!(c, '\n' | '\r' | '\t'))
            }
            Treatment::TwoDecimals
            | Treatment::SinglePrecision
            | Treatment::OnlyConfidence
            | Treatment::SortedOnce => true,
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

/// The sort key of an edge for [`Treatment::SortedOnce`]: its type, and the kinds and positions of
/// its source and target.
fn place<'p>(
    edge: &'p Edge<'_>,
    symbols: &'p [Symbol<'_>],
) -> (&'p str, [(Option<&'p str>, u32); 2]) {
    let end = |end: u32| (symbols.get(end as usize).map(|symbol| symbol.kind.as_str()), end);
    (edge.edge_type.as_str(), [end(edge.source), end(edge.target)])
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
                edges.sort_by(|a, b| place(a, symbols).cmp(&place(b, symbols)));
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
                let Payload { symbols, edges, .. } = payload;
                let is_kept = |a, b| place(a, symbols) <= place(b, symbols) && a != b;
                if edges.windows(2).all(|pair| is_kept(&pair[0], &pair[1])) {
                    return 0;
                }
                let mut changed: Vec<&Edge<'_>> = edges.iter().collect();
                changed.sort_by(|a, b| place(a, symbols).cmp(&place(b, symbols)));
                changed.dedup();
                edges.len() - edges.iter().zip(changed).filter(|(a, b)| a == b).count()
            }
            Field::Signature => {
                symbols.filter(|symbol| !self.treatment.keeps_text(&symbol.signature)).count()
            }
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
