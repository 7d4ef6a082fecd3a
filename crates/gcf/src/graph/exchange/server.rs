//! The server's side.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use wire_core::{PackRoot, Payload, Runs, Symbol, TokenCounter, WordPunctuation};

use super::Request;
use super::store::{AsyncPackStore, MemoryStore, Pack, PackKey, PackStore, StoreError};
use crate::Error;
use crate::graph::delta::{Delta, is_fewer};
use crate::graph::encode::Encoder;
use crate::graph::reason::{FullReason, Outcome};
use crate::root::RootAlgorithm;

/// Answers requests for payloads, with the shortest answer for what the consumer has.
///
/// Every payload that is sent is stored under its root, so that a later answer can be a delta.
pub struct Exchange<S = MemoryStore> {
    encoder: Encoder,
    store: S,
    /// The caller's.
    counter: Option<Box<dyn TokenCounter>>,
    threshold: f64,
}

impl<S: fmt::Debug> fmt::Debug for Exchange<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange")
            .field("encoder", &self.encoder)
            .field("store", &self.store)
            .field("counter", &self.measure().name())
            .field("threshold", &self.threshold)
            .finish()
    }
}

/// The description of an answer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// How it is written: unchanged, a delta, or in full.
    pub outcome: Outcome,
    /// The root of the current payload.
    pub root: PackRoot<'static>,
    /// The number of tokens of the answer, by the exchange's counter.
    pub tokens: u64,
    /// The number of tokens of the full payload.
    pub full_tokens: u64,
    /// The number of symbols that changed since the payload that was sent under the consumer's root,
    /// although the answer does not say so: the score, provenance, distance or, when the answer is
    /// [`Outcome::Unchanged`], the kind, which [`RootAlgorithm::Identity`] does not cover. Always 0
    /// with [`RootAlgorithm::PackRootV1`], for full answers, and when the store has forgotten that
    /// payload.
    ///
    /// ```
    /// use gcf::graph::{Encoder, Exchange, Outcome, Request};
    /// use wire_core::{Payload, Symbol};
    ///
    /// let server = Exchange::new(Encoder::new());
    /// let mut payload = Payload { tool: "t".into(), ..Payload::default() };
    /// payload.symbols = vec![Symbol::new("function", "pkg.f").with_score(0.5)];
    /// let first = server.answer(Request::Full, &payload, &mut String::new())?;
    ///
    /// payload.symbols[0].score = 0.75;
    /// let answer =
    ///     server.answer(Request::Since(&first.root), &payload, &mut String::new())?;
    /// assert_eq!((answer.outcome, answer.unseen_changes), (Outcome::Unchanged, 1));
    /// # Ok::<(), gcf::Error>(())
    /// ```
    pub unseen_changes: usize,
    /// Why the store failed; `None` when it did not fail. The consumer still gets the full payload;
    /// this is for operators of the server. A store with memory in front reports failed reads here
    /// and counts failed writes itself (ruling F2).
    pub store_error: Option<StoreError>,
}

impl Exchange<MemoryStore> {
    /// An exchange with a [`MemoryStore`] of its default size. It counts tokens with [`Runs`], and
    /// sends a delta when that has less than 60 % of the tokens of the full payload.
    pub fn new(encoder: Encoder) -> Self {
        Exchange::with_store(encoder, MemoryStore::default())
    }
}

impl<S> Exchange<S> {
    /// As [`Exchange::new`], with another store: a synchronous one ([`PackStore`]) or an
    /// asynchronous one ([`AsyncPackStore`]).
    pub fn with_store(encoder: Encoder, store: S) -> Self {
        Exchange { encoder, store, counter: None, threshold: 0.6 }
    }

    /// Sets the counter of tokens: of those that decide, that an [`Answer`] has, and that the header
    /// of a delta states. The default is [`Runs`], and [`WordPunctuation`] in headers, as the format
    /// has it (ruling G2).
    #[must_use]
    pub fn counter(mut self, counter: impl TokenCounter + 'static) -> Self {
        self.counter = Some(Box::new(counter));
        self
    }

    /// Sets the part of the full payload's tokens below which a delta is sent (default 0.6, as the
    /// specification recommends).
    #[must_use]
    pub fn threshold(mut self, threshold: f64) -> Self {
        self.threshold = threshold;
        self
    }

