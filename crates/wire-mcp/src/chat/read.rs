//! The reader of references to earlier results (ruling M21). It needs the written conversation
//! alone, and it is what each reference is checked against before it is written.
//!
//! ```text
//! reference = "Same as the last full result" [ " of " tool ]
//!             " with " path " = " scalar
//!             ( "." / ", but for " changes ":" LF 1*( line LF ) )
//! changes   = "1 change" / number " changes"          ; as many lines follow
//! line      = path " = " value
//!           ; one more item; "rows" of a list is itself
//!           / ( path / "rows" ) " also has " value
//!           / "without " path
//! path      = step *( "." name / "[" index "]" / "[" string "]" )
//! step      = name / "[" index "]" / "[" string "]"
//! name      = ( ALPHA / "_" ) *( ALPHA / DIGIT / "_" / "-" )
//! index     = 1*DIGIT                                 ; from 0
//! repeat    = "Same text as the last full result that begins with " string "."
//! value, scalar, string                            ; as JSON has them, on one line
//! ```

use std::borrow::Cow;
use std::collections::VecDeque;

use crate::candidates::decoded;
use crate::json::{self, Json};
use crate::raw::{Members, each_element, json_length, text};

use super::rows::{Calls, results};

/// The most results from a reference back to what it names.
const RESULTS: usize = 15;
/// The most lines of a reference.
pub(super) const LINES: usize = 100;

pub(super) const SAME: &str = "Same as the last full result";
pub(super) const SAME_TEXT: &str = "Same text as the last full result that begins with ";

pub(super) type Value = Json<'static>;

/// Reads the texts of tools' results in a conversation, as [`rewrite`](super::rewrite) has written
/// it: a value for each text, in their order. A text that is a JSON array or object, in GCF or GCX1,
/// or a reference, is that value; any other text, and one that begins as a reference does and is
/// none, is a string; one that can't be decoded (half of a surrogate pair) is `null`. `None` if
/// `rows` is no array.
///
/// ```
/// use wire_mcp::chat;
///
/// let rows = r#"[
///   {"role": "tool", "content": "{\"id\": 7, \"name\": \"Ann\"}"},
///   {"role": "tool", "content":
///  "Same as the last full result with id = 7, but for 1 change:\nname = \"Bo\"\n"}
/// ]"#;
/// let values = chat::read(rows).unwrap();
/// assert_eq!(values[1].get("name").unwrap().as_str(), Some("Bo"));
/// ```
pub fn read(rows: &str) -> Option<Vec<Json<'static>>> {
    let (mut calls, mut past) = (Calls::default(), Past::default());
    let mut values = Vec::new();
    each_element(rows, |written| {
        let row = Members::parse(written);
        for result in row.as_ref().map(results).unwrap_or_default() {
            let tool = calls.tool(&result).names.first().copied();
            for raw in &result.texts {
                let text = text(raw);
                let same = text.as_ref().and_then(|text| past.named_by(text));
                let (value, full) = match (same, text) {
                    (_, None) => (Json::Null, None),
                    (Some(value), _) => (value.into_owned(), None),
                    (None, Some(text)) => {
                        let full = Full::new(tool, text.into_owned());
                        let text = || Json::String(full.text.clone().into());
                        (full.value.clone().unwrap_or_else(text), Some(full))
                    }
                };
                values.push(value);
                past.push(full);
            }
        }
        calls.remember(written);
    })?;
    Some(values)
}

/// A text of a result that is no reference.
pub(super) struct Full {
    /// The name of its tool, if it can be in a reference.
    pub(super) tool: Option<String>,
    pub(super) text: String,
    /// Its value, if that is an array or an object.
    pub(super) value: Option<Value>,
}

impl Full {
    pub(super) fn new(tool: Option<&str>, text: String) -> Self {
        let is_tool = |name: &&str| {
            (1..=64).contains(&name.len())
                && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_.-".contains(&b))
        };
        let is_form = ["GCF profile=generic\n", "GCX1 "].iter().any(|head| text.starts_with(head));
        let json = if is_form { decoded(&text).map(Cow::Owned) } else { Some((&*text).into()) };
        let is_list = |value: &Json<'_>| matches!(value, Json::Array(_) | Json::Object(_));
        let value = json.as_deref().and_then(json::parse).filter(is_list).map(Json::into_owned);
        Full { tool: tool.filter(is_tool).map(str::to_owned), text, value }
    }

