//! Spares an engine that fails, and those who would wait for it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use tokio::time::Instant;

/// Opens after `limit` failures in a row. While it is open, one request is allowed in each pause.
#[derive(Debug)]
pub(crate) struct Breaker {
    limit: u32,
    pause: Duration,
    /// Failures in a row.
    failures: AtomicU32,
    start: Instant,
    /// The milliseconds after `start` at which the next request is allowed, while it is open.
    next: AtomicU64,
}

impl Breaker {
    pub(crate) fn new(limit: u32, pause: Duration) -> Self {
        let (failures, next) = (AtomicU32::new(0), AtomicU64::new(0));
        Breaker { limit: limit.max(1), pause, failures, start: Instant::now(), next }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.failures.load(Relaxed) >= self.limit
    }

    /// Returns `true` if the engine may be asked now.
    pub(crate) fn allows(&self) -> bool {
        if !self.is_open() {
            return true;
        }
        let next = self.next.load(Relaxed);
        // Of several at the same time one exchanges the number.
        self.start.elapsed() >= Duration::from_millis(next)
            && self.next.compare_exchange(next, self.after_pause(), Relaxed, Relaxed).is_ok()
    }

    pub(crate) fn succeeded(&self) {
        self.failures.store(0, Relaxed);
    }

    pub(crate) fn failed(&self) {
        // Before the number that opens it, so that nobody is allowed by an old time.
        if self.failures.load(Relaxed) + 1 >= self.limit {
            self.next.store(self.after_pause(), Relaxed);
        }
        let _ = self.failures.fetch_update(Relaxed, Relaxed, |n| n.checked_add(1));
    }

    fn after_pause(&self) -> u64 {
        u64::try_from((self.start.elapsed() + self.pause).as_millis()).unwrap_or(u64::MAX)
    }
}
