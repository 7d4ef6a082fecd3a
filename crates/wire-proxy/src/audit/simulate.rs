//! What the hook and the proxy would save on a result, with all formats and with each one alone.

use serde_json::{Value, json};
use wire_mcp::{CallRecord, Format, Left, Options, Structured, rewrite};
use wire_tokens::{Counter, TokenCounter};

use crate::agents::Agent;
use crate::audit::cache::CachedCounter;
use crate::audit::call::{Call, ToolResult};
use crate::audit::options::Audit;
use crate::hook::{self, HookSettings, Past, Reason, made, rewritten};
use crate::options::Options as Own;
use crate::options::file;
use crate::options::names::{Choice, NamePattern};

/// What the report says of results that are rewritten, or that no hook can replace.
pub(crate) const REWRITTEN: &str = "rewritten";
const NO_HOOK: &str = "the client's own tool, and no hook of it can replace an output";

/// What the report says of a result that stays as it is.
fn sentence(reason: &Reason) -> &'static str {
    match reason {
        Reason::Tool(_) => "a tool whose output is never touched",
        Reason::Command(_) => "not a command that lists JSON",
        Reason::Failed => "an error",
        Reason::Result(Left::Cut, _) => "the client cut it",
        Reason::Result(Left::Policy | Left::Named, _) => "an option keeps it",
        Reason::Result(Left::File, _) => "its tool reads a file, by its name",
        Reason::Result(Left::LongText, _) => {
            "its tool reads something, by its name, and it has long text"
        }
        Reason::Result(Left::DataFile, _) => "its call names a data file",
        Reason::Result(Left::Quoted, _) => "most of it is one text",
        Reason::Result(Left::NoJson, _) => "no JSON in it",
        Reason::Result(Left::Copied, _) => "a page or a program with JSON in it",
        Reason::Result(Left::NoFewer, _) => "no form has fewer tokens",
        _ => "not of a shape that is rewritten",
    }
}

/// The most characters of what decided: a session may name a tool or an argument at any length.
const MOST_DECIDED: usize = 200;

/// The words, the argument or the text that decided, if one did.
fn decided(reason: &Reason) -> Option<Box<str>> {
    match reason {
        Reason::Result(Left::File | Left::LongText | Left::DataFile | Left::Quoted, by) => {
            Some(by.chars().take(MOST_DECIDED).collect())
        }
        _ => None,
    }
}

/// What would become of a result.
#[derive(Clone, Debug)]
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
    /// Tokens that would be saved if neither a name nor an argument kept the result.
    pub(crate) named: u64,
    /// Why it stays, or [`REWRITTEN`].
    pub(crate) why: &'static str,
    /// What decided that: the words of a name, an argument or a text.
    pub(crate) decided: Option<Box<str>>,
}

impl Outcome {
    /// The most that is saved.
    pub(crate) fn best(&self) -> u64 {
        self.hook.max(self.proxy)
    }
}

/// The tokens that a result saves.
fn saved(record: &CallRecord) -> u64 {
    record.view.map_or(0, |tokens| tokens.came.saturating_sub(tokens.went) as u64)
}

/// Settings for one form, or all, with a record of each result.
struct Forms {
    hook: HookSettings,
    dropping: Options,
}

/// The hook and the proxy, with the settings of each way to use them.
pub(crate) struct Simulator {
    pub(crate) counter: Counter,
    counts: CachedCounter,
    /// `true` if contents may be shown.
    pub(crate) shows: bool,
    all: Forms,
    each: Vec<Forms>,
    /// With `not-verbatim` for every tool.
    unnamed: Forms,
}

impl Simulator {
    pub(crate) fn new(options: &Audit) -> Result<Self, String> {
        let arguments =
            Own { config: options.config.clone(), counter: options.counter, ..Own::default() };
        let config = file::read(options.config.as_deref())?;
        let counter = file::counter(&config, &arguments);
        let counts = CachedCounter::new(counter);
        let forms = |arguments: Own| -> Result<Forms, String> {
            let mut hook = hook::settings_of(config.clone(), &arguments)?;
            hook.options = hook.options.statistics(true).counter(counts.clone());
            let dropping = hook.options.clone().structured(Structured::Drop);
            Ok(Forms { hook, dropping })
        };
        let alone = |format: &Format| {
            let formats = Some(vec![Choice(*format)]);
            forms(Own { formats, ..arguments.clone() })
        };
        let each = [Format::Json, Format::Gcf, Format::Gcx].iter().map(alone);
        let each = each.collect::<Result<_, _>>()?;
        let everything = vec![NamePattern("*".to_owned())];
        let unnamed = forms(Own { not_verbatim: everything, ..arguments.clone() })?;
        let all = forms(arguments)?;
        Ok(Simulator { counter, counts, shows: options.show, all, each, unnamed })
    }

