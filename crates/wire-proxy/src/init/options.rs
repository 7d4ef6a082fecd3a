//! The options of `wire-proxy init`.

use std::path::PathBuf;

use clap::Args;

use crate::agents::Agent;
use crate::init::edit::is_proxy;
use crate::options::names::{PolicyName, StructuredName};

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The client.
    #[arg(value_parser = Agent::parser())]
    pub(crate) client: Agent,

    /// Write the change; the file without the proxy is kept as FILE.before-wire-proxy.
    #[arg(long)]
    pub(crate) write: bool,

    /// Remove the proxy again, and nothing else; only shows the change unless --write is given, which
    /// keeps a copy as FILE.with-wire-proxy.
    #[arg(long)]
    pub(crate) undo: bool,

    /// Add the hook for the agent's own tools instead.
    #[arg(long, conflicts_with_all = ["server", "structured", "policy"])]
    pub(crate) hook: bool,

    /// Only this server.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Vec<String>,

    /// The configuration [default: the project's, or else the user's].
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Command of the proxy in the configuration [default: wire-proxy, or its path if it is not on
    /// PATH].
    #[arg(long, value_name = "COMMAND", value_parser = program, conflicts_with = "undo")]
    pub(crate) program: Option<String>,

    /// Option --structured of the proxy in the configuration [default: what saves for this client].
    #[arg(long, value_name = "POLICY", value_enum, conflicts_with = "undo")]
    pub(crate) structured: Option<StructuredName>,

    /// Option --policy of the proxy in the configuration: `minify` is for small local models.
    #[arg(long, value_name = "POLICY", value_enum, conflicts_with = "undo")]
    pub(crate) policy: Option<PolicyName>,
}

fn program(text: &str) -> Result<String, String> {
    // By its name it is found again.
    if is_proxy(text) {
        return Ok(text.to_owned());
    }
    Err("expected wire-proxy, or a path that ends with it".to_owned())
}