    /// Returns `true` if it has this scalar at this path.
    pub(super) fn has(&self, path: &[Key<'_>], scalar: &Value) -> bool {
        let found = |value| path.iter().try_fold(value, |value, key| key.get(value));
        self.value.as_ref().and_then(found).is_some_and(|own| own == scalar)
    }
}

/// The last texts of results; `None` where one is no full result.
#[derive(Default)]
pub(super) struct Past(VecDeque<Option<Full>>);

impl Past {
    pub(super) fn push(&mut self, result: Option<Full>) {
        if self.0.len() == RESULTS {
            self.0.pop_front();
        }
        self.0.push_back(result);
    }

    /// Forgets all, so that no later text can name them.
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// The full results, from the last on.
    pub(super) fn full(&self) -> impl Iterator<Item = &Full> {
        self.0.iter().rev().flatten()
    }

    /// The value of a reference after these results. `None` if the text is none.
    pub(super) fn named_by(&self, text: &str) -> Option<Cow<'_, Value>> {
        self.reference(text).or_else(|| self.repeat(text))
    }

    /// `reference = "Same as the last full result" [ " of " tool ] " with " path " = " scalar
    /// ( "." / ", but for " changes ":" LF 1*( line LF ) )`
    fn reference(&self, text: &str) -> Option<Cow<'_, Value>> {
        let rest = text.strip_prefix(SAME)?;
        // No string of JSON has a line end in it.
        let (head, lines) = match rest.split_once('\n') {
            Some((head, lines)) => {
                let lines: Vec<&str> =
                    lines.strip_suffix('\n')?.split('\n').take(LINES + 1).collect();
                let end = format!(", but for {}:", changes(lines.len()));
                (head.strip_suffix(&*end)?, lines)
            }
            None => (rest.strip_suffix('.')?, Vec::new()),
        };
        let (tool, member) = match head.strip_prefix(" of ") {
            Some(rest) => rest.split_once(" with ").map(|(tool, rest)| (Some(tool), rest))?,
            None => (None, head.strip_prefix(" with ")?),
        };
        let (path, rest) = path(member)?;
        let scalar = value(rest.strip_prefix(" = ")?)?;
        let is_named = |full: &&Full| {
            tool.is_none_or(|tool| full.tool.as_deref() == Some(tool)) && full.has(&path, &scalar)
        };
        let base = self.full().find(is_named)?.value.as_ref()?;
        if lines.len() > LINES {
            return None;
        }
        let mut value = Cow::Borrowed(base);
        lines.iter().try_for_each(|line| change(value.to_mut(), line))?;
        Some(value)
    }

    /// `repeat = "Same text as the last full result that begins with " string "."`
    fn repeat(&self, text: &str) -> Option<Cow<'_, Value>> {
        let begin = value(text.strip_prefix(SAME_TEXT)?.strip_suffix('.')?)?;
        let begins = |full: &&Full| begin.as_str().is_some_and(|own| full.text.starts_with(own));
        let base = self.full().find(begins).filter(|base| base.value.is_none())?;
        Some(Cow::Owned(Json::String(base.text.clone().into())))
    }
}

/// A step of a path.
#[derive(Clone)]
pub(super) enum Key<'a> {
    Name(Cow<'a, str>),
    Index(usize),
}

