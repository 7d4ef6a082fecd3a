//! What input costs under the cache rules of its provider.
//!
//! A request pays the full price for tokens that are new, a tenth for those that come from the
//! provider's cache, and more for those that are written to it. Sessions record which part of a
//! prompt was what: from its beginning the cached part, then the written one, then the rest.

use std::ops::AddAssign;

use serde_json::Value;

/// Prices, in twentieths of that of a token which no cache has.
const FULL: u64 = 20;
pub(crate) const CACHED: u64 = 2;
/// Anthropic's, of a token that is written for five minutes, and for an hour.
const WRITTEN: u64 = 25;
const WRITTEN_FOR_AN_HOUR: u64 = 40;
/// Other prices of a cached token, as with some models of `OpenAI` and Google.
pub(crate) const CACHED_ELSEWHERE: [u64; 2] = [5, 10];
/// The fewest tokens of a prompt that is kept.
const LEAST: u64 = 1024;
/// More tokens than any prompt has.
const MOST: u64 = 1 << 32;

/// The prompt of a request, by the provider's count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// All of it; 0 if it is not known.
    prompt: u64,
    /// What came from the cache, at its beginning.
    cached: u64,
    /// What was written to the cache after that, and the price of a token of it.
    written: u64,
    price: u64,
    /// `true` if none of this was recorded.
    is_estimate: bool,
}

impl Usage {
    /// The usage of one request: these members of an object, added, and of them what came from the
    /// cache and what was written to it.
    pub(crate) fn of(value: &Value, prompt: &[&str], cached: &str, written: &str) -> Self {
        let count = |path: &str| value.pointer(path).and_then(Value::as_u64).unwrap_or(0).min(MOST);
        let prompt = prompt.iter().map(|path| count(path)).sum();
        let cached = count(cached).min(prompt);
        let written = count(written).min(prompt - cached);
        let hour = count("/cache_creation/ephemeral_1h_input_tokens").min(written);
        let paid = WRITTEN * (written - hour) + WRITTEN_FOR_AN_HOUR * hour;
        let price = paid.checked_div(written).unwrap_or(WRITTEN);
        Usage { prompt, cached, written, price, is_estimate: false }
    }

    /// The usage where it is not recorded: the cache has the prompt of the request before.
    pub(crate) fn estimated(prompt: u64, before: u64) -> Self {
        let prompt = prompt.min(MOST);
        let cached = if before < LEAST { 0 } else { before.min(prompt) };
        Usage { prompt, cached, is_estimate: true, ..Usage::default() }
    }
}

/// Tokens of input, and what they cost.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bill {
    pub(crate) tokens: u64,
    pub(crate) cached: u64,
    /// What is paid for all tokens, but for
    paid: u64,
    /// cached ones of providers whose price is not known.
    pub(crate) elsewhere: u64,
}

impl Bill {
    /// All of a prompt.
    pub(crate) fn of(usage: Usage, is_anthropic: bool) -> Self {
        Bill::of_parts(usage, is_anthropic, [usage.cached, usage.written, usage.prompt])
    }

    /// A part of a prompt, of which so many tokens are cached, written, and in all.
    fn of_parts(usage: Usage, is_anthropic: bool, [cached, written, tokens]: [u64; 3]) -> Self {
        let elsewhere = if is_anthropic { 0 } else { cached };
        let paid = (cached - elsewhere) * CACHED
            + written * usage.price
            + tokens.saturating_sub(cached + written) * FULL;
        Bill { tokens, cached, paid, elsewhere }
    }

    /// The price, in tokens that no cache has; `cached` is the price of a cached one where it is not
    /// known.
    #[expect(clippy::cast_precision_loss, reason = "for people")]
    pub(crate) fn price(&self, cached: u64) -> f64 {
        (self.paid + self.elsewhere * cached) as f64 / FULL as f64
    }
}

impl AddAssign for Bill {
    fn add_assign(&mut self, other: Bill) {
        self.tokens += other.tokens;
        self.cached += other.cached;
        self.paid += other.paid;
        self.elsewhere += other.elsewhere;
    }
}

