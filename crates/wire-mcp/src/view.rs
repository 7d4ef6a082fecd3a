//! The text that clients show the model of a result, before and after a change (ruling M10).
//!
//! A view is a list of parts, as the model gets them. Parts that are texts as they came or as they
//! were written are counted once for all views; joined parts are built.

use wire_core::TokenCounter;

use crate::Format;
use crate::candidates::Written;
use crate::clients::{Limit, Shows, View};
use crate::content::Content;
use crate::counted::{Counted, cost};
use crate::json::{self, quoted};
use crate::raw::Members;
use crate::reading::Reading;
use crate::structured::Structured;

/// The most tokens by which the text beside a text can change the tokens of both, where they meet:
/// a few marks that are one token together.
const SEAM: usize = 16;

/// A text as it goes out.
#[derive(Clone, Copy)]
pub(crate) enum Out<'a, 't> {
    Came(&'a Reading<'t>),
    /// As minified JSON, if it is JSON.
    Minified(&'a Reading<'t>),
    /// Another form; of the reading, unless it is a list that was made of several.
    Written(&'a Written, Option<&'a Reading<'t>>),
}

impl<'a, 't> Out<'a, 't> {
    pub(crate) fn text(self) -> &'a Counted<'a> {
        match self {
            Out::Came(text) => text.came(),
            Out::Minified(text) => text.minified(),
            Out::Written(written, _) => written.text(),
        }
    }

    fn quoted(self) -> &'a Counted<'a> {
        match self {
            Out::Came(text) => text.quoted(),
            Out::Minified(text) => text.quoted_minified(),
            Out::Written(written, _) => written.quoted(),
        }
    }

    /// The value of a text that is JSON.
    fn json(self) -> Option<&'a Reading<'t>> {
        match self {
            Out::Came(text) | Out::Minified(text) => text.json().map(|_| text),
            Out::Written(written, text) if written.format == Format::Json => text,
            Out::Written(..) => None,
        }
    }

    fn is_form(self) -> bool {
        matches!(self, Out::Written(written, _) if written.format != Format::Json)
    }
}

/// A result as it came, or as it would go out.
#[derive(Clone)]
pub(crate) struct Answer<'a, 't> {
    pub(crate) texts: Vec<Out<'a, 't>>,
    /// `true` if all blocks become one.
    pub(crate) is_merged: bool,
    pub(crate) keeps_structured: bool,
}

enum Part<'a> {
    Shared(&'a Counted<'a>),
    Built(Counted<'static>),
}

impl<'a> Part<'a> {
    fn built(text: String) -> Self {
        Part::Built(Counted::new(text))
    }

    fn text(&self) -> &str {
        &self.counted().text
    }

    fn counted<'p>(&'p self) -> &'p Counted<'a> {
        match self {
            Part::Shared(text) => text,
            Part::Built(text) => text,
        }
    }
}

/// A result, and how it is counted.
#[derive(Clone, Copy)]
pub(crate) struct Views<'a, 't> {
    pub(crate) content: &'a Content<'t>,
    pub(crate) structured: Option<&'a Structured<'t>>,
    pub(crate) counter: &'a dyn TokenCounter,
    /// The characters that the tool allows beyond the limit of Claude Code.
    pub(crate) shown_characters: Option<usize>,
}

impl<'a, 't> Views<'a, 't> {
    /// Returns `true` if a client that shows this would show no more tokens of an answer than of
    /// the one that came, and cut no more of it.
    pub(crate) fn allow(self, shows: &Shows, came: &Answer<'a, 't>, goes: &Answer<'a, 't>) -> bool {
        if shows.limit.is_some_and(|limit| !self.keeps(limit, shows, came, goes)) {
            return false;
        }
        let is_unseen = shows.view == View::Structured && self.structured.is_some();
        if is_unseen && goes.keeps_structured || self.saves_much(shows, came, goes) {
            return true;
        }
        let doubles = self.structured.and_then(Structured::in_doubles);
        let spellings = [self.structured.map(Structured::minified), doubles];
        spellings.into_iter().enumerate().all(|(at, said)| {
            if at > 0 && said.is_none() {
                return true;
            }
            let after = self.parts(shows, goes, said);
            let tokens = after.iter().map(|part| part.counted().tokens(self.counter)).sum();
            let before = self.parts(shows, came, said);
            cost(before.iter().map(Part::counted), tokens, self.counter)
        })
    }

    /// The tokens that a client shows of an answer.
    pub(crate) fn tokens(self, shows: &Shows, answer: &Answer<'a, 't>) -> usize {
        let said = self.structured.map(Structured::minified);
        let parts = self.parts(shows, answer, said);
        parts.iter().map(|part| part.counted().tokens(self.counter)).sum()
    }

