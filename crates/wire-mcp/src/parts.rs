//! The parts of a text with JSON in it: literal bytes, JSON and forms.

use wire_core::json::Reader;

use crate::Format;
use crate::json::{self, Json, names};
use crate::raw::{json_length, range};
use crate::verbatim::is_quoted;

/// How the forms begin, a server's own too.
const FORMS: [&str; 2] = ["GCF ", "GCX1 "];
const FENCES: [&str; 2] = ["```", "~~~"];
/// A byte order mark, which may begin a text.
pub(crate) const MARK: &str = "\u{feff}";

#[derive(Debug)]
pub(crate) enum Part<'t> {
    /// Bytes that stay.
    Literal(&'t str),
    /// An array or an object that is not empty, or the list of objects that lines are, with what
    /// ends the lines.
    Json { text: &'t str, value: Json<'t>, lines: Option<&'static str> },
    /// A form, with its line ends.
    Form(&'t str),
}

/// The parts of a text. `None` if there is neither JSON nor a form in it, or a `{` that begins no
/// JSON, or JSON that breaks off in a later line.
pub(crate) fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let (mut literal, mut from) = (0, 0);
    while let Some(found) = text[from..].find(['{', '[', 'G']) {
        let at = from + found;
        from = at + 1;
        if !may_begin(&text[..at]) {
            continue;
        }
        let rest = &text[at..];
        if FORMS.iter().any(|form| rest.starts_with(form)) {
            from = at + form_end(rest);
            parts.extend([Part::Literal(&text[literal..at]), Part::Form(&text[at..from])]);
            literal = from;
        } else if !rest.starts_with('G') {
            let mut reader = Reader::new(rest);
            match Json::read(&mut reader) {
                Ok(value) => {
                    let (json, after) = rest.split_at(reader.offset());
                    from = at + json.len();
                    if ends_here(after) && !is_empty(&value) {
                        parts.push(Part::Literal(&text[literal..at]));
                        parts.push(Part::Json { text: json, value, lines: None });
                        literal = from;
                    }
                }
                // JSON that readers disagree about, or don't read, is left alone as a whole.
                Err(_) => match json_length(rest) {
                    Ok(length) => from = at + length,
                    Err(read)
                        if rest.starts_with('{') || rest.as_bytes()[..read].contains(&b'\n') =>
                    {
                        return None;
                    }
                    // Nothing more is read of the line, so that the time is linear.
                    Err(_) => from = at + rest.find('\n').unwrap_or(rest.len()),
                },
            }
        }
    }
    if parts.is_empty() {
        return None;
    }
    parts.push(Part::Literal(&text[literal..]));
    Some(with_lines(text, parts))
}

/// Returns `true` if JSON or a form may begin after this text: at the start of a line, after a tag,
/// or after a colon and a space.
fn may_begin(before: &str) -> bool {
    before.is_empty() || before == MARK || before.ends_with(['\n', '>']) || before.ends_with(": ")
}

/// Returns `true` if nothing but white space or a tag is on the line after JSON. `[1] is a
/// footnote` is prose.
fn ends_here(after: &str) -> bool {
    let after = after.trim_start_matches([' ', '\t']);
    after.is_empty()
        || after.starts_with('\n')
        || after.starts_with("\r\n")
        || tag_length(after).is_some()
}

/// The length of the tag that begins a text.
///
/// ```text
/// tag       = "<" ["/"] name *(1*" " name "=" quoted) *" " ["/"] ">"
/// name      = letter *(letter / digit / "-" / "_" / "." / ":")
/// quoted    = DQUOTE *not-DQUOTE-or-"<"-or-line-end DQUOTE, or the same with "'"
/// ```
pub(crate) fn tag_length(text: &str) -> Option<usize> {
    let after_name = |text: &str| {
        let is_own = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':');
        text.starts_with(char::is_alphabetic).then(|| text.find(|c| !is_own(c))).flatten()
    };
    let mut rest = text.strip_prefix('<')?;
    rest = rest.strip_prefix('/').unwrap_or(rest);
    rest = &rest[after_name(rest)?..];
    loop {
        let attribute = rest.trim_start_matches(' ');
        let end = attribute.strip_prefix('/').unwrap_or(attribute);
        if let Some(after) = end.strip_prefix('>') {
            return Some(text.len() - after.len());
        }
        let value =
            attribute[after_name(attribute).filter(|_| attribute != rest)?..].strip_prefix('=')?;
        let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let length = value[1..].find([quote, '<', '\n'])?;
        rest = value[1 + length..].strip_prefix(quote)?;
    }
}

