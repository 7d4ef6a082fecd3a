//! Rewriting a result of `tools/call` (rulings M2 to M5).

use wire_core::TokenCounter;

use crate::candidates::{Choice, Original, cheapest};
use crate::content::{Content, Text};
use crate::json::{Json, quoted};
use crate::raw::range;
use crate::record::{CallRecord, Tokens};
use crate::splice::Edit;
use crate::{Format, Limits};

/// How a result is rewritten.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) tool: &'a str,
    pub(crate) client: Option<&'a str>,
    pub(crate) counter: &'a dyn TokenCounter,
    pub(crate) limits: &'a Limits,
    /// The forms that are tried.
    pub(crate) formats: &'a [Format],
    /// Whether anything may be rewritten.
    pub(crate) rewrites: bool,
    /// Whether `structuredContent` may be dropped.
    pub(crate) drops: bool,
    pub(crate) keeps_statistics: bool,
}

/// The edits of a frame for a result in it, and what was counted.
pub(crate) fn rewrite(frame: &str, result: &str, job: Job<'_>) -> (Vec<Edit>, Option<CallRecord>) {
    let Some(content) = Content::read(result) else { return (Vec::new(), None) };
    if content.bytes() > job.limits.text_bytes {
        return (Vec::new(), None);
    }
    let plan = if job.rewrites && content.is_complete { plan(&content, job) } else { None };
    let edits = plan.as_ref().map_or_else(Vec::new, |plan| edits(frame, &content, plan));
    let record = job.keeps_statistics.then(|| record(&content, plan.as_ref(), job));
    (edits, record)
}

/// What becomes of the blocks of a result.
struct Plan {
    /// Of each text; `None` for those that are not JSON.
    single: Vec<Option<Choice>>,
    /// Of all texts as one, where they become that.
    merged: Option<Choice>,
    drops: bool,
}

fn plan(content: &Content<'_>, job: Job<'_>) -> Option<Plan> {
    let Job { counter, tool, formats, .. } = job;
    let structured = content.structured.map(Structured::read);
    if structured.as_ref().is_some_and(Structured::is_verbatim) {
        return None;
    }
    let values: Vec<Option<Json<'_>>> = content.texts.iter().map(Text::value).collect();
    let choose = |(text, value): (&Text<'_>, &Option<Json<'_>>)| {
        let original = Original { text: Some(&text.value), tokens: text.tokens(counter) };
        Some(cheapest(original, value.as_ref()?, formats, tool, counter))
    };
    let single: Vec<_> = content.texts.iter().zip(&values).map(choose).collect();
    let merge = |list: &Json<'_>| {
        let tokens = content.texts.iter().map(|text| text.tokens(counter)).sum();
        cheapest(Original { text: None, tokens }, list, formats, tool, counter)
    };
    let may_drop = structured.as_ref().filter(|_| job.drops);
    let mut plan = Plan { single, merged: None, drops: false };
    match &*content.texts {
        [text] => {
            let Some(structured) = may_drop else { return Some(plan) };
            let went = plan.went(content, counter);
            if let Some(said) = structured.said_by(text) {
                let own = values[0].as_ref().zip(plan.single[0].as_ref());
                let minified = own
                    .filter(|(value, _)| value.minified() == said.minified())
                    .map(|(_, choice)| choice.minified);
                plan.drops = structured.is_no_cheaper(went, minified, counter);
            } else if let Some(list) = structured.list_of(content) {
                // The block becomes a list of one, which is the proof, and uses no more tokens than
                // it has itself.
                let merged = merge(list);
                let least = plan.single[0].as_ref().map_or(went, |choice| choice.minified);
                let minified = Some(merged.minified);
                if merged.text.is_some()
                    && merged.tokens <= least
                    && structured.is_no_cheaper(merged.tokens, minified, counter)
                {
                    plan.merged = Some(merged);
                    plan.drops = true;
                }
            }
        }
        [_, _, ..] if content.is_bare => {
            let proven = structured.as_ref().and_then(|structured| structured.list_of(content));
            let of_values = || values.iter().cloned().collect::<Option<_>>().map(Json::Array);
            let list = proven.cloned().or_else(of_values);
            let merged = list.as_ref().map(merge);
            let minified = merged.as_ref().map(|merged| merged.minified);
            let is_cheaper = |merged: &Choice| {
                merged.text.is_some() && merged.tokens < plan.went(content, counter)
            };
            plan.merged = merged.filter(is_cheaper);
            if let (Some(structured), Some(_)) = (may_drop, proven) {
                let went = plan.went(content, counter);
                plan.drops = structured.is_no_cheaper(went, minified, counter);
            }
        }
        _ => {}
    }
    Some(plan)
}

