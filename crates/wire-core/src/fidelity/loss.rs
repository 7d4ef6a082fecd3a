//! The losses that a codec can have, and the phrases that describe them.

use std::fmt;

/// A part of the payload that a codec may lose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Field {
    /// [`Payload::tool`](crate::Payload::tool).
    Tool,
    /// [`Payload::tokens_used`](crate::Payload::tokens_used) and
    /// [`Payload::token_budget`](crate::Payload::token_budget).
    Tokens,
    /// [`Payload::pack_root`](crate::Payload::pack_root).
    PackRoot,
    /// [`Symbol::score`](crate::Symbol::score).
    Score,
    /// [`Symbol::signature`](crate::Symbol::signature).
    Signature,
    /// [`Symbol::components`](crate::Symbol::components).
    Components,
    /// [`Payload::edges`](crate::Payload::edges).
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

/// The change of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Treatment {
    /// The field is left out.
    Dropped,
    /// Only the confidence is kept of the score components.
    OnlyConfidence,
    /// Carriage returns in texts are left out.
    WithoutCarriageReturns,
    /// ASCII control characters (U+0000 to U+001F, U+007F) are removed from texts, except tabs,
    /// line feeds and carriage returns.
    WithoutControlCharacters,
    /// Edges are sorted by their type and by the kinds and positions of their source and target,
    /// and duplicates are removed.
    SortedOnce,
    /// Numbers are rounded to two decimals, half to even.
    TwoDecimals,
    /// Numbers are rounded to the nearest IEEE 754 single, and decode as its shortest decimal. A
    /// number below the range of singles (7e-46) becomes zero; a finite number above it (3.4e38)
    /// can't be encoded.
    SinglePrecision,
}

/// One thing that a codec loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// The part of the payload.
    pub field: Field,
    /// The change.
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

/// The order in which a codec returns symbols and edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum SymbolOrder {
    /// As they were given.
    #[default]
    AsGiven,
    /// By distance, and in the given order within a distance:
    /// [`Payload::canonicalize`](crate::Payload::canonicalize).
    ByDistance,
    /// By distance and score, and edges by source, target and type:
    /// [`Payload::rank`](crate::Payload::rank).
    Ranked,
}

impl SymbolOrder {
    /// The change of the order, as a phrase; `None` when the order is kept.
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
