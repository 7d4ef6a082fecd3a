//! What a codec keeps and what it loses, as data.

use std::fmt;

use crate::number::{round_to_hundredths, widen_f32};
use crate::payload::{Components, Edge, Payload, Symbol};
use crate::vocab::EdgeStatus;

/// A part of the payload that a codec may lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// [`Payload::tool`].
    Tool,
    /// [`Payload::tokens_used`] and [`Payload::token_budget`].
    Tokens,
    /// [`Payload::pack_root`].
    PackRoot,
    /// [`Symbol::score`](crate::Symbol::score).
    Score,
    /// [`Symbol::signature`](crate::Symbol::signature).
    Signature,
    /// [`Symbol::components`](crate::Symbol::components).
    Components,
    /// [`Payload::edges`].
    Edges,
    /// [`Edge::status`](crate::Edge::status).
    EdgeStatus,
}

impl Field {
    /// Every field.
    pub const ALL: &'static [Field] = &[
        Field::Tool,
        Field::Tokens,
        Field::PackRoot,
        Field::Score,
        Field::Signature,
        Field::Components,
        Field::Edges,
        Field::EdgeStatus,
    ];

    /// A stable name, as people type it: `pack_root`.
    pub const fn name(self) -> &'static str {
        match self {
            Field::Tool => "tool",
            Field::Tokens => "tokens",
            Field::PackRoot => "pack_root",
            Field::Score => "score",
            Field::Signature => "signature",
            Field::Components => "components",
            Field::Edges => "edges",
            Field::EdgeStatus => "edge_status",
        }
    }
}

/// What becomes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Treatment {
    /// It is left out.
    Dropped,
    /// Of the score components all but the confidence are left out.
    OnlyConfidence,
    /// Carriage returns in texts are left out.
    WithoutCarriageReturns,
    /// The control characters of ASCII (U+0000 to U+001F, U+007F) in texts are left out, but for tabs, line feeds and carriage
    /// returns.
    WithoutControlCharacters,
    /// They are put in the order of their types and of the kinds and places of their ends, each once.
    SortedOnce,
    /// Numbers are rounded to two decimals, half to even.
    TwoDecimals,
    /// Numbers are rounded to the nearest IEEE 754 single, and come back as its shortest decimal. One below the range of singles
    /// (7e-46) becomes zero; a finite one beyond it (3.4e38) can't be encoded.
    SinglePrecision,
}

/// One thing that a codec loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The part of the payload.
    pub field: Field,
    /// What becomes of it.
    pub treatment: Treatment,
}

impl Loss {
    /// The loss of `field` by `treatment`.
    pub const fn new(field: Field, treatment: Treatment) -> Self {
        Loss { field, treatment }
    }
}

/// `signatures are dropped`, `scores are rounded to two decimals`, …
impl fmt::Display for Loss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (noun, verb) = match self.field {
            Field::Tool => ("the tool", "is"),
            Field::Tokens => ("the counts of tokens", "are"),
            Field::PackRoot => ("the pack root", "is"),
            Field::Score => ("scores", "are"),
            Field::Signature => ("signatures", "are"),
            Field::Components => ("score components", "are"),
            Field::Edges => ("edges", "are"),
            Field::EdgeStatus => ("statuses of edges", "are"),
        };
        let fate = match self.treatment {
            Treatment::Dropped => "dropped",
            Treatment::OnlyConfidence => "dropped but for the confidence",
            Treatment::WithoutCarriageReturns => "written without carriage returns",
            Treatment::WithoutControlCharacters => "written without control characters",
            Treatment::SortedOnce => "sorted, and written once",
            Treatment::TwoDecimals => "rounded to two decimals",
            Treatment::SinglePrecision => "rounded to single precision",
        };
        write!(f, "{noun} {verb} {fate}")
    }
}

/// The order in which a codec hands symbols, and edges, back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolOrder {
    /// As they were given.
    #[default]
    AsGiven,
    /// By distance, in the given order inside a distance: [`Payload::canonicalize`].
    ByDistance,
    /// By distance and score, and edges by source, target and type: [`Payload::rank`].
    Ranked,
}

