//! Rewriting a result of `tools/call` (rulings M2 to M5).

use std::cell::OnceCell;
use std::slice;

use wire_core::TokenCounter;

use crate::candidates::{Written, cheapest};
use crate::content::{Content, Text};
use crate::json::{Json, quoted_in_frame};
use crate::raw::range;
use crate::reading::{Reading, costs};
use crate::record::{CallRecord, Tokens};
use crate::splice::Edit;
use crate::{Format, Limits};

/// The settings for rewriting a result.
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

impl Job<'_> {
    fn cheapest(&self, value: &Json<'_>, came: Option<&Reading<'_>>) -> Option<Written> {
        cheapest(value, came, self.formats, self.tool, self.counter)
    }

    /// The replacement of a text, if there is one.
    fn single(&self, text: &Reading<'_>) -> Option<Written> {
        self.cheapest(text.value()?, Some(text))
    }
}

/// The edits of a frame for a result in it, and what was counted.
pub(crate) fn rewrite(frame: &str, result: &str, job: Job<'_>) -> (Vec<Edit>, Option<CallRecord>) {
    let Some(content) = Content::read(result) else { return (Vec::new(), None) };
    if content.bytes() > job.limits.text_bytes {
        return (Vec::new(), None);
    }
    let texts: Vec<Reading<'_>> = content.texts.iter().map(Reading::new).collect();
    // Counted first, so that nothing is counted twice.
    let before = job.keeps_statistics.then(|| before(&texts, job.counter));
    let plan = if job.rewrites && content.is_complete { plan(&content, &texts, job) } else { None };
    let edits = plan.as_ref().map_or_else(Vec::new, |plan| edits(frame, &content, plan));
    let record = before.map(|before| record(&content, &texts, plan.as_ref(), before, job));
    (edits, record)
}

/// The replacements of the texts of a result.
enum Texts {
    /// The replacement of each text; `None` for texts that are not changed.
    Each(Vec<Option<Written>>),
    /// The replacement of all of them.
    Merged(Written),
}

/// The changes of a result.
struct Plan {
    texts: Texts,
    drops: bool,
}

fn plan(content: &Content<'_>, texts: &[Reading<'_>], job: Job<'_>) -> Option<Plan> {
    let structured = content.structured.map(Structured::new);
    if structured.as_ref().is_some_and(Structured::is_verbatim) {
        return None;
    }
    let structured = structured.as_ref();
    Some(match texts {
        [text] => plan_of_one(content, text, structured.filter(|_| job.drops), job),
        [_, _, ..] if content.is_bare => plan_of_many(content, texts, structured, job),
        _ => {
            let each = texts.iter().map(|text| job.single(text)).collect();
            Plan { texts: Texts::Each(each), drops: false }
        }
    })
}

/// The plan for a result with one text, whose `structuredContent` may be dropped, if it is given.
fn plan_of_one(
    content: &Content<'_>,
    text: &Reading<'_>,
    structured: Option<&Structured<'_>>,
    job: Job<'_>,
) -> Plan {
    let counter = job.counter;
    let list = structured.and_then(|structured| structured.list_of(content, slice::from_ref(text)));
    if let (Some(structured), Some(list)) = (structured, list) {
        // The block becomes a list of one, which equals `structuredContent`, if that uses no more
        // tokens than the block itself.
        let merged = job.cheapest(list, None).filter(|merged| {
            text.costs(merged.tokens, counter) && structured.costs(merged.tokens, counter)
        });
        if let Some(merged) = merged {
            return Plan { texts: Texts::Merged(merged), drops: true };
        }
    }
    let each = Texts::Each(vec![job.single(text)]);
    let said = structured.filter(|structured| structured.is_said_by(text));
    let drops =
        said.is_some_and(|said| said.costs(each.tokens(slice::from_ref(text), counter), counter));
    Plan { texts: each, drops }
}

/// The plan for a result of several blocks, all of them texts.
fn plan_of_many(
    content: &Content<'_>,
    texts: &[Reading<'_>],
    structured: Option<&Structured<'_>>,
    job: Job<'_>,
) -> Plan {
    let proven = structured.and_then(|structured| structured.list_of(content, texts));
    let list = match structured {
        Some(_) => proven.cloned(),
        None => rows_of(texts),
    };
    let merged = list.and_then(|list| job.cheapest(&list, None));
    let most = merged.as_ref().map_or(usize::MAX, |merged| merged.tokens);
    let texts_out = match (each(texts, most, job), merged) {
        (None, Some(merged)) => Texts::Merged(merged),
        (each, _) => Texts::Each(each.unwrap_or_default()),
    };
    let said = structured.filter(|_| job.drops && proven.is_some());
    let drops =
        said.is_some_and(|said| said.costs(texts_out.tokens(texts, job.counter), job.counter));
    Plan { texts: texts_out, drops }
}

/// The list whose rows are the texts, for results without `structuredContent`: objects with the
/// same names in the same order, and with at least one name.
fn rows_of<'t>(texts: &[Reading<'t>]) -> Option<Json<'t>> {
    let rows: Vec<Json<'t>> =
        texts.iter().map(|text| text.value().cloned()).collect::<Option<_>>()?;
    let (first, others) = rows.split_first()?;
    let is_row = |row: &Json<'_>| row.names().zip(first.names()).is_some_and(|(a, b)| a.eq(b));
    let are_rows = first.names()?.next().is_some() && others.iter().all(is_row);
    are_rows.then_some(Json::Array(rows))
}

