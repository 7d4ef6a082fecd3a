//! Texts that were counted, which all workers share, and what was seen before.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::sync::Mutex;

use crate::agents::Agent;
use crate::audit::call::{Call, ToolResult};
use crate::audit::law::{Law, Outcome};

/// The most entries of a table, so that memory is bounded.
const MOST: usize = 1 << 20;

/// Equal texts are counted once; copies of results and requests, as in a resumed session, too. Only
/// hashes are kept. Their keys are random, so nobody can make two texts collide.
#[derive(Default)]
pub(crate) struct Shared {
    hasher: RandomState,
    outcomes: Mutex<HashMap<u64, Outcome>>,
    results: Mutex<HashSet<u64>>,
    requests: Mutex<HashSet<u64>>,
}

impl Shared {
    /// The same counts, as if nothing was seen before.
    pub(crate) fn with_counts_alone(self) -> Self {
        Shared { hasher: self.hasher, outcomes: self.outcomes, ..Shared::default() }
    }

    /// A result under the law.
    pub(crate) fn outcome(
        &self,
        law: &Law,
        source: Agent,
        call: &Call,
        result: &ToolResult<'_>,
    ) -> Outcome {
        let structured = result.structured.as_ref().map(ToString::to_string);
        let key = self.hasher.hash_one((
            (source, &call.name, &call.tool, &call.command),
            (&result.seen, &result.blocks, structured),
            (result.hides_texts, result.is_failed, result.is_cut),
        ));
        let known = self.outcomes.lock().map_or(None, |outcomes| outcomes.get(&key).copied());
        if let Some(known) = known {
            return known;
        }
        let outcome = law.outcome(source, call, result);
        if let Ok(mut outcomes) = self.outcomes.lock()
            && outcomes.len() < MOST
        {
            outcomes.insert(key, outcome);
        }
        outcome
    }

    /// Returns `true` the first time that a result with this id and text is seen.
    pub(crate) fn is_new_result(&self, source: Agent, id: &str, result: &ToolResult<'_>) -> bool {
        is_new(&self.results, self.hasher.hash_one((source, id, &result.seen)))
    }

    /// Returns `true` the first time that a request is seen.
    pub(crate) fn is_new_request(&self, source: Agent, id: &str) -> bool {
        is_new(&self.requests, self.hasher.hash_one((source, id)))
    }
}

fn is_new(seen: &Mutex<HashSet<u64>>, key: u64) -> bool {
    let Ok(mut seen) = seen.lock() else { return true };
    if seen.len() >= MOST { !seen.contains(&key) } else { seen.insert(key) }
}
