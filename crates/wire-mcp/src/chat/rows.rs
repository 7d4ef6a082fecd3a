//! The rows of a conversation: the calls of tools in them, and their results.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::raw::{Members, elements, text};

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

/// The calls in the rows so far.
#[derive(Default)]
pub(super) struct Calls<'a> {
    /// By their ids; those without one, as older clients send them, by their names.
    made: HashMap<Cow<'a, str>, Made<'a>>,
    /// `true` if there is a row, or a call in one, that can't be read.
    is_unclear: bool,
}

/// What is known of a result's tool.
pub(super) struct Tool<'c> {
    /// The names that it may have: the row's own, which is any text that a client likes, and the
    /// call's.
    pub(super) names: Vec<&'c str>,
    /// The JSON of the call's arguments.
    pub(super) arguments: Option<&'c str>,
    /// `true` if the call may be one that can't be read.
    pub(super) is_unclear: bool,
}

impl<'a> Calls<'a> {
    pub(super) fn tool<'c>(&'c self, result: &'c ToolResult<'a>) -> Tool<'c> {
        let id = result.id.as_ref().or(result.name.as_ref());
        let made = id.and_then(|id| self.made.get(id));
        let names = result.name.as_deref().into_iter().chain(made.map(|made| &*made.name));
        let mut names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        names.dedup();
        Tool {
            names,
            arguments: made.and_then(|made| made.arguments.as_deref()),
            is_unclear: made.is_none() && self.is_unclear,
        }
    }

    /// Remembers the calls in a row.
    pub(super) fn remember(&mut self, row: &'a str) {
        self.is_unclear |= self.calls(row).is_none();
    }

    /// `None` if the row or one of its calls can't be read.
    fn calls(&mut self, row: &'a str) -> Option<()> {
        if !row.starts_with('{') {
            return Some(());
        }
        let row = Members::parse(row)?;
        if row.get_text("type").is_some_and(|kind| kind == "function_call") {
            self.insert(row.get_text("call_id"), &row, "arguments")?;
        }
        if let Some(call) = row.get("function_call").filter(|call| call.starts_with('{')) {
            self.insert(None, &Members::parse(call)?, "arguments")?;
        }
        for call in list(&row, "tool_calls")? {
            let call = Members::parse(call)?;
            let function = call.get("function").or_else(|| call.get("custom"))?;
            self.insert(call.get_text("id"), &Members::parse(function)?, "arguments")?;
        }
        for block in list(&row, "content")? {
            let block = Members::parse(block)?;
            if block.get_text("type").is_some_and(|kind| kind == "tool_use") {
                self.insert(block.get_text("id"), &block, "input")?;
            }
        }
        Some(())
    }

    fn insert(&mut self, id: Option<Cow<'a, str>>, call: &Members<'a>, input: &str) -> Option<()> {
        let name = call.get_text("name")?;
        // An object, or a string with its JSON.
        let arguments = call.get(input).and_then(|raw| text(raw).or(Some(raw.into())));
        self.made.insert(id.unwrap_or_else(|| name.clone()), Made { name, arguments });
        Some(())
    }
}

/// The elements of a member that is a list, if it is one; `None` if there are too many.
fn list<'a>(row: &Members<'a>, member: &str) -> Option<Vec<&'a str>> {
    let list = row.get(member).filter(|list| list.starts_with('['));
    list.map_or(Some(Vec::new()), elements)
}

/// The results in a row.
pub(super) fn results<'a>(row: &Members<'a>) -> Vec<ToolResult<'a>> {
    if is_error(row) {
        return Vec::new();
    }
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
            let result = |block: Members<'a>| ToolResult {
                id: block.get_text("tool_use_id"),
                name: None,
                texts: texts(block.get("content"), "text"),
            };
            let blocks = blocks(row.get("content"), "tool_result");
            blocks.filter(|block| !is_error(block)).map(result).collect()
        }
        _ => Vec::new(),
    }
}

fn is_error(result: &Members<'_>) -> bool {
    result.has("is_error") && result.get("is_error") != Some("false")
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