impl SymbolOrder {
    /// What becomes of the order, in words; `None` when it is kept.
    pub const fn description(self) -> Option<&'static str> {
        match self {
            SymbolOrder::AsGiven => None,
            SymbolOrder::ByDistance => Some("symbols are put in the order of their distance"),
            SymbolOrder::Ranked => Some(
                "symbols are put in the order of distance and score, and edges in that of their ends",
            ),
        }
    }
}

/// What a codec keeps and what it loses.
///
/// The one source for the README's table, the warnings of the command line and the property tests:
/// for every payload that a codec accepts and that is within the decoder's [`Limits`](crate::Limits),
/// which encoders don't apply, `decode(encode(p))` equals `p` after [`Fidelity::project`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fidelity {
    losses: &'static [Loss],
    order: SymbolOrder,
}

impl Fidelity {
    /// Everything comes back as it was.
    pub const LOSSLESS: Fidelity = Fidelity { losses: &[], order: SymbolOrder::AsGiven };

    /// These losses, and symbols as they were given.
    pub const fn new(losses: &'static [Loss]) -> Self {
        Fidelity { losses, order: SymbolOrder::AsGiven }
    }

    /// Sets the order of the symbols (default as given).
    #[must_use]
    pub const fn with_order(mut self, order: SymbolOrder) -> Self {
        self.order = order;
        self
    }

    /// What is lost.
    pub const fn losses(&self) -> &'static [Loss] {
        self.losses
    }

    /// The order in which symbols come back.
    pub const fn order(&self) -> SymbolOrder {
        self.order
    }

    /// Everything that a round trip may change, in words; empty when it changes nothing.
    pub fn in_words(&self) -> Vec<String> {
        let losses = self.losses.iter().map(ToString::to_string);
        losses.chain(self.order.description().map(str::to_owned)).collect()
    }

    /// Turns `payload` into what a round trip through the codec gives back.
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

    /// What of `payload` a round trip through the codec would really lose, and how many times:
    /// a payload without signatures loses none.
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

/// What a codec loses of one payload: [`Fidelity::report`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LossReport {
    losses: Vec<LossCount>,
    order: SymbolOrder,
}

impl LossReport {
    /// Whether everything comes back as it was.
    pub fn is_empty(&self) -> bool {
        self.losses.is_empty() && self.order == SymbolOrder::AsGiven
    }

    /// What is lost, each at least once.
    pub fn losses(&self) -> &[LossCount] {
        &self.losses
    }

    /// The order that the symbols are put in; [`SymbolOrder::AsGiven`] where they are in that of the codec already.
    pub fn order(&self) -> SymbolOrder {
        self.order
    }

    /// Each loss in words, as `signatures are dropped (3 symbols)`; none where nothing is lost.
    pub fn in_words(&self) -> Vec<String> {
        let losses = self.losses.iter().map(ToString::to_string);
        losses.chain(self.order.description().map(str::to_owned)).collect()
    }
}

/// The losses, one behind the other; nothing where there is none.
impl fmt::Display for LossReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words().join("; "))
    }
}

/// A loss, and how much of a payload it hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LossCount {
    /// What is lost.
    pub loss: Loss,
    /// The number of symbols, or edges, that it hits; 1 for a part of the payload itself.
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

    /// Whether [`Treatment::text`] gives the same text.
    fn keeps_text(self, text: &str) -> bool {
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

/// Where [`Treatment::SortedOnce`] puts an edge: by its type and the kinds and places of its ends.
fn place<'p>(
    edge: &'p Edge<'_>,
    symbols: &'p [Symbol<'_>],
) -> (&'p str, [(Option<&'p str>, u32); 2]) {
    let end = |end: u32| (symbols.get(end as usize).map(|symbol| symbol.kind.as_str()), end);
    (edge.edge_type.as_str(), [end(edge.source), end(edge.target)])
}

impl Loss {
    fn apply(self, payload: &mut Payload<'_>) {
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

    fn count(self, payload: &Payload<'_>) -> usize {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::payload::PackRoot;

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
        assert!(FIDELITY.report(&payload).is_empty());
        assert_eq!(payload.symbols[1].score, 0.78);
        assert_eq!(payload.symbols[0].components.blast_radius, 0.333_333_34);
        assert!(payload.pack_root.is_none() && payload.is_canonical());
    }
}
