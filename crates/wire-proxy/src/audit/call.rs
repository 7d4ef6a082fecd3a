//! Calls of tools and their results, as a session has them.

use std::borrow::Cow;

use serde_json::Value;
use wire_mcp::named_data_file;

#[derive(Clone, Debug, Default)]
pub(crate) struct Call {
    /// The name as the model knows it.
    pub(crate) name: String,
    /// The server, if it is a tool of one; empty if the session doesn't name it.
    pub(crate) server: Option<String>,
    /// The name for the server.
    pub(crate) tool: String,
    /// The arguments, of which only the command is kept,
    pub(crate) command: Option<String>,
    /// and the name and the text of the one that names a data file.
    pub(crate) file: Option<(String, String)>,
}

impl Call {
    /// A client's own tool.
    pub(crate) fn own(name: &str, input: &Value) -> Self {
        let command = ["command", "cmd"].iter().find_map(|member| input[*member].as_str());
        let command = command.map(str::to_owned);
        Call { name: name.to_owned(), tool: name.to_owned(), server: None, command, file: None }
    }

    pub(crate) fn mcp(name: &str, server: &str, tool: &str, input: &Value) -> Self {
        let (server, tool) = (Some(server.to_owned()), tool.to_owned());
        let file = named_data_file(&input.to_string());
        Call { name: name.to_owned(), server, tool, command: None, file }
    }

    /// A tool by a name such as `mcp__server__tool`.
    pub(crate) fn split(name: &str, prefix: &str, separator: &str, input: &Value) -> Self {
        let parts = name.strip_prefix(prefix).and_then(|rest| rest.split_once(separator));
        match parts {
            Some((server, tool)) if !server.is_empty() && !tool.is_empty() => {
                Call::mcp(name, server, tool, input)
            }
            _ => Call::own(name, input),
        }
    }
}

/// The arguments of a call that a session has as JSON text.
pub(crate) fn arguments(text: &Value) -> Value {
    text.as_str().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default()
}

/// The result of a call, as the model saw it.
#[derive(Clone, Debug, Default)]
pub(crate) struct ToolResult<'v> {
    pub(crate) seen: Vec<Cow<'v, str>>,
    /// The text blocks of the server's result, where that is known to differ from what was seen.
    pub(crate) blocks: Option<Vec<Cow<'v, str>>>,
    /// `structuredContent`, where the session has it.
    pub(crate) structured: Option<Cow<'v, Value>>,
    /// `true` if the model saw `structuredContent` alone, so that the texts are not known.
    pub(crate) hides_texts: bool,
    pub(crate) is_failed: bool,
    pub(crate) is_cut: bool,
}