    /// The counter of what is decided.
    fn measure(&self) -> &dyn TokenCounter {
        self.counter.as_deref().unwrap_or(&Runs)
    }

    /// The key under which a payload with this root is stored.
    pub fn key<'k>(&self, root: &'k PackRoot<'k>) -> PackKey<'k> {
        PackKey::new(root, self.encoder.written_dialect(), self.encoder.roots())
    }

    /// The current payload as its text represents it, and its full text.
    fn prepare(&self, current: &Payload<'_>) -> Result<Current, Error> {
        let (payload, root, full) = self.encoder.on_the_wire(current)?;
        let full_tokens = self.measure().count(&full) as u64;
        Ok(Current { payload: Arc::new(payload), root, full, full_tokens })
    }

    /// Chooses the answer, after the store was asked for the base.
    fn choose(
        &self,
        request: Request<'_>,
        current: &Current,
        base: Result<Option<Pack>, StoreError>,
    ) -> Result<Choice, Error> {
        let full = |because| Ok(Choice::of(Outcome::Full(because)));
        let base = match base {
            Ok(base) => base,
            Err(error) => return Ok(Choice::failed(error)),
        };
        match request {
            Request::Full => full(FullReason::Requested),
            // Roots don't include statuses, so the consumer may have others.
            Request::Since(_) if has_status(&current.payload) => full(FullReason::EdgeStatus),
            Request::Since(held) if *held == current.root => {
                let base = self.checked(held, base);
                Ok(Choice {
                    text: Some(self.encoder.unchanged(&current.payload, &current.root)?),
                    unseen_changes: base
                        .as_deref()
                        .map_or(0, |base| changed_symbols(base, &current.payload)),
                    is_stored: base.is_some(),
                    ..Choice::of(Outcome::Unchanged)
                })
            }
            Request::Since(held) => self.delta(held, base, current).or_else(full),
        }
    }

    /// The payload that an answer needs from the store. If nothing has changed for
    /// [`RootAlgorithm::Identity`], something may have changed that it does not cover.
    fn base<'r>(&self, request: Request<'r>, current: &Current) -> Option<&'r PackRoot<'r>> {
        let is_partial = self.encoder.roots() == RootAlgorithm::Identity;
        let Request::Since(held) = request else { return None };
        let is_needed = !has_status(&current.payload) && (is_partial || *held != current.root);
        is_needed.then_some(held)
    }

    /// A payload from the store, which is the caller's and may return another one than was put.
    fn checked(&self, held: &PackRoot<'_>, base: Option<Pack>) -> Option<Pack> {
        base.filter(|base| self.encoder.roots().is_root_of(held, base))
    }

    /// Appends the chosen answer, after the current payload was stored.
    fn finish(
        &self,
        current: Current,
        mut choice: Choice,
        put: Result<(), StoreError>,
        out: &mut String,
    ) -> Answer {
        if let Err(error) = put {
            let asked_for = choice.outcome == Outcome::Full(FullReason::Requested);
            let failed = Choice::failed(choice.failed.take().unwrap_or(error));
            choice = if asked_for { Choice { outcome: choice.outcome, ..failed } } else { failed };
        }
        let Choice { outcome, text, unseen_changes, failed: store_error, .. } = choice;
        let Current { root, full, full_tokens, .. } = current;
        let tokens = text.as_deref().map_or(full_tokens, |text| self.measure().count(text) as u64);
        out.push_str(text.as_deref().unwrap_or(&full));
        Answer { outcome, root, tokens, full_tokens, unseen_changes, store_error }
    }

    fn delta(
        &self,
        held: &PackRoot<'_>,
        base: Option<Pack>,
        current: &Current,
    ) -> Result<Choice, FullReason> {
        // The current payload can be encoded, so an error is one of the base.
        let base = self.checked(held, base).ok_or(FullReason::UnknownRoot)?;
        let stated = self.counter.as_deref().unwrap_or(&WordPunctuation);
        let full = stated.count(&current.full) as u64;
        let payload = &*current.payload;
        let between = Delta::between_wired((&base, held), payload, full, self.encoder, stated);
        let delta = between.map_err(|_| FullReason::UnknownRoot)??;
        let text = self.encoder.delta_to_string(&delta).map_err(|_| FullReason::UnknownRoot)?;
        let tokens = self.measure().count(&text) as u64;
        if !is_fewer(tokens, current.full_tokens, self.threshold) {
            return Err(FullReason::NotWorthIt);
        }
        let unseen_changes = changed_symbols(&base, payload) - delta.added.len();
        Ok(Choice { text: Some(text), unseen_changes, ..Choice::of(Outcome::Delta) })
    }
}

