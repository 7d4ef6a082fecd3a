//! Rewriting a result of `tools/call` (rulings M2 to M5, M10, M11, M16 and M17).

use std::cell::LazyCell;
use std::iter;
use std::rc::Rc;
use std::slice;

use wire_core::TokenCounter;

use crate::candidates::{Measure, Written, smallest};
use crate::clients::Shows;
use crate::content::{Content, Text};
use crate::inside;
use crate::json::{self, Json, in_frame, names};
use crate::raw::range;
use crate::reading::Reading;
use crate::reads::Reads;
use crate::record::{CallRecord, Left, Tokens};
use crate::splice::Edit;
use crate::structured::Structured;
use crate::verbatim::{Values, is_long, is_quoted, kept};
use crate::view::{Answer, Out, Views};
use crate::{Format, Limits};

#[derive(Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
pub(crate) struct Job<'a> {
    pub(crate) tool: &'a str,
    pub(crate) client: Option<&'a str>,
    pub(crate) counter: &'a dyn TokenCounter,
    pub(crate) limits: &'a Limits,
    pub(crate) formats: &'a [Format],
    /// Why nothing may be rewritten, if nothing may.
    pub(crate) left: Option<Left>,
    /// What the tool reads, by its name; `None` if an option says that its results are data.
    pub(crate) reads: Option<&'a Reads>,
    /// The argument of the call that names a data file, in words.
    pub(crate) data_file: Option<&'a str>,
    /// `true` if `structuredContent` may be dropped.
    pub(crate) drops: bool,
    /// `true` if a result without a text gets that of `structuredContent`.
    pub(crate) writes_text: bool,
    /// `true` if the client sees an `outputSchema` of the tool.
    pub(crate) shows_schema: bool,
    /// The text that the client is known to show the model.
    pub(crate) shows: Option<&'a Shows>,
    /// `true` if nothing may be changed of which the client cuts a part, before or after.
    pub(crate) only_whole: bool,
    /// `true` if JSON inside of a text may be rewritten (rulings M12 and M19).
    pub(crate) opens_texts: bool,
    /// The characters of a result up to which Claude Code shows it, if the tool says them.
    pub(crate) shown_characters: Option<usize>,
    pub(crate) keeps_statistics: bool,
}

impl<'a> Job<'a> {
    /// The text that the client may show the model.
    fn views(&self) -> &'a [Shows] {
        self.shows.map_or_else(|| Shows::every(), slice::from_ref)
    }

    fn measure(&self) -> Measure<'a> {
        let escapes = self.shows.is_some_and(Shows::escapes);
        Measure { counter: self.counter, escapes, shared: &[] }
    }

    /// The same with minified JSON as the only form.
    fn in_json(self) -> Self {
        const JSON: &[Format] = &[Format::Json];
        let formats = if self.formats.contains(&Format::Json) { JSON } else { &[] };
        Job { formats, ..self }
    }

    fn smallest(&self, value: &Json<'_>, came: Option<&Reading<'_>>) -> Option<Written> {
        smallest(value, came, self.formats, self.tool, self.measure())
    }

    /// The replacement of a text, if there is one.
    fn single(&self, text: &Reading<'_>, at_lines_only: bool) -> Option<Written> {
        if let Some(unwrapped) = text.unwrapped().filter(|_| self.opens_texts && !self.shows_schema)
        {
            // What is wrapped twice stays.
            let is_again = unwrapped.json().is_some_and(|value| json::wrapped(value).is_some());
            let inner = if is_again { None } else { self.single(unwrapped, at_lines_only) };
            return inner.map(Written::unwrapped);
        }
        match text.value() {
            Some(value) => self.smallest(value, Some(text)),
            None if !self.opens_texts => None,
            None => inside::rewritten(text, self.formats, self.tool, self.measure(), at_lines_only),
        }
    }
}

