//! A conversation with a model: the texts of tools' results in it (ruling M20).
//!
//! A gateway sends the whole conversation again with each request, and a provider's cache holds as
//! much of it as is the same as before. So what becomes of a text depends on the rows before it
//! alone: the same text is written in each request.
//!
//! ```
//! use wire_mcp::{Options, chat};
//!
//! let rows = r#"[
//!   {"role": "user", "content": "Who is on call?"},
//!   {"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "on_call", "arguments": "{}"}}]},
//!   {"role": "tool", "tool_call_id": "1", "content": "[{\"id\": 7, \"name\": \"Ann\"}, {\"id\": 8, \"name\": \"Bo\"}, {\"id\": 9, \"name\": \"Cy\"}]"}
//! ]"#;
//! let chat = chat::rewrite(&Options::new(wire_core::WordPunctuation), rows, 0).unwrap();
//! let written = r#"{"role": "tool", "tool_call_id": "1", "content": "GCF profile=generic\n## [3]{id,name}\n7|Ann\n8|Bo\n9|Cy\n"}"#;
//! assert!(chat.rows.unwrap().contains(written));
//! ```

use std::borrow::Cow;
use std::collections::HashMap;

use crate::clients::{Shows, View};
use crate::content::Content;
use crate::output::Call;
use crate::raw::{Members, elements, elements_up_to};
use crate::splice::splice;
use crate::{Options, Tokens};

/// What became of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Chat {
    /// The rows with other texts; `None` if none is changed, or in a [dry run](Options::dry_run).
    pub rows: Option<String>,
    /// The results of tools.
    pub results: usize,
    /// The results that are changed.
    pub changed: usize,
    /// The tokens of the texts of results, if [statistics](Options::statistics) are kept; without
    /// those of frozen rows, and of texts beyond a limit.
    pub tokens: Tokens,
}

/// Rewrites the texts of tools' results in a conversation: `rows` is a JSON array as the APIs of
/// OpenAI (chat completions and responses) and of Anthropic have it. `None` if it is no array. All
/// bytes beside those texts stay, and so do the first `frozen` rows.
///
/// Results are rows of the roles `tool` and `function`, blocks `tool_result` without `is_error`, and
/// items `function_call_output`. Their texts stay where a tool's name or the arguments of the call
/// say so, or the texts themselves (ruling M5). The name is that of the row, or of the call with the
/// row's id in a row before it. Where there is none, only texts that are JSON or a Python `repr` as a
/// whole are rewritten.
///
/// Texts do not depend on later rows, on rows without tools, on a clock or on chance, and what was
/// rewritten before stays.
pub fn rewrite(options: &Options, rows: &str, frozen: usize) -> Option<Chat> {
    let shows = Shows::of(View::Texts);
    let mut calls = HashMap::new();
    let mut chat = Chat::default();
    let mut edits = Vec::new();
    for (at, row) in elements_up_to(rows, usize::MAX)?.into_iter().enumerate() {
        let Some(row) = Members::parse(row) else { continue };
        for result in results(&row) {
            chat.results += 1;
            let made = result.id.as_ref().and_then(|id| calls.get(id));
            let name = result.name.as_deref().or(made.map(|made: &Made<'_>| &*made.name));
            let names: Vec<&str> = name.into_iter().collect();
            let mut call = Call::of(&names).shown(&shows);
            if let Some(arguments) = made.and_then(|made| made.arguments.as_deref()) {
                call = call.arguments(arguments);
            }
            let content = || Content::of_texts(&result.texts).filter(|_| at >= frozen);
            let (own, record) = call.edits(options, rows, content);
            if let Some(record) = record {
                chat.tokens = chat.tokens.plus(record.content);
            }
            let own = own.unwrap_or_default();
            chat.changed += usize::from(!own.is_empty());
            edits.extend(own);
        }
        remember(&row, &mut calls);
    }
    chat.rows = (!edits.is_empty() && !options.is_dry_run).then(|| splice(rows, edits));
    Some(chat)
}

/// A tool's result.
struct ToolResult<'a> {
    id: Option<Cow<'a, str>>,
    name: Option<Cow<'a, str>>,
    /// Its texts as they are written, in quotes.
    texts: Vec<&'a str>,
}

/// A call of a tool.
struct Made<'a> {
    name: Cow<'a, str>,
    /// The JSON of its arguments.
    arguments: Option<Cow<'a, str>>,
}

/// The results in a row.
fn results<'a>(row: &Members<'a>) -> Vec<ToolResult<'a>> {
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

/// Remembers the calls in a row by their ids.
fn remember<'a>(row: &Members<'a>, calls: &mut HashMap<Cow<'a, str>, Made<'a>>) {
    let mut made = |id: &str, of: &Members<'a>, call: &Members<'a>, arguments| {
        let (Some(id), Some(name)) = (of.get_text(id), call.get_text("name")) else { return };
        calls.insert(id, Made { name, arguments });
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
