//! The writer of references to earlier results (ruling M21).

use std::borrow::Cow;

use wire_core::json::Number;

use crate::json::{Json, in_frame, minified, quoted};
use crate::raw::{range, text};
use crate::record::Left;
use crate::splice::Edit;
use crate::verbatim::is_quoted;
use crate::{Options, Repeats};

use super::difference::Difference;
use super::read::{Full, Key, LINES, Past, SAME, SAME_TEXT, Value};
use super::rows::ToolResult;

/// The fewest tokens of a text that becomes a reference.
const TOKENS: usize = 30;
/// The fewest tokens that a reference saves; it saves a quarter of the text, too.
const SAVED: usize = 15;
/// The bases with the smallest differences that are tried.
const TRIED: usize = 3;
/// The members of a base that are looked at for its name, and the best of them that are tried.
const MEMBERS: usize = 40;
const NAMES: usize = 16;
/// The most steps to such a member, and characters of its value.
const STEPS: usize = 3;
const CHARACTERS: usize = 40;
/// The characters of a text that is no JSON by which it is named.
const BEGIN: usize = 40;

/// The results so far of a conversation in which later ones become references to them.
pub(super) struct Repeating<'o> {
    options: &'o Options,
    past: Past,
}

impl<'o> Repeating<'o> {
    pub(super) fn new(options: &'o Options) -> Self {
        Repeating { options, past: Past::default() }
    }

    /// The edits of a result with references in the place of some, and the tokens that they save;
    /// `alone` are the edits without references.
    pub(super) fn edits(
        &mut self,
        rows: &str,
        result: &ToolResult<'_>,
        tool: Option<&str>,
        alone: Result<Vec<Edit>, Left>,
    ) -> (Vec<Edit>, usize) {
        if self.options.repeats == Repeats::Off {
            return (alone.unwrap_or_default(), 0);
        }
        let came: usize = result.texts.iter().map(|raw| raw.len()).sum();
        let bytes = alone
            .iter()
            .flatten()
            .fold(came, |bytes, edit| bytes - edit.range.len() + edit.text.len());
        if bytes > self.options.limits.text_bytes {
            // A reader could find in it what a later reference names.
            self.past.clear();
            return (alone.unwrap_or_default(), 0);
        }
        // What ruling M5 keeps is no reference either.
        let may_repeat = matches!(alone, Ok(_) | Err(Left::NoFewer | Left::NoJson));
        let (mut edits, mut saved) = (Vec::new(), 0);
        let mut alone = alone.unwrap_or_default().into_iter().peekable();
        for raw in &result.texts {
            let range = range(rows, raw);
            let edit = alone.next_if(|edit| edit.range == range);
            let came = text(raw);
            // What was written before stays.
            let is_reference = came.as_ref().is_some_and(|came| self.past.named_by(came).is_some());
            let edit = edit.filter(|_| !is_reference);
            let went = match &edit {
                Some(edit) => text(&edit.text),
                None => came,
            };
            let went = went.filter(|went| self.past.named_by(went).is_none());
            let full = went.map(|went| Full::new(tool, went.into_owned()));
            let shorter = full.as_ref().filter(|_| may_repeat).and_then(|full| self.shorter(full));
            if let Some((text, fewer)) = shorter {
                edits.push(Edit { range, text: in_frame(quoted(&text)) });
                saved += fewer;
                self.past.push(None);
            } else {
                edits.extend(edit);
                self.past.push(full);
            }
        }
        (edits, saved)
    }

    /// The reference for a text, if there is one that reads as its value and saves enough tokens;
    /// and how many.
    fn shorter(&self, full: &Full) -> Option<(String, usize)> {
        let counter = &*self.options.counter;
        let (references, value) = match &full.value {
            None => (self.same_text(full), &Json::String(Cow::Borrowed(&*full.text))),
            Some(value) if is_quoted(value) => return None,
            Some(value) => (self.same_values(value, full.text.len()), value),
        };
        if references.is_empty() {
            return None;
        }
        let tokens = counter.count(&full.text);
        let most = (tokens * 3 / 4).min(tokens.saturating_sub(SAVED));
        if tokens < TOKENS {
            return None;
        }
        references.into_iter().find_map(|text| {
            let own = counter.count_up_to(&text, most)?;
            let back = self.past.named_by(&text)?;
            (*back == *value).then(|| (text, tokens - own))
        })
    }

