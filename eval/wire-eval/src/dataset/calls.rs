//! The answers of calls of tools, one after the other: from MCP frames, from files of values, or
//! generated.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::Named;
use crate::dataset::Dataset;
use crate::failure::{Failure, read, say};

/// The calls of a conversation.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Transcript {
    /// The tool, and the value that it answered with.
    pub(crate) calls: Vec<(String, Value)>,
    /// The answers to the questions so far.
    pub(crate) said: Vec<String>,
}

impl Transcript {
    /// Adds a call, whose value is in one of the formats; `None` if no format decodes it.
    pub(crate) fn add(&mut self, tool: &str, text: &str) -> Option<()> {
        self.calls.push((tool.to_owned(), value(text)?));
        Some(())
    }

    /// The entries of a call, by its number from 1.
    pub(crate) fn entries(&self, call: &str) -> Option<Entries> {
        Entries::of(self.value(call)?)
    }

    /// The value of a call, by its number from 1.
    pub(crate) fn value(&self, call: &str) -> Option<&Value> {
        let number: usize = call.parse().ok()?;
        self.calls.get(number.checked_sub(1)?).map(|(_, value)| value)
    }

    /// Everything that is listed.
    pub(crate) fn size(&self) -> usize {
        self.calls
            .iter()
            .map(|(_, value)| Entries::of(value).map_or(1, |entries| entries.rows.len()))
            .sum()
    }
}

/// The value of a JSON text, or of a text that contains JSON.
pub(crate) fn value(text: &str) -> Option<Value> {
    if text.starts_with("GCF profile=generic") {
        gcf::from_str(text).ok()
    } else if text.starts_with("GCX1 ") {
        gcx::decode_response(text).ok()
    } else {
        let value: Value = serde_json::from_str(text).ok()?;
        (value.is_array() || value.is_object()).then_some(value)
    }
}

/// The longest list of objects in a value. The result does not depend on the order of members.
#[derive(Debug)]
pub(crate) struct Entries {
    /// The scalars of each, by their paths, as `metadata.name`.
    pub(crate) rows: Vec<BTreeMap<String, Value>>,
    /// The path whose value tells one from the others.
    pub(crate) key: String,
}

/// How deep lists and scalars are looked for.
const DEPTH: usize = 3;
/// Likely names of keys, the likeliest first.
const KEYS: [&str; 9] = ["id", "key", "uid", "sha", "full_name", "name", "number", "path", "title"];
/// The longest text to ask about, in characters.
const LONGEST: usize = 60;

impl Entries {
    fn of(value: &Value) -> Option<Entries> {
        let mut lists = BTreeMap::new();
        find_lists(value, "", DEPTH, &mut lists);
        // Of lists of one length the first by its path.
        let rows = lists.into_values().rev().max_by_key(Vec::len)?;
        let rows: Vec<BTreeMap<String, Value>> = rows.into_iter().map(scalars).collect();
        let mut keys: Vec<&String> = rows[0].keys().filter(|path| is_key(&rows, path)).collect();
        let rank = |path: &str| {
            let name = path.rsplit('.').next().unwrap_or(path);
            KEYS.iter().position(|key| *key == name).unwrap_or(KEYS.len())
        };
        keys.sort_by_key(|path| (rank(path), path.matches('.').count(), (*path).clone()));
        let key = (*keys.first()?).clone();
        Some(Entries { rows, key })
    }

    /// The only entry with this value, if there is one.
    pub(crate) fn only(&self, path: &str, text: &str) -> Option<&BTreeMap<String, Value>> {
        let mut found =
            self.rows.iter().filter(|row| row.get(path).is_some_and(|value| said(value) == text));
        found.next().filter(|_| found.next().is_none())
    }

    /// How many entries have this value.
    pub(crate) fn count(&self, path: &str, text: &str) -> usize {
        self.rows
            .iter()
            .filter(|row| row.get(path).is_some_and(|value| said(value) == text))
            .count()
    }

    /// Every value of a path, as it is said.
    pub(crate) fn values(&self, path: &str) -> BTreeSet<String> {
        self.rows.iter().filter_map(|row| row.get(path)).map(said).collect()
    }
}

fn find_lists<'v>(
    value: &'v Value,
    path: &str,
    depth: usize,
    lists: &mut BTreeMap<String, Vec<&'v Map<String, Value>>>,
) {
    match value {
        Value::Array(items) if items.len() > 1 => {
            let objects: Option<Vec<_>> = items.iter().map(Value::as_object).collect();
            lists.extend(objects.map(|objects| (path.to_owned(), objects)));
        }
        Value::Object(members) if depth > 0 => {
            for (name, value) in members {
                find_lists(value, &format!("{path}.{name}"), depth - 1, lists);
            }
        }
        _ => {}
    }
}