    /// Returns `true` if the texts alone save so much that nothing beside them matters. Most
    /// answers do, and then no view is built.
    fn saves_much(self, shows: &Shows, came: &Answer<'a, 't>, goes: &Answer<'a, 't>) -> bool {
        let is_one_text = came.texts.len() <= 1 && goes.texts.len() <= 1;
        let has_structured = self.structured.is_some();
        let is_apart = match shows.view {
            View::Texts => is_one_text || shows.separator.is_none(),
            View::Structured => true,
            View::Both => !has_structured,
            _ => false,
        };
        let may_be_minified = shows.minifies && !has_structured;
        if is_apart || may_be_minified || shows.one_copy && self.may_be_one_copy(shows, came) {
            return false;
        }
        let texts = |answer: &Answer<'a, 't>| -> Vec<&'a Counted<'a>> {
            let one =
                |text: &Out<'a, 't>| if shows.escapes() { text.quoted() } else { text.text() };
            answer.texts.iter().map(one).collect()
        };
        let seams = SEAM * (goes.texts.len() + came.texts.len());
        let (before, goes) = (texts(came), texts(goes));
        // Skip counting when the new text is so short that it must have fewer tokens.
        let most = |text: &&Counted<'a>| *self.counter.bounds(text.text.len()).end();
        let most = goes.iter().map(most).fold(seams, usize::saturating_add);
        let least = |text: &&Counted<'a>| text.at_least(most, self.counter);
        if goes.iter().any(|text| text.known().is_none())
            && before.iter().map(least).fold(0, usize::saturating_add) >= most
        {
            return true;
        }
        let after: usize = goes.iter().map(|text| text.tokens(self.counter)).sum();
        cost(before, after + seams, self.counter)
    }

    /// Returns `true` if a client that shows one copy of equal ones could show one of an answer.
    fn may_be_one_copy(self, shows: &Shows, answer: &Answer<'a, 't>) -> bool {
        let Some(structured) = self.structured else { return false };
        match &*answer.texts {
            [text] => structured.is_spelled(&text.text().text, shows),
            _ => true,
        }
    }

