//! Judges calls: finds the target of a call of a tool, or the reason why it is rejected.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use wire_core::text::shown;

use super::shapes::{ALL_REPOS, ErrorSection, Scope, Target, ToolDefinition, ToolRequest};

/// A request names a repository that the workspace does not have.
pub const UNKNOWN_REPO: &str = "unknown_repo";
/// A fan-out request has no `repo`.
pub const MISSING_REPO_LIST: &str = "missing_repo_list";
/// A request for a tool that needs one repository has no `repo`.
pub const MISSING_REPO: &str = "missing_repo";
/// A request of a tool for the workspace has a `repo`.
pub const REPO_NOT_ALLOWED: &str = "repo_not_allowed";
/// `repo` has another type than the tool's scope asks for.
pub const WRONG_REPO_SHAPE: &str = "wrong_repo_shape";

/// The tools and repositories of a server, by which requests are judged.
#[derive(Clone, Debug)]
pub struct Workspace {
    scopes: BTreeMap<String, Scope>,
    repos: Vec<String>,
}

/// The reason why a request can't be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The workspace does not have this tool. The format has no code for this case.
    UnknownTool,
    /// This error section is the answer.
    Error(ErrorSection),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::UnknownTool => f.write_str("there is no such tool"),
            Refusal::Error(ErrorSection { code, message, .. }) => write!(f, "{code}: {message}"),
        }
    }
}

impl std::error::Error for Refusal {}

impl Refusal {
    /// The section to answer with; `None` for an unknown tool.
    pub fn section(self) -> Option<ErrorSection> {
        match self {
            Refusal::UnknownTool => None,
            Refusal::Error(section) => Some(section),
        }
    }
}

impl Workspace {
    /// A workspace with these tools and repositories. When two tools have the same name, the last
    /// is used.
    pub fn new<R: Into<String>>(
        definitions: impl IntoIterator<Item = ToolDefinition>,
        repos: impl IntoIterator<Item = R>,
    ) -> Self {
        let scopes = definitions.into_iter().map(|tool| (tool.name, tool.scope)).collect();
        Workspace { scopes, repos: repos.into_iter().map(Into::into).collect() }
    }

    /// The target of a call of `tool`, by its scope and the value of its `repo` parameter. `repo`
    /// is `None` when the call does not have the parameter; JSON's `null` is a value.
    ///
    /// # Errors
    ///
    /// [`Refusal`], which contains the error section to answer with.
    pub fn judge(&self, tool: &str, repo: Option<&Value>) -> Result<ToolRequest, Refusal> {
        let scope = *self.scopes.get(tool).ok_or(Refusal::UnknownTool)?;
        let refuse = |code: &str, message: &str, detail: String| {
            Refusal::Error(ErrorSection::new(code, format!("{tool} {message}"), detail))
        };
        let wrong_shape = |found: &Value, expected: &str| {
            let message = format!("is for {}, and `repo` is not {expected}", scope.name());
            refuse(WRONG_REPO_SHAPE, &message, found.to_string())
        };
        let known = |name: &str| {
            if self.repos.iter().any(|repo| repo == name) {
                return Ok(name.to_owned());
            }
            let message = format!("names {}, which the workspace does not have", shown(name));
            Err(refuse(UNKNOWN_REPO, &message, self.repos.join(", ")))
        };
        let target = match (scope, repo) {
            (Scope::Workspace, None) => Target::Workspace,
            (Scope::Workspace, Some(found)) => {
                let message = "is for the workspace, and accepts no `repo`";
                return Err(refuse(REPO_NOT_ALLOWED, message, found.to_string()));
            }
            (Scope::Repo, None) => {
                let message = "is for one repository, and needs `repo`";
                return Err(refuse(MISSING_REPO, message, self.repos.join(", ")));
            }
            (Scope::Repo, Some(Value::String(name))) if !name.is_empty() => {
                Target::Repo(known(name)?)
            }
            (Scope::Repo, Some(found)) => return Err(wrong_shape(found, "a name")),
            (Scope::FanOut, None) => {
                let message =
                    "is for several repositories, and needs `repo`: a list of names, or [\"*\"]";
                return Err(refuse(MISSING_REPO_LIST, message, self.repos.join(", ")));
            }
            (Scope::FanOut, Some(found)) => {
                let shape = || wrong_shape(found, "a list of names, or [\"*\"]");
                let names = found.as_array().filter(|names| !names.is_empty()).ok_or_else(shape)?;
                let names: Vec<&str> =
                    names.iter().map(Value::as_str).collect::<Option<_>>().ok_or_else(shape)?;
                match &*names {
                    [ALL_REPOS] => Target::AllRepos,
                    names if names.iter().any(|name| name.is_empty() || *name == ALL_REPOS) => {
                        return Err(shape());
                    }
                    names => {
                        let names = names.iter().map(|name| known(name));
                        Target::Repos(names.collect::<Result<_, _>>()?)
                    }
                }
            }
        };
        Ok(ToolRequest { tool: tool.to_owned(), target })
    }
}
