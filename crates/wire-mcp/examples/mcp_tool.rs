//! A tool of an MCP server with an argument `format`: JSON by default, and GCX for callers that
//! want fewer tokens.
//!
//! The handler is all that a server of yours needs; the rest of this program calls it, as a client
//! would.
//!
//! ```text
//! cargo run -p wire-mcp --example mcp_tool
//! ```

#![allow(clippy::print_stdout)] // it is a program

use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock};
use rmcp::model::{ServerCapabilities, ServerConfig};
use rmcp::{ErrorData, ServerHandler, ServiceExt, schemars, tool, tool_handler, tool_router};
use serde::Deserialize;
use serde_json::{Value, json};

/// The format of a response.
#[derive(Clone, Copy, Debug, Default, Deserialize, schemars::JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Json,
    /// Rows with tabs, whose columns are named once.
    Gcx,
}

#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
struct SearchSymbols {
    /// A text that the name must contain.
    query: String,
    /// `gcx` uses fewer tokens.
    #[serde(default)]
    format: Format,
}

/// Writes the response in the format that the caller asked for. This is the only function that a
/// server needs for GCX.
fn respond(tool: &str, response: &Value, format: Format) -> Result<CallToolResult, ErrorData> {
    let text = match format {
        Format::Json => response.to_string(),
        Format::Gcx => gcx::encode_layout(tool, response)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))?,
    };
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}

#[derive(Clone, Debug)]
struct Server;

#[tool_router]
impl Server {
    #[tool(description = "Find symbols by name")]
    async fn search_symbols(
        &self,
        Parameters(SearchSymbols { query, format }): Parameters<SearchSymbols>,
    ) -> Result<CallToolResult, ErrorData> {
        let all = [("auth", "Login", 12), ("auth", "Logout", 40), ("billing", "LogInvoice", 7)];
        let found = all.iter().filter(|(_, name, _)| name.contains(&query));
        let results: Vec<Value> = found
            .map(|(part, name, line)| {
                let file = format!("{part}/{part}.go");
                json!({ "id": format!("{file}::{name}"), "kind": "function", "name": name, "file_path": file, "start_line": line })
            })
            .collect();
        let total = results.len();
        let response = json!({ "results": results, "total": total, "truncated": false });
        respond("search_symbols", &response, format)
    }
}

#[tool_handler]
impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (ours, theirs) = tokio::io::duplex(1 << 16);
    let server = tokio::spawn(Server.serve(ours));
    let client = ().serve(theirs).await?;
    let server = server.await??;

    let call = |arguments: Value| {
        let arguments = arguments.as_object().cloned().unwrap_or_default();
        client.call_tool(CallToolRequestParams::new("search_symbols").with_arguments(arguments))
    };
    let text = |result: CallToolResult| -> Option<String> {
        Some(result.content.first()?.as_text()?.text.clone())
    };
    let json = text(call(json!({ "query": "Log" })).await?).ok_or("no text")?;
    let gcx = text(call(json!({ "query": "Log", "format": "gcx" })).await?).ok_or("no text")?;
    println!("{json}\n\n{gcx}");

    // The columns that the layout of the tool names are there, and so is every value.
    let header =
        "GCX1 tool=search_symbols fields=id,kind,name,path,line,sig rows=3 total=3 truncated=false";
    assert_eq!(gcx.lines().next(), Some(header));
    assert_eq!(gcx::decode_response(&gcx)?["results"][2]["id"], "billing/billing.go::LogInvoice");
    client.cancel().await?;
    server.waiting().await?;
    Ok(())
}
