//! Making a line of the format out of a line that is nearly one.

use std::borrow::Cow;

use wire_core::Kind;

use super::super::decode::{
    Group, OtherLine, edge_line, group_of_line, other_line, reference_line, symbol_line,
};
use super::super::dialect::Grammar;
use super::super::grammar::{EDGES, ID_SIGIL, REFERENCE_MARK, SUMMARY_1_4, distance_of_group};
use crate::ErrorKind;
use crate::answer::{PAIRS, is_invisible, undecorated_start};
use crate::lines::{GROUP_PREFIX, SUMMARY};
use crate::repair::RepairKind;

/// The kind of a line of the format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Group(Group),
    /// A symbol, with its id if the line has one, and the offset of its kind.
    Symbol {
        id: Option<u32>,
        kind_at: usize,
    },
    Reference,
    Edge,
    Comment,
    Summary,
}

/// A line of the format, and the repairs that produced it.
#[derive(Clone, Debug)]
pub(super) struct Mended<'t> {
    pub(super) line: Cow<'t, str>,
    pub(super) class: Class,
    pub(super) repairs: Vec<RepairKind>,
}

/// One possible problem of a line, and the function that removes it; `None` when the line does not
/// have the problem.
type Step = (RepairKind, for<'l> fn(&'l str) -> Option<Cow<'l, str>>);

/// In this order; each works on the result of the ones before.
const STEPS: [Step; 5] = [
    (RepairKind::InvisibleCharacters, without_invisible),
    (RepairKind::WhiteSpace, single_spaces),
    (RepairKind::HtmlEntities, without_entities),
    (RepairKind::Decoration, undecorated),
    (RepairKind::GroupLine, plain_group),
];

/// The line of the format that `line` is, or can be repaired to.
///
/// `None` when it can't be repaired.
pub(super) fn mend<'t>(line: &'t str, grammar: &Grammar) -> Option<Mended<'t>> {
    let mut repairs = Vec::new();
    let mut line: Cow<'t, str> = Cow::Borrowed(line);
    if !line.starts_with('#') {
        apply(&mut line, RepairKind::Quotes, straight_quotes, &mut repairs);
    }
    if let Some(class) = classify(&line, grammar, &mut repairs) {
        return Some(Mended { line, class, repairs });
    }
    for (kind, step) in STEPS {
        if apply(&mut line, kind, step, &mut repairs)
            && let Some(class) = classify(&line, grammar, &mut repairs)
        {
            return Some(Mended { line, class, repairs });
        }
    }
    None
}

/// The line with straight quotes, and whether that is a repair.
pub(super) fn straightened(line: &str) -> (Cow<'_, str>, Vec<RepairKind>) {
    let mut repairs = Vec::new();
    let mut line = Cow::Borrowed(line);
    apply(&mut line, RepairKind::Quotes, straight_quotes, &mut repairs);
    (line, repairs)
}

/// The header line, with the repairs that precede the removal of decoration.
pub(super) fn mend_header<'t>(line: &'t str, repairs: &mut Vec<RepairKind>) -> Cow<'t, str> {
    let mut line = Cow::Borrowed(line);
    for (kind, step) in &STEPS[..3] {
        apply(&mut line, *kind, *step, repairs);
    }
    line
}

fn apply(
    line: &mut Cow<'_, str>,
    kind: RepairKind,
    step: for<'l> fn(&'l str) -> Option<Cow<'l, str>>,
    repairs: &mut Vec<RepairKind>,
) -> bool {
    let Some(changed) = step(line).map(Cow::into_owned) else { return false };
    *line = Cow::Owned(changed);
    repairs.push(kind);
    true
}

/// The kind of the line, without further repairs.
fn classify(line: &str, grammar: &Grammar, repairs: &mut Vec<RepairKind>) -> Option<Class> {
    if let [ID_SIGIL, ..] = line.as_bytes() {
        if reference_line(line).is_some() {
            return Some(Class::Reference);
        }
        if line.starts_with("@ ") {
            return symbol_without_id(line, 2, grammar, repairs);
        }
        if edge_line(line).is_ok() {
            return Some(Class::Edge);
        }
        // The score of any version will do.
        let symbol = symbol_line(line, Grammar::WIDEST).ok()?;
        if symbol_line(line, grammar).is_err() {
            repairs.push(RepairKind::Score);
        }
        let kind_at = line.find(' ').map_or(line.len(), |space| space + 1);
        return Some(Class::Symbol { id: Some(symbol.id), kind_at });
    }
    match other_line(line, grammar) {
        Ok(OtherLine::Comment) => Some(Class::Comment),
        Ok(OtherLine::Group(group)) => Some(Class::Group(group)),
        Ok(OtherLine::Summary(_)) => Some(Class::Summary),
        // Callers pass over blank lines.
        Ok(OtherLine::Blank) => None,
        Err(problem) if problem.kind == ErrorKind::InvalidCount => {
            repairs.push(RepairKind::WrongCount);
            Some(Class::Group(group_of_line(line)))
        }
        Err(_) => symbol_without_id(line, 0, grammar, repairs),
    }
}

