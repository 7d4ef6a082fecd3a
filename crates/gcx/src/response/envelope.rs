//! The shapes of a workspace as responses: the members of their JSON are named like the columns.

use std::collections::BTreeSet;
use std::io::Write;

use wire_core::text::shown;

use crate::decode::SliceReader;
use crate::encode::{Options, Writer};
use crate::json::{Json, Member, Object, get};
use crate::workspace::{self, ErrorSection, Scope, Target, ToolDefinition, ToolRequest};
use crate::{Error, ErrorKind};

/// A shape of a workspace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Envelope {
    Definitions,
    Request,
    Error,
}

impl Envelope {
    /// The shape that has this name.
    pub(super) fn of(tool: &str) -> Option<Self> {
        match tool {
            workspace::TOOL_DEFINITIONS => Some(Envelope::Definitions),
            workspace::TOOL_REQUEST => Some(Envelope::Request),
            workspace::ERROR => Some(Envelope::Error),
            _ => None,
        }
    }

    /// Writes the section, and returns the paths of what was dropped.
    pub(super) fn encode<W: Write>(
        self,
        writer: &mut Writer<W>,
        response: &Json<'_>,
        options: &Options,
    ) -> Result<BTreeSet<String>, Error> {
        let mut left_out = BTreeSet::new();
        let text = match (self, response) {
            (Envelope::Definitions, Json::Array(items)) => {
                let definitions = items.iter().enumerate().map(|(index, item)| {
                    let path = format!("[{index}]");
                    let Json::Object(object) = item else { return Err(wrong(&path, "an object")) };
                    report(object, &["name", "scope"], "[].", &mut left_out);
                    Ok(ToolDefinition::new(text(object, "name")?, scope(object)?))
                });
                workspace::tool_definitions(&definitions.collect::<Result<Vec<_>, _>>()?)?
            }
            (Envelope::Request, Json::Object(object)) => {
                report(object, &["tool", "scope", "repo"], "", &mut left_out);
                let tool = text(object, "tool")?.to_owned();
                ToolRequest { tool, target: target(scope(object)?, get(object, "repo"))? }
                    .to_gcx()?
            }
            (Envelope::Error, Json::Object(object)) => {
                report(object, &["code", "message", "detail"], "", &mut left_out);
                let optional = |key| {
                    if get(object, key).is_none_or(Json::is_null) {
                        Ok("")
                    } else {
                        text(object, key)
                    }
                };
                let (message, detail) = (optional("message")?, optional("detail")?);
                ErrorSection::new(text(object, "code")?, message, detail).to_gcx()?
            }
            (Envelope::Definitions, _) => return Err(wrong("the response", "an array")),
            (Envelope::Request | Envelope::Error, _) => {
                return Err(wrong("the response", "an object"));
            }
        };
        let mut reader = SliceReader::new(&text);
        while let Some(header) = reader.next_section()? {
            options.begin(writer, &header)?;
            while let Some(row) = reader.next_row()? {
                writer.row(row.cells())?;
            }
        }
        Ok(left_out)
    }

    /// The JSON of the section.
    pub(super) fn decode(self, reader: SliceReader<'_>) -> Result<Json<'static>, Error> {
        Ok(match self {
            Envelope::Definitions => Json::Array(
                workspace::definitions(reader)?
                    .into_iter()
                    .map(|ToolDefinition { name, scope }| {
                        Json::Object(object([("name", name), ("scope", scope.name().into())]))
                    })
                    .collect(),
            ),
            Envelope::Request => {
                let ToolRequest { tool, target } = ToolRequest::read(reader)?;
                let scope = target.scope().name().into();
                let repos = |names: Vec<String>| {
                    Json::Array(names.into_iter().map(|name| Json::String(name.into())).collect())
                };
                let repo = match target {
                    Target::Workspace => None,
                    Target::Repo(name) => Some(Json::String(name.into())),
                    Target::Repos(names) => Some(repos(names)),
                    Target::AllRepos => Some(repos(vec![workspace::ALL_REPOS.to_owned()])),
                };
                let mut request = object([("tool", tool), ("scope", scope)]);
                request.extend(repo.map(|repo| ("repo".into(), repo)));
                Json::Object(request)
            }
            Envelope::Error => {
                let ErrorSection { code, message, detail } = ErrorSection::read(reader)?;
                Json::Object(object([("code", code), ("message", message), ("detail", detail)]))
            }
        })
    }
}

/// An object of texts.
fn object<const N: usize>(members: [(&'static str, String); N]) -> Object<'static> {
    members.into_iter().map(|(name, text)| (name.into(), Json::String(text.into()))).collect()
}

fn report(object: &[Member<'_>], known: &[&str], before: &str, left_out: &mut BTreeSet<String>) {
    let keys = object.iter().map(|(key, _)| &**key);
    let unknown = keys.filter(|key| !known.contains(key));
    left_out.extend(unknown.map(|key| format!("{before}{key}")));
}

fn text<'v>(object: &'v [Member<'_>], key: &str) -> Result<&'v str, Error> {
    get(object, key).and_then(Json::as_str).ok_or_else(|| wrong(key, "a string"))
}

fn scope(object: &[Member<'_>]) -> Result<Scope, Error> {
    let found = text(object, "scope")?;
    Scope::from_name(found).ok_or_else(|| wrong("scope", "`repo`, `workspace` or `fan-out`"))
}

fn target(scope: Scope, repo: Option<&Json<'_>>) -> Result<Target, Error> {
    match (scope, repo) {
        (Scope::Workspace, None | Some(Json::Null)) => Ok(Target::Workspace),
        (Scope::Repo, Some(Json::String(name))) => Ok(Target::Repo(name.clone().into_owned())),
        (Scope::FanOut, Some(Json::Array(items))) => {
            let names: Option<Vec<&str>> = items.iter().map(Json::as_str).collect();
            let names = names.ok_or_else(|| wrong("repo", "an array of strings"))?;
            if names == [workspace::ALL_REPOS] {
                return Ok(Target::AllRepos);
            }
            Ok(Target::Repos(names.into_iter().map(str::to_owned).collect()))
        }
        (Scope::Workspace, _) => Err(wrong("repo", "no value for a workspace")),
        (Scope::Repo, _) => Err(wrong("repo", "a string")),
        (Scope::FanOut, _) => Err(wrong("repo", "an array of strings")),
    }
}

#[cold]
fn wrong(path: &str, expected: &str) -> Error {
    let message = format!(
        "in the response, {} has another value than required, expected {expected}",
        shown(path)
    );
    Error::encode(ErrorKind::InvalidShape, message)
}
