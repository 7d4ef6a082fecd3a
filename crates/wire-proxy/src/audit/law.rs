//! Results under the law: as the hook and the proxy would rewrite it, with all
//! forms and with each alone.

use serde_json::{Value, json};
use wire_mcp::{Format, Left, Proxy, Structured};
use wire_tokens::{Counter, TokenCounter};

use crate::args;
use crate::audit::once::Once;
use crate::audit::session::{Call, ToolResult};
use crate::audit::source::Source;
use crate::config::{self, HookSettings};
use crate::hook::{Agent, Reason, rewritten};
use crate::names::{Choice, NamePattern};

/// Why a result stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Why {
    /// It does not stay.
    Saved,
    NoJson,
    NotFewer,
    Named,
    Untouched,
    Unlisted,
    NoHook,
    Cut,
    Failed,
    Unread,
}

impl Why {
    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Why::Saved => "rewritten",
            Why::NoJson => "no JSON in it",
            Why::NotFewer => "no form has fewer tokens",
            Why::Named => "a rule or the tool's name keeps it, as a file's text",
            Why::Untouched => "a tool whose output is never touched",
            Why::Unlisted => "not a command that lists JSON",
            Why::NoHook => "the client's own tool, and no hook of it can replace an output",
            Why::Cut => "the client cut it",
            Why::Failed => "an error",
            Why::Unread => "not of a shape that is rewritten",
        }
    }
}

/// A result under the law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    /// The tokens that the model saw.
    pub(crate) tokens: u64,
    /// Tokens that each form alone saves.
    pub(crate) forms: [u64; 3],
    /// Tokens that the hook saves.
    pub(crate) hook: u64,
    /// Tokens that the proxy saves, with `drop` where the session has `structuredContent`.
    pub(crate) proxy: u64,
    /// `true` if that is due to `drop`.
    pub(crate) drops: bool,
    /// Tokens that would be saved if the tool were not named like those that read files.
    pub(crate) named: u64,
    pub(crate) why: Why,
}

impl Outcome {
    /// The most that is saved.
    pub(crate) fn best(&self) -> u64 {
        self.hook.max(self.proxy)
    }
}

/// Settings for one form, or all, with a record of each result.
struct Forms {
    hook: HookSettings,
    arguments: args::Options,
}

/// The law with its settings.
pub(crate) struct Law {
    pub(crate) counter: Counter,
    once: Once,
    /// `true` if contents may be shown.
    pub(crate) shows: bool,
    config: args::Options,
    all: Forms,
    each: Vec<Forms>,
    /// Without the patterns of tools that read files.
    unnamed: Forms,
}

impl Law {
    pub(crate) fn new(options: &args::Audit) -> Result<Self, String> {
        let arguments = args::Options {
            config: options.config.clone(),
            counter: options.counter,
            ..args::Options::default()
        };
        let config = config::read(options.config.as_deref())?;
        let counter = config::counter(&config, &arguments);
        let once = Once::new(counter);
        let forms = |arguments: args::Options| -> Result<Forms, String> {
            let mut hook = config::hook_settings_of(config.clone(), &arguments)?;
            hook.options = hook.options.statistics(true).counter(once.clone());
            Ok(Forms { hook, arguments })
        };
        let alone = |format: &Format| {
            let formats = Some(vec![Choice(*format)]);
            forms(args::Options { formats, ..arguments.clone() })
        };
        let each = [Format::Json, Format::Gcf, Format::Gcx].iter().map(alone);
        let each = each.collect::<Result<_, _>>()?;
        let everything = vec![NamePattern("*".to_owned())];
        let unnamed = forms(args::Options { not_verbatim: everything, ..arguments.clone() })?;
        let all = forms(arguments)?;
        Ok(Law { counter, once, shows: options.show, config, all, each, unnamed })
    }

    /// A result of a call under the law.
    pub(crate) fn outcome(&self, source: Source, call: &Call, result: &ToolResult<'_>) -> Outcome {
        let tokens = result.seen.iter().map(|text| self.once.count(text) as u64).sum();
        let mut outcome = Outcome {
            tokens,
            forms: [0; 3],
            hook: 0,
            proxy: 0,
            drops: false,
            named: 0,
            why: Why::NoHook,
        };
        if result.is_failed || result.is_cut {
            outcome.why = if result.is_failed { Why::Failed } else { Why::Cut };
            return outcome;
        }
        let ways = Ways { source, call, result };
        let hook = ways.by_hook(&self.all);
        let dropped = ways.by_dropping(self, &self.all);
        let kept = if hook.is_none() { ways.by_proxy(&self.all) } else { None };
        if let Some(found) = hook.or(kept) {
            match found {
                Ok(saved) if hook.is_some() => outcome.hook = saved,
                Ok(saved) => outcome.proxy = saved,
                Err(_) => {}
            }
            outcome.why = found.map_or_else(|why| why, |_| Why::Saved);
        }
        // A server's texts go through the proxy as the hook gets them.
        if call.server.is_some() && hook.is_some() && result.structured.is_none() {
            outcome.proxy = if result.hides_texts { 0 } else { outcome.hook };
        }
        if let Some(saved) = dropped.filter(|saved| *saved > outcome.proxy) {
            (outcome.proxy, outcome.drops, outcome.why) = (saved, true, Why::Saved);
        }
        let by = |forms: &Forms| {
            if outcome.drops && outcome.proxy > outcome.hook {
                return ways.by_dropping(self, forms).unwrap_or(0);
            }
            let found = ways.by_hook(forms).or_else(|| ways.by_proxy(forms));
            found.and_then(Result::ok).unwrap_or(0)
        };
        if outcome.best() > 0 {
            let each: Vec<u64> = self.each.iter().map(by).collect();
            outcome.forms.copy_from_slice(&each);
        } else if outcome.why == Why::Named {
            outcome.named = by(&self.unnamed);
        } else if outcome.why == Why::Saved {
            outcome.why = Why::NotFewer;
        }
        outcome
    }
}

