//! Reading a client's sessions: a module for each client, which turns a line, an element of a list
//! or a row of a table into calls, results and requests. Shapes are those that were observed, and a
//! comment says where one is only stated.

mod claude_code;
mod cline;
mod codex;
mod continue_cli;
mod copilot;
mod gemini;
mod opencode;
mod qwen;
mod texts;

use serde_json::Value;

use crate::agents::Agent;
use crate::audit::session::Session;

pub(crate) use gemini::id as gemini_id;
pub(crate) use opencode::{part, parts, version};

/// Reads a line, or an element of the list that a session is.
pub(crate) fn record(source: Agent, record: &Value, session: &mut Session<'_>) {
    match &*source.row().name {
        "claude-code" => claude_code::record(record, session),
        "codex" => codex::record(record, session),
        "copilot" => copilot::record(record, session),
        "opencode" => opencode::part("", record, session),
        "gemini" => gemini::record(record, session),
        "qwen" => qwen::record(record, session),
        "cline" => cline::record(record, session),
        "continue" => continue_cli::record(record, session),
        name => unreachable!("{name} has no sessions"),
    }
}
