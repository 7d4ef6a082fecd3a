//! What became of a payload that a session wrote.

use crate::graph::encode::EncodeReport;

/// A payload on its way, for [`Session::confirm`](super::Session::confirm) and [`Session::roll_back`](super::Session::roll_back).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delivery(pub(super) u64);

/// What [`Session::encode`](super::Session::encode) wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// What to confirm when the consumer has it.
    pub delivery: Delivery,
    /// How it was written.
    pub sent_as: SentAs,
    /// What was done beyond writing the payload as it is.
    pub report: EncodeReport,
}

/// How a session writes a payload or delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentAs {
    /// With `session=true`.
    Session {
        /// The number of symbols that were declared.
        declared: usize,
        /// The number of symbols that were referred to.
        referenced: usize,
    },
    /// Without any reference, and the session has started over.
    Full(WhyFull),
    /// A delta that stands on its own: it is written with distances, which a reference can't carry, or the session is
    /// over, would need too many ids, or has one id for two of its symbols. The session goes on as it was.
    Plain,
}

/// Why a payload was sent in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyFull {
    /// The session would need more than [`SessionLimits::ids`](super::SessionLimits::ids).
    TooManyIds,
    /// [`SessionLimits::idle`](super::SessionLimits::idle) or [`SessionLimits::lifetime`](super::SessionLimits::lifetime) is over.
    Expired,
    /// Two symbols have one kind and qualified name, so one id can't stand for both.
    DuplicateSymbol,
}
