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
mod reader;
#[cfg(feature = "sqlite")]
mod sqlite;
mod texts;

use serde_json::Value;

pub(crate) use opencode::database;
pub(crate) use reader::{Document, Reader};

/// The readers. Where several could claim a file, the first one has it.
pub(crate) const READERS: [Reader; 8] = [
    codex::READER,
    copilot::READER,
    cline::READER,
    gemini::READER,
    qwen::READER,
    claude_code::READER,
    opencode::READER,
    continue_cli::READER,
];

/// The reader of the client that writes a line like this.
pub(crate) fn of_line(line: &Value) -> Option<&'static Reader> {
    READERS.iter().find(|reader| (reader.is_line)(line))
}

/// The client that keeps its sessions in a database of SQLite.
pub(crate) const DATABASE: &Reader = &opencode::READER;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Agent;

    #[test]
    fn every_agent_with_sessions_has_one_reader() {
        let mut readers: Vec<&str> = READERS.iter().map(|reader| reader.agent).collect();
        let mut agents: Vec<&str> = Agent::read().map(|agent| &*agent.row().name).collect();
        readers.sort_unstable();
        agents.sort_unstable();
        assert_eq!(readers, agents);
    }
}