/// The edits of a frame for the content in it, or why there are none; and what was counted.
pub(crate) fn rewrite<'f>(
    frame: &'f str,
    content: impl FnOnce() -> Option<Content<'f>>,
    job: Job<'_>,
) -> (Result<Vec<Edit>, Left>, Option<CallRecord>) {
    if let Some(left) = job.left.filter(|_| !job.keeps_statistics) {
        return (Err(left), None);
    }
    let Some(content) = content() else { return (Err(Left::Unknown), None) };
    if content.bytes() > job.limits.text_bytes {
        return (Err(Left::TooLarge), None);
    }
    let reading = |text| Reading::new(text, job.shows_schema);
    let texts: Vec<Reading<'_>> = content.texts.iter().map(reading).collect();
    let structured = content.structured.map(Structured::new);
    let answer = Planner { content: &content, texts: &texts, structured: structured.as_ref(), job };
    // Counted first, so that nothing is counted twice.
    let before = job.keeps_statistics.then(|| before(&texts, job.counter));
    let left = job.left.or_else(|| answer.forbidden());
    let plan = if left.is_none() { answer.plan() } else { None };
    let edits = plan.as_ref().map_or_else(Vec::new, |plan| edits(frame, &content, plan));
    let left = left.or_else(|| edits.is_empty().then(|| answer.reason()));
    let record = before.map(|before| answer.record(plan.as_ref(), before, left));
    (left.map_or(Ok(edits), Err), record)
}

/// The replacements of the texts of a result.
enum Texts {
    /// The replacement of each text; `None` for texts that are not changed.
    Each(Vec<Option<Written>>),
    /// The replacement of all of them.
    Merged(Written),
    /// A text where there is none.
    Added(Written),
}

impl Texts {
    fn written(&self) -> impl Iterator<Item = &Written> {
        let (each, merged) = match self {
            Texts::Each(each) => (&**each, None),
            Texts::Merged(written) | Texts::Added(written) => (&[][..], Some(written)),
        };
        each.iter().flatten().chain(merged)
    }
}

struct Plan {
    texts: Rc<Texts>,
    drops: bool,
}

/// Texts that may go out with `structuredContent`, without it, or both.
struct Candidate {
    texts: Rc<Texts>,
    may_keep: bool,
    may_drop: bool,
}

/// A result, and what may be done with it.
#[derive(Clone, Copy)]
struct Planner<'a, 't> {
    content: &'a Content<'t>,
    texts: &'a [Reading<'t>],
    structured: Option<&'a Structured<'t>>,
    job: Job<'a>,
}

impl<'a, 't> Planner<'a, 't> {
    /// Why nothing may be changed, by what is found without counting.
    fn forbidden(self) -> Option<Left> {
        if !self.content.is_complete {
            Some(Left::Error)
        } else if self.content.is_bound {
            Some(Left::Interface)
        } else if self.job.only_whole && !self.texts.iter().any(Reading::has_json) {
            Some(Left::NoJson)
        } else {
            // What is whole before is whole after: no view may show a smaller part of it.
            (!self.is_whole()).then_some(Left::Cut)
        }
    }

    /// Returns `true` if the client shows all of what came, or may cut it.
    fn is_whole(self) -> bool {
        let shows = self.job.shows.filter(|_| self.job.only_whole);
        shows.is_none_or(|shows| self.views().is_whole(shows, &self.came()))
    }

    /// The first of the possible changes, from the best on, that no view of the client forbids.
    fn plan(self) -> Option<Plan> {
        if self.structured.is_some_and(Structured::is_quoted) || self.kept().is_some() {
            return None;
        }
        if self.job.shows_schema && self.structured.is_none() {
            // Gemini CLI parses the text, and fails the call if that is not JSON (ruling M16).
            return self.first(self.each(usize::MAX, self.job.in_json(), false).as_slice(), false);
        }
        if self.job.writes_text && self.texts.is_empty() {
            let text = self.job.smallest(self.structured?.told()?, None)?;
            return Some(Plan { texts: Rc::new(Texts::Added(text)), drops: false });
        }
        let proven = self.structured.and_then(|own| own.list_of(self.content, self.texts));
        let may_drop = self.job.drops && self.is_said(proven);
        let best = self.best(proven, may_drop);
        let others = LazyCell::new(|| self.others(&best, proven, may_drop));
        let first = |drops| self.first(&best, drops).or_else(|| self.first(&others, drops));
        // Where the best texts don't say it, no other texts do.
        let may_be_dropped = best.iter().any(|candidate| candidate.may_drop);
        let dropped = if may_be_dropped { first(true) } else { None };
        dropped.or_else(|| self.one_copy()).or_else(|| first(false))
    }

