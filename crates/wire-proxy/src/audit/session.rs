//! A session as the model saw it: which results it got, and how often each was sent.
//!
//! A result is sent with every request after it, until the client compacts the conversation. So it
//! counts once, and apart from that as often as it was sent.

use std::collections::HashMap;

use serde_json::Value;

use crate::agents::Agent;
use crate::audit::cache::Cache;
use crate::audit::call::{Call, ToolResult};
use crate::audit::simulate::{Outcome, Simulator};
use crate::audit::totals::{Key, MOST_ROWS, Totals};

/// The most calls that wait for their results, and conversations of one file, in memory.
const MOST_CALLS: usize = 10_000;
const MOST_NAME: usize = 100;

/// A conversation: what the model has in its context.
#[derive(Debug, Default)]
struct Conversation {
    requests: u64,
    peak: u64,
    /// The prompts, by the provider's count, and how much of them came from its cache.
    prompts: u64,
    cached: u64,
    /// The results that are in the context, by their rows.
    rows: HashMap<Key, Repeated>,
    /// Tokens of the results that were counted here.
    once: u64,
}

/// Sums of results that are sent again: of tokens, and of tokens × the requests before them.
#[derive(Clone, Copy, Debug, Default)]
struct Repeated {
    tokens: u64,
    tokens_before: u64,
    saved: u64,
    saved_before: u64,
}

impl Repeated {
    fn add(&mut self, outcome: &Outcome, requests: u64) {
        self.tokens += outcome.tokens;
        self.tokens_before += outcome.tokens * requests;
        self.saved += outcome.best();
        self.saved_before += outcome.best() * requests;
    }
}

/// The state of a file's session while it is read.
pub(crate) struct Session<'a> {
    source: Agent,
    simulator: &'a Simulator,
    cache: &'a Cache,
    totals: &'a mut Totals,
    calls: HashMap<String, Call>,
    conversations: HashMap<String, Conversation>,
    version: Option<String>,
    /// `true` if the file is only a part of a session.
    pub(crate) is_part: bool,
    /// The state of a reader from line to line.
    pub(crate) notes: Notes,
}

/// The state of a reader from line to line.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    /// Codex: results as their servers sent them, by call.
    pub(crate) originals: HashMap<String, Value>,
    /// Codex: `true` after a record of usage, which then replaces the older counts.
    pub(crate) has_records: bool,
    /// Codex: `total_tokens` of the last event of usage; an equal one is the same request again.
    pub(crate) last_total: u64,
}

impl<'a> Session<'a> {
    pub(crate) fn new(
        source: Agent,
        simulator: &'a Simulator,
        cache: &'a Cache,
        totals: &'a mut Totals,
    ) -> Self {
        Session {
            source,
            simulator,
            cache,
            totals,
            calls: HashMap::new(),
            conversations: HashMap::new(),
            version: None,
            is_part: false,
            notes: Notes::default(),
        }
    }

    /// The version of the client, as the session says it.
    pub(crate) fn version(&mut self, version: &Value) {
        if let Some(version) = version.as_str()
            && self.version.as_deref() != Some(version)
        {
            self.version = Some(cut(version));
        }
    }

    /// A line, an element or a row that is no JSON.
    pub(crate) fn broken(&mut self) {
        self.totals.client(self.source).broken += 1;
    }

    /// A call whose result follows.
    pub(crate) fn call(&mut self, id: &Value, call: Call) {
        if self.calls.len() >= MOST_CALLS {
            self.calls.clear();
        }
        if let Some(id) = id.as_str() {
            self.calls.insert(id.to_owned(), call);
        }
    }

    /// The call that a result is of.
    pub(crate) fn called(&mut self, id: &Value) -> Option<Call> {
        self.calls.remove(id.as_str()?)
    }

    /// The model was asked. `id` is the same in copies of a session.
    pub(crate) fn asked(&mut self, conversation: &str, id: Option<&str>, usage: Usage) {
        if id.is_some_and(|id| !self.cache.is_new_request(self.source, id)) {
            return;
        }
        let own = self.conversation(conversation);
        own.requests += 1;
        own.usage(usage);
    }

    /// The usage of a request that was told before.
    pub(crate) fn used(&mut self, conversation: &str, usage: Usage) {
        self.conversation(conversation).usage(usage);
    }

