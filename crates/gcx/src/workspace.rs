//! The shapes of a workspace that serves several repositories: what scope each tool has, one call of a tool, and why a call
//! was refused.
//!
//! ```
//! use gcx::workspace::{Scope, ToolDefinition, Workspace, tool_definitions};
//! use serde_json::json;
//!
//! let definitions = vec![
//!     ToolDefinition::new("search_symbols", Scope::FanOut),
//!     ToolDefinition::new("get_file_summary", Scope::Repo),
//! ];
//! assert_eq!(
//!     tool_definitions(&definitions)?,
//!     "GCX1 tool=tool_definitions fields=name,scope\nget_file_summary\trepo\nsearch_symbols\tfan-out\n",
//! );
//! let workspace = Workspace::new(definitions, ["gortex", "gortex-cloud"]);
//! let request = workspace.judge("search_symbols", Some(&json!(["*"]))).unwrap();
//! assert_eq!(
//!     request.to_gcx()?,
//!     "GCX1 tool=tool_request fields=tool,scope,repo\nsearch_symbols\tfan-out\t[\"*\"]\n",
//! );
//! let refused = workspace.judge("search_symbols", None).unwrap_err().section().unwrap();
//! assert_eq!(refused.code, gcx::workspace::MISSING_REPO_LIST);
//! # Ok::<(), gcx::Error>(())
//! ```

use std::collections::BTreeMap;
use std::fmt;

use serde_json::Value;
use wire_core::Position;
use wire_core::text::shown;

use crate::decode::{Reader, Row, Sections};
use crate::encode::Writer;
use crate::header::Header;
use crate::{Error, ErrorKind};

/// A request names a repository that the workspace does not have.
pub const UNKNOWN_REPO: &str = "unknown_repo";
/// A fan-out request has no `repo`.
pub const MISSING_REPO_LIST: &str = "missing_repo_list";
/// A request of a tool for one repository has no `repo`.
pub const MISSING_REPO: &str = "missing_repo";
/// A request of a tool for the workspace has a `repo`.
pub const REPO_NOT_ALLOWED: &str = "repo_not_allowed";
/// `repo` has another type than the tool's scope asks for.
pub const WRONG_REPO_SHAPE: &str = "wrong_repo_shape";

/// Every repository of the workspace, in a fan-out list of its own.
pub const ALL_REPOS: &str = "*";
/// The name of the section of definitions.
pub const TOOL_DEFINITIONS: &str = "tool_definitions";
/// The name of the section of a request.
pub const TOOL_REQUEST: &str = "tool_request";
/// The name of the section of an error.
pub const ERROR: &str = "error";

/// What a tool works on.
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
    pub const ALL: [Scope; 3] = [Scope::Repo, Scope::Workspace, Scope::FanOut];

    /// The word of the format: `repo`, `workspace`, `fan-out`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Repo => "repo",
            Scope::Workspace => "workspace",
            Scope::FanOut => "fan-out",
        }
    }

    /// The scope of this word.
    pub fn from_name(word: &str) -> Option<Scope> {
        Scope::ALL.into_iter().find(|scope| scope.as_str() == word)
    }
}

/// A tool, and what it works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolDefinition {
    /// The name of the tool.
    pub name: String,
    /// What it works on.
    pub scope: Scope,
}

impl ToolDefinition {
    /// The tool of this name and scope.
    pub fn new(name: impl Into<String>, scope: Scope) -> Self {
        ToolDefinition { name: name.into(), scope }
    }
}

/// What a request is for.
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
    /// The scope that has such targets.
    pub fn scope(&self) -> Scope {
        match self {
            Target::Repo(_) => Scope::Repo,
            Target::Workspace => Scope::Workspace,
            Target::Repos(_) | Target::AllRepos => Scope::FanOut,
        }
    }

    /// The `repo` cell: a name, nothing, or a compact JSON array.
    fn cell(&self) -> String {
        match self {
            Target::Repo(name) => name.clone(),
            Target::Workspace => String::new(),
            Target::AllRepos => format!("[\"{ALL_REPOS}\"]"),
            Target::Repos(names) => Value::from(names.as_slice()).to_string(),
        }
    }

    /// Whether the format can say it: no empty name, no empty list, and `*` only alone (ruling X11).
    fn check(&self) -> Result<(), String> {
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
                Err("`*` stands in a list of repositories, expected it alone".to_owned())
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
    /// What the call is for.
    pub target: Target,
}

/// Why a call was refused, in lieu of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorSection {
    /// One of the constants of this module, or a code of the server's own; not empty.
    pub code: String,
    /// What happened.
    pub message: String,
    /// More of it.
    pub detail: String,
}

