//! The sections of definitions, requests and errors, in both directions.

use std::collections::BTreeMap;

use wire_core::Position;
use wire_core::text::shown;

use super::shapes::{ALL_REPOS, ErrorSection, Scope, Target, ToolDefinition, ToolRequest};
use crate::decode::{Row, Sections, SliceReader};
use crate::encode::Writer;
use crate::header::Header;
use crate::{Error, ErrorKind};

/// The name of the section of definitions.
pub const TOOL_DEFINITIONS: &str = "tool_definitions";
/// The name of the section of a request.
pub const TOOL_REQUEST: &str = "tool_request";
/// The name of the section of an error.
pub const ERROR: &str = "error";

const DEFINITIONS: (&str, [&str; 2]) = (TOOL_DEFINITIONS, ["name", "scope"]);
const REQUEST: (&str, [&str; 3]) = (TOOL_REQUEST, ["tool", "scope", "repo"]);
const ERROR_ROW: (&str, [&str; 3]) = (ERROR, ["code", "message", "detail"]);

/// The `tool_definitions` section, its rows sorted by name.
///
/// # Errors
///
/// `invalid_shape` for an empty or duplicate name.
pub fn tool_definitions(definitions: &[ToolDefinition]) -> Result<String, Error> {
    let mut sorted = BTreeMap::new();
    for ToolDefinition { name, scope } in definitions {
        if name.is_empty() || name.contains('\r') {
            return Err(invalid(format!("a tool is {}, expected a name", shown(name))));
        }
        if sorted.insert(name, *scope).is_some() {
            return Err(invalid(format!("the tool {} appears twice, expected once", shown(name))));
        }
    }
    section(&DEFINITIONS, sorted.into_iter().map(|(name, scope)| [&**name, scope.name()]))
}

/// The definitions of a `tool_definitions` section.
///
/// # Errors
///
/// As [`SliceReader`]. With its position, `invalid_shape` for another section, a row without a name
/// or with an unknown scope, a duplicate name, and rows that are not sorted.
pub fn read_tool_definitions(text: &str) -> Result<Vec<ToolDefinition>, Error> {
    definitions(SliceReader::new(text))
}

pub(crate) fn definitions(reader: SliceReader<'_>) -> Result<Vec<ToolDefinition>, Error> {
    let mut definitions: Vec<ToolDefinition> = Vec::new();
    read(reader, &DEFINITIONS, |[name, scope]| {
        if name.is_empty() {
            return Err("a definition has no name, expected a name".to_owned());
        }
        if definitions.last().is_some_and(|last| *last.name >= **name) {
            return Err(format!(
                "the tool {} is out of order or appears twice, expected sorted names",
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
    /// `invalid_shape` for an empty tool or name, an empty list, and `*` together with other names.
    pub fn to_gcx(&self) -> Result<String, Error> {
        if self.tool.is_empty() || self.tool.contains('\r') {
            return Err(invalid(format!("the tool is {}, expected a name", shown(&self.tool))));
        }
        self.target.check().map_err(invalid)?;
        let cell = self.target.cell();
        section(&REQUEST, [[&*self.tool, self.target.scope().name(), &*cell]])
    }

    /// The request of a `tool_request` section.
    ///
    /// # Errors
    ///
    /// As [`SliceReader`]. With its position, `invalid_shape` when it is another section, or its
    /// `repo` does not match its scope.
    pub fn from_gcx(text: &str) -> Result<Self, Error> {
        ToolRequest::read(SliceReader::new(text))
    }

    pub(crate) fn read(reader: SliceReader<'_>) -> Result<Self, Error> {
        let mut request = None;
        let end = read(reader, &REQUEST, |[tool, scope, repo]| {
            if tool.is_empty() {
                return Err("a request has no tool, expected a name".to_owned());
            }
            let target = match Scope::from_name(scope).ok_or_else(|| unknown_scope(scope))? {
                Scope::Repo => Target::Repo((*repo).to_owned()),
                Scope::Workspace if repo.is_empty() => Target::Workspace,
                Scope::Workspace => {
                    return Err(format!(
                        "`repo` is {}, expected no value for a workspace",
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
                return Err("a request has a second row, expected one row".to_owned());
            }
            Ok(())
        })?;
        request.ok_or_else(|| no_row(end))
    }
}

impl ErrorSection {
    /// The `error` section.
    ///
    /// # Errors
    ///
    /// `invalid_shape` for an empty code.
    pub fn to_gcx(&self) -> Result<String, Error> {
        if self.code.chars().all(|c| c == '\r') {
            return Err(invalid("the code is empty, expected a code".to_owned()));
        }
        section(&ERROR_ROW, [[&*self.code, &*self.message, &*self.detail]])
    }

    /// The error of an `error` section.
    ///
    /// # Errors
    ///
    /// As [`SliceReader`]. With its position, `invalid_shape` when it is another section.
    pub fn from_gcx(text: &str) -> Result<Self, Error> {
        ErrorSection::read(SliceReader::new(text))
    }

    pub(crate) fn read(reader: SliceReader<'_>) -> Result<Self, Error> {
        let mut error = None;
        let end = read(reader, &ERROR_ROW, |[code, message, detail]| {
            if code.is_empty() {
                return Err("an error has no code, expected a code".to_owned());
            }
            if error.replace(ErrorSection::new(*code, *message, *detail)).is_some() {
                return Err("an error has a second row, expected one row".to_owned());
            }
            Ok(())
        })?;
        error.ok_or_else(|| no_row(end))
    }
}

fn section<'c, const N: usize>(
    (tool, fields): &(&'static str, [&'static str; N]),
    rows: impl IntoIterator<Item = [&'c str; N]>,
) -> Result<String, Error> {
    let mut writer = Writer::new(Vec::new());
    // The headers of these sections are fixed texts without a number of rows (ruling X4).
    writer.begin(&Header::new(*tool, fields.iter().copied()))?;
    for row in rows {
        writer.row(row)?;
    }
    Ok(String::from_utf8(writer.finish()?).expect("because it is made of strings"))
}

/// Reads the only section of a text, which must have this tool and these fields, in any order.
/// Returns the end of the text.
fn read<const N: usize>(
    mut reader: SliceReader<'_>,
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
        let message = format!("another section follows {tool}, expected the end");
        return Err(Error::at(ErrorKind::InvalidShape, reader.line_place(), message));
    }
    Ok(reader.line_place())
}

fn invalid(message: String) -> Error {
    Error::encode(ErrorKind::InvalidShape, message)
}

fn no_row(end: Position) -> Error {
    Error::at(ErrorKind::InvalidShape, end, "the section has no row, expected one row")
}

fn unknown_scope(found: &str) -> String {
    format!("the scope is {}, expected `repo`, `workspace` or `fan-out`", shown(found))
}
