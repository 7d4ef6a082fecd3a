//! Arguments that a tool's schema wants in headers, too: `x-mcp-header` (2026-07-28).

use std::collections::HashMap;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hyper::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::Value;
use serde_json::value::RawValue;

/// The most tools whose schemas are kept, and levels of a schema.
const MOST_TOOLS: usize = 10_000;
const MOST_LEVELS: usize = 32;
/// The most bytes of a list whose schemas are read: small objects need some twenty times as much
/// memory.
const MOST_BYTES: usize = 4 << 20;

/// Where a header's value is in the arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Marked {
    header: HeaderName,
    path: Vec<String>,
}

/// The marked arguments of each tool that was listed.
#[derive(Debug, Default)]
pub(crate) struct Tools(HashMap<String, Vec<Marked>>);

impl Tools {
    /// Learns the tools of a list, of which this is an answer.
    pub(crate) fn learn(&mut self, answer: &[u8]) {
        if answer.len() > MOST_BYTES || memchr::memmem::find(answer, b"x-mcp-header").is_none() {
            return;
        }
        let Ok(answer) = serde_json::from_slice::<Value>(answer) else { return };
        for tool in answer["result"]["tools"].as_array().into_iter().flatten() {
            let Some(name) = tool["name"].as_str() else { continue };
            let mut marked = Vec::new();
            mark(&tool["inputSchema"], &mut Vec::new(), &mut marked);
            if marked.is_empty() {
                self.0.remove(name);
            } else if self.0.len() < MOST_TOOLS {
                self.0.insert(name.to_owned(), marked);
            }
        }
    }

    pub(crate) fn headers(&self, tool: &str, arguments: &RawValue, headers: &mut HeaderMap) {
        let Some(marked) = self.0.get(tool) else { return };
        let Ok(arguments) = serde_json::from_str::<Value>(arguments.get()) else { return };
        for Marked { header: name, path } in marked {
            let value = path.iter().try_fold(&arguments, |value, name| value.get(name));
            if let Some(value) = value.and_then(text).and_then(|text| header(&text)) {
                headers.insert(name.clone(), value);
            }
        }
    }
}

/// Adds the properties of a schema, and of the objects in them, that have `x-mcp-header`.
fn mark(schema: &Value, path: &mut Vec<String>, marked: &mut Vec<Marked>) {
    if path.len() >= MOST_LEVELS {
        return;
    }
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        path.push(name.clone());
        let header = property["x-mcp-header"].as_str().filter(|name| !name.is_empty());
        if let Some(Ok(header)) = header.map(|name| format!("mcp-param-{name}").parse()) {
            marked.push(Marked { header, path: path.clone() });
        }
        mark(property, path, marked);
        path.pop();
    }
}

/// The text of a value for a header; `None` of null, arrays and objects, which have none.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

/// A text as the value of a header: as it is, or in base64 if a header can't have it.
pub(crate) fn header(text: &str) -> Option<HeaderValue> {
    let is_plain = text.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte));
    let is_marked = text.starts_with("=?base64?") && text.ends_with("?=");
    if is_plain && !is_marked && text.trim() == text {
        return HeaderValue::from_str(text).ok();
    }
    HeaderValue::try_from(format!("=?base64?{}?=", BASE64_STANDARD.encode(text))).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marked_arguments_become_headers() {
        let list = r#"{"id":1,"result":{"tools":[{"name":"t","inputSchema":{"properties":{
            "region":{"type":"string","x-mcp-header":"Region"},
            "plain":{"type":"string"},
            "odd":{"type":"string","x-mcp-header":"not a name"},
            "in":{"properties":{"deep":{"type":"integer","x-mcp-header":"Deep"},"no":{"type":"boolean","x-mcp-header":"No"}}}
        }}}]}}"#;
        let mut tools = Tools::default();
        tools.learn(list.as_bytes());
        let of = |tool: &str, arguments: &str| {
            let mut headers = HeaderMap::new();
            let arguments = RawValue::from_string(arguments.to_owned()).unwrap();
            tools.headers(tool, &arguments, &mut headers);
            let text = |value: &HeaderValue| value.to_str().unwrap().to_owned();
            let mut all: Vec<(String, String)> =
                headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect();
            all.sort();
            all
        };
        let both = of("t", r#"{"region":"eu","plain":"x","in":{"deep":-7,"no":true}}"#);
        let expected = [("deep", "-7"), ("no", "true"), ("region", "eu")];
        let expected: Vec<(String, String)> =
            expected.map(|(name, value)| (format!("mcp-param-{name}"), value.to_owned())).into();
        assert_eq!(both, expected);
        assert_eq!(of("t", r#"{"region":null,"in":7}"#), []);
        assert_eq!(of("other", r#"{"region":"eu"}"#), []);
    }

    /// Of 60 MiB of small objects the values would need 4 GB.
    #[test]
    fn a_long_list_is_not_read() {
        let tool = r#"{"name":"t","inputSchema":{"properties":{"a":{"x-mcp-header":"A"}}}}"#;
        for (bytes, learned) in [(1, 1), (MOST_BYTES, 0)] {
            let more = "{},".repeat(bytes / 3);
            let mut tools = Tools::default();
            tools.learn(format!(r#"{{"id":1,"result":{{"tools":[{more}{tool}]}}}}"#).as_bytes());
            assert_eq!(tools.0.len(), learned);
        }
    }

    #[test]
    fn what_no_header_can_have_is_base64() {
        for (text, value) in [
            ("eu-1 x", "eu-1 x"),
            ("", ""),
            (" x", "=?base64?IHg=?="),
            ("é", "=?base64?w6k=?="),
            ("a\nb", "=?base64?YQpi?="),
            ("=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="),
        ] {
            assert_eq!(header(text).unwrap(), value, "{text:?}");
        }
    }
}