impl Plan {
    /// The tokens of all texts as they go out.
    fn went(&self, content: &Content<'_>, counter: &dyn TokenCounter) -> usize {
        if let Some(merged) = &self.merged {
            return merged.tokens;
        }
        let texts = content.texts.iter().zip(&self.single);
        texts
            .map(|(text, choice)| {
                choice.as_ref().map_or_else(|| text.tokens(counter), |choice| choice.tokens)
            })
            .sum()
    }

    /// What is written instead of texts.
    fn written(&self) -> impl Iterator<Item = Format> {
        let singles = self.single.iter().flatten().filter(|_| self.merged.is_none());
        singles.chain(&self.merged).filter_map(|choice| Some(choice.text.as_ref()?.0))
    }
}

/// `structuredContent`, as it is written and as a value. A value that can't be read proves nothing.
struct Structured<'a> {
    raw: &'a str,
    value: Option<Json<'a>>,
}

impl<'a> Structured<'a> {
    fn read(raw: &'a str) -> Self {
        Structured { raw, value: Json::parse(raw) }
    }

    fn is_verbatim(&self) -> bool {
        self.value.as_ref().is_some_and(Json::is_verbatim)
    }

    /// What a text can say in its place: itself, or its only member `result`.
    fn sayable(&self) -> impl Iterator<Item = &Json<'a>> {
        let result = self.value.as_ref().and_then(|value| value.only_member("result"));
        [self.value.as_ref(), result].into_iter().flatten()
    }

    /// What of it this text says.
    fn said_by(&self, text: &Text<'_>) -> Option<&Json<'a>> {
        self.sayable().find(|value| text.says(value))
    }

    /// The list whose items the blocks of a result are.
    fn list_of(&self, content: &Content<'_>) -> Option<&Json<'a>> {
        self.sayable().filter(|_| content.is_bare).find(|value| {
            let Json::Array(items) = value else { return false };
            items.len() == content.texts.len()
                && items.iter().zip(&content.texts).all(|(item, text)| text.says(item))
        })
    }

    /// Whether it uses at least so many tokens, as it is and minified. `minified` are those of what
    /// is said as minified JSON, where they are known; in most cases nothing else is counted.
    fn is_no_cheaper(
        &self,
        went: usize,
        minified: Option<usize>,
        counter: &dyn TokenCounter,
    ) -> bool {
        minified.is_some_and(|minified| went <= minified)
            || (went <= counter.count(self.raw)
                && self
                    .value
                    .as_ref()
                    .is_some_and(|value| went <= counter.count(&value.minified())))
    }
}

fn edits(frame: &str, content: &Content<'_>, plan: &Plan) -> Vec<Edit> {
    let mut edits = Vec::new();
    if let Some((_, written)) = plan.merged.as_ref().and_then(|merged| merged.text.as_ref()) {
        let (first, last) = (content.blocks[0], content.blocks[content.blocks.len() - 1]);
        edits.push(Edit { range: range(frame, content.texts[0].raw), text: quoted(written) });
        edits.push(Edit::cut(range(frame, first).end..range(frame, last).end));
    } else {
        edits.extend(content.texts.iter().zip(&plan.single).filter_map(|(text, choice)| {
            let (_, written) = choice.as_ref()?.text.as_ref()?;
            Some(Edit { range: range(frame, text.raw), text: quoted(written) })
        }));
    }
    if let Some(cut) = content.members.cut("structuredContent").filter(|_| plan.drops) {
        edits.push(Edit::cut(range(frame, cut)));
    }
    edits
}

fn record(content: &Content<'_>, plan: Option<&Plan>, job: Job<'_>) -> CallRecord {
    let counter = job.counter;
    let came = content.texts.iter().map(|text| text.tokens(counter)).sum();
    let minified =
        |(at, text): (usize, &Text<'_>)| match plan.and_then(|plan| plan.single[at].as_ref()) {
            Some(choice) => choice.minified,
            None => match text.value() {
                Some(value) => counter.count(&value.minified()),
                None => text.tokens(counter),
            },
        };
    let minified = content.texts.iter().enumerate().map(minified).sum();
    let went = plan.map_or(came, |plan| plan.went(content, counter));
    let drops = plan.is_some_and(|plan| plan.drops);
    let structured = content.structured.map(|raw| {
        let came = counter.count(raw);
        let json = Json::parse(raw).map(|value| value.minified()).filter(|json| json != raw);
        let minified = json.map_or(came, |json| counter.count(&json));
        Tokens { came, minified, went: if drops { went } else { came } }
    });
    let mut formats: Vec<Format> = plan.into_iter().flat_map(Plan::written).collect();
    formats.sort_unstable();
    formats.dedup();
    CallRecord {
        tool: job.tool.to_owned(),
        client: job.client.map(str::to_owned),
        formats,
        content: Tokens { came, minified, went },
        structured,
        merged: plan.is_some_and(|plan| plan.merged.is_some()),
        dropped: drops,
    }
}
