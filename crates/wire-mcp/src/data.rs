//! Which texts with JSON in them are data (ruling M12). All others, such as pages of documentation
//! and programs, a model may have to copy byte for byte.

use crate::files::is_data_file;
use crate::json::Json;
use crate::parts::{FENCES, MARK, Part};

/// The labels of fences around data.
const LABELS: [&str; 4] = ["", "json", "jsonl", "ndjson"];

/// What stands outside of the JSON of a text, in bytes without white space; lines that are only
/// tags do not count.
#[derive(Default)]
struct Outside {
    sentences: usize,
    fences: usize,
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
    let (mut open, mut sentences, mut most_sentences) = (None, 0, 0);
    for line in text.trim_start_matches(MARK).lines().map(str::trim) {
        let is_empty_json = matches!(&*line.replace([' ', '\t'], ""), "[]" | "{}");
        if line.is_empty() || is_empty_json {
            continue;
        }
        if let Some((fence, label)) = fence(line) {
            let is_right = match open.take() {
                None => {
                    open = Some(fence);
                    LABELS.iter().any(|own| label.eq_ignore_ascii_case(own))
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
        let text = without_tags(line);
        if open.is_some() || !text.is_empty() && !is_sentence(&text) {
            return None;
        }
        if !text.is_empty() {
            outside.sentences += bytes(line);
            sentences += 1;
            most_sentences = most_sentences.max(sentences);
        }
    }
    let is_page = outside.fences > 0 && most_sentences > 1;
    (open.is_none() && !is_page).then_some(outside)
}

/// A fence and the word behind it.
fn fence(line: &str) -> Option<(&str, &str)> {
    let mark = FENCES.iter().find(|fence| line.starts_with(**fence))?;
    let label = line.trim_start_matches(&mark[..1]);
    Some((&line[..line.len() - label.len()], label.trim()))
}

/// A line without its tags: `<name>`, `</name>` and `<name id="…">`.
fn without_tags(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some(at) = rest.find('<') {
        text.push_str(&rest[..at]);
        let length = tag(&rest[at..]);
        text.push_str(if length.is_some() { "" } else { "<" });
        rest = &rest[at + length.unwrap_or(1)..];
    }
    (text + rest).trim().to_owned()
}

/// The length of the tag that begins a text.
fn tag(text: &str) -> Option<usize> {
    let inside = &text[1..text.find('>')?];
    let name = inside.strip_prefix('/').unwrap_or(inside);
    let (name, attribute) = name.split_once(' ').unwrap_or((name, "id=\"\""));
    let is_name = name.starts_with(char::is_alphabetic)
        && name.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    let id = attribute.strip_prefix("id=\"").and_then(|value| value.strip_suffix('"'));
    (is_name && id.is_some_and(|id| !id.contains(['"', '<']))).then_some(inside.len() + 2)
}

/// Returns `true` if a line is a sentence or a count, and neither code nor the name of a file.
fn is_sentence(line: &str) -> bool {
    let begins = line.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '*' | '•'));
    let is_code = line.contains(['=', '{', ';', '|', '$', '\\', '@', '#', '`']);
    let mut after_bracket = line.split('(').skip(1);
    let is_call = after_bracket.any(|rest| rest.starts_with(char::is_alphabetic));
    let marks = ['.', ':', '!', '?', ',', '(', ')', '"', '\''];
    let names_file = |word: &str| {
        is_data_file(word.trim_end_matches(marks).trim_start_matches(['(', '"', '\'']))
    };
    let ends = line.ends_with(['.', ':', '!', '?']) || is_count(line);
    begins && ends && !is_code && !is_call && !line.split_whitespace().any(names_file)
}

/// Returns `true` for `Rows (3)`, `Total: 20`, `Page 1 of 3`, `20 rows`.
fn is_count(line: &str) -> bool {
    let is_own = |c: char| c.is_alphanumeric() || matches!(c, ' ' | ':' | '(' | ')');
    let words = || line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    line.chars().all(is_own) && words().any(is_number) && words().count() <= 5
}

/// Returns `true` for a list, and for an object whose only member is one.
fn is_list(value: &Json<'_>) -> bool {
    match value {
        Json::Object(members) => matches!(members.as_slice(), [(_, Json::Array(_))]),
        value => matches!(value, Json::Array(_)),
    }
}

/// Returns `true` if JSON stands alone between two tags of the same name.
fn stands_alone(parts: &[Part<'_>]) -> bool {
    parts.windows(3).any(|parts| {
        let [Part::Literal(before), Part::Json { .. }, Part::Literal(after)] = parts else {
            return false;
        };
        let (before, after) = (before.trim_end(), after.trim_start());
        let opening = before.rfind('<').map(|at| &before[at..]);
        let opening = opening.filter(|tag| self::tag(tag) == Some(tag.len()));
        let name = opening.and_then(|tag| tag[1..].split([' ', '>']).next());
        name.is_some_and(|name| after.starts_with(&format!("</{name}>")))
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