/// The replacement of each text. `None` as soon as all of them use more tokens than this.
fn each(texts: &[Reading<'_>], most: usize, job: Job<'_>) -> Option<Vec<Option<Written>>> {
    let mut tokens = 0;
    let one = |text: &Reading<'_>| {
        let written = job.single(text);
        tokens += went(text, written.as_ref(), job.counter);
        (tokens <= most).then_some(written)
    };
    texts.iter().map(one).collect()
}

fn went(text: &Reading<'_>, written: Option<&Written>, counter: &dyn TokenCounter) -> usize {
    written.map_or_else(|| text.tokens(counter), |written| written.tokens)
}

impl Texts {
    /// Their tokens as they go out.
    fn tokens(&self, texts: &[Reading<'_>], counter: &dyn TokenCounter) -> usize {
        match self {
            Texts::Merged(merged) => merged.tokens,
            Texts::Each(each) => texts
                .iter()
                .zip(each)
                .map(|(text, written)| went(text, written.as_ref(), counter))
                .sum(),
        }
    }

    /// The texts that are written.
    fn written(&self) -> impl Iterator<Item = &Written> {
        let (each, merged) = match self {
            Texts::Each(each) => (&**each, None),
            Texts::Merged(merged) => (&[][..], Some(merged)),
        };
        each.iter().flatten().chain(merged)
    }
}

/// `structuredContent`, as it is written and as a value. A value that can't be read proves nothing.
struct Structured<'a> {
    raw: &'a str,
    value: OnceCell<Option<Json<'a>>>,
}

impl<'a> Structured<'a> {
    fn new(raw: &'a str) -> Self {
        Structured { raw, value: OnceCell::new() }
    }

    fn value(&self) -> Option<&Json<'a>> {
        self.value.get_or_init(|| Json::parse(self.raw)).as_ref()
    }

    /// Whether it is `{"content": "<text>"}`, or says that, or a list of it, by its only member.
    fn is_verbatim(&self) -> bool {
        // Most have no such member; this check does not parse their value.
        let may_wrap = self.raw.contains("\"content\"") || self.raw.contains("\\u");
        may_wrap && self.sayable().any(Json::is_verbatim)
    }

    /// The values that a text can represent instead: itself, or its only member `result`.
    fn sayable(&self) -> impl Iterator<Item = &Json<'a>> {
        let result = self.value().and_then(|value| value.only_member("result"));
        [self.value(), result].into_iter().flatten()
    }

    /// Whether this text says it.
    fn is_said_by(&self, text: &Reading<'_>) -> bool {
        self.sayable().any(|value| text.says(value))
    }

    /// The list whose items the blocks of a result are.
    fn list_of(&self, content: &Content<'_>, texts: &[Reading<'_>]) -> Option<&Json<'a>> {
        self.sayable().filter(|_| content.is_bare).find(|value| {
            let Json::Array(items) = value else { return false };
            items.len() == texts.len()
                && items.iter().zip(texts).all(|(item, text)| text.says(item))
        })
    }

    /// Whether it uses at least this many tokens, both unchanged and minified.
    fn costs(&self, tokens: usize, counter: &dyn TokenCounter) -> bool {
        costs(self.raw, None, tokens, counter)
            && self.value().is_some_and(|value| {
                let minified = value.minified();
                minified == self.raw || costs(&minified, None, tokens, counter)
            })
    }
}

fn edits(frame: &str, content: &Content<'_>, plan: &Plan) -> Vec<Edit> {
    let mut edits = Vec::new();
    let edit = |text: &Text<'_>, written: &Written| Edit {
        range: range(frame, text.raw),
        text: quoted_in_frame(&written.text),
    };
    match &plan.texts {
        Texts::Merged(merged) => {
            let (first, last) = (content.blocks[0], content.blocks[content.blocks.len() - 1]);
            edits.push(edit(&content.texts[0], merged));
            edits.push(Edit::cut(range(frame, first).end..range(frame, last).end));
        }
        Texts::Each(each) => {
            let pairs = content.texts.iter().zip(each);
            edits.extend(pairs.filter_map(|(text, written)| Some(edit(text, written.as_ref()?))));
        }
    }
    if let Some(cut) = content.members.cut("structuredContent").filter(|_| plan.drops) {
        edits.push(Edit::cut(range(frame, cut)));
    }
    edits
}

/// The tokens of texts as they came and minified, before it is known what goes out.
fn before(texts: &[Reading<'_>], counter: &dyn TokenCounter) -> Tokens {
    let came = texts.iter().map(|text| text.tokens(counter)).sum();
    let minified = texts.iter().map(|text| text.minified_tokens(counter)).sum();
    Tokens { came, minified, went: came }
}

fn record(
    content: &Content<'_>,
    texts: &[Reading<'_>],
    plan: Option<&Plan>,
    before: Tokens,
    job: Job<'_>,
) -> CallRecord {
    let counter = job.counter;
    let went = plan.map_or(before.came, |plan| plan.texts.tokens(texts, counter));
    let dropped = plan.is_some_and(|plan| plan.drops);
    let structured = content.structured.map(|raw| {
        let came = counter.count(raw);
        let json = Json::parse(raw).map(|value| value.minified()).filter(|json| json != raw);
        let minified = json.map_or(came, |json| counter.count(&json));
        Tokens { came, minified, went: if dropped { went } else { came } }
    });
    let written = plan.into_iter().flat_map(|plan| plan.texts.written());
    let mut formats: Vec<Format> = written.map(|written| written.format).collect();
    formats.sort_unstable();
    formats.dedup();
    CallRecord {
        tool: job.tool.to_owned(),
        client: job.client.map(str::to_owned),
        formats,
        content: Tokens { went, ..before },
        structured,
        merged: plan.is_some_and(|plan| matches!(plan.texts, Texts::Merged(_))),
        dropped,
    }
}
