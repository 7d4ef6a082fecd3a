//! A session as the model saw it: which results it got, and what they cost of its input.

use std::collections::HashMap;

use serde_json::Value;

use crate::agents::Agent;
use crate::audit::bill::{Bill, Conversation, Input, Usage};
use crate::audit::cache::Cache;
use crate::audit::call::{Call, ToolResult};
use crate::audit::simulate::Simulator;
use crate::audit::totals::Totals;

/// The most calls that wait for their results, and conversations of one file, in memory.
const MOST_CALLS: usize = 10_000;
const MOST_NAME: usize = 100;

/// The state of a file's session while it is read.
pub(crate) struct Session<'a> {
    source: Agent,
    simulator: &'a Simulator,
    cache: &'a Cache,
    totals: &'a mut Totals,
    calls: HashMap<String, Call>,
    conversations: HashMap<String, Conversation>,
    input: Input,
    /// All of its input, where it is recorded only as a sum.
    sum: Option<Bill>,
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
            input: Input::default(),
            sum: None,
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
        let before = self.conversation(conversation).asked();
        self.add(before);
        self.used(conversation, usage);
    }

    /// The usage of a request that was told before.
    pub(crate) fn used(&mut self, conversation: &str, usage: Usage) {
        let told = self.conversation(conversation).told(usage);
        self.add(told);
    }

    /// The usage of all requests that were told before, or of some of them.
    pub(crate) fn used_in_all(&mut self, usage: Usage) {
        *self.sum.get_or_insert_default() += Bill::of(usage, false);
    }

    /// The context that the client itself counted.
    pub(crate) fn context(&mut self, conversation: &str, tokens: &Value) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count")]
        let tokens = tokens.as_f64().map_or(0, |tokens| tokens.clamp(0.0, 1e9) as u64);
        let told = self.conversation(conversation).counted(tokens);
        self.add(told);
    }

    /// A text of a conversation whose usage is not recorded.
    pub(crate) fn text(&mut self, conversation: &str, text: &str) {
        let tokens = self.simulator.count(text);
        self.conversation(conversation).text(tokens);
    }

    fn add(&mut self, input: Option<Input>) {
        self.input += input.unwrap_or_default();
    }

    /// The conversation was summarized: what was in the context is not sent any more.
    pub(crate) fn compacted(&mut self, conversation: &str) {
        let last = self.conversations.remove(conversation).and_then(|mut own| own.estimated());
        self.add(last);
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
        self.conversation(conversation).result(outcome.tokens, outcome.best());
    }

    fn conversation(&mut self, name: &str) -> &mut Conversation {
        if !self.conversations.contains_key(name) && self.conversations.len() >= MOST_CALLS {
            self.end_all();
        }
        self.conversations.entry(name.to_owned()).or_default()
    }

    fn end_all(&mut self) {
        for (_, mut own) in self.conversations.drain() {
            self.input += own.estimated().unwrap_or_default();
        }
    }

    /// Adds what is only known at the end.
    pub(crate) fn end(mut self) {
        self.end_all();
        self.input.all = self.sum.unwrap_or(self.input.all);
        let client = self.totals.client(self.source);
        client.input += self.input;
        client.sessions += u64::from(!self.is_part);
        if let Some(version) = self.version {
            *client.versions.entry(version).or_default() += 1;
        }
    }
}

/// A name that is not longer than names are.
fn cut(name: &str) -> String {
    name.chars().take(MOST_NAME).collect()
}
