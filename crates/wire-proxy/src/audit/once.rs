//! A counter that counts each text once: a result is written in several ways, and most of its texts
//! come again in each.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex};

use wire_tokens::{Counter, TokenCounter};

/// The most counts that are kept; then all are forgotten.
const MOST: usize = 1 << 16;

/// A counter with the counts of the last texts. Only hashes of them are kept.
#[derive(Clone)]
pub(crate) struct Once {
    counter: Counter,
    hasher: RandomState,
    known: Arc<Mutex<HashMap<u64, usize>>>,
}

impl Once {
    pub(crate) fn new(counter: Counter) -> Self {
        Once { counter, hasher: RandomState::new(), known: Arc::default() }
    }
}

impl TokenCounter for Once {
    fn name(&self) -> &str {
        self.counter.name()
    }

    fn count(&self, text: &str) -> usize {
        let key = self.hasher.hash_one(text);
        let known = self.known.lock().map_or(None, |known| known.get(&key).copied());
        known.unwrap_or_else(|| {
            let tokens = self.counter.count(text);
            if let Ok(mut known) = self.known.lock() {
                if known.len() >= MOST {
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
