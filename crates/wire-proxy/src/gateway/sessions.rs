//! The state of each client, by the session that the server gave it.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;
use wire_mcp::Proxy;

/// The maximum number of remembered sessions of a server. The proxy knows nothing of older ones,
/// and changes less of their answers.
const MAX_SESSIONS: NonZeroUsize = NonZeroUsize::new(1024).expect("because it is not zero");
/// The maximum length of a session's id, in bytes.
const MAX_ID_BYTES: usize = 1024;

/// The sessions of a server.
#[derive(Debug)]
pub(crate) struct Sessions {
    proxies: Mutex<LruCache<String, Arc<Proxy>>>,
}

impl Sessions {
    pub(crate) fn new() -> Self {
        let mut proxies = LruCache::unbounded();
        proxies.resize(MAX_SESSIONS);
        Sessions { proxies: Mutex::new(proxies) }
    }

    /// The state of a session.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Proxy>> {
        self.locked().get(id).cloned()
    }

    /// Remembers a session, and returns its proxy: another exchange may have begun it meanwhile.
    pub(crate) fn begin(&self, id: &str, proxy: &Arc<Proxy>) {
        if id.len() <= MAX_ID_BYTES && !self.locked().contains(id) {
            self.locked().push(id.to_owned(), Arc::clone(proxy));
        }
    }

    /// Forgets a session that has ended.
    pub(crate) fn end(&self, id: &str) {
        self.locked().pop(id);
    }

    /// The number of remembered sessions.
    pub(crate) fn count(&self) -> usize {
        self.locked().len()
    }

    fn locked(&self) -> MutexGuard<'_, LruCache<String, Arc<Proxy>>> {
        // Each change is one call.
        self.proxies.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
