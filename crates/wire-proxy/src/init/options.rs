//! The options of `wire-proxy init`.

use std::path::PathBuf;

use clap::Args;

use crate::agents::Agent;
use crate::init::edit::is_proxy;
use crate::options::names::{PolicyName, StructuredName};

#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The client.
    #[arg(value_parser = Agent::parser())]
    pub(crate) client: Agent,

    /// Write the change, and keep the file without the proxy as FILE.before-wire-proxy [default: only
    /// show the change].
    #[arg(long)]
    pub(crate) write: bool,

    /// Remove the proxy again, and nothing else; with --write, keep the file with it as
    /// FILE.with-wire-proxy.
    #[arg(long)]
    pub(crate) undo: bool,

    /// Add the hook for the agent's own tools, instead of the proxy.
    #[arg(long, conflicts_with_all = ["server", "structured", "policy", "stats"])]
    pub(crate) hook: bool,

    /// Log what is saved to a file of your own, which `wire-proxy stats` prints.
    #[arg(long, conflicts_with = "undo")]
    pub(crate) stats: bool,

    /// Change only this server; can be repeated [default: all].
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Vec<String>,

    /// Change this file [default: the client's own, of the project or else of the user].
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Write this command of the proxy [default: wire-proxy, or its path if it is not on PATH].
    #[arg(long, value_name = "COMMAND", value_parser = program, conflicts_with = "undo")]
    pub(crate) program: Option<String>,

    /// Write --structured POLICY as an option of the proxy [default: what saves for this client].
    #[arg(long, value_name = "POLICY", value_enum, conflicts_with = "undo")]
    pub(crate) structured: Option<StructuredName>,

    /// Write --policy POLICY as an option of the proxy; `minify` is for small local models [default:
    /// not written].
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
