//! The reader of references to earlier results (ruling M21). It needs the written conversation
//! alone, and it is what each reference is checked against before it is written.
//!
//! ```text
//! reference = "Same as the last full result" [ " of " tool ]
//!             " with " path " = " scalar end
//! end       = "." / ", but for " changes ":" LF 1*( line LF )
//! changes   = "1 change" / number " changes"
//! line      = path " = " value
//!           ; one more item; "rows" of a list is itself
//!           / ( path / "rows" ) " also has " value
//!           / "without " path
//! path      = step *( "." name / "[" index "]" / "[" string "]" )
//! step      = name / "[" index "]" / "[" string "]"
//! name      = ( ALPHA / "_" ) *( ALPHA / DIGIT / "_" / "-" )
//! index     = "0" / %x31-39 *DIGIT                    ; from 0
//! repeat    = "Same text as the last full result that begins with " string "."
//! value, scalar, string                            ; as JSON has them, on one line
//! ```

use std::borrow::Cow;
use std::collections::VecDeque;

use crate::candidates::decoded;
use crate::json::{self, Json};
use crate::raw::{json_length, text};

use super::rows::{Tool, each_result};

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
    let (mut past, mut values) = (Past::default(), Vec::new());
    each_result(rows, |_, texts, tool| {
        for raw in texts {
            let text = text(raw);
            let same = text.as_ref().and_then(|text| past.named_by(text)).map(Cow::into_owned);
            let full = text.filter(|_| same.is_none());
            let full = full.map(|text| Full::new(tool, text.into_owned()));
            let value = same.or_else(|| full.as_ref().map(|full| full.value.clone()));
            values.push(value.unwrap_or_default());
            past.push(full);
        }
    })?;
    Some(values)
}

/// A text of a result that is no reference.
pub(super) struct Full {
    /// `" of "` and the name of its tool, if that can be in a reference, else nothing.
    pub(super) of: String,
    pub(super) text: String,
    /// An array or an object, or the text.
    pub(super) value: Value,
}

impl Full {
    pub(super) fn new(tool: &Tool<'_>, text: String) -> Self {
        let is_in = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        let is_plain = |name: &&&str| (1..=64).contains(&name.len()) && name.bytes().all(is_in);
        let of = tool.names.first().filter(is_plain).map(|name| format!(" of {name}"));
        let is_form = ["GCF profile=generic\n", "GCX1 "].iter().any(|head| text.starts_with(head));
        let json = if is_form { decoded(&text).map(Cow::Owned) } else { Some((&*text).into()) };
        let value = json.as_deref().and_then(value);
        let value = value.filter(|value| matches!(value, Json::Array(_) | Json::Object(_)));
        let value = value.unwrap_or_else(|| Json::String(text.clone().into()));
        Full { of: of.unwrap_or_default(), text, value }
    }

    /// Returns `true` if a reference `of` a tool names it by this scalar at this path.
    pub(super) fn is_named(&self, of: &str, path: &[Key<'_>], scalar: &Value) -> bool {
        let own = path.iter().try_fold(&self.value, |value, key| key.get(value));
        (of.is_empty() || of == self.of) && own.is_some_and(|own| own == scalar)
    }
}

/// The last texts of results, from the last on; `None` where one is no full result.
#[derive(Default)]
pub(super) struct Past(VecDeque<Option<Full>>);

impl Past {
    pub(super) fn push(&mut self, result: Option<Full>) {
        self.0.push_front(result);
        self.0.truncate(RESULTS);
    }

    pub(super) fn full(&self) -> impl Iterator<Item = &Full> {
        self.0.iter().flatten()
    }

    /// The value of a reference after these results. `None` if the text is none.
    /// `repeat = "Same text as the last full result that begins with " string "."`
    pub(super) fn named_by(&self, text: &str) -> Option<Cow<'_, Value>> {
        let Some(begin) = text.strip_prefix(SAME_TEXT) else { return self.reference(text) };
        let begin = value(begin.strip_suffix('.')?)?;
        let begins = |full: &&Full| begin.as_str().is_some_and(|own| full.text.starts_with(own));
        let base = &self.full().find(begins)?.value;
        base.as_str().map(|_| Cow::Borrowed(base))
    }