/// The scalars of an object that a question can name, by their paths.
pub(crate) fn scalars(object: &Map<String, Value>) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    add_scalars(object, "", DEPTH, &mut found);
    found
}

fn add_scalars(
    object: &Map<String, Value>,
    before: &str,
    depth: usize,
    found: &mut BTreeMap<String, Value>,
) {
    for (name, value) in object {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        if name.is_empty() || !name.chars().all(is_plain) {
            continue;
        }
        let path = format!("{before}{name}");
        match value {
            Value::Object(members) if depth > 0 => {
                add_scalars(members, &format!("{path}."), depth - 1, found);
            }
            Value::String(text) if is_said(text) => {
                found.insert(path, value.clone());
            }
            Value::Number(_) | Value::Bool(_) => {
                found.insert(path, value.clone());
            }
            _ => {}
        }
    }
}

/// Returns `true` if a text can be asked for: short, and without what a question or an answer would
/// need marks for.
fn is_said(text: &str) -> bool {
    let is_fine = |c: char| c.is_alphanumeric() || " _-./:@+".contains(c);
    !text.is_empty()
        && text.trim() == text
        && text.chars().count() <= LONGEST
        && text.chars().all(is_fine)
        && !text.ends_with(['.', ':', '-', '/'])
}

/// How a question says a scalar.
pub(crate) fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        // Formats differ in how they write 120.0.
        Value::Number(number) if number.is_f64() => {
            let text = number.to_string();
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        }
        other => other.to_string(),
    }
}

fn is_key(rows: &[BTreeMap<String, Value>], path: &str) -> bool {
    let values: BTreeSet<String> = rows
        .iter()
        .filter_map(|row| row.get(path))
        .filter(|value| value.is_string() || value.is_u64())
        .map(said)
        .collect();
    values.len() == rows.len()
}

/// The conversations of files: each file of MCP frames is one, and all other files together are the
/// calls of one.
///
/// # Errors
///
/// A file can't be read, or contains neither frames nor a value.
pub(crate) fn of_files(paths: &[PathBuf]) -> Result<Vec<Named>, Failure> {
    let (mut all, mut others) = (Vec::new(), Transcript::default());
    for path in paths {
        let text = read(path)?;
        let name = stem(path);
        if let Some((transcript, left_out)) = frames(&text) {
            if left_out > 0 {
                say(
                    "note",
                    &format!(
                        "{}: {left_out} calls answered with no JSON, and are left out",
                        path.display()
                    ),
                );
            }
            if transcript.calls.is_empty() {
                return Err(Failure::Data {
                    file: path.display().to_string(),
                    message: "no call in it has an answer in JSON, expected `tools/call` requests and their responses, one frame a line".to_owned(),
                });
            }
            all.push(named(name, transcript));
        } else {
            let value = value(&text).or_else(|| lines(&text)).ok_or_else(|| Failure::Data {
                file: path.display().to_string(),
                message: "it contains neither MCP frames nor a JSON array or object; `wirefmt check` says why".to_owned(),
            })?;
            others.calls.push((name, value));
        }
    }
    if !others.calls.is_empty() {
        let name = others.calls.iter().map(|(tool, _)| tool.as_str()).collect::<Vec<_>>().join("+");
        all.push(named(name, others));
    }
    Ok(all)
}

fn named(name: String, transcript: Transcript) -> Named {
    Named { name, size: transcript.size(), dataset: Dataset::Calls(transcript) }
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    stem.chars().map(|c| if c.is_alphanumeric() || "_-.".contains(c) { c } else { '_' }).collect()
}

/// The objects of JSON lines.
fn lines(text: &str) -> Option<Value> {
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    let values: Option<Vec<Value>> = lines.map(|line| serde_json::from_str(line).ok()).collect();
    values
        .filter(|values| !values.is_empty() && values.iter().all(Value::is_object))
        .map(Value::from)
}