impl<S: PackStore> Exchange<S> {
    /// Appends the answer to `out`. Several threads may use one exchange at the same time.
    ///
    /// When the store fails, the answer is the full payload, with [`FullReason::StoreFailed`] and
    /// the reason in [`Answer::store_error`].
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`] and [`Encoder::pack_root`]. Then nothing is stored, and `out` is what
    /// it was before the call.
    pub fn answer(
        &self,
        request: Request<'_>,
        current: &Payload<'_>,
        out: &mut String,
    ) -> Result<Answer, Error> {
        let current = self.prepare(current)?;
        let base = match self.base(request, &current) {
            Some(held) => self.store.get(&self.key(held)),
            None => Ok(None),
        };
        let choice = self.choose(request, &current, base)?;
        let put = if choice.is_stored {
            Ok(())
        } else {
            self.store.put(&self.key(&current.root), Arc::clone(&current.payload))
        };
        Ok(self.finish(current, choice, put, out))
    }
}

impl<S: AsyncPackStore> Exchange<S> {
    /// [`Exchange::answer`] with an asynchronous store.
    ///
    /// # Errors
    ///
    /// As [`Exchange::answer`].
    pub async fn answer_async(
        &self,
        request: Request<'_>,
        current: &Payload<'_>,
        out: &mut String,
    ) -> Result<Answer, Error> {
        let current = self.prepare(current)?;
        let base = match self.base(request, &current) {
            Some(held) => self.store.get(&self.key(held)).await,
            None => Ok(None),
        };
        let choice = self.choose(request, &current, base)?;
        let put = if choice.is_stored {
            Ok(())
        } else {
            self.store.put(&self.key(&current.root), Arc::clone(&current.payload)).await
        };
        Ok(self.finish(current, choice, put, out))
    }
}

/// The current payload, as it goes over the wire.
struct Current {
    payload: Pack,
    root: PackRoot<'static>,
    full: String,
    full_tokens: u64,
}

/// An answer before it is given.
struct Choice {
    outcome: Outcome,
    /// `None` for the full text.
    text: Option<String>,
    unseen_changes: usize,
    /// `true` if the store keeps the payload that it has under this root, which the consumer has.
    is_stored: bool,
    failed: Option<StoreError>,
}

impl Choice {
    fn of(outcome: Outcome) -> Self {
        Choice { outcome, text: None, unseen_changes: 0, is_stored: false, failed: None }
    }

    fn failed(error: StoreError) -> Self {
        Choice { failed: Some(error), ..Choice::of(Outcome::Full(FullReason::StoreFailed)) }
    }
}

/// The number of symbols that the base does not have as they are. Both payloads are decoded from
/// their texts, so their scores are rounded.
fn changed_symbols(base: &Payload<'_>, current: &Payload<'_>) -> usize {
    let facts = |symbol: &Symbol<'_>| {
        let words = [symbol.kind.as_str(), &symbol.qualified_name, symbol.provenance.as_str()];
        (words.map(str::to_owned), (symbol.score + 0.0).to_bits(), symbol.distance)
    };
    let mut known: HashMap<_, usize> = HashMap::with_capacity(base.symbols.len());
    for symbol in &base.symbols {
        *known.entry(facts(symbol)).or_default() += 1;
    }
    let is_changed = |symbol: &&Symbol<'_>| match known.get_mut(&facts(symbol)) {
        Some(count @ 1..) => {
            *count -= 1;
            false
        }
        _ => true,
    };
    current.symbols.iter().filter(is_changed).count()
}

/// Returns `true` if an edge has a status, which neither roots nor deltas include.
pub(super) fn has_status(payload: &Payload<'_>) -> bool {
    payload.edges.iter().any(|edge| !edge.status.is_unchanged())
}