    /// `reference = "Same as the last full result" [ " of " tool ] " with " path " = " scalar end`
    fn reference(&self, text: &str) -> Option<Cow<'_, Value>> {
        let rest = text.strip_prefix(SAME)?;
        // No string of JSON has a line end in it.
        let (head, lines) = rest.split_at(rest.find('\n').map_or(rest.len(), |at| at + 1));
        let lines: Vec<&str> = lines.split_inclusive('\n').take(LINES + 1).collect();
        let head = head.strip_suffix(&*end(lines.len()))?;
        // A tool may be called `with`.
        let after = if head.starts_with(" of ") { " of ".len() } else { 0 };
        let (tool, member) = head.get(after..)?.split_once(" with ")?;
        let of = &head[..after + tool.len()];
        let (path, rest) = path(member)?;
        let scalar = value(rest.strip_prefix(" = ")?)?;
        let base = self.full().find(|full| full.is_named(of, &path, &scalar));
        let mut value = Cow::Borrowed(&base.filter(|_| lines.len() <= LINES)?.value);
        lines.iter().try_for_each(|line| change(value.to_mut(), line.strip_suffix('\n')?))?;
        Some(value)
    }
}

/// `end = "." / ", but for " ( "1 change" / number " changes" ) ":" LF`: how the first line of a
/// reference with so many more lines ends.
pub(super) fn end(lines: usize) -> String {
    let s = if lines == 1 { "" } else { "s" };
    if lines == 0 { ".".to_owned() } else { format!(", but for {lines} change{s}:\n") }
}

/// A step of a path.
#[derive(Clone)]
pub(super) enum Key<'a> {
    Name(Cow<'a, str>),
    Index(usize),
}

impl<'a> Key<'a> {
    pub(super) fn of(name: &'a str) -> Self {
        Key::Name(Cow::Borrowed(name))
    }

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

/// `line = path " = " value / ( path / "rows" ) " also has " value / "without " path`
fn change(root: &mut Value, line: &str) -> Option<()> {
    let gone = line.strip_prefix("without ").and_then(path).filter(|(_, rest)| rest.is_empty());
    let is_gone = gone.is_some();
    let (path, rest) = gone.or_else(|| path(line))?;
    if let Some(item) = rest.strip_prefix(" also has ") {
        let is_rows = matches!(&*path, [Key::Name(name)] if name == "rows");
        let list = if is_rows && root.as_object().is_none() { root } else { at(root, &path)? };
        let Json::Array(items) = list else { return None };
        items.push(value(item)?);
        return Some(());
    }
    let new = if is_gone { None } else { Some(value(rest.strip_prefix(" = ")?)?) };
    let (last, before) = path.split_last()?;
    match (last, at(root, before)?) {
        (Key::Name(name), Json::Object(members)) => {
            match (members.iter().position(|(own, _)| own == name), new) {
                (Some(own), Some(new)) => members[own].1 = new,
                (Some(own), None) => drop(members.remove(own)),
                (None, new) => members.push((name.to_string().into(), new?)),
            }
        }
        (Key::Index(own), Json::Array(items)) if *own < items.len() => {
            items.splice(*own..=*own, new);
        }
        _ => return None,
    }
    Some(())
}

fn at<'v>(root: &'v mut Value, path: &[Key<'_>]) -> Option<&'v mut Value> {
    path.iter().try_fold(root, |value, key| key.get_mut(value))
}

/// `path = step *( "." name / "[" index "]" / "[" string "]" )`, and what follows it.
fn path(text: &str) -> Option<(Vec<Key<'_>>, &str)> {
    let (mut path, mut rest) = (Vec::new(), text);
    while let Some((key, after)) = step(rest, path.is_empty()) {
        path.push(key);
        rest = after;
    }
    (!path.is_empty()).then_some((path, rest))
}

fn step(text: &str, is_first: bool) -> Option<(Key<'_>, &str)> {
    if let Some(inner) = text.strip_prefix('[') {
        let (inner, after) = inner.split_at_checked(json_length(inner).ok()?)?;
        let key = match json::parse(inner)? {
            Json::String(name) => Key::Name(name),
            Json::Number(index) => Key::Index(index.parse().ok()?),
            _ => return None,
        };
        return Some((key, after.strip_prefix(']')?));
    }
    let name = if is_first { text } else { text.strip_prefix('.')? };
    let (name, after) = name.split_at(name_length(name));
    (!name.is_empty()).then(|| (Key::Name(name.into()), after))
}

/// `name = ( ALPHA / "_" ) *( ALPHA / DIGIT / "_" / "-" )`: the length of the one that begins here.
fn name_length(text: &str) -> usize {
    let is_in = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let end = text.find(|c| !is_in(c)).unwrap_or(text.len());
    if text.starts_with(|c: char| c.is_ascii_digit() || c == '-') { 0 } else { end }
}

fn value(text: &str) -> Option<Value> {
    json::parse(text).map(Json::into_owned)
}
