//! The clients whose sessions are read, and where they keep them.

use std::path::{Path, PathBuf};

use serde_json::Value;
use wire_mcp::{Clients, Shows};

use crate::hook::Agent;
use crate::init::Client;

/// A client whose sessions are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Source {
    ClaudeCode,
    Codex,
    Copilot,
    Opencode,
    Gemini,
    Qwen,
    Cline,
    Continue,
}

impl Source {
    pub(crate) const ALL: [Source; 8] = [
        Source::ClaudeCode,
        Source::Codex,
        Source::Copilot,
        Source::Opencode,
        Source::Gemini,
        Source::Qwen,
        Source::Cline,
        Source::Continue,
    ];

    /// A name that it gives in `clientInfo`.
    pub(crate) fn info_name(self) -> &'static str {
        match self {
            Source::ClaudeCode => "claude-code",
            Source::Codex => "codex-mcp-client",
            Source::Copilot => "copilot-cli",
            Source::Opencode => "opencode",
            Source::Gemini => "gemini-cli-mcp-client",
            Source::Qwen => "qwen-cli-mcp-client-server",
            Source::Cline => "@cline/core",
            Source::Continue => "continue-cli-client",
        }
    }

    fn row(self) -> &'static wire_mcp::Client {
        let row = Clients::known().named(self.info_name());
        row.expect("because a test looks it up")
    }

    pub(crate) fn title(self) -> &'static str {
        &self.row().title
    }

    /// What it shows the model, and the version whose sessions were observed.
    pub(crate) fn shows(self) -> (&'static Shows, &'static str) {
        let shows = self.row().shows.as_ref().expect("because a test looks it up");
        (&shows.what, shows.observed.as_deref().unwrap_or_default())
    }

    /// Its name for `init`.
    pub(crate) fn client(self) -> Option<Client> {
        match self {
            Source::ClaudeCode => Some(Client::ClaudeCode),
            Source::Codex => Some(Client::Codex),
            Source::Copilot => Some(Client::Copilot),
            Source::Opencode => Some(Client::Opencode),
            Source::Cline => Some(Client::Cline),
            Source::Gemini | Source::Qwen | Source::Continue => None,
        }
    }

    /// It as an agent, if a hook can replace outputs.
    pub(crate) fn agent(self) -> Option<Agent> {
        self.client().and_then(Client::agent)
    }

    /// The folders of its sessions that exist.
    pub(crate) fn folders(self) -> Vec<PathBuf> {
        let (variable, home, folders): (_, _, &[&str]) = match self {
            Source::ClaudeCode => ("CLAUDE_CONFIG_DIR", ".claude", &["projects"]),
            Source::Codex => ("CODEX_HOME", ".codex", &["sessions", "archived_sessions"]),
            Source::Copilot => ("COPILOT_HOME", ".copilot", &["session-state"]),
            Source::Opencode => ("XDG_DATA_HOME", ".local/share", &["opencode"]),
            Source::Gemini => ("GEMINI_CLI_HOME", "", &[".gemini/tmp"]),
            Source::Qwen => ("", ".qwen", &["projects"]),
            Source::Cline => ("CLINE_DIR", ".cline", &["data/sessions"]),
            Source::Continue => ("CONTINUE_GLOBAL_DIR", ".continue", &["sessions"]),
        };
        let named = Some(variable).filter(|variable| !variable.is_empty());
        let named = named.and_then(std::env::var_os).filter(|folder| !folder.is_empty());
        let base = named.map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(home)));
        let folders = folders.iter().filter_map(|folder| Some(base.as_deref()?.join(folder)));
        folders.filter(|folder| Path::is_dir(folder)).collect()
    }

    /// The client of a line of a session, if only one writes such lines.
    pub(crate) fn of_line(line: &Value) -> Option<Self> {
        let has = |name: &str| line.get(name).is_some();
        let kind = line["type"].as_str().unwrap_or_default();
        if has("payload") && has("timestamp") {
            return Some(Source::Codex);
        }
        if line["data"].is_object() && kind.contains('.') {
            return Some(Source::Copilot);
        }
        if has("$set") || has("projectHash") || kind == "gemini" && has("id") {
            return Some(Source::Gemini);
        }
        if has("uuid") && has("sessionId") {
            let message = &line["message"];
            if message.get("parts").is_some() || kind == "tool_result" {
                return Some(Source::Qwen);
            }
            return message.get("content").map(|_| Source::ClaudeCode);
        }
        None
    }
}

/// Returns `true` if a version is later than the one whose sessions were observed, but for the last
/// of its numbers.
pub(crate) fn is_later(version: &str, observed: &str) -> bool {
    let numbers = |version: &str| -> Vec<u64> {
        version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).take(2).collect()
    };
    numbers(version) > numbers(observed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_in_the_table_of_clients() {
        for source in Source::ALL {
            assert!(!source.title().is_empty() && !source.shows().1.is_empty(), "{source:?}");
        }
    }

    #[test]
    fn versions_are_compared_by_two_numbers() {
        for (version, is_new) in
            [("2.1.999", false), ("2.2.0", true), ("10.0", true), ("1.9", false), ("x", false)]
        {
            assert_eq!(is_later(version, "2.1.331"), is_new, "{version}");
        }
    }
}
