//! The settings of a run over HTTP.

use std::path::PathBuf;

use crate::options::listen::{self, Http, Listen, ONLY, Upstream};
use crate::options::{Options, file};

/// The settings of a run over HTTP.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) listen: Listen,
    /// Servers by their names.
    pub(crate) servers: Vec<(String, reqwest::Url, wire_mcp::Options)>,
    pub(crate) frame_bytes: usize,
    pub(crate) stats: Option<PathBuf>,
}

/// The same for a run over HTTP; `None` if no address to listen on is named.
pub(crate) fn settings(arguments: &Options, http: &Http) -> Result<Option<Settings>, String> {
    let config = file::read(arguments.config.as_deref())?;
    listen::check_names(&config.servers)?;
    let listen = listen::listen(http, &config.http, listen::REMOTE)?;
    let has_server = http.upstream.is_some() || !config.servers.is_empty();
    // Whoever relied on the folder's file is told the command that uses it.
    if config.ignored.iter().any(|name| matches!(*name, "http" | "servers"))
        && (listen.is_none() || !has_server)
    {
        return Err("the servers of a folder's file are only started by `wire-proxy --config wire-proxy.toml`".to_owned());
    }
    let Some(listen) = listen else { return Ok(None) };
    let mut servers = Vec::new();
    for (name, table) in config.servers.iter().filter(|_| http.upstream.is_none()) {
        let options = file::options(&config, arguments, Some(table))
            .map_err(|error| format!("servers.{name}: {error}"))?;
        servers.push((name.clone(), table.upstream.0.clone(), options));
    }
    if let Some(Upstream(url)) = &http.upstream {
        servers.push((ONLY.to_owned(), url.clone(), file::options(&config, arguments, None)?));
    }
    if servers.is_empty() {
        return Err(
            "expected --upstream URL, or a table [servers.NAME] with `upstream` in the file that `wire-proxy config` or --config names"
                .to_owned(),
        );
    }
    let frame_bytes = file::limits(&config, arguments).frame_bytes;
    let stats = arguments.stats.clone().or(config.stats);
    Ok(Some(Settings { listen, servers, frame_bytes, stats }))
}
