//! What a tool reads, by the words of its name in any spelling (ruling M5.1 to M5.3).

use std::fmt;

/// Returns `true` if a table of words has this one.
fn is_in(table: &str, word: &str) -> bool {
    let own = |line: &'static str| line.strip_prefix(table)?.strip_prefix(": ");
    let words = include_str!("words.txt").lines().find_map(own);
    words.expect("because tests ask all tables").split(' ').any(|one| one == word)
}

/// What a tool reads, by the words of its name.
///
/// ```
/// use wire_mcp::Reads;
///
/// assert_eq!(
///     Reads::of("get_wiki_page").to_string(),
///     "reads a file, by `get` and `wiki` in its name"
/// );
/// assert_eq!(
///     Reads::of("fetch_orders").to_string(),
///     "reads something, by `fetch` in its name"
/// );
/// assert_eq!(Reads::of("files__list_orders"), Reads::Nothing);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reads {
    /// A file or a document, by these words.
    File {
        /// The words, in lower case and the order of the name.
        words: Vec<String>,
        /// `true` if rows are those of a file, too, and no list of files.
        are_rows_contents: bool,
    },
    /// Something, by this word: a query, a graph, a file.
    Something {
        /// The word, in lower case.
        word: String,
    },
    /// Nothing that has to be quoted.
    Nothing,
}

impl Reads {
    /// What the tool of this name reads. What stands before the last `__` is a server's name.
    pub fn of(tool: &str) -> Self {
        let own = tool.rsplit_once("__").map_or(tool, |(_, own)| own);
        let mut words = words(own);
        let is_in = |table: &'static str| move |word: &&String| is_in(table, word);
        let cut = words.iter().skip(1).position(|word| is_in("cuts")(&word));
        words.truncate(cut.map_or(words.len(), |at| at + 1));
        let file = |found: &[&String], are_rows_contents| Reads::File {
            words: found.iter().map(|word| (*word).clone()).collect(),
            are_rows_contents,
        };
        let Some(last) = words.last() else { return Reads::Nothing };
        let are_rows_contents = words.len() == 1 || is_in("contents")(&last);
        let first = |table: &'static str| words.iter().find(is_in(table));
        match words.as_slice() {
            [one] if is_in("alone")(&one) => return file(&[one], true),
            [_] => return Reads::Nothing,
            [.., one, other] if ["fs read", "git show"].contains(&&*format!("{one} {other}")) => {
                return file(&[one, other], are_rows_contents);
            }
            _ => {}
        }
        if let (Some(verb), Some(thing), None) = (first("verbs"), first("things"), first("others"))
        {
            return file(&[verb, thing], are_rows_contents);
        }
        let places = [words.first(), words.get(1), Some(last)];
        match places.into_iter().flatten().find(is_in("reads")) {
            Some(word) => Reads::Something { word: word.clone() },
            None => Reads::Nothing,
        }
    }

    /// Of several names that a tool may have: of the one that keeps most.
    pub(crate) fn of_any(tools: &[&str]) -> Self {
        let strictness = |reads: &Reads| match reads {
            Reads::File { are_rows_contents, .. } => 2 + u8::from(*are_rows_contents),
            Reads::Something { .. } => 1,
            Reads::Nothing => 0,
        };
        tools.iter().map(|tool| Reads::of(tool)).max_by_key(strictness).unwrap_or(Reads::Nothing)
    }
}

/// `reads a file, by …`
impl fmt::Display for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reads::File { words, .. } => {
                let words: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
                write!(f, "reads a file, by {} in its name", words.join(" and "))
            }
            Reads::Something { word } => write!(f, "reads something, by `{word}` in its name"),
            Reads::Nothing => f.write_str("does not read a file, by its name"),
        }
    }
}

/// The words of a name in lower case. They end at characters that are no letters, before a capital
/// after a small letter, before the last of several capitals that a small letter follows, and at
/// digits, which are words of their own.
fn words(name: &str) -> Vec<String> {
    let bytes = name.as_bytes();
    let mut words = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let run = |from: usize, is_in: fn(&u8) -> bool| {
            bytes[from..].iter().take_while(|byte| is_in(byte)).count()
        };
        let capitals = run(at, u8::is_ascii_uppercase);
        let small = run(at + capitals, u8::is_ascii_lowercase);
        let digits = run(at, u8::is_ascii_digit);
        let length = match (capitals, small, digits) {
            (0, 0, 0) => {
                at += 1;
                continue;
            }
            (0, 0, digits) => digits,
            (0 | 1, small, _) => capitals + small,
            (capitals, 0, _) => capitals,
            (capitals, ..) => capitals - 1,
        };
        words.push(name[at..at + length].to_ascii_lowercase());
        at += length;
    }
    words
}
