//! Clients, and where they keep which servers they start.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use clap::ValueEnum;
use serde::Deserialize;
use wire_mcp::{Code, Structured, View};

use crate::hook::Agent;

/// A client.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(crate) enum Client {
    /// .mcp.json of the project, or ~/.claude.json with the servers of the project in it
    ClaudeCode,
    /// .codex/config.toml of the project, or config.toml in `$CODEX_HOME` or ~/.codex
    Codex,
    /// .cursor/mcp.json of the project, or in the home folder
    Cursor,
    /// .vscode/mcp.json of the workspace; use --file for that of a profile
    Vscode,
    /// opencode.json or opencode.jsonc of the project, or in ~/.config/opencode
    Opencode,
    /// mcp-config.json in `$COPILOT_HOME` or ~/.copilot
    Copilot,
    /// `cline_mcp_settings.json` in ~/.cline/data/settings
    Cline,
}

/// The syntax of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Syntax {
    /// JSON, with comments and commas at the end.
    Json,
    Toml,
}

/// A client's configuration, by the client's documentation. `shapes.json` has that of each.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shape {
    pub(crate) syntax: Syntax,
    /// The paths of the servers, by their names; the first path that exists is used. Version 2 of
    /// `OpenCode` has them one level deeper.
    pub(crate) servers: Vec<Vec<String>>,
    /// A further path of servers for the current folder, in which `claude mcp add` writes them by
    /// default: the parts before and after the path of the folder.
    of_folder: Option<(String, String)>,
    /// `true` if `command` has the arguments, too.
    #[serde(default)]
    pub(crate) is_command_a_list: bool,
    /// Files from the current folder.
    #[serde(default)]
    project: Vec<String>,
    /// A variable that names a folder, and what that folder is by default, from the home folder.
    home: Option<(String, String)>,
    /// Files in that folder.
    #[serde(default)]
    user: Vec<String>,
    /// The policy of [`saving`], for other readers of the file.
    #[cfg_attr(not(test), expect(dead_code))]
    structured: Option<String>,
}

/// The shapes by the names of clients.
static SHAPES: LazyLock<BTreeMap<String, Shape>> = LazyLock::new(|| {
    serde_json::from_str(include_str!("shapes.json")).expect("because a test reads it")
});

impl Shape {
    /// The path in the file to the servers of the current folder.
    pub(crate) fn servers_of_folder(&self) -> Option<[String; 3]> {
        let (before, after) = self.of_folder.as_ref()?;
        let folder = std::env::current_dir().ok()?.into_os_string().into_string().ok()?;
        let folder = if cfg!(windows) { folder.replace('\\', "/") } else { folder };
        Some([before.clone(), folder, after.clone()])
    }
}

impl Client {
    /// Its name on the command line.
    pub(crate) fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }

    /// A name that it gives in `clientInfo`, as the table of clients has it.
    pub(crate) fn info_name(self) -> &'static str {
        match self {
            Client::ClaudeCode => "claude-code",
            Client::Codex => "codex-mcp-client",
            Client::Cursor => "cursor-vscode",
            Client::Vscode => "Visual Studio Code",
            Client::Opencode => "opencode",
            Client::Copilot => "copilot-cli",
            Client::Cline => "@cline/core",
        }
    }

    /// It as an agent, if a hook of it can replace outputs.
    pub(crate) fn agent(self) -> Option<Agent> {
        match self {
            Client::ClaudeCode => Some(Agent::ClaudeCode),
            Client::Copilot => Some(Agent::Copilot),
            Client::Opencode => Some(Agent::Opencode),
            Client::Cline => Some(Agent::Cline),
            Client::Codex | Client::Cursor | Client::Vscode => None,
        }
    }

    /// Its row in the table of clients.
    pub(crate) fn row(self) -> &'static wire_mcp::Client {
        let row = wire_mcp::Clients::known().named(self.info_name());
        row.expect("because a test looks it up")
    }

    /// Returns `true` if it is made to run models of the user's machine, too, by its documentation.
    pub(crate) fn takes_local_models(self) -> bool {
        matches!(self, Client::Codex | Client::Vscode | Client::Opencode)
    }

    /// Its configuration.
    pub(crate) fn shape(self) -> &'static Shape {
        &SHAPES[&self.name()]
    }
}

/// The policy for `structuredContent` by which a client shows fewer tokens; `None` if it does not
/// show the field, or if its programs need it (ruling M17).
pub(crate) fn saving(row: &wire_mcp::Client) -> Option<Structured> {
    let view = row.shows.as_ref().map(|shows| shows.what.view);
    let shows = matches!(view, Some(View::Structured | View::Both | View::Result));
    match row.code.as_ref().map(|code| code.what) {
        Some(Code::Marked | Code::Sometimes | Code::Always) => None,
        _ if !shows => None,
        Some(Code::Never) => Some(Structured::Auto),
        _ => Some(Structured::Drop),
    }
}

/// Other clients, and how the proxy gets into their configurations.
pub(crate) const FORMS: &[(&str, &str)] = &[
    ("amazon-q", LIKE_CURSOR),
    ("claude-desktop", LIKE_CURSOR),
    ("gemini", LIKE_CURSOR),
    ("kiro", LIKE_CURSOR),
    ("qwen", LIKE_CURSOR),
    ("roo", LIKE_CURSOR),
    ("windsurf", LIKE_CURSOR),
];
const LIKE_CURSOR: &str =
    "its file has `mcpServers`, as Cursor's has: `wire-proxy init cursor --file FILE` changes it";

/// The file of a client: that of the project, or else the user's.
pub(crate) fn file(shape: &Shape, name: &str) -> Result<PathBuf, String> {
    let mut files: Vec<PathBuf> = shape.project.iter().map(PathBuf::from).collect();
    if let Some((variable, default)) = &shape.home {
        let named = Some(variable).filter(|variable| !variable.is_empty());
        let named = named.and_then(std::env::var_os).filter(|folder| !folder.is_empty());
        let folder = named.map(PathBuf::from).or_else(|| Some(std::env::home_dir()?.join(default)));
        files.extend(shape.user.iter().filter_map(|file| Some(folder.as_deref()?.join(file))));
    }
    if let Some(found) = files.iter().find(|path: &&PathBuf| Path::is_file(path)) {
        return Ok(found.clone());
    }
    let files: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
    Err(format!(
        "{name} has no configuration here: expected {}; add a server to the client first, or name the file with --file",
        files.join(" or ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_clients_says_which_policy_saves() {
        let saving = |client: &Client| saving(client.row()).map(Structured::name);
        let all: Vec<_> = Client::value_variants().iter().map(saving).collect();
        // Claude Code, Codex, Cursor, VS Code, OpenCode, Copilot CLI, Cline.
        let [auto, drop] = [Some("auto"), Some("drop")];
        assert_eq!(all, [auto, None, drop, drop, None, auto, auto]);
        for (name, _) in FORMS {
            assert!(Client::from_str(name, false).is_err(), "{name}");
        }
        assert_eq!(SHAPES.len(), all.len());
        for client in Client::value_variants() {
            let Shape { servers, project, user, structured, .. } = client.shape();
            assert_eq!(structured.as_deref(), saving(client));
            assert!(!servers.is_empty());
            assert!(project.len() + user.len() > 0);
        }
    }
}
