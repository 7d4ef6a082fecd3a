//! The content of the sections: scopes and targets, tools, calls, and why a call was rejected.

use serde_json::Value;
use wire_core::text::shown;

/// Every repository of the workspace; it must be the only name of a fan-out list.
pub const ALL_REPOS: &str = "*";

/// The repositories that a tool works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// One repository.
    Repo,
    /// The workspace itself.
    Workspace,
    /// A list of repositories, or all.
    FanOut,
}

impl Scope {
    /// Every scope.
    pub const ALL: &'static [Scope] = &[Scope::Repo, Scope::Workspace, Scope::FanOut];

    /// The name in the format: `repo`, `workspace`, `fan-out`.
    pub const fn name(self) -> &'static str {
        match self {
            Scope::Repo => "repo",
            Scope::Workspace => "workspace",
            Scope::FanOut => "fan-out",
        }
    }

    /// The scope with this name.
    pub fn from_name(word: &str) -> Option<Scope> {
        Scope::ALL.iter().copied().find(|scope| scope.name() == word)
    }
}

/// A tool and its scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// The name of the tool.
    pub name: String,
    /// The repositories that it works on.
    pub scope: Scope,
}

impl ToolDefinition {
    /// The tool of this name and scope.
    pub fn new(name: impl Into<String>, scope: Scope) -> Self {
        ToolDefinition { name: name.into(), scope }
    }
}

/// The target of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// One repository.
    Repo(String),
    /// The workspace.
    Workspace,
    /// These repositories; at least one.
    Repos(Vec<String>),
    /// Every repository of the workspace.
    AllRepos,
}

impl Target {
    /// The scope of such a target.
    pub fn scope(&self) -> Scope {
        match self {
            Target::Repo(_) => Scope::Repo,
            Target::Workspace => Scope::Workspace,
            Target::Repos(_) | Target::AllRepos => Scope::FanOut,
        }
    }

    /// The `repo` cell: a name, nothing, or a compact JSON array.
    pub(super) fn cell(&self) -> String {
        match self {
            Target::Repo(name) => name.clone(),
            Target::Workspace => String::new(),
            Target::AllRepos => format!("[\"{ALL_REPOS}\"]"),
            Target::Repos(names) => Value::from(names.as_slice()).to_string(),
        }
    }

    /// Checks that the format can represent it: no empty name, no empty list, and `*` only alone
    /// (ruling X11).
    pub(super) fn check(&self) -> Result<(), String> {
        let name = |name: &String| {
            if name.is_empty() || name.contains('\r') {
                return Err(format!("a repository is {}, expected a name", shown(name)));
            }
            Ok(())
        };
        match self {
            Target::Workspace | Target::AllRepos => Ok(()),
            Target::Repo(repo) => name(repo),
            Target::Repos(names) if names.is_empty() => {
                Err("the list of repositories is empty, expected at least one".to_owned())
            }
            Target::Repos(names) if names.iter().any(|name| name == ALL_REPOS) => {
                Err("`*` is in a list of repositories, expected it alone".to_owned())
            }
            Target::Repos(names) => names.iter().try_for_each(name),
        }
    }
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolRequest {
    /// The name of the tool.
    pub tool: String,
    /// The target of the call.
    pub target: Target,
}

/// The reason why a call was rejected, sent instead of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorSection {
    /// One of the constants of this module, or a code of the server; not empty.
    pub code: String,
    /// A description for people.
    pub message: String,
    /// Details of the description.
    pub detail: String,
}

impl ErrorSection {
    /// The error of this code.
    pub fn new(
        code: impl Into<String>,
        message: impl Into<String>,
        detail: impl Into<String>,
    ) -> Self {
        ErrorSection { code: code.into(), message: message.into(), detail: detail.into() }
    }
}
