//! Where the tokens of a text go: keys, names, numbers and punctuation.

use std::ops::AddAssign;

use gcf::grammar::{PROFILE, TAG};
use wire_tokens::Counter;

/// The class of a character in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// The name of a member, a field, an attribute, an element, or a section.
    Key,
    /// Text that is data: names, sentences, signatures.
    Name,
    Number,
    /// What separates the others, including white space.
    Punctuation,
}

/// How many tokens are of each class.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shares {
    pub(crate) keys: usize,
    pub(crate) names: usize,
    pub(crate) numbers: usize,
    pub(crate) punctuation: usize,
}

impl Shares {
    /// The names of the classes, in the order of [`Shares::counts`].
    pub(crate) const NAMES: [&'static str; 4] = ["keys", "names", "numbers", "punctuation"];

    pub(crate) fn counts(self) -> [usize; 4] {
        [self.keys, self.names, self.numbers, self.punctuation]
    }
}

impl AddAssign for Shares {
    fn add_assign(&mut self, other: Self) {
        self.keys += other.keys;
        self.names += other.names;
        self.numbers += other.numbers;
        self.punctuation += other.punctuation;
    }
}

/// A text, and the class of each of its bytes.
pub(crate) struct Classes<'t> {
    text: &'t str,
    classes: Vec<Class>,
}

impl<'t> Classes<'t> {
    /// The classes of a text in a format.
    pub(crate) fn of(text: &'t str, format: &str) -> Self {
        Classes { text, classes: classes(text, format) }
    }

    /// The tokens of the text by their classes. A token that spans several belongs to that of most
    /// of its bytes, and of equal ones to the first in the order of [`Shares::NAMES`].
    pub(crate) fn shares(&self, counter: Counter) -> Shares {
        let mut counts = [0; 4];
        for (start, length) in counter.pieces(self.text) {
            let mut bytes = [0; 4];
            for class in &self.classes[start..start + length] {
                bytes[*class as usize] += 1;
            }
            // Of equal ones the first.
            let most =
                (1..4).fold(0, |most, class| if bytes[class] > bytes[most] { class } else { most });
            counts[most] += 1;
        }
        let [keys, names, numbers, punctuation] = counts;
        Shares { keys, names, numbers, punctuation }
    }
}

/// The class of each byte.
fn classes(text: &str, format: &str) -> Vec<Class> {
    let mut classes = vec![Class::Punctuation; text.len()];
    for word in words(text) {
        let class = if is_number(&text[word.clone()]) { Class::Number } else { Class::Name };
        classes[word].fill(class);
    }
    match format {
        "json" | "json-pretty" | "jsonl" => json_keys(text, &mut classes),
        "xml" => xml_keys(text, &mut classes),
        "markdown" => line_keys(text, &mut classes, |line| line.starts_with('#')),
        "gcx" => header_keys(text, &mut classes, |line| line.starts_with("GCX1 ")),
        "goon" => goon_keys(text, &mut classes),
        "csv" | "tsv" => mark(&mut classes, 0..text.find('\n').unwrap_or(text.len())),
        "toon" => toon_keys(text, &mut classes),
        "yaml" => keys_before(text, ':', &mut classes),
        "toml" => {
            line_keys(text, &mut classes, |line| line.starts_with('['));
            keys_before(text, '=', &mut classes);
        }
        _ if text.lines().next().is_some_and(|line| line.contains(PROFILE)) => {
            generic_keys(text, &mut classes);
        }
        _ => {
            line_keys(text, &mut classes, |line| line.starts_with("##"));
            header_keys(text, &mut classes, is_header);
        }
    }
    classes
}

/// The runs of letters, digits and what joins them.
fn words(text: &str) -> impl Iterator<Item = std::ops::Range<usize>> {
    let is_joined = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | '-' | '+');
    let mut rest = text.char_indices().peekable();
    std::iter::from_fn(move || {
        let (start, _) = rest.find(|(_, c)| is_joined(*c))?;
        let mut end = text.len();
        while let Some(&(at, c)) = rest.peek() {
            if !is_joined(c) {
                end = at;
                break;
            }
            rest.next();
        }
        // Slashes and similar characters belong to a word only inside it; a sign may precede a
        // number.
        let word = &text[start..end];
        let inner = word.trim_end_matches(['/', '-', '+', '.']);
        let start = start + word.len() - word.trim_start_matches('/').len();
        Some(start..(end - (word.len() - inner.len())).max(start))
    })
    .filter(|word| text[word.clone()].contains(char::is_alphanumeric))
}

fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok() && word.contains(|c: char| c.is_ascii_digit())
}

fn mark(classes: &mut [Class], range: std::ops::Range<usize>) {
    for class in &mut classes[range] {
        if *class != Class::Punctuation {
            *class = Class::Key;
        }
    }
}

/// Strings in front of a colon; all else in a string is a name, digits, too.
fn json_keys(text: &str, classes: &mut [Class]) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(start) =
        bytes[at..].iter().position(|&byte| byte == b'"').map(|quote| at + quote)
    {
        let mut end = start + 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += if bytes[end] == b'\\' { 2 } else { 1 };
        }
        let end = end.min(bytes.len());
        let inside = start + 1..end;
        if bytes[(end + 1).min(bytes.len())..].trim_ascii_start().first() == Some(&b':') {
            mark(classes, inside);
        } else {
            for class in &mut classes[inside] {
                if *class == Class::Number {
                    *class = Class::Name;
                }
            }
        }
        at = (end + 1).min(bytes.len());
    }
}

/// Names of elements and attributes.
fn xml_keys(text: &str, classes: &mut [Class]) {
    let mut quote = None;
    let mut in_tag = false;
    let mut run = None;
    for (at, c) in text.char_indices() {
        match (in_tag, quote) {
            (false, _) if c == '<' => in_tag = true,
            (true, Some(open)) if c == open => quote = None,
            (true, None) if c == '"' || c == '\'' => quote = Some(c),
            (true, None) if c == '>' => in_tag = false,
            _ => {}
        }
        let is_key = in_tag && quote.is_none() && (c.is_alphanumeric() || c == '_' || c == '-');
        match (is_key, run) {
            (true, None) => run = Some(at),
            (false, Some(start)) => {
                mark(classes, start..at);
                run = None;
            }
            _ => {}
        }
    }
}

/// The whole of some lines.
fn line_keys(text: &str, classes: &mut [Class], is_key: impl Fn(&str) -> bool) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if is_key(line) {
            mark(classes, start..start + line.len());
        }
        start += line.len();
    }
}

/// Each line, and where it begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line)
    })
}

/// In header lines: the text before `=`, and the names of fields.
fn header_keys(text: &str, classes: &mut [Class], is_header: impl Fn(&str) -> bool) {
    for (start, line) in lines(text).filter(|(_, line)| is_header(line)) {
        before(line, '=', start, classes);
        if let Some(from) = line.find(" fields=").map(|at| at + " fields=".len()) {
            let to = line[from..].find(' ').map_or(line.len(), |at| from + at);
            mark(classes, start + from..start + to);
        }
    }
}

/// The names of sections, the text before a colon in the header, and elsewhere before `=`.
fn goon_keys(text: &str, classes: &mut [Class]) {
    let mut in_header = false;
    for (start, line) in lines(text) {
        if ["@header", "@nodes", "@edges", "@paths", "@rows"].contains(&line.trim_end()) {
            in_header = line.starts_with("@header");
            mark(classes, start..start + line.len());
        } else if in_header {
            let key = line.find(':').unwrap_or_default();
            mark(classes, start..start + key);
        } else {
            before(line, '=', start, classes);
        }
    }
}

/// Whether a line is the header of a text of GCF.
fn is_header(line: &str) -> bool {
    line.strip_prefix(TAG).is_some_and(|fields| fields.starts_with(' '))
}