    /// The tokens of a text.
    pub(crate) fn count(&self, text: &str) -> u64 {
        self.counts.count(text) as u64
    }

    /// What would become of the result of a call.
    pub(crate) fn outcome(&self, source: Agent, call: &Call, result: &ToolResult<'_>) -> Outcome {
        let tokens = result.seen.iter().map(|text| self.count(text)).sum();
        let mut outcome = Outcome {
            tokens,
            forms: [0; 3],
            hook: 0,
            proxy: 0,
            drops: false,
            named: 0,
            why: NO_HOOK,
            decided: None,
        };
        if result.is_failed || result.is_cut {
            let reason = if result.is_failed {
                Reason::Failed
            } else {
                Reason::Result(Left::Cut, String::new())
            };
            outcome.why = sentence(&reason);
            return outcome;
        }
        let again = Replay { source, call, result };
        let hook = again.by_hook(&self.all);
        let dropped = again.by_dropping(&self.all);
        let kept = if hook.is_none() { again.by_proxy(&self.all) } else { None };
        if let Some(Ok(saved)) = hook {
            outcome.hook = saved;
        }
        if let Some(Ok(saved)) = kept {
            outcome.proxy = saved;
        }
        // A server's texts go through the proxy as the hook gets them.
        if call.server.is_some() && hook.is_some() && result.structured.is_none() {
            outcome.proxy = if result.hides_texts { 0 } else { outcome.hook };
        }
        if let Some(saved) = dropped.filter(|saved| *saved > outcome.proxy) {
            (outcome.proxy, outcome.drops) = (saved, true);
        }
        let by = |forms: &Forms| {
            if outcome.drops && outcome.proxy > outcome.hook {
                return again.by_dropping(forms).unwrap_or(0);
            }
            let found = again.by_hook(forms).or_else(|| again.by_proxy(forms));
            found.and_then(Result::ok).unwrap_or(0)
        };
        if outcome.best() > 0 {
            let each: Vec<u64> = self.each.iter().map(by).collect();
            outcome.forms.copy_from_slice(&each);
            outcome.why = REWRITTEN;
        } else if let Some(found) = hook.or(kept) {
            let reason = found.err().unwrap_or(Reason::Result(Left::NoFewer, String::new()));
            outcome.why = sentence(&reason);
            if matches!(&reason, Reason::Result(left, _) if left.is_by_name() || *left == Left::Policy)
            {
                outcome.named = by(&self.unnamed);
            }
            outcome.decided = decided(&reason);
        }
        outcome
    }
}

/// A result that is rewritten again, as the hook or the proxy would have.
#[derive(Clone, Copy)]
struct Replay<'a> {
    source: Agent,
    call: &'a Call,
    result: &'a ToolResult<'a>,
}

impl Replay<'_> {
    /// The tokens that the hook of the agent saves; `None` if there is none.
    fn by_hook(self, forms: &Forms) -> Option<Result<u64, Reason>> {
        let Replay { source, call, result } = self;
        let past = Past {
            tool: &call.name,
            is_mcp: call.server.is_some(),
            command: call.command.as_deref().unwrap_or_default(),
            file: call.file.as_ref(),
            text: result.seen.concat(),
            blocks: self.blocks(),
            is_text: result.hides_texts && result.seen.len() == 1,
        };
        let event = made(source, &past)?.to_string();
        let mut records = Vec::new();
        let answer = rewritten(source, &event, &forms.hook, &mut records);
        Some(answer.map(|_| records.iter().map(saved).sum()))
    }

    /// The same by the proxy, which leaves `structuredContent`.
    fn by_proxy(self, forms: &Forms) -> Option<Result<u64, Reason>> {
        self.call.server.as_ref()?;
        let tools = [&*self.call.tool];
        let call = wire_mcp::Call::of(&tools).client(&*self.source.row().client);
        let arguments = self.arguments();
        let call = call.shown(self.source.shows().0).arguments(&arguments);
        let output = rewrite(&forms.hook.options, &call, &self.as_sent().to_string());
        let saved = output.record.as_ref().map_or(0, saved);
        let why = output.record.and_then(|record| record.why()).unwrap_or_default();
        Some(output.result.map(|_| saved).map_err(|left| Reason::Result(left, why)))
    }

    /// The same if `structuredContent` is dropped where the text says it.
    fn by_dropping(self, forms: &Forms) -> Option<u64> {
        self.call.server.as_ref().filter(|_| self.result.structured.is_some())?;
        let tools = [&*self.call.tool];
        let arguments = self.arguments();
        let call = wire_mcp::Call::of(&tools).client(&*self.source.row().client);
        let call = call.without_schema().arguments(&arguments);
        let record = rewrite(&forms.dropping, &call, &self.as_sent().to_string()).record;
        record.as_ref().map(saved)
    }

    /// The argument of the call that decides.
    fn arguments(self) -> String {
        self.call.file.clone().into_iter().collect::<Value>().to_string()
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
}