    /// The reference to an equal text that is no JSON.
    fn same_text(&self, full: &Full) -> Vec<String> {
        let begin: String = full.text.chars().take(BEGIN).collect();
        let base = self.past.full().find(|base| base.text == full.text);
        base.map(|_| format!("{SAME_TEXT}{}.", quoted(&begin))).into_iter().collect()
    }

    /// References to equal values, or to others of which few members differ, from the one with the
    /// smallest difference on. None has more bytes than this.
    fn same_values(&self, value: &Value, most: usize) -> Vec<String> {
        let mut found = Vec::new();
        for (at, base) in self.past.full().enumerate() {
            let Some(old) = &base.value else { continue };
            if self.options.repeats == Repeats::Exact && old != value {
                continue;
            }
            let difference = Difference::between(old, value);
            if difference.lines <= LINES && difference.cost < most {
                found.push((at, base, difference));
            }
        }
        found.sort_by_key(|(_, _, difference)| difference.cost);
        let text = |(at, base, difference): (usize, &Full, Difference<'_>)| {
            let mut text = SAME.to_owned();
            if let Some(tool) = &base.tool {
                text.extend([" of ", tool]);
            }
            let later: Vec<&Full> = self.past.full().take(at).collect();
            let (path, scalar) = selector(base, &later)?;
            text.extend([" with ", &path, " = ", &minified(scalar)]);
            difference.write(&mut text);
            Some(text)
        };
        found.into_iter().take(TRIED).filter_map(text).collect()
    }
}

/// The member by which a full result is named: of those that no later full result of the same tool
/// has, one that is a name or an id, if there is one, with the fewest steps, and the first.
fn selector<'v>(base: &'v Full, later: &[&Full]) -> Option<(String, &'v Value)> {
    let mut members = Vec::new();
    scalars(base.value.as_ref()?, &mut Vec::new(), &mut members);
    // The sort keeps the order of those that are equal.
    members.sort_by_key(|(path, _)| (!is_name(path), path.len()));
    let is_last = |(path, scalar): &(Vec<Key<'_>>, &Value)| {
        let may_be = |full: &&&Full| base.tool.is_none() || full.tool == base.tool;
        !later.iter().filter(may_be).any(|full| full.has(path, scalar))
    };
    let (path, scalar) = members.into_iter().take(NAMES).find(is_last)?;
    let mut text = String::new();
    for key in &path {
        key.push(&mut text);
    }
    Some((text, scalar))
}

/// The first texts and integers in a value that are short, with the paths to them.
fn scalars<'v>(
    value: &'v Value,
    path: &mut Vec<Key<'v>>,
    found: &mut Vec<(Vec<Key<'v>>, &'v Value)>,
) {
    let mut inside = |key: Key<'v>, value: &'v Value| {
        if path.len() < STEPS && found.len() < MEMBERS {
            path.push(key);
            scalars(value, path, found);
            path.pop();
        }
    };
    match value {
        Json::Object(members) => {
            for (name, value) in members.iter().take(MEMBERS) {
                inside(Key::Name(Cow::Borrowed(name)), value);
            }
        }
        Json::Array(items) => {
            if let Some(first) = items.first() {
                inside(Key::Index(0), first);
            }
        }
        Json::String(text) if !text.is_empty() && text.chars().nth(CHARACTERS).is_none() => {
            found.push((path.clone(), value));
        }
        Json::Number(literal)
            if literal.len() <= CHARACTERS
                && Number::new(literal).is_some_and(Number::is_integer) =>
        {
            found.push((path.clone(), value));
        }
        _ => {}
    }
}

/// Returns `true` if the last word of a member's name is one for names and ids.
fn is_name(path: &[Key<'_>]) -> bool {
    const WORDS: [&str; 10] =
        ["id", "key", "number", "name", "uri", "url", "path", "email", "slug", "sha"];
    let Some(Key::Name(name)) = path.last() else { return false };
    let word = name.rsplit('_').next().unwrap_or_default();
    WORDS.iter().any(|other| word.eq_ignore_ascii_case(other))
}