    /// Why it stays by the tool's name or by the arguments of the call, if it does (ruling M5).
    fn kept(self) -> Option<Left> {
        kept(self.job.reads?, self.job.data_file.is_some(), &self.values())
    }

    /// The argument or the text that decided, in words.
    fn decided(self, left: Left) -> Option<String> {
        let argument = self.job.data_file.filter(|_| left == Left::DataFile);
        argument.map(str::to_owned).or_else(|| self.values().text_in_words(left))
    }

    fn values(self) -> Values<'a, 't> {
        let structured = self.structured.filter(|_| self.texts.is_empty());
        let structured = structured.and_then(Structured::told);
        let json = |text: &'a Reading<'t>| text.json().or_else(|| text.repr());
        let whole = if let [text] = self.texts { json(text) } else { structured };
        let blocks = self.texts.iter().map(json).collect::<Option<_>>().unwrap_or_default();
        let all = self.texts.iter().flat_map(Reading::values).chain(structured).collect();
        let has_whole = whole.is_some()
            || self.texts.iter().any(|text| json(text).is_some() || text.is_lines());
        let prose = self.texts.iter().filter(|text| !text.has_json() && is_long(text.text));
        let long_prose = prose.map(|text| text.text.len()).max().unwrap_or(0);
        Values { all, whole, blocks, has_whole, long_prose }
    }

    /// The first candidate that every view of the client allows.
    fn first(self, candidates: &[Candidate], drops: bool) -> Option<Plan> {
        let plan = |candidate: &Candidate| {
            let may_go = if drops { candidate.may_drop } else { candidate.may_keep };
            let plan = Plan { texts: Rc::clone(&candidate.texts), drops };
            (may_go && self.is_allowed(&plan)).then_some(plan)
        };
        candidates.iter().find_map(plan)
    }

    fn is_allowed(self, plan: &Plan) -> bool {
        let views = self.views();
        let (came, goes) = (self.came(), self.goes(plan));
        self.job.views().iter().all(|shows| views.allow(shows, &came, &goes))
    }

    /// The cheapest forms: one list, or a form for each text.
    fn best(self, proven: Option<&Json<'_>>, may_drop: bool) -> Vec<Candidate> {
        let merged = self.merged(proven, self.job);
        let most = merged.as_ref().filter(|merged| merged.may_keep).map_or(usize::MAX, cost);
        let each = self.each(most, self.job, may_drop);
        let mut candidates: Vec<Candidate> = each.into_iter().chain(merged).collect();
        // A list that has to drop `structuredContent` is tried before a form that only may.
        candidates.sort_by_key(|candidate| candidate.may_keep);
        candidates
    }

    /// The ways that are tried if a view forbids the cheapest forms.
    fn others(
        self,
        best: &[Candidate],
        proven: Option<&Json<'_>>,
        may_drop: bool,
    ) -> Vec<Candidate> {
        let is_merged = |candidate: &Candidate| matches!(*candidate.texts, Texts::Merged(_));
        let lacks_each = best.iter().all(is_merged);
        let forms = lacks_each.then(|| self.each(usize::MAX, self.job, may_drop)).flatten();
        let json = self.job.in_json();
        let unchanged = Rc::new(Texts::Each(self.texts.iter().map(|_| None).collect()));
        forms
            .into_iter()
            .chain(self.merged(proven, json))
            .chain(self.each(usize::MAX, json, may_drop))
            .chain([Candidate { texts: unchanged, may_keep: false, may_drop }])
            .collect()
    }

