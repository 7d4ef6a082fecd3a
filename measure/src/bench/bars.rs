//! The bars: which work of ours is held against which of whom.

/// What is promised of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bar {
    /// At least so many times as fast as the peer.
    Faster(f64),
    /// At most so many times the time of the peer.
    Time(f64),
}

impl Bar {
    /// Whether the bar is met when our time is so many times the peer's.
    pub(super) fn is_met(self, ratio: f64) -> bool {
        match self {
            Bar::Faster(times) => 1.0 / ratio >= times,
            Bar::Time(times) => ratio <= times,
        }
    }

    /// The ratio, and what is promised of it.
    pub(super) fn words(self, ratio: f64) -> String {
        match self {
            Bar::Faster(times) => format!("{:.1}× as fast | ≥ {times}×", 1.0 / ratio),
            Bar::Time(times) => format!("{ratio:.2}× the time | ≤ {times}×"),
        }
    }
}

/// One piece of work, its group and its number of items in the benches, what they call us and the
/// peer, and what is promised.
pub(super) type Row = (&'static str, &'static str, usize, &'static str, &'static str, Bar);

use Bar::{Faster, Time};

const FEW: usize = 1_000;
const MANY: usize = 100_000;

/// Every row, in the order in which they are shown.
pub(super) const ROWS: &[Row] = &[
    ("GCF graph encode", "graph encode", FEW, "gcf", "gcf 3.1.0", Faster(13.0)),
    ("GCF graph decode", "graph decode", FEW, "gcf", "gcf 3.1.0", Faster(8.5)),
    ("GCF graph encode", "graph encode", MANY, "gcf", "gcf 3.1.0", Faster(12.0)),
    ("GCF graph decode", "graph decode", MANY, "gcf", "gcf 3.1.0", Faster(9.0)),
    ("Answer from a store, async", "answer delta", FEW, "async store", "store", Time(1.1)),
    ("GCB encode", "graph encode", FEW, "gcb", "postcard", Time(1.1)),
    ("GCB decode", "graph decode", FEW, "gcb", "postcard", Time(1.6)),
    ("GCB view", "graph decode", FEW, "gcb, view", "postcard", Time(0.9)),
    ("JSON payload decode", "graph decode", FEW, "json", "serde_json", Time(1.0)),
    ("GCX write rows", "rows write", FEW, "gcx", "csv", Time(0.45)),
    ("GCX read rows", "rows read", FEW, "gcx", "csv", Time(0.45)),
    ("GCX write structs", "rows write", FEW, "gcx of structs", "serde_json", Time(1.0)),
    ("GOON encode", "responses encode", FEW, "goon", "serde_json", Time(1.0)),
    ("GOON decode", "responses decode", FEW, "goon", "serde_json", Time(1.0)),
    ("GCF generic encode, orders", "orders encode", FEW, "gcf", "gcf 3.1.0", Faster(8.0)),
    ("GCF generic decode, orders", "orders decode", FEW, "gcf", "gcf 3.1.0", Faster(2.5)),
    ("GCF generic encode, orders", "orders encode", FEW, "gcf", "serde_json", Time(1.3)),
    ("GCF generic decode, orders", "orders decode", FEW, "gcf", "serde_json", Time(1.2)),
    ("GCF generic decode, issues", "issues decode", FEW, "gcf", "serde_json", Time(1.2)),
    ("GCF generic encode of structs", "structs encode", FEW, "gcf", "serde_json", Time(1.5)),
    ("GCF generic encode of structs", "structs encode", FEW, "gcf", "serde_toon", Time(1.0)),
    ("GCF generic decode to structs", "structs decode", FEW, "gcf", "serde_toon", Time(1.0)),
    ("GCF generic decode to structs", "structs decode", FEW, "gcf", "serde_json", Time(1.4)),
];
