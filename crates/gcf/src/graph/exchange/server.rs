//! The server's side.

use std::fmt;
use std::sync::Arc;

use wire_core::{PackRoot, Payload, TokenCounter, WordPunctuation};

use super::{MemoryStore, PackStore, Request};
use crate::Error;
use crate::graph::delta::{Between, Delta, WhyNoDelta};
use crate::graph::encode::Encoder;

/// Answers requests for payloads, as briefly as what the consumer holds allows.
///
/// Every payload that is answered with goes into the store, under its root, so that a later answer can be a delta.
pub struct Exchange<S = MemoryStore> {
    encoder: Encoder,
    store: S,
    counter: Box<dyn TokenCounter>,
    threshold: f64,
}

impl<S: fmt::Debug> fmt::Debug for Exchange<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("encoder", &self.encoder)
            .field("store", &self.store)
            .field("counter", &self.counter.name())
            .field("threshold", &self.threshold)
            .finish()
    }
}

/// What was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// Which of the three answers it is.
    pub outcome: Outcome,
    /// The root of the current payload.
    pub root: PackRoot<'static>,
    /// What the answer costs, by the exchange's counter.
    pub tokens: u64,
    /// What the full payload would have cost.
    pub full_tokens: u64,
}

/// The three answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The consumer holds the current payload.
    Unchanged,
    /// What has changed.
    Delta,
    /// The whole payload.
    Full(FullBecause),
}

/// Why an answer is the whole payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FullBecause {
    /// The consumer asked for it.
    Requested,
    /// The store does not have what the consumer holds.
    UnknownRoot,
    /// The delta would not have been worth it.
    NotWorthIt,
    /// No delta can say what has changed.
    NoDelta(WhyNoDelta),
}

impl Exchange<MemoryStore> {
    /// An exchange with a [`MemoryStore`] of its default size, which counts by [`WordPunctuation`] and sends a delta
    /// that costs less than 60 % of the full payload.
    pub fn new(encoder: Encoder) -> Self {
        Exchange::with_store(encoder, MemoryStore::default())
    }
}

impl<S: PackStore> Exchange<S> {
    /// As [`Exchange::new`], with another store.
    pub fn with_store(encoder: Encoder, store: S) -> Self {
        Exchange { encoder, store, counter: Box::new(WordPunctuation), threshold: 0.6 }
    }

    /// Sets the counter of tokens (default [`WordPunctuation`]).
    #[must_use]
    pub fn counter(mut self, counter: impl TokenCounter + 'static) -> Self {
        self.counter = Box::new(counter);
        self
    }

    /// Sets the part of the full payload's tokens that a delta has to stay under (default 0.6, as the specification
    /// recommends).
    #[must_use]
    pub fn threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// The store.
    pub fn store(&mut self) -> &mut S {
        &mut self.store
    }

    /// Appends the answer to `out`.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`] and [`Encoder::pack_root`]. Then nothing is stored and `out` is what it was.
    pub fn answer(
        &mut self,
        request: Request<'_>,
        current: &Payload<'_>,
        out: &mut String,
    ) -> Result<Answer, Error> {
        let (wired, root, full) = self.encoder.on_the_wire(current)?;
        let full_tokens = self.counter.count(&full) as u64;
        let (outcome, text) = match request {
            Request::Full => (Outcome::Full(FullBecause::Requested), full),
            // No root sees statuses, so the consumer may hold others.
            Request::Since(_) if has_status(&wired) => {
                (Outcome::Full(FullBecause::NoDelta(WhyNoDelta::EdgeStatus)), full)
            }
            Request::Since(held) if *held == root => {
                (Outcome::Unchanged, self.encoder.unchanged(&wired, &root)?)
            }
            Request::Since(held) => match self.delta(held, &wired, full_tokens)? {
                Ok(delta) => (Outcome::Delta, delta),
                Err(because) => (Outcome::Full(because), full),
            },
        };
        let tokens = match outcome {
            Outcome::Full(_) => full_tokens,
            _ => self.counter.count(&text) as u64,
        };
        self.store.put(root.clone(), Arc::new(wired));
        out.push_str(&text);
        Ok(Answer { outcome, root, tokens, full_tokens })
    }

    fn delta(
        &mut self,
        held: &PackRoot<'_>,
        current: &Payload<'_>,
        full_tokens: u64,
    ) -> Result<Result<String, FullBecause>, Error> {
        // What a store gives is the caller's, and may not be what it was given.
        let base = self.store.get(held).filter(|base| self.encoder.roots().is_root_of(held, base));
        let Some(base) = base else { return Ok(Err(FullBecause::UnknownRoot)) };
        let counter = &*self.counter;
        let between =
            Delta::between_wired((&base, held), current, full_tokens, self.encoder, counter)?;
        match between {
            Between::SendFull(why) => Ok(Err(FullBecause::NoDelta(why))),
            Between::Delta(delta) if !delta.is_worth_it(self.threshold) => {
                Ok(Err(FullBecause::NotWorthIt))
            }
            Between::Delta(delta) => Ok(Ok(self.encoder.delta_to_string(&delta)?)),
        }
    }
}

/// Whether an edge has a status, which neither a root nor a delta can say.
pub(super) fn has_status(payload: &Payload<'_>) -> bool {
    payload.edges.iter().any(|edge| !edge.status.is_unchanged())
}