    /// Returns `true` if the texts say what `structuredContent` says, which may be proven to be
    /// their list.
    fn is_said(self, proven: Option<&Json<'_>>) -> bool {
        match self.texts {
            // Some clients don't show resources, and a block with annotations may not be for the model.
            _ if self.content.texts.iter().any(|text| text.is_resource || !text.is_plain) => false,
            [text] => self.structured.is_some_and(|own| own.is_said_by(text)),
            // Without a text the model would see nothing of an empty list.
            [] => false,
            texts => {
                let says = |text: &Reading<'_>| {
                    text.value().is_some()
                        && self.structured.is_some_and(|own| own.is_said_by(text))
                };
                proven.is_some() || texts.iter().any(says)
            }
        }
    }

    /// The texts as one list. A single block becomes a list of one, which `structuredContent` is,
    /// if that uses no more tokens than the block itself: the item alone does not say that it is
    /// one.
    fn merged(self, proven: Option<&Json<'_>>, job: Job<'_>) -> Option<Candidate> {
        let (merged, may_keep) = match self.texts {
            [text] => {
                let merged = job.smallest(proven.filter(|_| job.drops)?, None)?;
                let tokens = merged.text().tokens(job.counter);
                (Some(merged).filter(|_| text.costs(tokens, job.counter))?, false)
            }
            [_, _, ..] if self.content.is_bare => {
                let rows = if self.structured.is_none() { rows_of(self.texts) } else { None };
                (job.smallest(proven.or(rows.as_ref())?, None)?, true)
            }
            _ => return None,
        };
        let may_drop = job.drops && proven.is_some();
        Some(Candidate { texts: Rc::new(Texts::Merged(merged)), may_keep, may_drop })
    }

    /// A replacement of each text, or none. `None` as soon as all of them cost more than this.
    fn each(self, most: usize, job: Job<'_>, may_drop: bool) -> Option<Candidate> {
        let is_glued = job.shows.is_some_and(Shows::is_glued);
        let (mut sum, mut begins_line, mut next) = (0, true, 0);
        let one = |(text, reading): (&Text<'_>, &Reading<'_>)| {
            // A form is read only at the start of a line. What other blocks end with is not known.
            begins_line &= text.block == next;
            next = text.block + 1;
            let job = if begins_line || !is_glued { job } else { job.in_json() };
            let written = job.single(reading, is_glued);
            let ends = written.as_ref().map_or(reading.text, |written| &written.text().text);
            begins_line = if ends.is_empty() { begins_line } else { ends.ends_with('\n') };
            if most < usize::MAX {
                sum += match &written {
                    Some(written) => written.cost,
                    None => job.measure().came(reading),
                };
            }
            (sum <= most).then_some(written)
        };
        let each = iter::zip(&self.content.texts, self.texts).map(one).collect::<Option<_>>()?;
        Some(Candidate { texts: Rc::new(Texts::Each(each)), may_keep: true, may_drop })
    }

    /// The text in the spelling of which the client shows one copy instead of two.
    fn one_copy(self) -> Option<Plan> {
        let shows = self.job.shows.filter(|own| own.one_copy && own.separator.is_some())?;
        let ([text], Some(structured)) = (self.texts, self.structured) else { return None };
        let may_be = self.content.is_bare && self.job.formats.contains(&Format::Json);
        text.value().filter(|_| may_be && structured.is_equal_to(text))?;
        let spelled = structured.spelled(shows)?;
        let is_there = spelled == text.text;
        let written = (!is_there).then(|| Written::of(Format::Json, spelled, self.job.measure()));
        let plan = Plan { texts: Rc::new(Texts::Each(vec![written])), drops: false };
        self.is_allowed(&plan).then_some(plan)
    }

    fn views(self) -> Views<'a, 't> {
        Views {
            content: self.content,
            structured: self.structured,
            counter: self.job.counter,
            shown_characters: self.job.shown_characters,
        }
    }

    fn came(self) -> Answer<'a, 't> {
        let texts = self.texts.iter().map(Out::Came).collect();
        Answer { texts, is_merged: false, keeps_structured: true }
    }

    fn goes<'p>(self, plan: &'p Plan) -> Answer<'p, 't>
    where
        'a: 'p,
    {
        let texts = match &*plan.texts {
            Texts::Merged(text) | Texts::Added(text) => vec![Out::Written(text, None)],
            Texts::Each(each) => iter::zip(self.texts, each)
                .map(|(text, written)| match written {
                    Some(written) => Out::Written(written, Some(text)),
                    None => Out::Came(text),
                })
                .collect(),
        };
        let is_merged = matches!(*plan.texts, Texts::Merged(_));
        Answer { texts, is_merged, keeps_structured: !plan.drops }
    }

    /// The counts, beside the tokens of the texts as they came.
    fn record(self, plan: Option<&Plan>, before: Tokens, left: Option<Left>) -> CallRecord {
        let counter = self.job.counter;
        let came = self.came();
        let goes = plan.map_or_else(|| came.clone(), |plan| self.goes(plan));
        let went = goes.texts.iter().map(|text| text.text().tokens(counter)).sum();
        let dropped = plan.is_some_and(|plan| plan.drops);
        let structured = self.structured.map(|own| {
            let minified = own.minified().tokens(counter);
            let is_minified = own.minified().text == own.raw;
            let came = if is_minified { minified } else { counter.count(own.raw) };
            Tokens { came, minified, went: if dropped { went } else { came } }
        });
        let view = self.job.shows.map(|shows| {
            let tokens = |answer: &Answer<'_, 't>| self.views().tokens(shows, answer);
            let minified = self.texts.iter().map(Out::Minified).collect();
            let minified = Answer { texts: minified, ..came.clone() };
            Tokens { came: tokens(&came), minified: tokens(&minified), went: tokens(&goes) }
        });
        let written: Vec<&Written> = plan.into_iter().flat_map(|own| own.texts.written()).collect();
        let mut formats: Vec<Format> = written.iter().map(|written| written.format).collect();
        formats.sort_unstable();
        formats.dedup();
        CallRecord {
            tool: self.job.tool.to_owned(),
            client: self.job.client.map(str::to_owned),
            formats,
            content: Tokens { went, ..before },
            structured,
            view,
            unwrapped: written.iter().any(|written| written.is_unwrapped),
            repr: plan.is_some() && self.texts.iter().any(|text| text.repr().is_some()),
            merged: plan.is_some_and(|plan| matches!(*plan.texts, Texts::Merged(_))),
            dropped,
            repeats: self
                .is_said(self.structured.and_then(|own| own.list_of(self.content, self.texts))),
            left,
            decided: left.and_then(|left| self.decided(left)),
        }
    }

    /// Why there is no plan.
    fn reason(self) -> Left {
        let is_text =
            |text: &Reading<'_>| text.unwrapped().is_none() && text.json().is_some_and(is_quoted);
        let is_structured = self.structured.is_some_and(Structured::is_quoted);
        if let Some(left) = self.kept() {
            left
        } else if is_structured || self.texts.iter().any(is_text) {
            Left::Quoted
        } else if self.texts.is_empty() {
            Left::NoText
        } else if !self.texts.iter().any(Reading::has_json) {
            let is_copied = self.texts.iter().any(Reading::is_copied);
            if is_copied { Left::Copied } else { Left::NoJson }
        } else if self.job.shows_schema && self.structured.is_none() {
            Left::Schema
        } else {
            Left::NoFewer
        }
    }
}