/// The input of requests.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    pub(crate) requests: u64,
    /// Those of which no usage is recorded.
    pub(crate) estimated: u64,
    pub(crate) all: Bill,
    /// What would be saved of it.
    pub(crate) saved: Bill,
}

impl AddAssign for Input {
    fn add_assign(&mut self, other: Input) {
        self.requests += other.requests;
        self.estimated += other.estimated;
        self.all += other.all;
        self.saved += other.saved;
    }
}

/// Results that were first sent with one request: their place in the prompt, and what they save
/// together with those before them.
#[derive(Clone, Copy, Debug)]
struct Span {
    start: u64,
    end: u64,
    saved: u64,
}

/// What is new in a request.
#[derive(Clone, Copy, Debug, Default)]
struct New {
    /// Tokens of results, and what is saved of them.
    results: u64,
    saved: u64,
    /// Tokens of other texts, where they are counted because no usage is recorded.
    others: u64,
}

/// A conversation: what the model has in its context.
#[derive(Debug, Default)]
pub(crate) struct Conversation {
    /// The last prompt.
    prompt: u64,
    /// What came since the last request.
    new: New,
    /// What is new in a request whose usage was not told yet.
    open: Option<New>,
    spans: Vec<Span>,
    /// `true` if its provider counts what it writes to its cache.
    is_anthropic: bool,
}

impl Conversation {
    /// A result that the next request has.
    pub(crate) fn result(&mut self, tokens: u64, saved: u64) {
        self.new.results += tokens;
        self.new.saved += saved;
    }

    /// Another text that the next request has.
    pub(crate) fn text(&mut self, tokens: u64) {
        self.new.others += tokens;
    }

    /// The model is asked: what came since the last request is in the prompt. The request before is
    /// estimated if nothing told its usage.
    pub(crate) fn asked(&mut self) -> Option<Input> {
        let before = self.estimated();
        self.open = Some(std::mem::take(&mut self.new));
        before
    }

    /// The last request, if nothing told its usage.
    pub(crate) fn estimated(&mut self) -> Option<Input> {
        let new = self.open?;
        // A prompt of which only results are known is not known.
        let is_known = self.prompt + new.others > 0;
        let usage = Usage::estimated(self.prompt + new.results + new.others, self.prompt);
        let told = is_known.then(|| self.told(usage)).flatten();
        self.open = None;
        told
    }

    /// The client's own count of the last prompt.
    pub(crate) fn counted(&mut self, prompt: u64) -> Option<Input> {
        self.told(Usage::estimated(prompt, self.prompt))
    }

    /// The usage of the last request.
    pub(crate) fn told(&mut self, usage: Usage) -> Option<Input> {
        if usage.prompt == 0 {
            return None;
        }
        let new = self.open.take()?;
        self.is_anthropic |= usage.written > 0;
        // A client may leave out what was in the context, and not say so.
        if usage.prompt < self.prompt / 2 {
            self.spans.clear();
        }
        let (before, saved) = self.spans.last().map_or((0, 0), |last| (last.end, last.saved));
        if new.saved > 0 {
            let end = usage.prompt.max(before);
            let start = end.saturating_sub(new.results).max(before);
            self.spans.push(Span { start, end, saved: saved + new.saved });
        }
        self.prompt = usage.prompt;
        let most = |position: u64| self.saved_before(position).min(position);
        let (cached, written) = (usage.cached, usage.cached + usage.written);
        let parts = [most(cached), most(written), most(usage.prompt)];
        let parts = [parts[0], parts[1] - parts[0], parts[2]];
        Some(Input {
            requests: 1,
            estimated: usage.is_estimate.into(),
            all: Bill::of(usage, self.is_anthropic),
            saved: Bill::of_parts(usage, self.is_anthropic, parts),
        })
    }

    /// What is saved of the results before a position in the last prompt.
    fn saved_before(&self, position: u64) -> u64 {
        let whole = |span: &Span| span.end <= position || position >= self.prompt;
        let at = self.spans.partition_point(whole);
        let before = at.checked_sub(1).map_or(0, |last| self.spans[last].saved);
        let part = self.spans.get(at).map_or(0, |span| {
            let inside = position.saturating_sub(span.start);
            (span.saved - before) * inside / (span.end - span.start).max(1)
        });
        before + part
    }
}
