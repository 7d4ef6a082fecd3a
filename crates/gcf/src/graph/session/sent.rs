//! What a session wrote.

use crate::graph::encode::EncodeReport;
use crate::graph::reason::FullReason;

/// An unconfirmed payload, for [`Session::confirm`](super::Session::confirm) and
/// [`Session::roll_back`](super::Session::roll_back).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delivery(pub(super) u64);

/// What [`Session::encode`](super::Session::encode) wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// What to confirm when the consumer has the payload.
    pub delivery: Delivery,
    /// How it was written.
    pub sent_as: SentAs,
    /// What the encoder changed in the payload.
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
    Full(FullReason),
    /// A delta that does not depend on the session: it is written with distances, which a reference
    /// can't contain, or the session has expired, would need too many ids, or has one id for two of
    /// its symbols. The session continues unchanged.
    Plain,
}
