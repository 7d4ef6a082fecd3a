//! Which texts with JSON in them are data (ruling M12). All others, such as pages of documentation
//! and programs, a model may have to copy byte for byte.

use crate::files::is_file_name;
use crate::json::Json;
use crate::parts::{LABELS, MARK, Part, fence, tag_length};

/// What stands outside of the JSON of a text, in bytes without white space; lines that are only
/// tags do not count.
#[derive(Default)]
struct Outside {
    sentences: usize,
    fences: usize,
    /// `true` if one of the sentences has a tag in it, as headings have.
    has_tags_in_sentences: bool,
}

/// Returns `true` if a text of these parts is data: outside of the JSON are only sentences, tags and
/// fences, and the JSON is at least four fifths of it.
pub(crate) fn is_data(parts: &[Part<'_>]) -> bool {
    let literals = parts.iter().filter_map(|part| match part {
        Part::Literal(text) => Some(*text),
        Part::Json { .. } | Part::Form(_) => None,
    });
    let Some(outside) = outside(&literals.collect::<String>()) else { return false };
    let json = parts.iter().filter_map(|part| match part {
        Part::Json { text, value, .. } => Some((text, value)),
        Part::Literal(_) | Part::Form(_) => None,
    });
    if outside.fences > 0 && !json.clone().all(|(_, value)| is_list(value)) {
        return false;
    }
    let json: usize = json.map(|(text, _)| bytes_of_json(text)).sum();
    let sentences = if stands_alone(parts) { 0 } else { outside.sentences };
    json * 5 >= (json + sentences + outside.fences) * 4
}

/// Reads the lines outside of the JSON. `None` if one of them is nothing that stands around data.
fn outside(text: &str) -> Option<Outside> {
    let mut outside = Outside::default();
    // The fence that is open, and the sentences since the last fence.
    let (mut open, mut sentences) = (None, 0);
    for line in text.trim_start_matches(MARK).lines().map(str::trim_end) {
        if let Some((fence, label)) = fence(line.trim_start_matches(' ')) {
            let is_right = match open.take() {
                None => {
                    open = Some(fence);
                    // Between two fences, a page explains them.
                    let most = usize::from(outside.fences == 0);
                    sentences <= most && LABELS.iter().any(|own| label.eq_ignore_ascii_case(own))
                }
                Some(opening) => label.is_empty() && fence.starts_with(opening),
            };
            if !is_right {
                return None;
            }
            outside.fences += bytes(line);
            sentences = 0;
            continue;
        }
        let text = without_tags(without_empty_json(line))?;
        if text.trim().is_empty() && !names_file(line) {
            continue;
        }
        if open.is_some() || !is_sentence(&text) || names_file(line) {
            return None;
        }
        outside.sentences += bytes(line);
        outside.has_tags_in_sentences |= text != line;
        sentences += 1;
    }
    let is_page = outside.fences > 0 && (sentences > 1 || outside.has_tags_in_sentences);
    (open.is_none() && !is_page).then_some(outside)
}

/// A line without the empty brackets at its end, which are JSON.
fn without_empty_json(line: &str) -> &str {
    let before = |open, close| line.strip_suffix(close)?.trim_end().strip_suffix(open);
    before('[', ']').or_else(|| before('{', '}')).unwrap_or(line).trim_end()
}

/// A line without its tags. `None` for a tag by which HTML shows code.
fn without_tags(line: &str) -> Option<String> {
    const CODE: [&str; 6] = ["code", "pre", "script", "style", "template", "textarea"];
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let Some(length) = tag_length(rest) else {
            text.push('<');
            rest = &rest[1..];
            continue;
        };
        let name = rest[1..length].trim_start_matches('/').split([' ', '/', '>']).next();
        if name.is_some_and(|name| CODE.iter().any(|own| name.eq_ignore_ascii_case(own))) {
            return None;
        }
        rest = &rest[length..];
    }
    text.push_str(rest);
    Some(text.trim_end().to_owned())
}

/// Returns `true` if a line is a sentence or a count, and no code.
fn is_sentence(line: &str) -> bool {
    let is_listed = ["- ", "* ", "• "].iter().any(|mark| line.starts_with(mark));
    let begins = line.starts_with(char::is_alphanumeric) || is_listed;
    let is_code = line.contains(['=', '{', ';', '|', '$', '\\', '@', '#', '`']);
    let mut after_bracket = line.split('(').skip(1);
    let is_call = after_bracket.any(|rest| rest.starts_with(char::is_alphabetic));
    let ends = line.ends_with(['.', ':', '!', '?']) || is_count(line);
    begins && ends && !is_code && !is_call
}

/// Returns `true` if a word in a line is the name of a file.
fn names_file(line: &str) -> bool {
    let is_own = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
    line.split(|c| !is_own(c)).any(|word| is_file_name(word.trim_end_matches('.')))
}

/// Returns `true` for `Rows (3)`, `Total: 1,234`, `Page 1 of 3`, `20 rows`, `Showing 1-8 of 20`.
fn is_count(line: &str) -> bool {
    let words: Vec<&str> = line
        .split_whitespace()
        .map(|word| word.trim_start_matches('(').trim_end_matches([')', ':']))
        .collect();
    let is_number = |word: &&str| {
        let digits = word.split_once('-').map_or(*word, |(_, most)| most).replace(',', "");
        !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_word = |word: &&str| word.chars().all(char::is_alphanumeric) || is_number(word);
    words.len() <= 6 && words.iter().all(is_word) && words.iter().any(is_number)
}

/// Returns `true` for a list, and for an object whose only member is one.
fn is_list(value: &Json<'_>) -> bool {
    match value {
        Json::Object(members) => matches!(members.as_slice(), [(_, Json::Array(_))]),
        value => matches!(value, Json::Array(_)),
    }
}

/// Returns `true` if all JSON stands alone between two tags of the same name.
fn stands_alone(parts: &[Part<'_>]) -> bool {
    let literal = |at: Option<usize>| match at.and_then(|at| parts.get(at)) {
        Some(Part::Literal(text)) => *text,
        _ => "",
    };
    let mut json = parts.iter().enumerate().filter(|(_, part)| matches!(part, Part::Json { .. }));
    json.all(|(at, _)| {
        let (before, after) = (literal(at.checked_sub(1)), literal(Some(at + 1)));
        let opening = before.trim_end();
        let opening = opening.rfind('<').map(|at| &opening[at..]);
        let opening = opening.filter(|tag| tag_length(tag) == Some(tag.len()));
        let name = opening.and_then(|tag| tag[1..].split([' ', '>']).next());
        name.is_some_and(|name| after.trim_start().starts_with(&format!("</{name}>")))
    })
}

fn bytes(line: &str) -> usize {
    line.split_whitespace().map(str::len).sum()
}

/// The bytes of JSON without the white space outside of its strings.
fn bytes_of_json(text: &str) -> usize {
    let (mut count, mut is_string, mut is_escaped) = (0, false, false);
    for byte in text.bytes() {
        count += usize::from(is_string || !byte.is_ascii_whitespace());
        is_string ^= byte == b'"' && !is_escaped;
        is_escaped = is_string && byte == b'\\' && !is_escaped;
    }
    count
}