/// The ways in which a result could be rewritten.
#[derive(Clone, Copy)]
struct Ways<'a> {
    source: Source,
    call: &'a Call,
    result: &'a ToolResult<'a>,
}

impl Ways<'_> {
    /// The tokens that the hook of the agent saves; `None` if there is none.
    fn by_hook(self, forms: &Forms) -> Option<Result<u64, Why>> {
        let agent = self.source.agent()?;
        let event = self.event(agent)?.to_string();
        let mut records = Vec::new();
        if let Err(reason) = rewritten(agent, &event, &forms.hook, &mut records) {
            return Some(Err(why(&reason)));
        }
        let views = records.iter().filter_map(|record| record.view);
        Some(Ok(views.map(|tokens| tokens.came.saturating_sub(tokens.went) as u64).sum()))
    }

    /// The same by the proxy, which leaves `structuredContent`.
    fn by_proxy(self, forms: &Forms) -> Option<Result<u64, Why>> {
        self.call.server.as_ref()?;
        let result = self.as_sent().to_string();
        let (shows, tools) = (self.source.shows().0, [&*self.call.tool]);
        let output = forms.hook.options.output(&result, &tools, self.source.info_name(), shows);
        if let Err(unchanged) = output.result {
            return Some(Err(why(&Reason::Output(unchanged))));
        }
        let view = output.record.and_then(|record| record.view);
        Some(Ok(view.map_or(0, |tokens| tokens.came.saturating_sub(tokens.went) as u64)))
    }

    /// The same if `structuredContent` is dropped where the text says it.
    fn by_dropping(self, law: &Law, forms: &Forms) -> Option<u64> {
        self.call.server.as_ref().filter(|_| self.result.structured.is_some())?;
        let options = config::options(&law.config, &forms.arguments, None).ok()?;
        let options = options.statistics(true).counter(law.once.clone());
        let proxy = Proxy::new(options.structured(Structured::Drop));
        let client = json!({"name": self.source.info_name(), "version": "1"});
        let asks = |id: u64, method: &str, parameters: Value| {
            let request =
                json!({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters});
            proxy.from_client(request.to_string().as_bytes());
        };
        let answers = |id: u64, result: Value| {
            let answer = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
            proxy.from_server(answer.as_bytes()).calls
        };
        asks(1, "initialize", json!({"protocolVersion": "2025-06-18", "clientInfo": client}));
        asks(2, "tools/list", json!({}));
        let tool = json!({"name": self.call.tool, "outputSchema": {"type": "object"}});
        answers(2, json!({"tools": [tool]}));
        asks(3, "tools/call", json!({"name": self.call.tool}));
        let tokens = answers(3, self.as_sent()).first()?.view?;
        Some(tokens.came.saturating_sub(tokens.went) as u64)
    }

    /// The texts of the server's blocks.
    fn blocks(self) -> Value {
        let texts = self.result.blocks.as_ref().unwrap_or(&self.result.seen);
        texts.iter().map(|text| json!({"type": "text", "text": text})).collect()
    }

    /// The result as the server sent it.
    fn as_sent(self) -> Value {
        let mut result = json!({"content": self.blocks()});
        if let Some(structured) = &self.result.structured {
            result["structuredContent"] = structured.as_ref().clone();
        }
        result
    }

    /// The input of the hook.
    fn event(self, agent: Agent) -> Option<Value> {
        let Ways { call, result, .. } = self;
        let is_mcp = call.server.is_some();
        let (name, command) = (&call.name, &call.command);
        let input = json!({"command": command.as_deref().unwrap_or_default()});
        let text = || result.seen.concat();
        Some(match agent {
            Agent::ClaudeCode => {
                let response = match result.seen.as_slice() {
                    _ if !is_mcp => {
                        json!({"stdout": text(), "stderr": "", "interrupted": false, "isImage": false})
                    }
                    [text] if result.hides_texts => json!(text),
                    _ => self.blocks(),
                };
                json!({"hook_event_name": "PostToolUse", "tool_name": name, "tool_input": input, "tool_response": response})
            }
            Agent::Copilot => {
                let own = json!({"resultType": "success", "textResultForLlm": text()});
                json!({"toolName": name, "toolArgs": input, "toolResult": own})
            }
            Agent::Opencode => {
                let own = if is_mcp {
                    json!({"content": self.blocks()})
                } else {
                    json!({"output": text(), "metadata": {"exit": 0, "truncated": false}})
                };
                json!({"version": 1, "tool": name, "args": input, "output": own})
            }
            Agent::Cline => {
                let own: Value = serde_json::from_str(&text()).ok()?;
                json!({"version": 1, "tool": name, "args": {}, "output": own})
            }
        })
    }
}

fn why(reason: &Reason) -> Why {
    match reason {
        Reason::Tool(_) => Why::Untouched,
        Reason::Command(_) => Why::Unlisted,
        Reason::Failed => Why::Failed,
        Reason::Cut | Reason::Output(Left::Cut) => Why::Cut,
        Reason::Output(Left::Named | Left::Policy) => Why::Named,
        Reason::Output(Left::NoJson) => Why::NoJson,
        Reason::Output(Left::NoFewer) => Why::NotFewer,
        _ => Why::Unread,
    }
}