impl Key<'_> {
    /// About the bytes that it adds to a path.
    pub(super) fn size(&self) -> usize {
        match self {
            Key::Name(name) => name.len() + 1,
            Key::Index(_) => 3,
        }
    }

    /// Adds it to a path.
    pub(super) fn push(&self, path: &mut String) {
        match self {
            Key::Index(at) => path.push_str(&format!("[{at}]")),
            Key::Name(name) if name_length(name) == name.len() && !name.is_empty() => {
                path.extend([if path.is_empty() { "" } else { "." }, name]);
            }
            Key::Name(name) => path.extend(["[", &json::quoted(name), "]"]),
        }
    }

    fn get<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match (self, value) {
            (Key::Name(name), Json::Object(_)) => value.get(name),
            (Key::Index(at), Json::Array(items)) => items.get(*at),
            _ => None,
        }
    }

    fn get_mut<'v>(&self, value: &'v mut Value) -> Option<&'v mut Value> {
        match (self, value) {
            (Key::Name(name), Json::Object(members)) => {
                members.iter_mut().find(|(own, _)| own == name).map(|(_, value)| value)
            }
            (Key::Index(at), Json::Array(items)) => items.get_mut(*at),
            _ => None,
        }
    }
}

/// `changes = "1 change" / number " changes"`
pub(super) fn changes(lines: usize) -> String {
    format!("{lines} change{}", if lines == 1 { "" } else { "s" })
}

/// `line = path " = " value / ( path / "rows" ) " also has " value / "without " path`
fn change(root: &mut Value, line: &str) -> Option<()> {
    if let Some((path, "")) = line.strip_prefix("without ").and_then(path) {
        let (last, before) = path.split_last()?;
        match (last, at(root, before)?) {
            (Key::Name(name), Json::Object(members)) => {
                members.remove(members.iter().position(|(own, _)| own == name)?);
            }
            (Key::Index(at), Json::Array(items)) if *at < items.len() => {
                items.remove(*at);
            }
            _ => return None,
        }
        return Some(());
    }
    let (path, rest) = path(line)?;
    if let Some(item) = rest.strip_prefix(" also has ") {
        let is_root =
            matches!(&*path, [Key::Name(name)] if name == "rows") && root.as_object().is_none();
        let list = if is_root { root } else { at(root, &path)? };
        let Json::Array(items) = list else { return None };
        items.push(value(item)?);
        return Some(());
    }
    let new = value(rest.strip_prefix(" = ")?)?;
    let (last, before) = path.split_last()?;
    let parent = at(root, before)?;
    if let Some(old) = last.get_mut(parent) {
        *old = new;
        return Some(());
    }
    let (Key::Name(name), Json::Object(members)) = (last, parent) else { return None };
    members.push((name.to_string().into(), new));
    Some(())
}

fn at<'v>(root: &'v mut Value, path: &[Key<'_>]) -> Option<&'v mut Value> {
    path.iter().try_fold(root, |value, key| key.get_mut(value))
}

/// `path = step *( "." name / "[" index "]" / "[" string "]" )`, and what follows it.
fn path(text: &str) -> Option<(Vec<Key<'_>>, &str)> {
    let (mut path, mut rest) = (Vec::new(), text);
    loop {
        let key;
        if let Some(inner) = rest.strip_prefix("[\"").map(|_| &rest[1..]) {
            let (string, after) = inner.split_at_checked(json_length(inner).ok()?)?;
            (key, rest) = (Key::Name(crate::raw::text(string)?), after.strip_prefix(']')?);
        } else if let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']')?;
            let is_index = index.bytes().all(|byte| byte.is_ascii_digit());
            (key, rest) = (Key::Index(index.parse().ok().filter(|_| is_index)?), after);
        } else {
            let inner = if path.is_empty() { Some(rest) } else { rest.strip_prefix('.') };
            let length = inner.map_or(0, name_length);
            let Some(inner) = inner.filter(|_| length > 0) else {
                return (!path.is_empty()).then_some((path, rest));
            };
            (key, rest) = (Key::Name(inner[..length].into()), &inner[length..]);
        }
        path.push(key);
    }
}

/// `name = ( ALPHA / "_" ) *( ALPHA / DIGIT / "_" / "-" )`: the length of the one that begins here.
fn name_length(text: &str) -> usize {
    let is_in = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    match text.bytes().next() {
        Some(b'a'..=b'z' | b'A'..=b'Z' | b'_') => {
            text.bytes().take_while(|byte| is_in(byte)).count()
        }
        _ => 0,
    }
}

fn value(text: &str) -> Option<Value> {
    json::parse(text).map(Json::into_owned)
}
