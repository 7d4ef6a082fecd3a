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
            let full = past.full(tool, raw);
            let same = || Some(past.named_by(&text(raw)?)?.into_owned());
            let value = full.as_ref().map(|full| full.value.clone()).or_else(same);
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

/// The last texts of results, from the last on; `None` where one is no full result.
#[derive(Default)]
pub(super) struct Past(VecDeque<Option<Full>>);

impl Past {
    pub(super) fn push(&mut self, result: Option<Full>) {
        self.0.push_front(result);
        self.0.truncate(RESULTS);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Full> {
        self.0.iter().flatten()
    }

    /// The text that is written here in quotes after these results. `None` if it can't be read, or is
    /// a reference.
    pub(super) fn full(&self, tool: &Tool<'_>, raw: &str) -> Option<Full> {
        let text = text(raw).filter(|text| self.named_by(text).is_none())?.into_owned();
        let is_in = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-".contains(&byte);
        let is_plain = |name: &&&str| (1..=64).contains(&name.len()) && name.bytes().all(is_in);
        let of = tool.names.first().filter(is_plain).map(|name| format!(" of {name}"));
        let is_form = ["GCF profile=generic\n", "GCX1 "].iter().any(|head| text.starts_with(head));
        let json = if is_form { decoded(&text).map(Cow::Owned) } else { Some((&*text).into()) };
        let value = json.as_deref().and_then(value);
        let value = value.filter(|value| matches!(value, Json::Array(_) | Json::Object(_)));
        let value = value.unwrap_or_else(|| Json::String(text.clone().into()));
        Some(Full { of: of.unwrap_or_default(), text, value })
    }

    /// The last full result `of` a tool that has this scalar at this path.
    pub(super) fn base(&self, of: &str, path: &[Key<'_>], scalar: &Value) -> Option<&Full> {
        let has = |full: &Full| path.iter().try_fold(&full.value, get) == Some(scalar);
        self.iter().find(|full| (of.is_empty() || of == full.of) && has(full))
    }

    /// The value of a reference after these results. `None` if the text is none.
    /// `repeat = "Same text as the last full result that begins with " string "."`, or
    /// `reference = "Same as the last full result" [ " of " tool ] " with " path " = " scalar end`
    pub(super) fn named_by(&self, text: &str) -> Option<Cow<'_, Value>> {
        if let Some(begin) = text.strip_prefix(SAME_TEXT) {
            let Json::String(begin) = json::parse(begin.strip_suffix('.')?)? else { return None };
            let base = self.iter().find(|full| full.text.starts_with(&*begin))?;
            return base.value.as_str().map(|_| Cow::Borrowed(&base.value));
        }
        let rest = text.strip_prefix(SAME)?;
        // No string of JSON has a line end in it.
        let (head, lines) = rest.split_at(rest.find('\n').map_or(rest.len(), |at| at + 1));
        let lines: Vec<&str> = lines.split_inclusive('\n').take(LINES + 1).collect();
        let head = head.strip_suffix(&*end(lines.len()))?;
        // A tool may be called `with`.
        let after = if head.starts_with(" of ") { " of ".len() } else { 0 };
        let (tool, member) = head.get(after..)?.split_once(" with ")?;
        let (path, rest) = path(member)?;
        let scalar = value(rest.strip_prefix(" = ")?)?;
        let base = self.base(&head[..after + tool.len()], &path, &scalar);
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

/// A step of a path: a string is the name of a member, and a number the index of an item.
pub(super) type Key<'a> = Json<'a>;

/// Adds a step to a path.
pub(super) fn push(path: &mut String, key: &Key<'_>) {
    match key {
        Json::String(name) if name_length(name) == name.len() && !name.is_empty() => {
            path.extend([if path.is_empty() { "" } else { "." }, name]);
        }
        key => path.extend(["[", &json::minified(key), "]"]),
    }
}

fn get<'v>(value: &'v Value, key: &Key<'_>) -> Option<&'v Value> {
    match (value, key) {
        (_, Json::String(name)) => value.get(name),
        (Json::Array(items), Json::Number(index)) => items.get(index.parse::<usize>().ok()?),
        _ => None,
    }
}

/// `line = path " = " value / ( path / "rows" ) " also has " value / "without " path`
fn change(root: &mut Value, line: &str) -> Option<()> {
    if let Some((path, "")) = line.strip_prefix("without ").and_then(path) {
        let (key, before) = path.split_last()?;
        match (at(root, before)?, key) {
            (Json::Object(members), Json::String(name)) => {
                members.remove(members.iter().position(|(own, _)| own == name)?);
            }
            (Json::Array(items), Json::Number(index)) => {
                let index = index.parse().ok().filter(|index| *index < items.len())?;
                items.remove(index);
            }
            _ => return None,
        }
        return Some(());
    }
    let (path, rest) = path(line)?;
    let Some(item) = rest.strip_prefix(" also has ") else {
        *at(root, &path)? = value(rest.strip_prefix(" = ")?)?;
        return Some(());
    };
    let is_rows = matches!(&*path, [Json::String(name)] if name == "rows");
    let list = if is_rows && root.as_object().is_none() { root } else { at(root, &path)? };
    let Json::Array(items) = list else { return None };
    items.push(value(item)?);
    Some(())
}

/// The value at a path, where a member that is missing is added.
fn at<'v>(root: &'v mut Value, path: &[Key<'_>]) -> Option<&'v mut Value> {
    path.iter().try_fold(root, |value, key| match (value, key) {
        (Json::Object(members), Json::String(name)) => {
            let own = members.iter().position(|(own, _)| own == name).unwrap_or(members.len());
            if own == members.len() {
                members.push((name.to_string().into(), Json::Null));
            }
            Some(&mut members[own].1)
        }
        (Json::Array(items), Json::Number(index)) => items.get_mut(index.parse::<usize>().ok()?),
        _ => None,
    })
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
        return Some((json::parse(inner)?, after.strip_prefix(']')?));
    }
    let name = if is_first { text } else { text.strip_prefix('.')? };
    let (name, after) = name.split_at(name_length(name));
    (!name.is_empty()).then(|| (Json::String(name.into()), after))
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
