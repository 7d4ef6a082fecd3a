//! Why a payload is sent in full.

/// Why a payload is sent in full, in answer to a request ([`Exchange`](super::Exchange)) or in a
/// session ([`Session`](super::Session)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FullReason {
    /// The consumer asked for it.
    Requested,
    /// The store does not have the payload that the consumer has.
    UnknownRoot,
    /// The store failed: see [`Answer::store_error`](super::Answer::store_error).
    StoreFailed,
    /// A delta would save too few tokens: see [`Exchange::threshold`](super::Exchange::threshold).
    NotWorthIt,
    /// A delta can't represent the change.
    NoDelta(NoDeltaReason),
    /// The session would need more than [`SessionLimits::ids`](super::SessionLimits::ids).
    TooManyIds,
    /// [`SessionLimits::idle`](super::SessionLimits::idle) or
    /// [`SessionLimits::lifetime`](super::SessionLimits::lifetime) has passed.
    Expired,
    /// Two symbols have the same kind and qualified name, so a session can't give them different
    /// ids.
    DuplicateSymbol,
}

impl FullReason {
    /// The stable name of the reason; where there is no delta, that of the [`NoDeltaReason`].
    ///
    /// ```
    /// use gcf::graph::{FullReason, NoDeltaReason};
    ///
    /// assert_eq!(FullReason::UnknownRoot.code(), "unknown_root");
    /// assert_eq!(FullReason::NoDelta(NoDeltaReason::EdgeStatus).code(), "edge_status");
    /// ```
    pub const fn code(self) -> &'static str {
        match self {
            FullReason::Requested => "requested",
            FullReason::UnknownRoot => "unknown_root",
            FullReason::StoreFailed => "store_failed",
            FullReason::NotWorthIt => "not_worth_it",
            FullReason::NoDelta(why) => why.code(),
            FullReason::TooManyIds => "too_many_ids",
            FullReason::Expired => "expired",
            FullReason::DuplicateSymbol => "duplicate_symbol",
        }
    }
}

/// Why a delta can't be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoDeltaReason {
    /// The source or target of an edge has a qualified name that two symbols of its payload share.
    AmbiguousName,
    /// An edge has a status, which a delta can't carry.
    EdgeStatus,
    /// One payload has the same edge twice.
    DuplicateEdge,
    /// One payload has two symbols of one kind and qualified name.
    DuplicateSymbol,
    /// A kind or name is `#` or `##`, with which a line of a delta can't begin.
    UnwritableName,
}

impl NoDeltaReason {
    /// The stable name of the reason.
    pub const fn code(self) -> &'static str {
        match self {
            NoDeltaReason::AmbiguousName => "ambiguous_name",
            NoDeltaReason::EdgeStatus => "edge_status",
            NoDeltaReason::DuplicateEdge => "duplicate_edge",
            NoDeltaReason::DuplicateSymbol => "duplicate_symbol",
            NoDeltaReason::UnwritableName => "unwritable_name",
        }
    }

    /// The reason as a phrase.
    pub const fn summary(self) -> &'static str {
        match self {
            NoDeltaReason::AmbiguousName => {
                "the source or target of an edge has a qualified name that two symbols share"
            }
            NoDeltaReason::EdgeStatus => "an edge has a status",
            NoDeltaReason::DuplicateEdge => "a payload has the same edge twice",
            NoDeltaReason::DuplicateSymbol => {
                "a payload has two symbols of one kind and qualified name"
            }
            NoDeltaReason::UnwritableName => "a kind or name is `#` or `##`",
        }
    }
}