fn cost(candidate: &Candidate) -> usize {
    candidate.texts.written().map(|written| written.cost).sum()
}

/// The list whose rows are the texts, for results without `structuredContent`: objects with the
/// same names in the same order, and with at least one name.
fn rows_of<'t>(texts: &[Reading<'t>]) -> Option<Json<'t>> {
    let rows: Vec<Json<'t>> =
        texts.iter().map(|text| text.value().cloned()).collect::<Option<_>>()?;
    let (first, others) = rows.split_first()?;
    let is_row = |row: &Json<'_>| names(row).zip(names(first)).is_some_and(|(a, b)| a.eq(b));
    let are_rows = names(first)?.next().is_some() && others.iter().all(is_row);
    are_rows.then_some(Json::Array(rows))
}

fn edits(frame: &str, content: &Content<'_>, plan: &Plan) -> Vec<Edit> {
    let mut edits = Vec::new();
    let edit = |text: &Text<'_>, written: &Written| Edit {
        range: range(frame, text.raw),
        text: in_frame(written.quoted().text.to_string()),
    };
    match &*plan.texts {
        Texts::Merged(merged) => {
            let (first, last) = (content.blocks[0], content.blocks[content.blocks.len() - 1]);
            edits.push(edit(&content.texts[0], merged));
            edits.push(Edit::cut(range(frame, first).end..range(frame, last).end));
        }
        Texts::Added(text) => {
            let text = in_frame(text.quoted().text.to_string());
            let comma = if content.blocks.is_empty() { "" } else { "," };
            let list = content.members.get("content").expect("because it has blocks");
            let block = format!("{{\"type\":\"text\",\"text\":{text}}}{comma}");
            edits.push(Edit::insert(range(frame, list).start + 1, block));
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
    let came = texts.iter().map(|text| text.came().tokens(counter)).sum();
    let minified = texts.iter().map(|text| text.minified().tokens(counter)).sum();
    Tokens { came, minified, went: came }
}
