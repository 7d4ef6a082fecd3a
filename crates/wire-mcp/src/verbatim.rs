//! What a model has to quote exactly, and so stays as it came (ruling M5): by the words of a tool's
//! name, by the texts in its result, and by the arguments of the call.

use std::borrow::Cow;
use std::fmt;

use crate::files::is_data_file;
use crate::json::{self, Json};
use crate::raw::{Members, elements, text};
use crate::record::Left;

/// Words for reading: the name of a tool that reads a file has one of them,
const VERBS: [&str; 15] = [
    "read", "cat", "get", "fetch", "view", "open", "show", "load", "download", "retrieve", "head",
    "tail", "print", "dump", "scrape",
];
/// one of these words for what is read,
const THINGS: [&str; 39] = [
    "file",
    "files",
    "content",
    "contents",
    "text",
    "texts",
    "source",
    "blob",
    "raw",
    "code",
    "document",
    "documentation",
    "doc",
    "docs",
    "note",
    "notes",
    "page",
    "wiki",
    "markdown",
    "latex",
    "html",
    "txt",
    "xml",
    "readme",
    "script",
    "snippet",
    "paper",
    "lines",
    "section",
    "sections",
    "memory",
    "asset",
    "attachment",
    "web",
    "webpage",
    "website",
    "url",
    "notebook",
    "email",
];
/// and none of these, which say that it is something about files, or no file.
const OTHERS: [&str; 85] = [
    "info",
    "metadata",
    "list",
    "search",
    "find",
    "tree",
    "size",
    "sizes",
    "stat",
    "stats",
    "status",
    "permissions",
    "access",
    "path",
    "paths",
    "name",
    "names",
    "link",
    "structure",
    "outline",
    "overview",
    "history",
    "blame",
    "comment",
    "comments",
    "template",
    "templates",
    "views",
    "children",
    "images",
    "image",
    "thumbnail",
    "logs",
    "log",
    "type",
    "types",
    "count",
    "diagnostics",
    "errors",
    "scanning",
    "quality",
    "shareable",
    "project",
    "metrics",
    "diff",
    "draft",
    "merge",
    "structured",
    "details",
    "write",
    "create",
    "update",
    "delete",
    "edit",
    "move",
    "copy",
    "upload",
    "set",
    "add",
    "remove",
    "replace",
    "append",
    "insert",
    "run",
    "execute",
    "schema",
    "query",
    "index",
    "restrictions",
    "relations",
    "space",
    "reactions",
    "dependency",
    "graph",
    "values",
    "value",
    "compliance",
    "rows",
    "row",
    "table",
    "tables",
    "records",
    "sheet",
    "database",
    "db",
];
/// Words that say that something is read, as a tool's first, second or last one.
const READS: [&str; 6] = ["read", "fetch", "cat", "view", "open", "scrape"];
/// Words that are the whole name of a tool that reads a file.
const ALONE: [&str; 5] = ["read", "cat", "view", "open", "fetch"];
/// Words from which on a name says by what, or where, and not what.
const CUTS: [&str; 6] = ["by", "at", "for", "from", "to", "with"];
/// Last words of tools whose rows are those of a file.
const CONTENTS: [&str; 6] = ["file", "files", "content", "contents", "source", "text"];
/// Arguments that ask for a part of a file.
const QUERIES: [&str; 9] =
    ["query", "sql", "filter", "expression", "pattern", "jq", "select", "columns", "where"];