const DEFINITIONS: (&str, [&str; 2]) = (TOOL_DEFINITIONS, ["name", "scope"]);
const REQUEST: (&str, [&str; 3]) = (TOOL_REQUEST, ["tool", "scope", "repo"]);
const ERROR_ROW: (&str, [&str; 3]) = (ERROR, ["code", "message", "detail"]);

/// The `tool_definitions` section, its rows sorted by name.
///
/// # Errors
///
/// `invalid_shape` for an empty name, and for a name that comes twice.
pub fn tool_definitions(definitions: &[ToolDefinition]) -> Result<String, Error> {
    let mut sorted = BTreeMap::new();
    for ToolDefinition { name, scope } in definitions {
        if name.is_empty() || name.contains('\r') {
            return Err(invalid(format!("a tool is {}, expected a name", shown(name))));
        }
        if sorted.insert(name, *scope).is_some() {
            return Err(invalid(format!("the tool {} comes twice, expected once", shown(name))));
        }
    }
    section(&DEFINITIONS, sorted.into_iter().map(|(name, scope)| [&**name, scope.as_str()]))
}

/// The definitions of a `tool_definitions` section.
///
/// # Errors
///
/// As [`Reader`]; `invalid_shape`, with its place, for another section, a row without a name or with an unknown scope, a name
/// that comes twice, and rows that are not sorted.
pub fn read_tool_definitions(text: &str) -> Result<Vec<ToolDefinition>, Error> {
    definitions(Reader::new(text))
}

pub(crate) fn definitions(reader: Reader<'_>) -> Result<Vec<ToolDefinition>, Error> {
    let mut definitions: Vec<ToolDefinition> = Vec::new();
    read(reader, &DEFINITIONS, |[name, scope]| {
        if name.is_empty() {
            return Err("a definition has no name, expected one".to_owned());
        }
        if definitions.last().is_some_and(|last| *last.name >= **name) {
            return Err(format!(
                "the tool {} stands behind a later one or itself, expected sorted names",
                shown(name)
            ));
        }
        let scope = Scope::from_name(scope).ok_or_else(|| unknown_scope(scope))?;
        definitions.push(ToolDefinition::new(*name, scope));
        Ok(())
    })?;
    Ok(definitions)
}

impl ToolRequest {
    /// The `tool_request` section.
    ///
    /// # Errors
    ///
    /// `invalid_shape` for an empty tool or name, an empty list, and `*` beside other names.
    pub fn to_gcx(&self) -> Result<String, Error> {
        if self.tool.is_empty() || self.tool.contains('\r') {
            return Err(invalid(format!("the tool is {}, expected a name", shown(&self.tool))));
        }
        self.target.check().map_err(invalid)?;
        let cell = self.target.cell();
        section(&REQUEST, [[&*self.tool, self.target.scope().as_str(), &*cell]])
    }

    /// The request of a `tool_request` section.
    ///
    /// # Errors
    ///
    /// As [`Reader`]; `invalid_shape`, with its place, when it is none, or its `repo` is not of its scope.
    pub fn from_gcx(text: &str) -> Result<Self, Error> {
        ToolRequest::read(Reader::new(text))
    }

    pub(crate) fn read(reader: Reader<'_>) -> Result<Self, Error> {
        let mut request = None;
        let end = read(reader, &REQUEST, |[tool, scope, repo]| {
            if tool.is_empty() {
                return Err("a request has no tool, expected one".to_owned());
            }
            let target = match Scope::from_name(scope).ok_or_else(|| unknown_scope(scope))? {
                Scope::Repo => Target::Repo((*repo).to_owned()),
                Scope::Workspace if repo.is_empty() => Target::Workspace,
                Scope::Workspace => {
                    return Err(format!(
                        "`repo` is {}, expected none for a workspace",
                        shown(repo)
                    ));
                }
                Scope::FanOut => {
                    let names: Vec<String> = serde_json::from_str(repo).map_err(|_| {
                        format!("`repo` is {}, expected a JSON array of names", shown(repo))
                    })?;
                    if names == [ALL_REPOS] { Target::AllRepos } else { Target::Repos(names) }
                }
            };
            target.check()?;
            if request.replace(ToolRequest { tool: (*tool).to_owned(), target }).is_some() {
                return Err("a request has a second row, expected one".to_owned());
            }
            Ok(())
        })?;
        request.ok_or_else(|| no_row(end))
    }
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

    /// The `error` section.
    ///
    /// # Errors
    ///
    /// `invalid_shape` for an empty code.
    pub fn to_gcx(&self) -> Result<String, Error> {
        if self.code.chars().all(|c| c == '\r') {
            return Err(invalid("the code is empty, expected one".to_owned()));
        }
        section(&ERROR_ROW, [[&*self.code, &*self.message, &*self.detail]])
    }