    /// The text that the model gets. `said` is `structuredContent` as the client spells it.
    fn parts(
        self,
        shows: &Shows,
        answer: &Answer<'a, 't>,
        said: Option<&'a Counted<'a>>,
    ) -> Vec<Part<'a>> {
        let said = said.filter(|_| answer.keeps_structured);
        match (shows.view, said) {
            (View::Texts, _) | (View::Structured | View::Both, None) => {
                joined(shows, &answer.texts, shows.minifies)
            }
            (View::Structured, Some(said)) => vec![Part::Shared(said)],
            (View::Both, Some(said)) => self.both(shows, answer, said),
            (View::Array, _) => vec![Part::built(self.array(answer))],
            (View::Result, said) => vec![Part::built(self.result(answer, said))],
        }
    }

    fn both(self, shows: &Shows, answer: &Answer<'a, 't>, said: &'a Counted<'a>) -> Vec<Part<'a>> {
        let mut parts = joined(shows, &answer.texts, false);
        let ([text], Some(_)) = (&*parts, &shows.separator) else {
            parts.push(Part::Shared(said));
            return parts;
        };
        let is_copy = || self.structured.is_some_and(|own| own.is_spelled(text.text(), shows));
        if text.text().is_empty() || shows.one_copy && is_copy() {
            return vec![Part::Shared(said)];
        }
        // Copilot CLI and Qwen Code.
        let (text, said) = (text.text(), &said.text);
        vec![Part::built(if shows.is_glued() {
            format!("{text}\n\n{said}")
        } else {
            format!("{said}\n{text}")
        })]
    }

    fn array(self, answer: &Answer<'a, 't>) -> String {
        let mut texts = answer.texts.iter().peekable();
        let mut of_block = self.content.texts.iter().map(|text| text.block).peekable();
        let mut out = String::from("[");
        if let Some(text) = texts.next_if(|_| self.content.texts.is_empty()) {
            // It was added.
            let comma = if self.content.blocks.is_empty() { "" } else { "," };
            out.extend([r#"{"type":"text","text":"#, &text.quoted().text, "}", comma]);
        }
        for (at, block) in self.content.blocks.iter().enumerate() {
            if at > 0 && answer.is_merged {
                break;
            }
            if at > 0 {
                out.push(',');
            }
            let text = of_block.next_if_eq(&at).and_then(|_| texts.next());
            match (text, Members::parse(block)) {
                (Some(text), Some(block)) => push_block(&mut out, &block, text),
                _ => out.push_str(&minified(block)),
            }
        }
        out.push(']');
        out
    }

    fn result(self, answer: &Answer<'a, 't>, said: Option<&Counted<'a>>) -> String {
        let mut out = String::new();
        push_members(&mut out, &self.content.members, |name, raw| match (name, self.structured) {
            ("content", _) => Some(self.array(answer)),
            ("structuredContent", Some(_)) => said.map(|said| said.text.to_string()),
            _ => Some(minified(raw)),
        });
        out
    }

    /// Returns `true` if a limit cuts no more of an answer than of the one that came, in parts of
    /// the whole.
    fn keeps(
        self,
        limit: Limit,
        shows: &Shows,
        came: &Answer<'a, 't>,
        goes: &Answer<'a, 't>,
    ) -> bool {
        if let Limit::File { characters, tokens } = limit {
            let drops =
                came.keeps_structured && !goes.keeps_structured && self.structured.is_some();
            let changes = drops || goes.texts.iter().any(|text| text.is_form());
            let most = self.shown_characters.map_or(characters, |own| own.max(characters));
            let is_raised = most > characters;
            let is_small = self.size(shows, goes, |text| text.chars().count()) <= most;
            return !changes || is_small && (is_raised || self.tokens(shows, goes) <= tokens);
        }
        let (before, all_before) = self.shown(limit, shows, came);
        let (after, all_after) = self.shown(limit, shows, goes);
        before as u128 * all_after as u128 <= after as u128 * all_before as u128
    }

    /// Returns `true` if the client cuts nothing of an answer.
    pub(crate) fn is_whole(self, shows: &Shows, answer: &Answer<'a, 't>) -> bool {
        match shows.limit {
            None => true,
            Some(Limit::File { characters, .. }) => {
                self.size(shows, answer, |text| text.chars().count()) <= characters
            }
            Some(limit) => {
                let (left, all) = self.shown(limit, shows, answer);
                left == all
            }
        }
    }

    /// How much of a view is shown, and all of it.
    fn shown(self, limit: Limit, shows: &Shows, answer: &Answer<'a, 't>) -> (usize, usize) {
        let characters = |text: &str| text.chars().count();
        let all = self.size(shows, answer, characters);
        let blocks = if answer.is_merged { 1 } else { self.content.blocks.len() };
        let left = match limit {
            Limit::Characters { alone: true, .. } if blocks > 1 => all,
            Limit::Characters { most, shown: left, .. } if all > most => left.min(all),
            Limit::Bytes { most, shown: left } if self.size(shows, answer, str::len) > most => {
                left.min(all)
            }
            Limit::Lines { bytes, lines } => {
                let said = self.structured.map(Structured::minified);
                let parts = self.parts(shows, answer, said);
                parts.iter().map(|part| whole_lines(part.text(), bytes, lines)).sum()
            }
            _ => all,
        };
        (left, all)
    }

    fn size(self, shows: &Shows, answer: &Answer<'a, 't>, size: fn(&str) -> usize) -> usize {
        let said = self.structured.map(Structured::minified);
        self.parts(shows, answer, said).iter().map(|part| size(part.text())).sum()
    }
}

/// The texts, with what the client puts between them. A text that is JSON is minified, if the
/// client does that.
fn joined<'a>(shows: &Shows, texts: &[Out<'a, '_>], minifies: bool) -> Vec<Part<'a>> {
    let spelled = |text: &Out<'a, '_>| text.json().filter(|_| minifies)?.spelled();
    let part = |text: &Out<'a, '_>| Part::Shared(spelled(text).unwrap_or_else(|| text.text()));
    match (&shows.separator, texts) {
        (None, _) | (_, [] | [_]) => texts.iter().map(part).collect(),
        (Some(separator), _) => {
            let texts: Vec<&str> = texts.iter().map(|text| &*text.text().text).collect();
            vec![Part::built(texts.join(separator))]
        }
    }
}

/// The characters of the lines from the start that keep both sizes.
fn whole_lines(text: &str, bytes: usize, lines: usize) -> usize {
    let mut rest = bytes;
    let fits = |line: &&str| {
        let fits = line.len() <= rest;
        rest = rest.saturating_sub(line.len());
        fits
    };
    text.split_inclusive('\n').take(lines).take_while(fits).map(|line| line.chars().count()).sum()
}

fn minified(raw: &str) -> String {
    json::parse(raw).map_or_else(|| raw.to_owned(), |value| json::minified(&value))
}

/// A block, or its resource, with this text.
fn push_block(out: &mut String, block: &Members<'_>, text: &Out<'_, '_>) {
    push_members(out, block, |name, raw| match (name, Members::parse(raw)) {
        ("text", _) => Some(text.quoted().text.to_string()),
        ("resource", Some(resource)) => {
            let mut own = String::new();
            push_block(&mut own, &resource, text);
            Some(own)
        }
        _ => Some(minified(raw)),
    });
}

/// An object with these values of its members; `None` leaves a member out.
fn push_members(
    out: &mut String,
    members: &Members<'_>,
    value: impl Fn(&str, &str) -> Option<String>,
) {
    out.push('{');
    let mut is_first = true;
    for (name, raw) in members.iter() {
        let Some(value) = value(name, raw) else { continue };
        if !std::mem::take(&mut is_first) {
            out.push(',');
        }
        out.push_str(&quoted(name));
        out.push(':');
        out.push_str(&value);
    }
    out.push('}');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_shown_as_long_as_both_sizes_are_kept() {
        for (text, bytes, lines, shown) in [
            ("a\nb\nc", 100, 10, 5),
            ("a\nb\nc", 100, 2, 4),
            ("a\nb\nc", 3, 10, 2),
            ("long line", 8, 10, 0),
            ("é\nb", 4, 10, 3),
            ("", 1, 1, 0),
        ] {
            assert_eq!(whole_lines(text, bytes, lines), shown, "{text:?}");
        }
    }
}