/// What a tool reads, by the words of its name.
///
/// ```
/// use wire_mcp::Reads;
///
/// assert_eq!(Reads::of("get_wiki_page").to_string(), "reads a file, by `get` and `wiki` in its name");
/// assert_eq!(Reads::of("fetch_orders").to_string(), "reads something, by `fetch` in its name");
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
        let is_in = |table: &'static [&str]| move |word: &&String| table.contains(&word.as_str());
        let cut = words.iter().skip(1).position(|word| is_in(&CUTS)(&word));
        words.truncate(cut.map_or(words.len(), |at| at + 1));
        let file = |found: &[&String], are_rows_contents| Reads::File {
            words: found.iter().map(|word| (*word).clone()).collect(),
            are_rows_contents,
        };
        let Some(last) = words.last() else { return Reads::Nothing };
        let are_rows_contents = words.len() == 1 || is_in(&CONTENTS)(&last);
        let first = |table: &'static [&str]| words.iter().find(is_in(table));
        match words.as_slice() {
            [one] if is_in(&ALONE)(&one) => return file(&[one], true),
            [_] => return Reads::Nothing,
            [.., one, other] if ["fs read", "git show"].contains(&&*format!("{one} {other}")) => {
                return file(&[one, other], are_rows_contents);
            }
            _ => {}
        }
        if let (Some(verb), Some(thing), None) = (first(&VERBS), first(&THINGS), first(&OTHERS)) {
            return file(&[verb, thing], are_rows_contents);
        }
        let places = [words.first(), words.get(1), Some(last)];
        match places.into_iter().flatten().find(is_in(&READS)) {
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

/// The argument of a call that names a data file, if there is one and the call does not ask for a
/// part of it: a string, alone or in a list. `arguments` is the JSON of an object.
pub fn named_data_file(arguments: &str) -> Option<String> {
    let members = Members::parse(arguments)?;
    if QUERIES.iter().any(|name| members.has(name)) {
        return None;
    }
    let strings = members.iter().flat_map(|(_, raw)| elements(raw).unwrap_or_else(|| vec![raw]));
    strings.filter_map(text).find(|text| is_path_of_data(text)).map(Cow::into_owned)
}

fn is_path_of_data(text: &str) -> bool {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    !text.contains(|c: char| c.is_whitespace() || c == '*') && is_data_file(path)
}

/// Why the result of a tool is left as it is, if it is: `json` is all of it, and `arguments` the JSON
/// of an object (ruling M5). This is for tools that write their own results; [`rewrite`](crate::rewrite)
/// does it for a server's.
///
/// ```
/// use wire_mcp::{Left, left_verbatim};
///
/// let rows = r#"[{"id":1},{"id":2},{"id":3}]"#;
/// assert_eq!(left_verbatim("list_orders", "{}", rows), None);
/// assert_eq!(left_verbatim("read_file", "{}", rows), Some(Left::File));
/// assert_eq!(left_verbatim("load", r#"{"path":"a.json"}"#, rows), Some(Left::DataFile));
/// ```
pub fn left_verbatim(tool: &str, arguments: &str, json: &str) -> Option<Left> {
    let value = json::parse(json)?;
    let names_data_file = named_data_file(arguments).is_some();
    kept(&Reads::of(tool), names_data_file, [&value], Some(&value), &[])
        .or_else(|| is_quoted(&value).then_some(Left::Quoted))
}

/// Returns `true` if a value is a text that has to be quoted, in a wrapper: one text of several lines
/// or over 256 bytes is at least half of its bytes, or it is `{"content": "<text>"}`, alone, in a list
/// or as the `X` of `{"result": X}`.
pub(crate) fn is_quoted(value: &Json<'_>) -> bool {
    let result = json::only_member(value, "result");
    [Some(value), result].into_iter().flatten().any(json::is_verbatim) || is_mostly_one_text(value)
}

/// Why the result of a call stays as it came, if its tool's name or its arguments say so. `values` are
/// the JSON in it, of which `whole` is the value of all of it.
pub(crate) fn kept<'v, 'a: 'v>(
    reads: &Reads,
    names_data_file: bool,
    values: impl IntoIterator<Item = &'v Json<'a>>,
    whole: Option<&Json<'_>>,
    blocks: &[&Json<'_>],
) -> Option<Left> {
    let is_data = || whole.is_some_and(rows_of_scalars) || are_rows_of_scalars(blocks);
    match reads {
        Reads::File { are_rows_contents, .. }
            if *are_rows_contents || names_data_file || !is_data() =>
        {
            Some(Left::File)
        }
        Reads::Something { .. } if values.into_iter().any(|value| longest(value) > 0) => {
            Some(Left::LongText)
        }
        _ => (names_data_file && whole.is_some()).then_some(Left::DataFile),
    }
}

/// The bytes of a text up to which it is short, if it is one line.
const SHORT: usize = 256;
const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// Returns `true` if a text of several lines or over 256 bytes is at least half of its bytes.
fn is_mostly_one_text(value: &Json<'_>) -> bool {
    let longest = longest(value);
    longest > 0 && 2 * longest >= json::minified(value).len()
}

/// The bytes of its longest text of several lines or over 256 bytes; 0 if it has none.
fn longest(value: &Json<'_>) -> usize {
    match value {
        Json::String(text) => {
            // What only ends its one line is no second one.
            let is_long =
                text.len() > SHORT || text.trim_end_matches(LINE_ENDS).contains(LINE_ENDS);
            if is_long { text.len() } else { 0 }
        }
        Json::Array(items) => items.iter().map(longest).max().unwrap_or(0),
        Json::Object(members) => members.iter().map(|(_, value)| longest(value)).max().unwrap_or(0),
        Json::Null | Json::Bool(_) | Json::Number(_) => 0,
    }
}

/// Returns `true` if it is a list, or an object whose only member is a list, of at least 3 objects
/// with equal names, with scalars that are short, and no name of a text that has to be quoted.
fn rows_of_scalars(value: &Json<'_>) -> bool {
    let list = match value {
        Json::Object(members) => match members.as_slice() {
            [(_, list)] => list,
            _ => return false,
        },
        value => value,
    };
    let Json::Array(rows) = list else { return false };
    are_rows_of_scalars(&rows.iter().collect::<Vec<_>>())
}

/// The same of the items of a list.
fn are_rows_of_scalars(rows: &[&Json<'_>]) -> bool {
    const TEXTS: [&str; 4] = ["content", "text", "body", "source"];
    let names = |row: &Json<'_>| -> Option<Vec<String>> {
        let Json::Object(members) = row else { return None };
        let is_scalar = |value: &Json<'_>| match value {
            Json::String(text) => text.len() <= SHORT && !text.contains(LINE_ENDS),
            value => !matches!(value, Json::Array(_) | Json::Object(_)),
        };
        let is_plain =
            members.iter().all(|(name, value)| is_scalar(value) && !TEXTS.contains(&&**name));
        let mut names: Vec<String> = members.iter().map(|(name, _)| name.to_string()).collect();
        names.sort_unstable();
        is_plain.then_some(names)
    };
    rows.len() >= 3
        && names(rows[0]).is_some_and(|first| {
            rows.iter().all(|row| names(row).is_some_and(|names| names == first))
        })
}
