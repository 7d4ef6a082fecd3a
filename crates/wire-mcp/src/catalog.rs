//! The tools as a server described them, for all proxies in front of it.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use lru::LruCache;

use crate::limits::Limits;

/// Facts about the tools of one server, which several proxies can share: over HTTP a client without
/// a session has its lists and its calls in proxies of their own.
#[derive(Clone, Debug)]
pub struct Catalog(Arc<Mutex<LruCache<String, Facts>>>);

/// Facts about a tool, as the server lists it. Once a tool has them, they stay: a client can have
/// an older list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    pub(crate) has_schema: bool,
    /// `true` if it is bound to a user interface (ruling M11).
    pub(crate) is_bound: bool,
    /// The characters of a result up to which Claude Code shows it, if the tool says them.
    pub(crate) shown_characters: Option<usize>,
}

impl Facts {
    pub(crate) fn or(self, other: Facts) -> Facts {
        Facts {
            has_schema: self.has_schema || other.has_schema,
            is_bound: self.is_bound || other.is_bound,
            shown_characters: self.shown_characters.or(other.shown_characters),
        }
    }
}

impl Catalog {
    /// An empty catalog, which remembers as many tools as [`Limits::tools`] says.
    pub fn new(limits: &Limits) -> Self {
        let mut tools = LruCache::unbounded();
        tools.resize(NonZeroUsize::new(limits.tools).unwrap_or(NonZeroUsize::MIN));
        Catalog(Arc::new(Mutex::new(tools)))
    }

    /// The facts about a tool; none are known of one that was never listed.
    pub(crate) fn facts(&self, tool: &str) -> Facts {
        self.locked().get(tool).copied().unwrap_or_default()
    }

    /// Adds facts to those that are known.
    pub(crate) fn add(&self, tool: &str, facts: Facts) {
        let mut tools = self.locked();
        let all = tools.get(tool).copied().unwrap_or_default().or(facts);
        tools.push(tool.to_owned(), all);
    }

    fn locked(&self) -> MutexGuard<'_, LruCache<String, Facts>> {
        // Each change is one call.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
