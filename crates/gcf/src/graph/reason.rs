//! How an exchange or a session writes a payload, and why in full.

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

    /// Why the payload is sent in full, if it is.
    pub const fn full_reason(self) -> Option<FullReason> {
        if let Outcome::Full(reason) = self { Some(reason) } else { None }
    }
}

macro_rules! reasons {
    ($($(#[doc = $doc:literal])+ $name:ident $code:literal $summary:literal,)+) => {
        /// Why a payload is sent in full: in answer to a request
        /// ([`Exchange`](super::Exchange)), in a session ([`Session`](super::Session)), or since
        /// there is no delta ([`Delta::between`](super::Delta::between)).
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum FullReason {
            $($(#[doc = $doc])+ $name,)+
        }

        impl FullReason {
            /// The stable name of the reason.
            ///
            /// ```
            /// use gcf::graph::FullReason;
            ///
            /// assert_eq!(FullReason::UnknownRoot.code(), "unknown_root");
            /// ```
            pub const fn code(self) -> &'static str {
                match self {
                    $(FullReason::$name => $code,)+
                }
            }

            /// The reason as a phrase.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(FullReason::$name => $summary,)+
                }
            }
        }
    };
}

reasons! {
    /// The consumer asked for it.
    Requested "requested" "it was asked for",
    /// The store does not have the payload that the consumer has.
    UnknownRoot "unknown_root" "the consumer's payload is not in the store",
    /// The store failed: see [`Answer::store_error`](super::Answer::store_error).
    StoreFailed "store_failed" "the store failed",
    /// A delta would save too few tokens: see [`Exchange::threshold`](super::Exchange::threshold).
    NotWorthIt "not_worth_it" "a delta saves too few tokens",
    /// No delta: the source or target of an edge has a qualified name that two symbols of its
    /// payload share.
    AmbiguousName "ambiguous_name" "the source or target of an edge has a qualified name that two symbols share",
    /// No delta: an edge has a status, which a delta can't carry.
    EdgeStatus "edge_status" "an edge has a status",
    /// No delta: one payload has the same edge twice.
    DuplicateEdge "duplicate_edge" "a payload has the same edge twice",
    /// No delta, or no ids of a session: one payload has two symbols of one kind and qualified
    /// name.
    DuplicateSymbol "duplicate_symbol" "a payload has two symbols of one kind and qualified name",
    /// No delta: a kind or name is `#` or `##`, with which a line of a delta can't begin.
    UnwritableName "unwritable_name" "a kind or name is `#` or `##`",
    /// The session would need more than [`SessionLimits::ids`](super::SessionLimits::ids).
    TooManyIds "too_many_ids" "the session would need too many ids",
    /// [`SessionLimits::idle`](super::SessionLimits::idle) or
    /// [`SessionLimits::lifetime`](super::SessionLimits::lifetime) has passed.
    Expired "expired" "the session has expired",
}