    /// The context that the client itself counted.
    pub(crate) fn context(&mut self, conversation: &str, tokens: &Value) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let tokens = tokens.as_f64().map_or(0, |tokens| tokens.clamp(0.0, 1e9) as u64);
        let own = self.conversation(conversation);
        own.peak = own.peak.max(tokens);
    }

    /// The conversation was summarized: what was in the context is not sent any more.
    pub(crate) fn compacted(&mut self, conversation: &str) {
        if let Some(own) = self.conversations.remove(conversation) {
            end(self.source, own, self.totals);
        }
    }

    /// A result of a shape that is not known.
    pub(crate) fn odd(&mut self) {
        self.totals.client(self.source).odd += 1;
    }

    /// A result.
    pub(crate) fn result(
        &mut self,
        conversation: &str,
        id: &Value,
        call: Option<Call>,
        result: &ToolResult<'_>,
    ) {
        let call = call.unwrap_or_else(|| Call::own("(unknown)", &Value::Null));
        let outcome = self.cache.outcome(self.simulator, self.source, &call, result);
        let key = (self.source, call.server.as_deref().map(cut), cut(&call.tool));
        let key = self.totals.fitting(key);
        let id = id.as_str().unwrap_or_default();
        let is_new = id.is_empty() || self.cache.is_new_result(self.source, id, result);
        if is_new {
            self.totals.result(&key, &outcome);
            if self.simulator.shows {
                self.totals.sample(&key, &outcome, result);
            }
        } else {
            self.totals.client(self.source).copies += 1;
        }
        let own = self.conversation(conversation);
        own.once += if is_new { outcome.tokens } else { 0 };
        if own.rows.len() < MOST_ROWS || own.rows.contains_key(&key) {
            own.rows.entry(key).or_default().add(&outcome, own.requests);
        }
    }

    fn conversation(&mut self, name: &str) -> &mut Conversation {
        if !self.conversations.contains_key(name) && self.conversations.len() >= MOST_CALLS {
            self.end_all();
        }
        self.conversations.entry(name.to_owned()).or_default()
    }

    fn end_all(&mut self) {
        for (_, own) in self.conversations.drain() {
            end(self.source, own, self.totals);
        }
    }

    /// Adds what is only known at the end.
    pub(crate) fn end(mut self) {
        self.end_all();
        let client = self.totals.client(self.source);
        client.sessions += u64::from(!self.is_part);
        if let Some(version) = self.version {
            *client.versions.entry(version).or_default() += 1;
        }
    }
}

/// The tokens of a prompt, by the provider's count.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// All of it, with what came from the cache.
    pub(crate) prompt: u64,
    pub(crate) cached: u64,
    /// `false` for a sum over several requests.
    pub(crate) is_one: bool,
}

impl Usage {
    /// The usage of one request: these members of an object, added, and what came from the cache.
    pub(crate) fn of(value: &Value, prompt: &[&str], cached: &str) -> Self {
        let count = |path: &str| value.pointer(path).and_then(Value::as_u64).unwrap_or(0);
        // More than any model takes is no count.
        let prompt = prompt.iter().map(|path| count(path).min(1 << 40)).sum();
        Usage { prompt, cached: count(cached).min(prompt), is_one: true }
    }
}

impl Conversation {
    fn usage(&mut self, usage: Usage) {
        self.prompts += usage.prompt;
        self.cached += usage.cached;
        if usage.is_one {
            self.peak = self.peak.max(usage.prompt);
        }
    }
}

fn end(source: Agent, own: Conversation, totals: &mut Totals) {
    let mut sent = 0;
    for (key, sums) in own.rows {
        let again = (sums.tokens * own.requests).saturating_sub(sums.tokens_before);
        let saved = (sums.saved * own.requests).saturating_sub(sums.saved_before);
        totals.again(&key, again, saved);
        sent += again;
    }
    let client = totals.client(source);
    client.requests += own.requests;
    client.prompts += own.prompts;
    client.cached += own.cached;
    if own.prompts > 0 {
        client.sent_of_prompts += sent;
    }
    if own.peak > 0 {
        client.once += own.once;
        // A client may forget results, and providers count in another way.
        client.contexts += own.peak.max(own.once);
    }
}

/// A name that is not longer than names are.
fn cut(name: &str) -> String {
    name.chars().take(MOST_NAME).collect()
}