/// The names of members and containers, and the fields of tables.
fn generic_keys(text: &str, classes: &mut [Class]) {
    let mut in_table = false;
    for (start, line) in lines(text) {
        let content = line.trim_start();
        let indent = start + line.len() - content.len();
        // A cell of a row may contain any of these marks.
        let head = content.starts_with("##") || is_header(content);
        if head {
            in_table = content.trim_end().ends_with('}');
        }
        match (head, content.find('{').filter(|_| content.trim_end().ends_with('}'))) {
            (true, Some(_)) => mark(classes, indent..indent + content.trim_end().len()),
            (true, None) => {
                let name = content.find(" [").unwrap_or(content.len());
                mark(classes, indent..indent + name);
            }
            (false, _) if in_table => {}
            (false, _) => {
                let end =
                    content.find(['=', '|', '"']).filter(|at| content[*at..].starts_with('='));
                mark(classes, indent..indent + end.unwrap_or_default());
            }
        }
    }
}

/// In each line, the text before the first of these marks.
fn keys_before(text: &str, what: char, classes: &mut [Class]) {
    for (start, line) in lines(text) {
        mark(classes, start..start + line.find(what).unwrap_or_default());
    }
}

/// Names of members, and the fields of tables: `name: x`, `rows[2]{id,name}:`.
fn toon_keys(text: &str, classes: &mut [Class]) {
    for (start, line) in lines(text) {
        let is_header = line.trim_end().ends_with("}:");
        let end = if is_header { line.len() } else { line.find(':').unwrap_or_default() };
        let (name, count) = (line.find('[').unwrap_or(end), line.find(']').unwrap_or(end));
        mark(classes, start..start + name.min(end));
        mark(classes, start + count.min(end)..start + end);
    }
}

/// Words in front of a mark, outside of quotes.
fn before(line: &str, what: char, start: usize, classes: &mut [Class]) {
    let (mut word, mut in_quotes, mut escaped) = (0, false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_quotes = !in_quotes,
            _ if in_quotes => {}
            ' ' => word = at + 1,
            // Behind the first one it is part of the value.
            c if c == what && word <= at => {
                mark(classes, start + word..start + at);
                word = line.len();
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The classes, a letter for each byte.
    fn shown(text: &str, format: &str) -> String {
        let letter = |class: &Class| match class {
            Class::Key => 'k',
            Class::Name => 'n',
            Class::Number => '0',
            Class::Punctuation => '.',
        };
        classes(text, format).iter().map(letter).collect()
    }

    #[test]
    fn classes_of_formats() {
        for (format, text, classes) in [
            ("json", r#"{"a1": "b 2", "c":-0.5}"#, "..kk....n.n....k..0000."),
            ("json", r#"["a\"b",1]"#, "..n..n..0."),
            ("xml", r#"<a b="c=1">d</a>"#, ".k.k..n.0..n..k."),
            (
                "gcf",
                "GCF tool=t x=1\n## edges [1]\n@0<@1 calls\n",
                "nnn.kkkk.n.k.0....kkkkk..k...0..0.nnnnn.",
            ),
            (
                "gcx",
                "GCX1 tool=t fields=a,b rows=1\n@x/y=z\t2\n",
                "nnnn.kkkk.n.kkkkkk.k.k.kkkk.0..nnn.n.0.",
            ),
            (
                "gcf",
                "GCF profile=generic\na=b=c\n## d [1]{e,f}\nx=y|2\n",
                "kkk.kkkkkkk.kkkkkkk.k.n.n....k..k..k.k..n.n.0.",
            ),
            ("csv", "id,name\n7,al\n", "kk.kkkk.0.nn."),
            ("yaml", "a: 1\n", "k..0."),
            ("toml", "[t]\na = \"b\"\n", ".k..k....n.."),
            ("toon", "rows[2]{id,name}:\n  7,al\nn: x\n", "kkkk.0..kk.kkkk.....0.nn.k..n."),
            (
                "goon",
                "@header\nnodes:2\n@nodes\nUser(1):\n7 name=bob\n",
                ".kkkkkk.kkkkk.0..kkkkk.nnnn.0...0.kkkk.nnn.",
            ),
        ] {
            assert_eq!(shown(text, format), classes, "{format} {text}");
        }
    }

    #[test]
    fn every_token_has_a_class() {
        let text = "GCF tool=t symbols=1\n## targets\n@0 fn größe 0.50 x\n";
        for counter in [Counter::WordPunctuation, Counter::Cl100kBase] {
            let counts = Classes::of(text, "gcf").shares(counter).counts();
            assert_eq!(counts.iter().sum::<usize>(), counter.pieces(text).count());
        }
    }
}
