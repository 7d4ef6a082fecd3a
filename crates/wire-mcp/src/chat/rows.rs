//! The rows of a conversation: the calls of tools in them, and their results.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::raw::{Members, elements};

/// A tool's result.
pub(super) struct ToolResult<'a> {
    id: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    /// Its texts as they are written, in quotes.
    pub(super) texts: Vec<&'a str>,
}

/// A call of a tool.
struct Made<'a> {
    name: Cow<'a, str>,
    /// The JSON of its arguments.
    arguments: Option<Cow<'a, str>>,
}

/// The calls in the rows so far, by their ids.
#[derive(Default)]
pub(super) struct Calls<'a>(HashMap<Cow<'a, str>, Made<'a>>);

impl<'a> Calls<'a> {
    /// The name of a result's tool, and the JSON of the call's arguments, as far as they are known.
    pub(super) fn of<'c>(
        &'c self,
        result: &'c ToolResult<'a>,
    ) -> (Option<&'c str>, Option<&'c str>) {
        let made = result.id.as_ref().and_then(|id| self.0.get(id));
        let name = result.name.as_deref().or(made.map(|made| &*made.name));
        (name, made.and_then(|made| made.arguments.as_deref()))
    }

    /// Remembers the calls in a row.
    pub(super) fn remember(&mut self, row: &Members<'a>) {
        let mut made = |id: &str, of: &Members<'a>, call: &Members<'a>, arguments| {
            let (Some(id), Some(name)) = (of.get_text(id), call.get_text("name")) else { return };
            self.0.insert(id, Made { name, arguments });
        };
        if row.get_text("type").is_some_and(|kind| kind == "function_call") {
            made("call_id", row, row, row.get_text("arguments"));
        }
        for call in row.get("tool_calls").and_then(elements).unwrap_or_default() {
            let Some(call) = Members::parse(call) else { continue };
            let Some(function) = call.get("function").and_then(Members::parse) else { continue };
            made("id", &call, &function, function.get_text("arguments"));
        }
        for block in blocks(row.get("content"), "tool_use") {
            made("id", &block, &block, block.get("input").map(Cow::Borrowed));
        }
    }
}

/// The results in a row.
pub(super) fn results<'a>(row: &Members<'a>) -> Vec<ToolResult<'a>> {
    if row.get_text("type").is_some_and(|kind| kind == "function_call_output") {
        let texts = texts(row.get("output"), "input_text");
        return vec![ToolResult { id: row.get_text("call_id"), name: None, texts }];
    }
    match row.get_text("role").as_deref() {
        Some("tool" | "function") => vec![ToolResult {
            id: row.get_text("tool_call_id"),
            name: row.get_text("name"),
            texts: texts(row.get("content"), "text"),
        }],
        Some("user") => {
            let result = |block: Members<'a>| {
                let is_error = block.has("is_error") && block.get("is_error") != Some("false");
                (!is_error).then(|| ToolResult {
                    id: block.get_text("tool_use_id"),
                    name: None,
                    texts: texts(block.get("content"), "text"),
                })
            };
            blocks(row.get("content"), "tool_result").filter_map(result).collect()
        }
        _ => Vec::new(),
    }
}

/// The texts of a content, as they are written: the content itself, or its blocks of this type.
fn texts<'a>(content: Option<&'a str>, kind: &'static str) -> Vec<&'a str> {
    match content {
        Some(content) if content.starts_with('"') => vec![content],
        content => {
            let text = |block: Members<'a>| block.get("text").filter(|text| text.starts_with('"'));
            blocks(content, kind).filter_map(text).collect()
        }
    }
}

/// The blocks of a type in a content that is a list.
fn blocks<'a>(
    content: Option<&'a str>,
    kind: &'static str,
) -> impl Iterator<Item = Members<'a>> + use<'a> {
    let blocks = content.and_then(elements).unwrap_or_default().into_iter();
    blocks
        .filter_map(Members::parse)
        .filter(move |block| block.get_text("type").is_some_and(|own| own == kind))
}
