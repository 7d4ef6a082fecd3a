//! What a session wrote.

use crate::graph::encode::EncodeReport;
use crate::graph::reason::Outcome;

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
    pub outcome: Outcome,
    /// What the encoder changed in the payload.
    pub report: EncodeReport,
}