/// The answered calls of MCP frames, one frame on each line, and how many answers were not JSON;
/// `None` if the lines are not frames.
fn frames(text: &str) -> Option<(Transcript, usize)> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    lines.peek()?;
    let (mut tools, mut transcript, mut left_out) = (BTreeMap::new(), Transcript::default(), 0);
    for line in lines {
        let frame: Value = serde_json::from_str(line).ok()?;
        if !frame.get("jsonrpc").is_some_and(Value::is_string) {
            return None;
        }
        let id = frame["id"].to_string();
        if frame["method"] == "tools/call" {
            tools.insert(id, frame["params"]["name"].as_str().unwrap_or("tool").to_owned());
        } else if let Some(result) = frame.get("result")
            && let Some(tool) = tools.remove(&id)
        {
            match answered(result) {
                Some(value) => transcript.calls.push((tool, value)),
                None => left_out += 1,
            }
        }
    }
    Some((transcript, left_out))
}

/// The value of a result: the JSON of its text, or the list whose items its texts are; else its
/// `structuredContent`.
fn answered(result: &Value) -> Option<Value> {
    if result["isError"] == true {
        return None;
    }
    let blocks = result["content"].as_array().into_iter().flatten();
    let texts: Vec<&str> = blocks.filter_map(|block| block["text"].as_str()).collect();
    let structured = result.get("structuredContent").filter(|value| value.is_object());
    // A server that writes a block for each item has the list here, too.
    let is_list = |items: &&Vec<Value>| texts.len() > 1 && items.len() == texts.len();
    if let Some(list) = structured.and_then(|it| it["result"].as_array()).filter(is_list) {
        return Some(list.clone().into());
    }
    let mut values: Vec<Value> = texts.iter().filter_map(|text| value(text)).collect();
    if let Some(structured) = structured.filter(|_| values.len() < texts.len().max(1)) {
        return Some(structured.clone());
    }
    if values.len() > 1 { Some(values.into()) } else { values.pop() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn entries_are_found_wherever_members_stand() {
        let value = json!({
            "kind": "List", "small": [{ "a": 1 }, { "a": 2 }],
            "data": { "items": [
                { "metadata": { "name": "a-1" }, "n": 1.0, "who": { "id": 7 } },
                { "metadata": { "name": "b-2" }, "n": 2, "who": { "id": 7 } },
                { "metadata": { "name": "c-3" }, "n": 2, "text": "a\nb" },
            ] },
        });
        let entries = Entries::of(&value).unwrap();
        assert_eq!((entries.rows.len(), entries.key.as_str()), (3, "metadata.name"));
        assert_eq!((entries.count("n", "1"), entries.count("n", "2")), (1, 2));
        assert!(entries.only("n", "2").is_none() && entries.only("n", "1").is_some());
        assert!(!entries.rows[2].contains_key("text"));
        assert!(Entries::of(&json!([{ "a": 1 }, { "a": 1 }])).is_none());
    }

    #[test]
    fn frames_are_calls_with_their_answers() {
        let text = concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list"}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":"2","method":"tools/call","params":{"name":"read"}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"notifications/progress"}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":"2","result":{"content":[{"type":"text","text":"prose"}]}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[{\"a\":1}]"}]}}"#,
            "\n",
        );
        let (transcript, left_out) = frames(text).unwrap();
        assert_eq!(
            (transcript.calls, left_out),
            (vec![("list".to_owned(), json!([{ "a": 1 }]))], 1)
        );
        assert!(frames("{\"a\":1}\n{\"a\":2}\n").is_none());
    }

    /// As servers of the Python SDK write lists.
    #[test]
    fn a_list_in_a_block_an_item_is_whole() {
        let block = |text: &str| json!({ "type": "text", "text": text });
        let rows = json!([{ "a": 1 }, { "a": 2 }, { "b": [] }]);
        let blocks: Vec<Value> =
            rows.as_array().unwrap().iter().map(|row| block(&row.to_string())).collect();
        assert_eq!(answered(&json!({ "content": blocks })), Some(rows.clone()));
        let structured = json!({ "content": blocks, "structuredContent": { "result": rows } });
        assert_eq!(answered(&structured), Some(rows));

        let names = [block("one"), block("two")];
        let structured =
            json!({ "content": names, "structuredContent": { "result": ["one", "two"] } });
        assert_eq!(answered(&structured), Some(json!(["one", "two"])));
        assert_eq!(answered(&json!({ "content": names })), None);
        // Words before the data, or a picture beside it.
        let beside = [block("Found:"), json!({ "type": "image" }), block("{\"a\":1}")];
        assert_eq!(answered(&json!({ "content": beside })), Some(json!({ "a": 1 })));
        // The object says more than the texts do.
        let more =
            json!({ "content": [block("Found:"), block("two")], "structuredContent": { "n": 2 } });
        assert_eq!(answered(&more), Some(json!({ "n": 2 })));
    }
}
