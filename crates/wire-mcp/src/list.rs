//! Rewriting a result of `tools/list` (rulings M3 and M6).

use crate::bound::is_bound;
use crate::catalog::Facts;
use crate::limits::MAX_NAME_BYTES;
use crate::options::{Options, Policy};
use crate::raw::{Members, elements, range};
use crate::splice::Edit;

/// The property that tools get (ruling M6).
pub(crate) const FORMAT_ARGUMENT: &str = "format";
const FORMAT_PROPERTY: &str = r#""format":{"type":"string","enum":["auto","json","gcf","gcx"],"description":"Form of the result: auto (fewest tokens), json (as the tool wrote it), gcf or gcx"}"#;
/// Members of a schema that could forbid one more property.
const OTHER_RULES: &[&str] = &[
    "$ref",
    "$dynamicRef",
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "propertyNames",
    "maxProperties",
];

/// The metadata by which a tool raises the limit of Claude Code.
const SHOWN_CHARACTERS: &str = "anthropic/maxResultSizeChars";

/// A tool as the client sees it listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listed {
    /// The server's description.
    pub(crate) facts: Facts,
    /// `true` if the client saw it without an `outputSchema`: the proxy removed it, or there is
    /// none.
    pub(crate) is_without_schema: bool,
    pub(crate) has_format: bool,
}

impl Listed {
    /// Returns `true` if the client sees its `outputSchema`.
    pub(crate) fn shows_schema(&self) -> bool {
        self.facts.has_schema && !self.is_without_schema
    }
}

/// A tool's name, and how it is listed.
pub(crate) type Named = (String, Listed);

#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) edits: Vec<Edit>,
    pub(crate) tools: Vec<Named>,
}

/// The changes of a list in a frame. `None` if it can't be read: then it passes unchanged, and its
/// tools are unknown. If later frames of the client won't be seen, nothing changes.
pub(crate) fn rewrite(
    frame: &str,
    result: &str,
    client: Option<&str>,
    has_session: bool,
    options: &Options,
) -> Option<List> {
    let members = Members::parse(result)?;
    let mut list = List::default();
    for tool in elements(members.get("tools")?)? {
        let tool = Members::parse(tool)?;
        let name = tool.get_text("name")?;
        let facts = facts(&tool);
        let mut settings = options.settings(&name, client);
        if facts.is_bound || name.len() > MAX_NAME_BYTES {
            // Of a long name nothing is remembered.
            settings.policy = Policy::Off;
        }
        let rewrites = settings.rewrites(&name) && has_session;
        let schema = tool.cut("outputSchema").filter(|_| rewrites && settings.drops);
        let is_schema_gone = tool.get("outputSchema").is_none() || schema.is_some();
        list.edits.extend(schema.map(|cut| Edit::cut(range(frame, cut))));
        let may_add = rewrites && options.adds_format && !options.is_dry_run;
        let argument = tool.get("inputSchema").filter(|_| may_add);
        let argument = argument.and_then(|schema| with_format(frame, schema));
        let is_without_schema = is_schema_gone && has_session;
        let listed = Listed { facts, is_without_schema, has_format: argument.is_some() };
        list.edits.extend(argument);
        list.tools.push((name.into_owned(), listed));
    }
    Some(list)
}

fn facts(tool: &Members<'_>) -> Facts {
    let meta = tool.get("_meta").and_then(Members::parse);
    let shown_characters = meta.and_then(|meta| meta.get(SHOWN_CHARACTERS)?.parse().ok());
    Facts { has_schema: tool.has("outputSchema"), is_bound: is_bound(tool), shown_characters }
}

/// What can be read of a list that can't be read as a whole, or that nobody asked for.
pub(crate) fn facts_of_all(result: &str) -> Vec<(String, Facts)> {
    let tools = Members::parse(result).and_then(|result| elements(result.get("tools")?));
    let one = |tool: &str| {
        let tool = Members::parse(tool)?;
        Some((tool.get_text("name")?.into_owned(), facts(&tool)))
    };
    tools.into_iter().flatten().filter_map(one).collect()
}

/// Adds the argument to a schema that has no such property and no rules that one more could break.
fn with_format(frame: &str, schema: &str) -> Option<Edit> {
    let members = Members::parse(schema)?;
    if members.get_text("type")? != "object"
        || members.names().any(|name| OTHER_RULES.contains(&name))
    {
        return None;
    }
    let Some(properties) = members.get("properties") else {
        let at = range(frame, members.last()?).end;
        return Some(Edit::insert(at, format!(",\"properties\":{{{FORMAT_PROPERTY}}}")));
    };
    let members = Members::parse(properties)?;
    if members.get(FORMAT_ARGUMENT).is_some() {
        return None;
    }
    match members.last() {
        Some(last) => Some(Edit::insert(range(frame, last).end, format!(",{FORMAT_PROPERTY}"))),
        None => Some(Edit::insert(range(frame, properties).start + 1, FORMAT_PROPERTY.to_owned())),
    }
}
