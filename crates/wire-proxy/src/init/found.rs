//! The servers that are configured on this machine, for `wire-proxy try`.

use std::path::PathBuf;

use clap::ValueEnum;

use crate::init::client::{Client, Syntax, file};
use crate::init::{json, toml};

/// A server that a client starts.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) client: Client,
    pub(crate) file: PathBuf,
    pub(crate) name: String,
    /// Its command and arguments, without the proxy.
    pub(crate) command: Vec<String>,
    pub(crate) environment: Vec<(String, String)>,
}

/// A server as a file has it.
pub(crate) struct Entry {
    pub(crate) name: String,
    pub(crate) command: Option<Vec<String>>,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) is_off: bool,
}

/// The servers of these clients that start a command. Those that are switched off, have a URL, or
/// have variables which only the client can replace are left out.
pub(crate) fn servers(clients: &[Client]) -> Vec<Found> {
    let all = if clients.is_empty() { Client::value_variants() } else { clients };
    let mut found = Vec::new();
    for client in all.iter().copied() {
        let shape = client.shape();
        let Ok(file) = file(&shape, &client.name()) else { continue };
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let text = text.trim_start_matches('\u{feff}');
        let entries = match shape.syntax {
            Syntax::Json => json::entries(text, &shape),
            Syntax::Toml => toml::entries(text, &shape),
        };
        for Entry { name, command, environment, is_off } in entries {
            let Some(command) = command.filter(|_| !is_off) else { continue };
            let is_open = |word: &String| word.starts_with("${");
            if command.iter().any(is_open) || environment.iter().any(|(_, own)| own.contains("${"))
            {
                continue;
            }
            found.push(Found { client, file: file.clone(), name, command, environment });
        }
    }
    found
}