/// A line without an id: from its kind on, `kind qualified_name score provenance` with a known
/// kind.
fn symbol_without_id(
    line: &str,
    kind_at: usize,
    grammar: &Grammar,
    repairs: &mut Vec<RepairKind>,
) -> Option<Class> {
    // Prose also contains kinds and whole numbers, such as `class Foo 2 methods`.
    let score = line[kind_at..].split(' ').nth(2)?;
    if !begins_with_kind(&line[kind_at..]) || !score.contains('.') {
        return None;
    }
    let symbol = format!("@0 {}", &line[kind_at..]);
    symbol_line(&symbol, Grammar::WIDEST).ok()?;
    if symbol_line(&symbol, grammar).is_err() {
        repairs.push(RepairKind::Score);
    }
    Some(Class::Symbol { id: None, kind_at })
}

/// Returns `true` if the text begins with a known kind that is followed by other words.
pub(super) fn begins_with_kind(text: &str) -> bool {
    let kind = text.split_once(' ').map(|(kind, _)| Kind::from_abbreviation(kind));
    kind.is_some_and(|kind| !matches!(kind, Kind::Other(_)))
}

/// Returns `true` if a line that can't be repaired is one of the format rather than prose: a group,
/// a symbol or an edge (ruling G16).
pub(super) fn looks_like_one(text: &str) -> bool {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let is_edge = || {
        let target = &text[digits(text)..];
        let source = target.trim_start().strip_prefix('<').or_else(|| target.strip_prefix("&lt;"));
        let source = source.map(|source| source.trim_start().trim_start_matches('@'));
        target.len() < text.len() && source.is_some_and(|source| digits(source) > 0)
    };
    let has_score = || {
        let score = text.split_ascii_whitespace().nth(2);
        score.is_some_and(|score| {
            score.contains('.') && score.parse::<f64>().is_ok_and(f64::is_finite)
        })
    };
    let has_id = || text.strip_prefix('@').is_some_and(|rest| digits(rest) > 0);
    // Headings of Markdown also begin with these marks.
    let is_group = || {
        let name = text
            .strip_prefix(GROUP_PREFIX)
            .map(|rest| rest.split([' ', '[']).next().unwrap_or_default());
        name.is_some_and(|name| {
            name == EDGES
                || SUMMARY_1_4.strip_prefix(GROUP_PREFIX) == Some(name)
                || distance_of_group(name).is_some()
        })
    };
    has_id()
        || is_group()
        || text.starts_with(SUMMARY)
        || is_edge()
        || (begins_with_kind(text) && has_score())
}

fn without_invisible(line: &str) -> Option<Cow<'_, str>> {
    line.contains(is_invisible).then(|| line.replace(is_invisible, "").into())
}

/// Replaces white space between words with single spaces, and removes it at the end. What comes
/// before the first word is decoration.
fn single_spaces(line: &str) -> Option<Cow<'_, str>> {
    // Two spaces belong to a reference.
    if line.ends_with(REFERENCE_MARK) {
        return None;
    }
    let text = line.trim_start();
    let mut spaced = line[..line.len() - text.len()].to_owned();
    for (index, word) in text.split_whitespace().enumerate() {
        if index > 0 {
            spaced.push(' ');
        }
        spaced.push_str(word);
    }
    (spaced != line).then_some(spaced.into())
}

fn straight_quotes(line: &str) -> Option<Cow<'_, str>> {
    let single = |c: char| matches!(c, '\u{2018}'..='\u{201b}');
    let double = |c: char| matches!(c, '\u{201c}'..='\u{201f}');
    line.contains(|c| single(c) || double(c))
        .then(|| line.replace(single, "'").replace(double, "\"").into())
}

fn without_entities(line: &str) -> Option<Cow<'_, str>> {
    const ENTITIES: [(&str, &str); 6] = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        // This is last, so that its result is not replaced again.
        ("&amp;", "&"),
    ];
    let mut text = Cow::Borrowed(line);
    for (entity, character) in ENTITIES {
        if text.contains(entity) {
            text = text.replace(entity, character).into();
        }
    }
    (text != line).then_some(text)
}

fn undecorated(line: &str) -> Option<Cow<'_, str>> {
    let mut text = undecorated_start(line).trim_end();
    for mark in PAIRS {
        let inside = text.strip_prefix(mark).and_then(|text| text.strip_suffix(mark));
        text = inside.map_or(text, |inside| undecorated_start(inside).trim_end());
    }
    let mut text = Cow::Borrowed(text);
    for escaped in ["\\#", "\\@", "\\<"] {
        if text.contains(escaped) {
            text = text.replace(escaped, &escaped[1..]).into();
        }
    }
    (text != line).then_some(text)
}

/// `## targets` for `### Targets:` and `##targets`.
fn plain_group(line: &str) -> Option<Cow<'_, str>> {
    let name = line.trim_start_matches('#');
    if line.len() - name.len() < 2 {
        return None;
    }
    let name = name.trim().trim_end_matches(':').trim_end().to_ascii_lowercase();
    // A count after a group of symbols is removed, as in `## Related (2)`. After `edges` it is part
    // of the format, and is checked.
    let name = match name.split_once([' ', '(', '[']) {
        Some((group, _)) if distance_of_group(group).is_some() => group,
        _ => &name,
    };
    let plain = format!("{GROUP_PREFIX}{name}");
    (plain != line).then_some(plain.into())
}
