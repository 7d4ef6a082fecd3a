//! What was counted before, so that it is counted once: a result is written in several ways, most of
//! its texts come again in each, and a resumed session repeats the results of another one.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

use wire_tokens::{Counter, TokenCounter};

use crate::agents::Agent;
use crate::audit::call::{Call, ToolResult};
use crate::audit::simulate::{Outcome, Simulator};

/// The most counts that are kept; then all are forgotten.
const MOST_COUNTS: usize = 1 << 16;

/// A counter with the counts of the last texts. Only hashes of them are kept.
#[derive(Clone)]
pub(crate) struct CachedCounter {
    counter: Counter,
    hasher: RandomState,
    known: Arc<Mutex<HashMap<u64, usize>>>,
}

impl CachedCounter {
    pub(crate) fn new(counter: Counter) -> Self {
        CachedCounter { counter, hasher: RandomState::new(), known: Arc::default() }
    }
}

impl TokenCounter for CachedCounter {
    fn name(&self) -> &str {
        self.counter.name()
    }

    fn is_estimate(&self) -> bool {
        self.counter.is_estimate()
    }

    fn count(&self, text: &str) -> usize {
        let key = self.hasher.hash_one(text);
        let known = self.known.lock().map_or(None, |known| known.get(&key).copied());
        known.unwrap_or_else(|| {
            let tokens = self.counter.count(text);
            if let Ok(mut known) = self.known.lock() {
                if known.len() >= MOST_COUNTS {
                    known.clear();
                }
                known.insert(key, tokens);
            }
            tokens
        })
    }

    fn bounds(&self, bytes: usize) -> RangeInclusive<usize> {
        self.counter.bounds(bytes)
    }

    fn lower_bound(&self, text: &str, most: usize) -> usize {
        self.counter.lower_bound(text, most)
    }
}

/// The most entries of a table, so that memory is bounded.
const MOST_ENTRIES: usize = 1 << 20;

/// Equal texts are counted once; copies of results and requests, as in a resumed session, too. Only
/// hashes are kept. Their keys are random, so nobody can make two texts collide.
#[derive(Default)]
pub(crate) struct Cache {
    hasher: RandomState,
    outcomes: Mutex<HashMap<u64, Outcome>>,
    results: Mutex<HashSet<u64>>,
    requests: Mutex<HashSet<u64>>,
}

impl Cache {
    /// The same counts, as if nothing was seen before.
    pub(crate) fn with_counts_alone(self) -> Self {
        Cache { hasher: self.hasher, outcomes: self.outcomes, ..Cache::default() }
    }

    /// What would become of a result.
    pub(crate) fn outcome(
        &self,
        simulator: &Simulator,
        source: Agent,
        call: &Call,
        result: &ToolResult<'_>,
    ) -> Outcome {
        let structured = result.structured.as_ref().map(ToString::to_string);
        let key = self.hasher.hash_one((
            (source, &call.name, &call.tool, &call.command, &call.file),
            (&result.seen, &result.blocks, structured),
            (result.hides_texts, result.is_failed, result.is_cut),
        ));
        let known = self.outcomes.lock().map_or(None, |outcomes| outcomes.get(&key).cloned());
        if let Some(known) = known {
            return known;
        }
        let outcome = simulator.outcome(source, call, result);
        if let Ok(mut outcomes) = self.outcomes.lock()
            && outcomes.len() < MOST_ENTRIES
        {
            outcomes.insert(key, outcome.clone());
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
    if seen.len() >= MOST_ENTRIES { !seen.contains(&key) } else { seen.insert(key) }
}