/// The length of the form that begins here: up to a blank line, a closing tag, a fence, or the end.
pub(crate) fn form_end(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let first = lines.next().map_or(0, str::len);
    let is_inside = |line: &&str| {
        let is_blank = line.trim_end_matches(['\r', '\n']).is_empty();
        !is_blank && !line.starts_with("</") && !FENCES.iter().any(|fence| line.starts_with(fence))
    };
    first + lines.take_while(is_inside).map(str::len).sum::<usize>()
}

fn is_empty(value: &Json<'_>) -> bool {
    match value {
        Json::Array(items) => items.is_empty(),
        Json::Object(members) => members.is_empty(),
        _ => true,
    }
}

/// The same parts without empty ones; objects with the same names, each on a line of its own, are
/// one list.
fn with_lines<'t>(text: &'t str, parts: Vec<Part<'t>>) -> Vec<Part<'t>> {
    let begins_line = |part: &str| {
        let before = &text[..range(text, part).start];
        before.is_empty() || before == MARK || before.ends_with('\n')
    };
    let mut out: Vec<Part<'t>> = Vec::new();
    for part in parts {
        if let Part::Json { text: line, value, .. } = &part
            && let [.., Part::Json { text: before, value: list, lines }, Part::Literal(end)] =
                &mut *out
            && let Some(end) = ["\n", "\r\n"].into_iter().find(|own| *own == *end)
            && lines.is_none_or(|own| own == end)
            && begins_line(before)
        {
            let first = match &*list {
                Json::Array(rows) if lines.is_some() => &rows[0],
                other => other,
            };
            if names(first).zip(names(value)).is_some_and(|(a, b)| a.eq(b)) {
                *before = &text[range(text, before).start..range(text, line).end];
                if lines.replace(end).is_none() {
                    *list = Json::Array(vec![std::mem::replace(list, Json::Null)]);
                }
                if let Json::Array(rows) = list {
                    rows.push(value.clone());
                }
                out.pop();
                continue;
            }
        }
        if !matches!(part, Part::Literal("")) {
            out.push(part);
        }
    }
    out
}

/// The parts as one text, with this text for each JSON. `None` for JSON leaves it.
pub(crate) fn joined<'t>(
    parts: &[Part<'t>],
    mut json: impl FnMut(&'t str, &Json<'t>, Option<&str>) -> Option<(Format, String)>,
) -> String {
    let mut out = String::new();
    for (at, part) in parts.iter().enumerate() {
        match part {
            Part::Literal(text) | Part::Form(text) => out.push_str(text),
            Part::Json { text, value, lines } => match json(text, value, *lines) {
                None => out.push_str(text),
                Some((format, text)) => {
                    if format != Format::Json
                        && let Some(Part::Literal(before)) = at.checked_sub(1).map(|at| &parts[at])
                        && let Some(unlabelled) = without_label(before)
                    {
                        out.truncate(out.len() - before.len());
                        out.push_str(&unlabelled);
                    }
                    out.push_str(&text);
                }
            },
        }
    }
    out
}

/// JSON without white space; lines stay lines.
pub(crate) fn spelled(value: &Json<'_>, lines: Option<&str>) -> String {
    match (value, lines) {
        (Json::Array(rows), Some(end)) => {
            rows.iter().map(json::minified).collect::<Vec<_>>().join(end)
        }
        (value, _) => json::minified(value),
    }
}

/// The text of these parts with its JSON minified.
pub(crate) fn minified(parts: &[Part<'_>]) -> String {
    joined(parts, |_, value, lines| {
        (!is_quoted(value)).then(|| (Format::Json, spelled(value, lines)))
    })
}

/// A text that ends with the opening line of a fence, without the fence's label for JSON.
pub(crate) fn without_label(text: &str) -> Option<String> {
    let end = text.len() - text.strip_suffix('\n')?.trim_end_matches('\r').len();
    let (before, end) = text.split_at(text.len() - end);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let (fence, label) = fence(before[start..].trim_start_matches(' '))?;
    let is_label = !label.is_empty() && LABELS.iter().any(|own| label.eq_ignore_ascii_case(own));
    let indent = before[start..].len() - before[start..].trim_start_matches(' ').len();
    is_label.then(|| format!("{}{fence}{end}", &before[..start + indent]))
}

/// The labels of fences around data.
pub(crate) const LABELS: [&str; 4] = ["", "json", "jsonl", "ndjson"];

/// The fence that begins a line, and the word behind it.
pub(crate) fn fence(line: &str) -> Option<(&str, &str)> {
    let mark = FENCES.iter().find(|fence| line.starts_with(**fence))?;
    let label = line.trim_start_matches(&mark[..1]);
    Some((&line[..line.len() - label.len()], label.trim()))
}