    /// The error of an `error` section.
    ///
    /// # Errors
    ///
    /// As [`Reader`]; `invalid_shape`, with its place, when it is none.
    pub fn from_gcx(text: &str) -> Result<Self, Error> {
        ErrorSection::read(Reader::new(text))
    }

    pub(crate) fn read(reader: Reader<'_>) -> Result<Self, Error> {
        let mut error = None;
        let end = read(reader, &ERROR_ROW, |[code, message, detail]| {
            if code.is_empty() {
                return Err("an error has no code, expected one".to_owned());
            }
            if error.replace(ErrorSection::new(*code, *message, *detail)).is_some() {
                return Err("an error has a second row, expected one".to_owned());
            }
            Ok(())
        })?;
        error.ok_or_else(|| no_row(end))
    }
}

/// The tools and repositories that a server has, to judge requests by.
#[derive(Clone, Debug)]
pub struct Workspace {
    scopes: BTreeMap<String, Scope>,
    repos: Vec<String>,
}

/// Why a request can't be served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no such tool, for which the format has no code.
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
    /// The section to answer with; none for an unknown tool.
    pub fn section(self) -> Option<ErrorSection> {
        match self {
            Refusal::UnknownTool => None,
            Refusal::Error(section) => Some(section),
        }
    }
}

impl Workspace {
    /// A workspace of these tools and repositories. Of two tools of one name the last counts.
    pub fn new<R: Into<String>>(
        definitions: impl IntoIterator<Item = ToolDefinition>,
        repos: impl IntoIterator<Item = R>,
    ) -> Self {
        let scopes = definitions.into_iter().map(|tool| (tool.name, tool.scope)).collect();
        Workspace { scopes, repos: repos.into_iter().map(Into::into).collect() }
    }

    /// What a call of `tool` is for, by its scope and the value of its `repo` parameter; `None` when it has none, and
    /// JSON's `null` is a value.
    ///
    /// # Errors
    ///
    /// [`Refusal`], with the error section to answer with.
    pub fn judge(&self, tool: &str, repo: Option<&Value>) -> Result<ToolRequest, Refusal> {
        let scope = *self.scopes.get(tool).ok_or(Refusal::UnknownTool)?;
        let refuse = |code: &str, message: &str, detail: String| {
            Refusal::Error(ErrorSection::new(code, format!("{tool} {message}"), detail))
        };
        let wrong_shape = |found: &Value, expected: &str| {
            let message = format!("is for {}, and `repo` is not {expected}", scope.as_str());
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
                let message = "is for the workspace, and takes no `repo`";
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

fn section<'c, const N: usize>(
    (tool, fields): &(&'static str, [&'static str; N]),
    rows: impl IntoIterator<Item = [&'c str; N]>,
) -> Result<String, Error> {
    let mut writer = Writer::new(Vec::new());
    // The headers of these sections are literal, without a number of rows (ruling X4).
    writer.begin(&Header::new(*tool, fields.iter().copied()))?;
    for row in rows {
        writer.row(row)?;
    }
    Ok(String::from_utf8(writer.finish()?).expect("because it is made of strings"))
}

/// Reads the one section of a text, which has this tool and these fields, in any order. Gives the end of the text.
fn read<const N: usize>(
    mut reader: Reader<'_>,
    (tool, fields): &(&'static str, [&'static str; N]),
    mut row: impl FnMut(&[&str; N]) -> Result<(), String>,
) -> Result<Position, Error> {
    let header = reader.next_section()?.unwrap_or_default();
    let columns = fields.map(|field| header.column(field));
    if header.tool() != *tool || columns.iter().any(Option::is_none) {
        let message = format!(
            "the section is {} with the fields {}, expected {tool} with {}",
            shown(header.tool()),
            shown(&header.fields().collect::<Vec<_>>().join(",")),
            fields.join(",")
        );
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    while let Some(cells) = reader.next_row()? {
        let cell = |cells: &Row<'_>, column: Option<usize>| -> String {
            column.and_then(|column| cells.cell(column)).unwrap_or_default().to_owned()
        };
        let values = columns.map(|column| cell(&cells, column));
        let values: [&str; N] = std::array::from_fn(|index| &*values[index]);
        row(&values)
            .map_err(|message| Error::at(ErrorKind::InvalidShape, reader.line_place(), message))?;
    }
    if reader.next_section()?.is_some() {
        let message = format!("another section stands behind {tool}, expected none");
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    Ok(reader.line_place())
}

fn invalid(message: String) -> Error {
    Error::encode(ErrorKind::InvalidShape, message)
}

fn no_row(end: Position) -> Error {
    Error::at(ErrorKind::InvalidShape, end, "the section has no row, expected one")
}

fn unknown_scope(found: &str) -> String {
    format!("the scope is {}, expected `repo`, `workspace` or `fan-out`", shown(found))
}
