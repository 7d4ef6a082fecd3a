//! The words, numbers and names that a text mentions, at any position.

use std::collections::BTreeSet;

/// The names that an answer may mention.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Everything of the kind that is asked for.
    pub(crate) names: BTreeSet<String>,
    /// The question, whose names and numbers an answer may repeat.
    pub(crate) question: String,
}

/// Names of the vocabularies that are also common English words.
const ENGLISH: [&str; 2] = ["type", "contains"];
/// The words of a text, without the marks around them.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

/// Digits, perhaps with a sign and decimals.
pub(super) fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
    [whole, decimals]
        .iter()
        .all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()))
}

/// The text of a decimal number without zeros at the end of its decimals: equal for equal numbers,
/// however large.
pub(super) fn plain(number: &str) -> String {
    if number.contains('.') && is_plain(number) {
        number.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        number.to_owned()
    }
}

/// The numbers of a text in order, without the commas between thousands. Digits that are part of a
/// word do not count.
pub(super) fn numbers(text: &str) -> Vec<String> {
    let is_word = |c: char| c.is_alphabetic() || c == '_';
    let mut numbers = Vec::new();
    for token in text.split(|c: char| !(is_word(c) || c.is_ascii_digit() || "-.,".contains(c))) {
        // The end of a sentence is not part of a number.
        let token = token.trim_end_matches(['.', ',', '-']).trim_start_matches([',', '.']);
        let number = token.replace(',', "");
        let mut groups = token.split('.').next().unwrap_or_default().split(',').skip(1);
        if is_plain(&number) && groups.all(|group| group.len() == 3) {
            numbers.push(plain(&number));
        } else if token.contains(',') {
            // A list without spaces.
            numbers.extend(token.split(',').filter(|part| is_plain(part)).map(plain));
        }
    }
    numbers
}

/// The names that a text mentions as a whole, and not as a part of another one.
pub(super) fn mentioned(
    context: &Context,
    wanted: &BTreeSet<String>,
    text: &str,
) -> BTreeSet<String> {
    let mut names: Vec<&String> = context
        .names
        .iter()
        .filter(|name| !mentions(&context.question, name) && !ENGLISH.contains(&name.as_str()))
        .chain(wanted)
        .filter(|name| !name.is_empty())
        .collect();
    // Longer names are searched first, so that a shorter one is not found inside them.
    names.sort_by_key(|name| std::cmp::Reverse(name.len()));
    names.dedup();
    // Words of a vocabulary may begin a sentence.
    let are_words =
        names.iter().all(|name| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'));
    let mut text = if are_words { text.to_lowercase() } else { text.to_owned() };
    let mut found = BTreeSet::new();
    for name in names {
        let mut from = 0;
        while let Some(at) = place(&text, name, from) {
            found.insert(name.clone());
            text.replace_range(at..at + name.len(), &" ".repeat(name.len()));
            from = at + name.len();
        }
    }
    found
}

fn mentions(text: &str, name: &str) -> bool {
    !name.is_empty() && place(text, name, 0).is_some()
}

/// The offset where a text mentions a name, searched from `from` on.
fn place(text: &str, name: &str, from: usize) -> Option<usize> {
    text[from..].match_indices(name).map(|(at, _)| from + at).find(|at| {
        let mut before = text[..*at].chars().rev();
        let mut after = text[at + name.len()..].chars();
        let is_part = |c: char| c.is_alphanumeric() || "_-/@$#".contains(c);
        // A dot ends a sentence, or separates the parts of a name; two colons also separate parts.
        let joined = |next: Option<char>, over: Option<char>| match (next, over) {
            (Some(':'), over) => over == Some(':'),
            (Some('.' | '-' | '/'), Some(over)) => is_part(over) || over == '.',
            (Some('.' | '-' | '/') | None, _) => false,
            (Some(next), _) => is_part(next),
        };
        !joined(after.next(), after.next()) && !joined(before.next(), before.next())
    })
}
