//! The tools of MCP.

use std::sync::Arc;

use anyhow::{Result, bail};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use hyper::http::request::Parts;
use rmcp::handler::server::common::schema_for_type;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation,
    JsonObject, ListToolsResult, PaginatedRequestParams, ResourceContents, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use rmcp::schemars::{self, JsonSchema};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::answer::{Answer, How, Neighbours, Question, Tree};

#[derive(Deserialize, JsonSchema)]
struct ForTask {
    /// What is to be done, in words.
    task_description: String,
}

#[derive(Deserialize, JsonSchema)]
struct ForFiles {
    /// Paths from the root of the tree.
    files: Vec<String>,
}

#[derive(Deserialize, JsonSchema)]
struct Since {
    /// The `pack_root` of an earlier answer in gcf that you still have: only what has changed is sent.
    #[serde(default)]
    pack_root: String,
}

// No more arguments.
#[derive(JsonSchema)]
struct Once {}

// The arguments of a tool, for its schema. They are read one part after the other, since serde names
// no argument that is wrong in a part.
#[allow(dead_code)]
#[derive(JsonSchema)]
struct Arguments<W, S> {
    #[schemars(flatten)]
    what: W,
    #[schemars(flatten)]
    how: How,
    #[schemars(flatten)]
    since: S,
}

/// The server of a tree.
#[derive(Clone, Debug)]
pub(crate) struct Server(pub(crate) Arc<Tree>);

/// The tenant of a request over HTTP.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tenant(pub(crate) String);

type Ask = Box<dyn Fn(&Tree, &JsonObject, &str) -> Result<Answer> + Send>;

fn tools() -> [(Tool, Ask); 5] {
    [
        pack::<_, Since>(
            "context_for_task",
            "The code that matters for a task: ranked symbols, and the calls between them",
            |ForTask { task_description }| Question::Task(task_description),
        ),
        pack::<_, Since>(
            "context_for_files",
            "The symbols in and around some files, and the calls between them",
            |ForFiles { files }| Question::Files(files),
        ),
        pack::<_, Since>("blast_radius", "What depends on a symbol, by distance", Question::Radius),
        pack::<_, Once>(
            "semantic_diff",
            "Symbols and calls that are new, gone or changed between two revisions of git",
            Question::Between,
        ),
        tool::<Neighbours>(
            "graph_query",
            "The neighbours of a symbol in both directions, with path, line and signature",
            Box::new(|tree, given, _| tree.query(&read(given)?)),
        ),
    ]
}

/// A tool whose answer is a pack. `S` is `Since` if it may be asked again.
fn pack<W: JsonSchema + DeserializeOwned + 'static, S: JsonSchema + 'static>(
    name: &'static str,
    description: &'static str,
    question: fn(W) -> Question,
) -> (Tool, Ask) {
    let ask: Ask = Box::new(move |tree, given, tenant| {
        let (what, how) = (read(given)?, read(given)?);
        // A tool without this argument was given none.
        let Since { pack_root } = read(given)?;
        tree.pack(question(what), &how, &pack_root, tenant)
    });
    tool::<Arguments<W, S>>(name, description, ask)
}

fn tool<A: JsonSchema + 'static>(
    name: &'static str,
    description: &'static str,
    ask: Ask,
) -> (Tool, Ask) {
    let mut schema = schema_for_type::<A>();
    // The name of a type of ours says nothing to a model.
    Arc::make_mut(&mut schema).remove("title");
    let tool = Tool::new(name, description, schema);
    (tool.with_annotations(ToolAnnotations::new().read_only(true)), ask)
}

fn read<T: DeserializeOwned>(given: &JsonObject) -> Result<T> {
    Ok(serde_path_to_error::deserialize(Value::from(given.clone()))?)
}

/// What models send for an argument that is left out, or for an integer.
fn mended(mut arguments: JsonObject) -> JsonObject {
    arguments.retain(|_, value| !value.is_null());
    for value in arguments.values_mut() {
        let number = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
        #[allow(clippy::cast_possible_truncation)] // it is a whole number below 2^53
        if let Some(whole) = number.map(|number| number as i64) {
            *value = whole.into();
        }
    }
    arguments
}

/// Arguments that a tool does not have are mistakes that a model can mend.
fn check_names(schema: &JsonObject, arguments: &JsonObject) -> Result<()> {
    let known = schema["properties"].as_object().expect("the schema is of a struct");
    if let Some(name) = arguments.keys().find(|name| !known.contains_key(*name)) {
        let known = known.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        bail!("no argument is named {name:?}, expected some of: {known}");
    }
    Ok(())
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
        Ok(ListToolsResult::with_all_items(tools().map(|(tool, _)| tool).into()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let CallToolRequestParams { name, arguments, .. } = request;
        let Some((tool, ask)) = tools().into_iter().find(|(tool, _)| tool.name == name) else {
            return Err(ErrorData::invalid_params(format!("no tool is named {name:?}"), None));
        };
        let head = context.extensions.get::<Parts>();
        let tenant = head.and_then(|head| head.extensions.get::<Tenant>()).cloned();
        let tree = Arc::clone(&self.0);
        let work = move || {
            let arguments = mended(arguments.unwrap_or_default());
            check_names(&tool.input_schema, &arguments)?;
            ask(&tree, &arguments, &tenant.unwrap_or_default().0)
        };
        let answered = tokio::task::spawn_blocking(work).await;
        let answered = answered.unwrap_or_else(|error| bail!("the server has failed: {error}"));
        let result = match answered {
            Ok(Answer::Text(text)) => CallToolResult::success(vec![ContentBlock::text(text)]),
            Ok(Answer::Bytes(bytes)) => {
                let uri = format!("pack:///{name}.gcb");
                let blob = ResourceContents::blob(BASE64.encode(bytes), uri);
                CallToolResult::success(vec![ContentBlock::resource(blob)])
            }
            // Models see results, not errors of the protocol.
            Err(problem) => CallToolResult::error(vec![ContentBlock::text(problem.to_string())]),
        };
        Ok(result.into())
    }
}
