//! The tools of MCP.

use std::borrow::Cow;
use std::sync::Arc;

use base64::Engine as _;
use hyper::header::HeaderName;
use hyper::http::request::Parts;
use rmcp::handler::server::common::schema_for_type;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ResourceContents, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::schemars::JsonSchema;
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::answer::{Answer, Format, NodeFormat, Question, Tree};
use crate::listen;

// Clients refuse whole lists of tools for `oneOf`, `const`, unions of types and unsigned formats in
// schemas. So the fields below are signed and have defaults, and variants of enums have no comments.

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct ForTask {
    /// What is to be done, in words.
    task_description: String,
    #[serde(flatten)]
    how: How,
    #[serde(flatten)]
    since: Since,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct ForFiles {
    /// Paths from the root of the tree.
    files: Vec<String>,
    #[serde(flatten)]
    how: How,
    #[serde(flatten)]
    since: Since,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct OfSymbol {
    /// A qualified name, or an end of it that no other symbol has.
    symbol: String,
    /// How many edges are followed, at most 6.
    #[serde(default = "two")]
    depth: i64,
    #[serde(flatten)]
    how: How,
    #[serde(flatten)]
    since: Since,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Between {
    /// The older revision, as git names it.
    from: String,
    /// The newer revision; left out, the files as they are.
    #[serde(default)]
    to: String,
    #[serde(flatten)]
    how: How,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Neighbours {
    /// A qualified name, or an end of it that no other symbol has.
    symbol: String,
    /// How many edges are followed, at most 3.
    #[serde(default = "one")]
    depth: i64,
    #[serde(default)]
    format: NodeFormat,
    /// The most tokens of the answer (o200k).
    #[serde(default = "five_thousand")]
    token_budget: i64,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct How {
    /// gcf has the fewest tokens; gcx and goon have signatures; gcb is bytes, for programs.
    #[serde(default)]
    format: Format,
    /// The most tokens of the answer (o200k).
    #[serde(default = "five_thousand")]
    token_budget: i64,
}

#[derive(Deserialize, JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct Since {
    /// The `pack_root` of an earlier answer in gcf that you still have: only what has changed is sent.
    #[serde(default)]
    pack_root: String,
}

fn one() -> i64 {
    1
}
fn two() -> i64 {
    2
}
fn five_thousand() -> i64 {
    5000
}

/// A number within a range.
pub(crate) fn within(name: &str, value: i64, most: i64) -> Result<u32, String> {
    let fits = u32::try_from(value).ok().filter(|_| (1..=most).contains(&value));
    fits.ok_or_else(|| format!("{name} is {value}, expected 1 to {most}"))
}

/// The largest budget.
pub(crate) const MOST_TOKENS: i64 = 1_000_000;

/// The server of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    pub(crate) tree: Arc<Tree>,
    /// The header of HTTP that names the tenant; without it there is one.
    pub(crate) tenant_header: Option<HeaderName>,
}

type Ask = fn(&Tree, JsonObject, &str) -> Result<CallToolResult, String>;

/// Name, description, schema of arguments, and what answers.
fn tools() -> [(&'static str, &'static str, Arc<JsonObject>, Ask); 5] {
    [
        (
            "context_for_task",
            "The code that matters for a task: ranked symbols, and the calls between them",
            schema_for_type::<ForTask>(),
            |tree, arguments, tenant| {
                let asked: ForTask = read(arguments)?;
                pack(
                    tree,
                    Question::Task(asked.task_description),
                    &asked.how,
                    &asked.since.pack_root,
                    tenant,
                )
            },
        ),
        (
            "context_for_files",
            "The symbols in and around some files, and the calls between them",
            schema_for_type::<ForFiles>(),
            |tree, arguments, tenant| {
                let asked: ForFiles = read(arguments)?;
                pack(tree, Question::Files(asked.files), &asked.how, &asked.since.pack_root, tenant)
            },
        ),
        (
            "blast_radius",
            "What depends on a symbol, by distance",
            schema_for_type::<OfSymbol>(),
            |tree, arguments, tenant| {
                let OfSymbol { symbol, depth, how, since } = read(arguments)?;
                let depth = within("depth", depth, 6)?;
                pack(tree, Question::BlastRadius { symbol, depth }, &how, &since.pack_root, tenant)
            },
        ),
        (
            "semantic_diff",
            "Symbols and calls that are new, gone or changed between two revisions of git",
            schema_for_type::<Between>(),
            |tree, arguments, tenant| {
                let Between { from, to, how } = read(arguments)?;
                let to = Some(to).filter(|to| !to.is_empty());
                pack(tree, Question::Difference { from, to }, &how, "", tenant)
            },
        ),
        (
            "graph_query",
            "The neighbours of a symbol in both directions, with path, line and signature",
            schema_for_type::<Neighbours>(),
            |tree, arguments, _| {
                let asked: Neighbours = read(arguments)?;
                let depth = within("depth", asked.depth, 3)?;
                let budget = within("token_budget", asked.token_budget, MOST_TOKENS)?;
                tree.query(&asked.symbol, depth, asked.format, budget.into())
                    .map(|answer| result(answer, ""))
            },
        ),
    ]
}

fn read<T: DeserializeOwned>(arguments: JsonObject) -> Result<T, String> {
    serde_json::from_value(arguments.into()).map_err(|error| error.to_string())
}

fn pack(
    tree: &Tree,
    question: Question,
    how: &How,
    held: &str,
    tenant: &str,
) -> Result<CallToolResult, String> {
    let budget = within("token_budget", how.token_budget, MOST_TOKENS)?;
    let payload = tree.payload(question, how.format, budget.into())?;
    Ok(result(tree.write(&payload, how.format, held, tenant)?, &payload.tool))
}

fn result(answer: Answer, tool: &str) -> CallToolResult {
    CallToolResult::success(vec![match answer {
        Answer::Text(text) => ContentBlock::text(text),
        Answer::Bytes(bytes) => {
            let blob = base64::engine::general_purpose::STANDARD.encode(bytes);
            ContentBlock::resource(ResourceContents::blob(blob, format!("pack:///{tool}.gcb")))
        }
    }])
}

/// What models send for an argument that is left out, or for an integer.
fn mended(mut arguments: JsonObject) -> JsonObject {
    arguments.retain(|_, value| !value.is_null());
    for value in arguments.values_mut() {
        if let Some(number) =
            value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15)
        {
            #[allow(clippy::cast_possible_truncation)] // it is a whole number below 2^53
            let whole = number as i64;
            *value = whole.into();
        }
    }
    arguments
}

/// Arguments that a tool does not have are mistakes that a model can mend.
fn check_names(schema: &JsonObject, arguments: &JsonObject) -> Result<(), String> {
    let known = schema.get("properties").and_then(serde_json::Value::as_object);
    let known = known.expect("the schema is of a struct");
    match arguments.keys().find(|name| !known.contains_key(*name)) {
        Some(name) => {
            let known = known.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            Err(format!("no argument is named {name:?}, expected some of: {known}"))
        }
        None => Ok(()),
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let name = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        let config = ServerConfig::new(ServerCapabilities::builder().enable_tools().build());
        config.with_server_info(name).with_instructions(
            "Answers are in GCF: `@id kind name score provenance`, and `@target<@source type` for \
             edges. Pass the pack_root of an answer that you still have: then only what has changed \
             since is sent.",
        )
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = tools().map(|(name, description, schema, _)| {
            Tool::new(name, description, schema)
                .with_annotations(ToolAnnotations::new().read_only(true))
        });
        Ok(ListToolsResult::with_all_items(tools.into()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, .. } = request;
        let Some((_, _, schema, ask)) = tools().into_iter().find(|tool| tool.0 == name) else {
            let unknown: Cow<'static, str> = format!("no tool is named {name:?}").into();
            return Err(ErrorData::invalid_params(unknown, None));
        };
        let head = context.extensions.get::<Parts>();
        let tenant = head.zip(self.tenant_header.as_ref());
        let tenant = tenant.and_then(|(head, name)| listen::tenant(&head.headers, name));
        let tenant = tenant.unwrap_or_default().to_owned();
        let tree = Arc::clone(&self.tree);
        let work = move || {
            let arguments = mended(arguments.unwrap_or_default());
            check_names(&schema, &arguments)?;
            ask(&tree, arguments, &tenant)
        };
        let answered = tokio::task::spawn_blocking(work).await;
        let answered =
            answered.unwrap_or_else(|error| Err(format!("the server has failed: {error}")));
        // Models see results, not errors of the protocol.
        let result = answered
            .unwrap_or_else(|problem| CallToolResult::error(vec![ContentBlock::text(problem)]));
        Ok(result.into())
    }
}
