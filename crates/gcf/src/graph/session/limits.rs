//! The bounds of a producer's session.

use std::time::Duration;

/// The bounds of a session (3.5.3, section 9.5). When a bound is reached, the producer sends a full
/// payload and the session starts over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// The maximum number of ids (default 65,536). A consumer stores a symbol for each.
    pub ids: u32,
    /// The longest time without a payload. Default 30 minutes.
    pub idle: Duration,
    /// The longest time since the first payload. Default 24 hours.
    pub lifetime: Duration,
    /// The maximum number of payloads that are neither confirmed nor rolled back (default 64).
    /// Beyond it the oldest is assumed to be lost, and its symbols are declared again.
    pub deliveries: usize,
}

impl Default for SessionLimits {
    fn default() -> Self {
        SessionLimits {
            ids: 65_536,
            idle: Duration::from_secs(30 * 60),
            lifetime: Duration::from_secs(24 * 60 * 60),
            deliveries: 64,
        }
    }
}

impl SessionLimits {
    /// Sets the largest number of ids (default 65,536).
    #[must_use]
    pub const fn with_ids(mut self, ids: u32) -> Self {
        self.ids = ids;
        self
    }

    /// Sets the longest time without a payload (default 30 minutes).
    #[must_use]
    pub const fn with_idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Sets the maximum time since the first payload (default 24 hours).
    #[must_use]
    pub const fn with_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Sets the largest number of payloads on their way (default 64).
    #[must_use]
    pub const fn with_deliveries(mut self, deliveries: usize) -> Self {
        self.deliveries = deliveries;
        self
    }
}
