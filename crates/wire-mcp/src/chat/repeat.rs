//! The writer of references to earlier results (ruling M21).

use std::cell::LazyCell;
use std::ptr;

use wire_core::json::Number;

use crate::json::{Json, in_frame, minified, quoted};
use crate::raw::{range, text};
use crate::record::Left;
use crate::splice::Edit;
use crate::verbatim::is_quoted;
use crate::{Options, Repeats};

use super::difference::Difference;
use super::read::{Full, Key, Past, SAME, SAME_TEXT, Value, end, push};
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
/// The most steps to such a member.
const STEPS: usize = 3;
/// The most characters of its value, and of the text at the start of what is no JSON.
const CHARACTERS: usize = 40;

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
        let came: usize = texts.iter().map(|raw| raw.len()).sum();
        let bytes = alone.iter().fold(came, |n, edit| n - edit.range.len() + edit.text.len());
        if options.repeats == Repeats::Off || bytes > options.limits.text_bytes {
            // A reader could find in a text beyond the limit what a later reference names.
            *self = Past::default();
            return (alone, 0);
        }
        let (mut edits, mut saved) = (Vec::new(), 0);
        let mut alone = alone.into_iter().peekable();
        for raw in texts {
            let range = range(rows, raw);
            let is_full = || text(raw).is_some_and(|text| self.named_by(&text).is_none());
            // What was written before stays.
            let edit = alone.next_if(|edit| edit.range == range).filter(|_| is_full());
            let full = self.full(tool, edit.as_ref().map_or(raw, |edit| &*edit.text));
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
                let begin: String = text.chars().take(CHARACTERS).collect();
                vec![format!("{SAME_TEXT}{}.", quoted(&begin))]
            }
            value if is_quoted(value) => return None,
            value => self.same_values(options, value, full.text.len()),
        };
        let tokens = LazyCell::new(|| options.counter.count(&full.text));
        references.into_iter().find_map(|text| {
            self.named_by(&text).filter(|value| **value == full.value)?;
            let most = (*tokens * 3 / 4).min(tokens.checked_sub(SAVED)?);
            let own = options.counter.count_up_to(&text, most).filter(|_| *tokens >= TOKENS)?;
            Some((text, *tokens - own))
        })
    }

    /// References to equal values, or to others of which few members differ, from the one with the
    /// smallest difference on. None has more bytes than this.
    fn same_values(&self, options: &Options, value: &Value, most: usize) -> Vec<String> {
        let difference = |base| match options.repeats {
            Repeats::Exact => (base == value).then(Difference::default),
            _ => Difference::between(base, value, most),
        };
        let found = self.iter().filter_map(|base| Some((base, difference(&base.value)?)));
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|(_, difference)| difference.cost);
        let text = |(base, difference): (&Full, Difference<'_>)| {
            let (of, end) = (&base.of, end(difference.lines.len()));
            let mut text = format!("{SAME}{of} with {}{end}", self.selector(base)?);
            for (words, value) in &difference.lines {
                text.extend([words, &*value.map(minified).unwrap_or_default(), "\n"]);
            }
            Some(text)
        };
        found.into_iter().take(TRIED).filter_map(text).collect()
    }

    /// The member by which a full result is named, as `path = scalar`: of those by which a reader
    /// finds it, one that is a name or an id, if there is one, with the fewest steps, and the first.
    fn selector(&self, base: &Full) -> Option<String> {
        let mut members = Vec::new();
        scalars(&base.value, &[], &mut members);
        // The sort keeps the order of those that are equal.
        members.sort_by_key(|(path, _)| (!is_name(path), path.len()));
        let (path, scalar) = members.iter().take(NAMES).find(|(path, scalar)| {
            self.base(&base.of, path, scalar).is_some_and(|found| ptr::eq(found, base))
        })?;
        let mut text = String::new();
        for key in path {
            push(&mut text, key);
        }
        Some(format!("{text} = {}", minified(scalar)))
    }
}

/// Finds the texts and integers in a value that are short, with the paths to them.
fn scalars<'v>(value: &'v Value, path: &[Key<'v>], found: &mut Vec<(Vec<Key<'v>>, &'v Value)>) {
    let is_short = |text: &str| !text.is_empty() && text.chars().nth(CHARACTERS).is_none();
    let is_near = path.len() < STEPS;
    match value {
        _ if found.len() == MEMBERS => {}
        Json::Object(members) if is_near => {
            for (name, value) in members.iter().take(MEMBERS) {
                scalars(value, &[path, &[Key::String((&**name).into())]].concat(), found);
            }
        }
        Json::Array(items) if is_near => {
            for item in items.iter().take(1) {
                scalars(item, &[path, &[Key::Number("0".into())]].concat(), found);
            }
        }
        Json::Number(text) if !Number::new(text).is_some_and(Number::is_integer) => {}
        Json::String(text) | Json::Number(text) if is_short(text) => {
            found.push((path.to_vec(), value));
        }
        _ => {}
    }
}

/// Returns `true` if the last word of a member's name is one for names and ids.
fn is_name(path: &[Key<'_>]) -> bool {
    const WORDS: [&str; 10] =
        ["id", "key", "number", "name", "uri", "url", "path", "email", "slug", "sha"];
    let Some(Key::String(name)) = path.last() else { return false };
    let word = name.rsplit('_').next().unwrap_or_default();
    WORDS.iter().any(|other| word.eq_ignore_ascii_case(other))
}
