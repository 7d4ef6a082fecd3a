//! The writer of references to earlier results (ruling M21).

use std::borrow::Cow;
use std::cell::LazyCell;

use wire_core::json::Number;

use crate::json::{Json, in_frame, minified, quoted};
use crate::raw::{range, text};
use crate::record::Left;
use crate::splice::Edit;
use crate::verbatim::is_quoted;
use crate::{Options, Repeats};

use super::difference::{Difference, between};
use super::read::{Full, Key, LINES, Past, SAME, SAME_TEXT, Value, end};
use super::rows::Tool;

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
impl Past {
    /// The edits of a result with references in the place of some, and the tokens that they save;
    /// `alone` are the edits without references.
    pub(super) fn edits(
        &mut self,
        options: &Options,
        rows: &str,
        texts: &[&str],
        tool: &Tool<'_>,
        alone: Result<Vec<Edit>, Left>,
    ) -> (Vec<Edit>, usize) {
        // What ruling M5 keeps is no reference either.
        let may_repeat = matches!(alone, Ok(_) | Err(Left::NoFewer | Left::NoJson));
        let alone = alone.unwrap_or_default();
        if options.repeats == Repeats::Off {
            return (alone, 0);
        }
        let came: usize = texts.iter().map(|raw| raw.len()).sum();
        let bytes = alone.iter().fold(came, |n, edit| n - edit.range.len() + edit.text.len());
        if bytes > options.limits.text_bytes {
            // A reader could find in it what a later reference names.
            *self = Past::default();
            return (alone, 0);
        }
        let (mut edits, mut saved) = (Vec::new(), 0);
        let mut alone = alone.into_iter().peekable();
        for raw in texts {
            let range = range(rows, raw);
            let is_full = |text: &Cow<'_, str>| self.named_by(text).is_none();
            let came = text(raw).filter(is_full);
            // What was written before stays.
            let edit = alone.next_if(|edit| edit.range == range).filter(|_| came.is_some());
            let went = edit.as_ref().map_or(came, |edit| text(&edit.text).filter(is_full));
            let full = went.map(|went| Full::new(tool, went.into_owned()));
            let shorter =
                full.as_ref().filter(|_| may_repeat).and_then(|full| self.shorter(options, full));
            if let Some((text, fewer)) = shorter {
                edits.push(Edit { range, text: in_frame(quoted(&text)) });
                saved += fewer;
                self.push(None);
            } else {
                edits.extend(edit);
                self.push(full);
            }
        }
        (edits, saved)
    }

    /// The reference for a text, if there is one that reads as its value and saves enough tokens;
    /// and how many.
    fn shorter(&self, options: &Options, full: &Full) -> Option<(String, usize)> {
        let references = match &full.value {
            Json::String(text) => {
                let begin: String = text.chars().take(BEGIN).collect();
                vec![format!("{SAME_TEXT}{}.", quoted(&begin))]
            }
            value if is_quoted(value) => return None,
            value => self.same_values(options, value, full.text.len()),
        };
        let counter = &*options.counter;
        let tokens = LazyCell::new(|| counter.count(&full.text));
        references.into_iter().find_map(|text| {
            if *self.named_by(&text)? != full.value || *tokens < TOKENS {
                return None;
            }
            let most = (*tokens * 3 / 4).min(*tokens - SAVED);
            let own = counter.count_up_to(&text, most)?;
            Some((text, *tokens - own))
        })
    }

    /// References to equal values, or to others of which few members differ, from the one with the
    /// smallest difference on. None has more bytes than this.
    fn same_values(&self, options: &Options, value: &Value, most: usize) -> Vec<String> {
        let most_lines = if options.repeats == Repeats::Exact { 0 } else { LINES };
        let mut found = Vec::new();
        for (at, base) in self.full().enumerate() {
            // A text that is no JSON differs as a whole.
            let is_text = base.value.as_str().is_some();
            if is_text || options.repeats == Repeats::Exact && base.value != *value {
                continue;
            }
            let difference = between(&base.value, value, 0);
            let is_small = difference.lines <= most_lines && difference.cost < most;
            if is_small && difference.whole.is_none() {
                found.push((at, base, difference));
            }
        }
        found.sort_by_key(|(_, _, difference)| difference.cost);
        let text = |(at, base, difference): (usize, &Full, Difference<'_>)| {
            let (path, scalar) = self.selector(at, base)?;
            let (of, scalar, end) = (&base.of, minified(scalar), end(difference.lines));
            let mut text = format!("{SAME}{of} with {path} = {scalar}{end}");
            difference.write(&mut String::new(), &mut text);
            Some(text)
        };
        found.into_iter().take(TRIED).filter_map(text).collect()
    }

    /// The member by which a full result is named, after which there are so many: of those that no
    /// later full result of the same tool has, one that is a name or an id, if there is one, with the
    /// fewest steps, and the first.
    fn selector<'v>(&self, later: usize, base: &'v Full) -> Option<(String, &'v Value)> {
        let mut members: Vec<_> = scalars(&base.value, Vec::new()).take(MEMBERS).collect();
        // The sort keeps the order of those that are equal.
        members.sort_by_key(|(path, _)| (!is_name(path), path.len()));
        let (path, scalar) = members.into_iter().take(NAMES).find(|(path, scalar)| {
            let mut later = self.full().take(later);
            !later.any(|full| full.is_named(&base.of, path, scalar))
        })?;
        let mut text = String::new();
        for key in &path {
            key.push(&mut text);
        }
        Some((text, scalar))
    }
}

/// The texts and integers in a value that are short, with the paths to them.
fn scalars<'v>(
    value: &'v Value,
    path: Vec<Key<'v>>,
) -> Box<dyn Iterator<Item = (Vec<Key<'v>>, &'v Value)> + 'v> {
    let is_short = match value {
        Json::String(text) => !text.is_empty() && text.chars().nth(CHARACTERS).is_none(),
        Json::Number(literal) if literal.len() <= CHARACTERS => {
            Number::new(literal).is_some_and(Number::is_integer)
        }
        _ => false,
    };
    let is_near = path.len() < STEPS;
    let own = is_short.then(|| (path.clone(), value));
    let inside = move |key, value| scalars(value, [&path[..], &[key]].concat());
    match value {
        Json::Object(members) if is_near => {
            let members = members.iter().take(MEMBERS);
            Box::new(members.flat_map(move |(name, value)| inside(Key::of(name), value)))
        }
        Json::Array(items) if is_near => {
            Box::new(items.iter().take(1).flat_map(move |item| inside(Key::Index(0), item)))
        }
        _ => Box::new(own.into_iter()),
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
