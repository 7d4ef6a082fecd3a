//! How an exchange or a session writes a payload, and why in full.

use wire_core::error_kinds;

/// How an answer ([`Exchange`](super::Exchange)) or a text of a session
/// ([`Session`](super::Session)) is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// The consumer has the current payload.
    Unchanged,
    /// The changes.
    Delta,
    /// The whole payload, without any reference. A session has started over.
    Full(FullReason),
    /// With `session=true`, referring to symbols of earlier texts.
    Session {
        /// The number of symbols that were declared.
        declared: usize,
        /// The number of symbols that were referred to.
        referenced: usize,
    },
    /// A delta that does not depend on the session: it is written with distances, which a reference
    /// can't contain, or the session has expired, would need too many ids, or has one id for two of
    /// its symbols. The session continues unchanged.
    Plain,
}

impl Outcome {
    /// The stable name: `unchanged`, `delta`, `full`, `session` or `plain`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Unchanged => "unchanged",
            Outcome::Delta => "delta",
            Outcome::Full(_) => "full",
            Outcome::Session { .. } => "session",
            Outcome::Plain => "plain",
        }
    }
}

error_kinds! {
    /// Why a payload is sent in full: in answer to a request ([`Exchange`](super::Exchange)), in a
    /// session ([`Session`](super::Session)), or since there is no delta
    /// ([`Delta::between`](super::Delta::between)). The reasons from `ambiguous_name` to
    /// `unwritable_name` are those for which there is no delta. [`Answer::store_error`],
    /// [`Exchange::threshold`] and [`SessionLimits`] say more of the others.
    ///
    /// [`Answer::store_error`]: super::Answer::store_error
    /// [`Exchange::threshold`]: super::Exchange::threshold
    /// [`SessionLimits`]: super::SessionLimits
    ///
    /// ```
    /// assert_eq!(gcf::graph::FullReason::UnknownRoot.code(), "unknown_root");
    /// ```
    FullReason {
        Requested = "requested", "it was asked for";
        UnknownRoot = "unknown_root", "the consumer's payload is not in the store";
        StoreFailed = "store_failed", "the store failed";
        NotWorthIt = "not_worth_it", "a delta saves too few tokens";
        AmbiguousName = "ambiguous_name", "the source or target of an edge has a qualified name that two symbols share";
        EdgeStatus = "edge_status", "an edge has a status";
        DuplicateEdge = "duplicate_edge", "a payload has the same edge twice";
        DuplicateSymbol = "duplicate_symbol", "a payload has two symbols of one kind and qualified name";
        UnwritableName = "unwritable_name", "a kind or name is `#` or `##`";
        TooManyIds = "too_many_ids", "the session would need too many ids";
        Expired = "expired", "the session has expired";
    }
}
