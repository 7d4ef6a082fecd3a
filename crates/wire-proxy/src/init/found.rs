//! The servers that are configured on this machine, for `wire-proxy try`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::agents::{Agent, Syntax};
use crate::init::entry::{Entry, WithUrl, shown};
use crate::init::{json, toml};
use crate::stdio::Start;

/// A server that a client starts, or that has a URL.
pub(crate) struct Found {
    pub(crate) client: Agent,
    pub(crate) file: PathBuf,
    /// `true` if the file is one of the current folder, which may be a stranger's.
    pub(crate) is_of_folder: bool,
    pub(crate) name: String,
    /// Its command and arguments without the proxy, or its URL.
    pub(crate) shown: String,
    pub(crate) start: Start,
}

impl Entry {
    /// How it is started, and how that is said. `None` if it has variables which only the client can
    /// replace, or a URL or header that is not valid.
    fn start(self, frame_bytes: usize) -> Option<(Start, String)> {
        let is_open = |words: &[String]| words.iter().any(|word| word.starts_with("${"));
        let are_open = |pairs: &[(String, String)]| {
            pairs.iter().any(|(_, own)| own.contains("${") || own.contains("{env:"))
        };
        if let Some(command) = self.command {
            let shown = shown(&command);
            let is_plain = !is_open(&command) && !are_open(&self.environment);
            let command = command.into_iter().map(OsString::from).collect();
            return is_plain
                .then_some((Start::Command { command, environment: self.environment }, shown));
        }
        let WithUrl { url, headers } = self.remote?;
        if url.contains("${") || are_open(&headers) {
            return None;
        }
        // Nobody wants a browser for each of many servers.
        let start = Start::of_url(&url, &headers, frame_bytes, false).ok()?;
        Some((start, shown(&[url])))
    }
}

/// The servers of these clients. Those that are switched off, or have variables which only the
/// client can replace, are left out.
pub(crate) fn servers(clients: &[Agent], frame_bytes: usize) -> Vec<Found> {
    let mut found = Vec::new();
    for client in Agent::all().filter(|agent| clients.is_empty() || clients.contains(agent)) {
        let Some(shape) = &client.row().config else { continue };
        let files = [(shape.project_file(), true), (shape.user_file(), false)];
        for (file, is_of_folder) in files.into_iter().filter_map(|(file, is)| Some((file?, is))) {
            let Ok(text) = std::fs::read_to_string(&file) else { continue };
            let text = text.trim_start_matches('\u{feff}');
            let entries = match shape.syntax {
                Syntax::Json => json::entries(text, shape),
                Syntax::Toml => toml::entries(text, shape),
            };
            for entry in entries.into_iter().filter(|entry| !entry.is_off) {
                let name = entry.name.clone();
                if let Some((start, shown)) = entry.start(frame_bytes) {
                    let file = file.clone();
                    found.push(Found { client, file, is_of_folder, name, shown, start });
                }
            }
        }
    }
    found
}
