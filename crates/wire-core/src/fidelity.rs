//! The losses of a codec, as data.

mod apply;
mod loss;
mod report;

pub use loss::{Field, Loss, SymbolOrder, Treatment};
pub use report::{LossCount, LossReport};

use crate::payload::Payload;

/// The losses of a codec: the parts of a payload that it drops or changes.
///
/// The README's table, the warnings of the command line and the property tests all use this value.
/// They rely on one law: for every payload that a codec accepts and that is within the decoder's
/// [`Limits`](crate::Limits), `decode(encode(p))` equals `p` after [`Fidelity::project`]. (Encoders
/// don't apply limits.)
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fidelity {
    losses: &'static [Loss],
    order: SymbolOrder,
}

impl Fidelity {
    /// A round trip returns the payload unchanged.
    pub const LOSSLESS: Fidelity = Fidelity { losses: &[], order: SymbolOrder::AsGiven };

    /// A codec with these losses that keeps symbols in the given order.
    pub const fn new(losses: &'static [Loss]) -> Self {
        Fidelity { losses, order: SymbolOrder::AsGiven }
    }

    /// Sets the order of the symbols (default as given).
    #[must_use]
    pub const fn with_order(mut self, order: SymbolOrder) -> Self {
        self.order = order;
        self
    }

    /// The losses of a round trip.
    pub const fn losses(&self) -> &'static [Loss] {
        self.losses
    }

    /// The order in which a round trip returns symbols.
    pub const fn order(&self) -> SymbolOrder {
        self.order
    }

    /// Everything that a round trip may change, as phrases; empty when it changes nothing.
    pub fn in_words(&self) -> Vec<String> {
        let losses = self.losses.iter().map(ToString::to_string);
        losses.chain(self.order.description().map(str::to_owned)).collect()
    }

    /// Changes `payload` as a round trip through the codec does.
    pub fn project(&self, payload: &mut Payload<'_>) {
        match self.order {
            SymbolOrder::AsGiven => {}
            SymbolOrder::ByDistance => payload.canonicalize(),
            SymbolOrder::Ranked => payload.rank(),
        }
        for loss in self.losses {
            loss.apply(payload);
        }
    }

    /// The losses of a round trip of this payload, with the number of affected parts: a payload
    /// without signatures does not lose signatures.
    pub fn report(&self, payload: &Payload<'_>) -> LossReport {
        let losses = self
            .losses
            .iter()
            .map(|loss| LossCount { loss: *loss, count: loss.count(payload) })
            .filter(|lost| lost.count > 0)
            .collect();
        let kept = match self.order {
            SymbolOrder::AsGiven => true,
            SymbolOrder::ByDistance => payload.is_canonical(),
            SymbolOrder::Ranked => payload.is_ranked(),
        };
        LossReport { losses, order: if kept { SymbolOrder::AsGiven } else { self.order } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::{Components, Edge, PackRoot, Symbol};

    const FIDELITY: Fidelity = Fidelity::new(&[
        Loss::new(Field::PackRoot, Treatment::Dropped),
        Loss::new(Field::Score, Treatment::TwoDecimals),
        Loss::new(Field::Signature, Treatment::Dropped),
        Loss::new(Field::Components, Treatment::SinglePrecision),
    ])
    .with_order(SymbolOrder::ByDistance);

    #[test]
    fn the_texts_and_edges_that_are_kept_are_those_that_stay_the_same() {
        use Treatment::{Dropped, SortedOnce, WithoutCarriageReturns, WithoutControlCharacters};
        for treatment in [Dropped, SortedOnce, WithoutCarriageReturns, WithoutControlCharacters] {
            for text in ["", "a", "a\r\n", "\t", "a\u{1}", "\u{7f}", "\u{85}"] {
                let is_same = treatment.text(text) == text;
                assert_eq!(treatment.keeps_text(text), is_same, "{treatment:?} {text:?}");
            }
        }
        let fidelity = Fidelity::new(const { &[Loss::new(Field::Edges, SortedOnce)] });
        let edges =
            [(0, 1, "calls"), (1, 0, "calls"), (0, 2, "calls"), (0, 1, "uses"), (0, 9, "a")];
        let edges = edges.map(|(source, target, kind)| Edge::new(source, target, kind));
        // Each three of them, in each order, and some twice.
        for places in 0..5 * 5 * 5 {
            let symbols = ["type", "function", "type"].map(|kind| Symbol::new(kind, "x"));
            let edges = [places / 25, places / 5 % 5, places % 5].map(|place| edges[place].clone());
            let payload =
                Payload { symbols: symbols.into(), edges: edges.into(), ..Payload::default() };
            let mut changed = payload.clone();
            fidelity.project(&mut changed);
            let same = payload.edges.iter().zip(&changed.edges).filter(|(a, b)| a == b).count();
            let lost = fidelity.report(&payload).losses().first().map_or(0, |lost| lost.count);
            assert_eq!(lost, payload.edges.len() - same, "{:?}", payload.edges);
        }
    }

    #[test]
    fn projection_loses_what_the_report_counts() {
        let components = Components { blast_radius: 1.0 / 3.0, ..Components::default() };
        let mut payload = Payload {
            pack_root: Some(PackRoot::new("a1").unwrap()),
            symbols: vec![
                Symbol::new("function", "a").with_score(0.777).with_distance(1),
                Symbol::new("function", "b")
                    .with_score(0.5)
                    .with_signature("fn b()")
                    .with_components(components),
            ],
            ..Payload::default()
        };
        assert_eq!(
            FIDELITY.report(&payload).in_words(),
            [
                "the pack root is dropped",
                "scores are rounded to two decimals (1 symbol)",
                "signatures are dropped (1 symbol)",
                "score components are rounded to single precision (1 symbol)",
                "symbols are put in the order of their distance",
            ]
        );
        FIDELITY.project(&mut payload);
        assert!(FIDELITY.report(&payload).is_clean());
        assert_eq!(payload.symbols[1].score, 0.78);
        assert_eq!(payload.symbols[0].components.blast_radius, 0.333_333_34);
        assert!(payload.pack_root.is_none() && payload.is_canonical());
    }
}
