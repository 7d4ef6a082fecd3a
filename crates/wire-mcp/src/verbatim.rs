//! What a model has to quote exactly, and so stays as it came (ruling M5): by what its tool
//! [reads](Reads), by the texts in it, and by the arguments of the call.

use std::borrow::Cow;

use crate::files::data_extension;
use crate::json::{self, Json};
use crate::raw::{Members, elements, text};
use crate::reads::Reads;
use crate::record::Left;

/// Arguments that ask for a part of a file.
const QUERIES: [&str; 9] =
    ["query", "sql", "filter", "expression", "pattern", "jq", "select", "columns", "where"];

/// The argument of a call that names a data file, and what it says, if there is one and the call does
/// not ask for a part of the file: a string, alone or in a list. `arguments` is the JSON of an object.
///
/// ```
/// let named = wire_mcp::named_data_file(r#"{"path":"a.json"}"#);
/// assert_eq!(named, Some(("path".to_owned(), "a.json".to_owned())));
/// ```
pub fn named_data_file(arguments: &str) -> Option<(String, String)> {
    let members = Members::parse(arguments)?;
    data_file_of(&members).map(|(name, path, _)| (name.to_owned(), path.into_owned()))
}

/// Which argument names a data file, or that one may, in words without what it says. Of an object
/// with a name twice it is not known which value the server reads.
pub(crate) fn data_file_in_words(arguments: &str) -> Option<String> {
    let Some(members) = Members::parse(arguments) else {
        let may_be = arguments.trim_start().starts_with('{');
        return may_be.then(|| "its arguments can't be read, and may name a data file".to_owned());
    };
    let (name, _, extension) = data_file_of(&members)?;
    Some(format!("its argument `{name}` names a `.{extension}` file"))
}

/// The name of the argument, what it says, and the extension.
fn data_file_of<'a>(members: &'a Members<'_>) -> Option<(&'a str, Cow<'a, str>, &'static str)> {
    if QUERIES.iter().any(|name| members.has(name)) {
        return None;
    }
    members.iter().find_map(|(name, raw)| {
        let mut texts = elements(raw).unwrap_or_else(|| vec![raw]).into_iter().filter_map(text);
        texts.find_map(|text| data_extension_of(&text).map(|extension| (name, text, extension)))
    })
}

fn data_extension_of(text: &str) -> Option<&'static str> {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let is_path = !text.contains(|c: char| c.is_whitespace() || c == '*');
    data_extension(path).filter(|_| is_path)
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
/// assert_eq!(
///     left_verbatim("load", r#"{"path":"a.json"}"#, rows),
///     Some(Left::DataFile)
/// );
/// ```
pub fn left_verbatim(tool: &str, arguments: &str, json: &str) -> Option<Left> {
    let value = json::parse(json)?;
    let names_data_file = data_file_in_words(arguments).is_some();
    let all = Values {
        all: vec![&value],
        whole: Some(&value),
        blocks: Vec::new(),
        has_whole: true,
        long_prose: 0,
    };
    kept(&Reads::of(tool), names_data_file, &all)
        .or_else(|| is_quoted(&value).then_some(Left::Quoted))
}

/// Returns `true` if a value is a text that has to be quoted, in a wrapper: one text of several lines
/// or over 256 bytes is at least half of its bytes, or it is `{"content": "<text>"}`, alone, in a list
/// or as the `X` of `{"result": X}`.
pub(crate) fn is_quoted(value: &Json<'_>) -> bool {
    let result = json::only_member(value, "result");
    [Some(value), result].into_iter().flatten().any(json::is_verbatim) || is_mostly_one_text(value)
}

/// The JSON in a result.
pub(crate) struct Values<'v, 'a> {
    pub(crate) all: Vec<&'v Json<'a>>,
    /// The value of all of it.
    pub(crate) whole: Option<&'v Json<'a>>,
    /// The values of its blocks, if each block is JSON.
    pub(crate) blocks: Vec<&'v Json<'a>>,
    /// `true` if one of its texts is JSON as a whole, or JSON lines.
    pub(crate) has_whole: bool,
    /// The most bytes of its texts that have no JSON in them, and several lines or over 256 bytes; 0
    /// if there is none.
    pub(crate) long_prose: usize,
}

impl Values<'_, '_> {
    fn longest(&self) -> usize {
        let longest = self.all.iter().map(|value| longest(value)).max();
        longest.filter(|bytes| *bytes > 0).unwrap_or(self.long_prose)
    }

    /// The text that decides, in words without what it says.
    pub(crate) fn text_in_words(&self, left: Left) -> Option<String> {
        let text = |bytes: usize| match bytes {
            0..1000 => format!("a text of {bytes} bytes"),
            bytes => format!("a text of {} kB", bytes / 1000),
        };
        match left {
            Left::LongText => Some(text(self.longest())),
            Left::Quoted => self.all.iter().find(|value| is_quoted(value)).map(|value| {
                let is_most = is_mostly_one_text(value);
                let text = is_most.then(|| format!("most of it is {}", text(longest(value))));
                text.unwrap_or_else(|| "a text is alone in `content`".to_owned())
            }),
            _ => None,
        }
    }
}

/// Why the result of a call stays as it came, if its tool's name or its arguments say so.
pub(crate) fn kept(reads: &Reads, names_data_file: bool, values: &Values<'_, '_>) -> Option<Left> {
    let is_data =
        || values.whole.is_some_and(rows_of_scalars) || are_rows_of_scalars(&values.blocks);
    match reads {
        Reads::File { are_rows_contents, .. }
            if *are_rows_contents || names_data_file || !is_data() =>
        {
            Some(Left::File)
        }
        Reads::Something { .. } if values.longest() > 0 => Some(Left::LongText),
        _ => (names_data_file && values.has_whole).then_some(Left::DataFile),
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

/// The bytes of its longest text of several lines or over 256 bytes, as JSON writes it; 0 if it has
/// none.
fn longest(value: &Json<'_>) -> usize {
    match value {
        Json::String(text) if is_long(text) => json::quoted(text).len(),
        Json::Array(items) => items.iter().map(longest).max().unwrap_or(0),
        Json::Object(members) => members.iter().map(|(_, value)| longest(value)).max().unwrap_or(0),
        Json::String(_) | Json::Null | Json::Bool(_) | Json::Number(_) => 0,
    }
}

/// Returns `true` if a text has several lines, or over 256 bytes. What only ends its one line is no
/// second one.
pub(crate) fn is_long(text: &str) -> bool {
    text.len() > SHORT || text.trim_end_matches(LINE_ENDS).contains(LINE_ENDS)
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
