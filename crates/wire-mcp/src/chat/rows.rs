//! The rows of a conversation: the calls of tools in them, and their results.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::raw::{Members, each_element, elements, text};

/// What is known of a result's tool.
pub(super) struct Tool<'c> {
    /// The names that it may have: the row's own, which is any text that a client likes, and the
    /// call's.
    pub(super) names: Vec<&'c str>,
    /// The JSON of the call's arguments; empty if they are not known.
    pub(super) arguments: &'c str,
    /// `true` if the call may be one that can't be read.
    pub(super) is_unclear: bool,
}

/// Passes on the results in a conversation: the index of the row, the texts as they are written, in
/// quotes, and what is known of the tool. `None` if it is no array.
pub(super) fn each_result<'a>(
    rows: &'a str,
    mut take: impl FnMut(usize, &[&'a str], &Tool<'_>),
) -> Option<()> {
    let (mut calls, mut at) = (Calls::default(), 0);
    each_element(rows, |text| {
        let row = Members::parse(text);
        for result in row.as_ref().map(results).unwrap_or_default() {
            take(at, &result.texts, &calls.tool(&result));
        }
        calls.is_unclear |= row.map_or(text.starts_with('{'), |row| calls.remember(&row).is_none());
        at += 1;
    })
}

/// A tool's result.
struct ToolResult<'a> {
    id: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    texts: Vec<&'a str>,
}

/// The calls in the rows so far.
#[derive(Default)]
struct Calls<'a> {
    /// Names and arguments by the ids of calls; of those without one, as older clients send them, by
    /// their names.
    made: HashMap<Cow<'a, str>, (Cow<'a, str>, Cow<'a, str>)>,
    /// `true` if there is a row, or a call in one, that can't be read.
    is_unclear: bool,
}

impl<'a> Calls<'a> {
    fn tool<'c>(&'c self, result: &'c ToolResult<'a>) -> Tool<'c> {
        let id = result.id.as_ref().or(result.name.as_ref());
        let made = id.and_then(|id| self.made.get(id));
        let names = result.name.as_deref().into_iter().chain(made.map(|(name, _)| &**name));
        let names = names.filter(|name| !name.is_empty()).collect();
        let arguments = made.map_or("", |(_, arguments)| arguments);
        Tool { names, arguments, is_unclear: made.is_none() && self.is_unclear }
    }

    /// Remembers the calls in a row. `None` if one can't be read.
    fn remember(&mut self, row: &Members<'a>) -> Option<()> {
        if row.get_text("type").is_some_and(|kind| kind == "function_call") {
            self.insert(row.get_text("call_id"), row, "arguments")?;
        }
        if let Some(call) = row.get("function_call").filter(|call| call.starts_with('{')) {
            self.insert(None, &Members::parse(call)?, "arguments")?;
        }
        for call in list(row, "tool_calls")? {
            let call = Members::parse(call)?;
            let function = call.get("function").or_else(|| call.get("custom"))?;
            self.insert(call.get_text("id"), &Members::parse(function)?, "arguments")?;
        }
        for block in list(row, "content")? {
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
        let arguments = call.get(input).map(|raw| text(raw).unwrap_or(raw.into()));
        let id = id.unwrap_or_else(|| name.clone());
        self.made.insert(id, (name, arguments.unwrap_or_default()));
        Some(())
    }
}

/// The elements of a member that is a list, if it is one; `None` if there are too many.
fn list<'a>(row: &Members<'a>, member: &str) -> Option<Vec<&'a str>> {
    let list = row.get(member).filter(|list| list.starts_with('['));
    list.map_or(Some(Vec::new()), elements)
}

/// The results in a row.
fn results<'a>(row: &Members<'a>) -> Vec<ToolResult<'a>> {
    let result = |own: &Members<'a>, id: &str, content: &str, kind| {
        let texts = texts(own.get(content), kind);
        ToolResult { id: own.get_text(id), name: None, texts }
    };
    match (row.get_text("type").as_deref(), row.get_text("role").as_deref()) {
        _ if is_error(row) => Vec::new(),
        (Some("function_call_output"), _) => vec![result(row, "call_id", "output", "input_text")],
        (_, Some("tool" | "function")) => {
            let result = result(row, "tool_call_id", "content", "text");
            vec![ToolResult { name: row.get_text("name"), ..result }]
        }
        (_, Some("user")) => blocks(row.get("content"), "tool_result")
            .filter(|block| !is_error(block))
            .map(|block| result(&block, "tool_use_id", "content", "text"))
            .collect(),
        _ => Vec::new(),
    }
}

fn is_error(result: &Members<'_>) -> bool {
    result.has("is_error") && result.get("is_error") != Some("false")
}

/// The texts of a content: the content itself, or its blocks of this type.
fn texts<'a>(content: Option<&'a str>, kind: &'static str) -> Vec<&'a str> {
    let is_text = |raw: &&str| raw.starts_with('"');
    match content.filter(is_text) {
        Some(content) => vec![content],
        None => blocks(content, kind).filter_map(|own| own.get("text")).filter(is_text).collect(),
    }
}

/// The blocks of a type in a content that is a list.
fn blocks<'a>(content: Option<&'a str>, kind: &'static str) -> impl Iterator<Item = Members<'a>> {
    let blocks = content.and_then(elements).unwrap_or_default().into_iter();
    let is_of_kind = move |own: &Members<'_>| own.get_text("type").is_some_and(|own| own == kind);
    blocks.filter_map(Members::parse).filter(is_of_kind)
}
