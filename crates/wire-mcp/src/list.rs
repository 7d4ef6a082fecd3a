//! Rewriting a result of `tools/list` (rulings M3 and M6).

use crate::options::Options;
use crate::raw::{Members, elements, range};
use crate::splice::Edit;

/// The property that tools get (ruling M6).
pub(crate) const FORMAT_ARGUMENT: &str = "format";
const FORMAT_PROPERTY: &str = r#""format":{"type":"string","enum":["auto","json","gcf","gcx"],"description":"Form of the result: auto (fewest tokens), json (as the tool wrote it), gcf or gcx"}"#;
/// Members of a schema under which one more property could be refused.
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

/// A tool as the client sees it listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Listed {
    /// Whether its `outputSchema` was removed.
    pub(crate) is_schema_removed: bool,
    /// Whether it got the argument.
    pub(crate) has_format: bool,
}

/// A tool's name, and how it is listed.
pub(crate) type Named = (String, Listed);

/// The edits of a frame for a list in it, and its tools. `None` if the list can't be read: then it
/// passes as it is, and nothing is known of the tools in it.
pub(crate) fn rewrite(
    frame: &str,
    result: &str,
    client: Option<&str>,
    options: &Options,
) -> Option<(Vec<Edit>, Vec<Named>)> {
    let members = Members::parse(result)?;
    let mut edits = Vec::new();
    let mut tools = Vec::new();
    for tool in elements(members.get("tools")?)? {
        let tool = Members::parse(tool)?;
        let name = tool.get_text("name")?;
        let settings = options.settings(&name, client);
        let rewrites = settings.rewrites();
        let schema = tool.cut("outputSchema").filter(|_| rewrites && settings.drops);
        edits.extend(schema.map(|cut| Edit::cut(range(frame, cut))));
        let may_add = rewrites && options.adds_format && !options.is_dry_run;
        let argument = tool.get("inputSchema").filter(|_| may_add);
        let argument = argument.and_then(|schema| with_format(frame, schema));
        let listed = Listed { is_schema_removed: schema.is_some(), has_format: argument.is_some() };
        edits.extend(argument);
        tools.push((name.into_owned(), listed));
    }
    Some((edits, tools))
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
