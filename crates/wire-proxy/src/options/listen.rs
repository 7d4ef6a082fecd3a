//! Options of the HTTP side.

use std::collections::BTreeMap;
use std::net::{SocketAddr, ToSocketAddrs};

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::options::names::{PolicyName, StructuredName};
use crate::options::rules::RuleTable;

/// The name of the server that `--upstream` gives.
pub(crate) const ONLY: &str = "mcp";
/// Paths that are not names of servers.
const TAKEN: [&str; 5] = ["authorize", "healthz", "metrics", "register", "token"];

/// The HTTP side, on the command line and in the file.
#[derive(Clone, Debug, Default, PartialEq, Args, Deserialize, JsonSchema)]
#[command(next_help_heading = "Streamable HTTP")]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Http {
    /// Serve clients over HTTP at this address, such as `127.0.0.1:8080`.
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) listen: Option<String>,

    /// The server behind that address, whose path is `/mcp` [default: the servers of the file].
    #[arg(long, value_name = "URL", value_parser = upstream)]
    #[serde(skip)]
    pub(crate) upstream: Option<Upstream>,

    /// Allow an address that other machines can reach: whoever reaches it can use the servers.
    #[arg(hide_short_help = true, long)]
    pub(crate) allow_remote: bool,

    /// Serve clients that call this machine by this name, besides `localhost` and loopback
    /// addresses.
    #[arg(hide_short_help = true, long = "allow-host", value_name = "NAME")]
    pub(crate) allow_hosts: Vec<String>,

    /// Serve pages of this origin, such as `https://inspector.example`, besides those of this
    /// machine.
    #[arg(hide_short_help = true, long = "allow-origin", value_name = "ORIGIN")]
    pub(crate) allow_origins: Vec<String>,

    /// What to log to standard error; contents, arguments, URLs, sessions and headers never are
    /// [default: warn].
    #[arg(hide_short_help = true, long, value_enum, value_name = "LEVEL")]
    pub(crate) log: Option<LogLevel>,
}

/// What is logged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LogLevel {
    /// Nothing.
    Off,
    /// What fails.
    Error,
    /// That, and what has to be configured.
    #[default]
    Warn,
    /// That, and a line for each request.
    Info,
    /// That, and a line for each frame that is rewritten.
    Debug,
}

/// A server over HTTP, at the path of its name.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct ServerTable {
    /// Its URL.
    pub(crate) upstream: Upstream,
    /// `off` passes everything byte for byte.
    pub(crate) policy: Option<PolicyName>,
    /// Policy for `structuredContent`.
    pub(crate) structured: Option<StructuredName>,
    /// Settings for some tools and clients, after those of the file.
    #[serde(default)]
    pub(crate) rules: Vec<RuleTable>,
}

/// The URL of a server.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(try_from = "String")]
#[schemars(with = "String")]
pub(crate) struct Upstream(pub(crate) reqwest::Url);

impl TryFrom<String> for Upstream {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        const EXPECTED: &str = "expected a URL such as https://example.com/mcp";
        // The text is not repeated: it may have a secret in it.
        let url: reqwest::Url = text.parse().map_err(|error| format!("{error}; {EXPECTED}"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(format!("the scheme is {:?}; {EXPECTED}", url.scheme()));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err("the URL has a user or a password; configure the client to send them in the header `Authorization`, which passes".to_owned());
        }
        Ok(Upstream(url))
    }
}

fn upstream(text: &str) -> Result<Upstream, String> {
    Upstream::try_from(text.to_owned())
}

/// The address to listen on, and the clients to serve.
#[derive(Clone, Debug)]
pub(crate) struct Listen {
    pub(crate) address: SocketAddr,
    pub(crate) hosts: Vec<String>,
    pub(crate) origins: Vec<String>,
    pub(crate) log: LogLevel,
}

/// What lets other machines reach the servers.
pub(crate) const REMOTE: &str = "--allow-remote and --allow-host NAME";

/// The settings of the command line and the file together; `None` if neither has an address.
/// `remedy` is what an address needs that other machines can reach.
pub(crate) fn listen(
    arguments: &Http,
    table: &Http,
    remedy: &str,
) -> Result<Option<Listen>, String> {
    let Some(text) = arguments.listen.as_ref().or(table.listen.as_ref()) else {
        return Ok(None);
    };
    let addresses: Vec<SocketAddr> = text
        .to_socket_addrs()
        .map_err(|error| format!("{text}: {error}; expected an address such as 127.0.0.1:8080"))?
        .collect();
    let may_be_remote = arguments.allow_remote || table.allow_remote;
    let fits = |address: &&SocketAddr| may_be_remote || address.ip().is_loopback();
    let Some(address) = addresses.iter().find(fits).copied() else {
        return Err(format!(
            "other machines can reach {text}, and whoever reaches it can use what it serves; listen on 127.0.0.1, or add {remedy}"
        ));
    };
    Ok(Some(Listen {
        address,
        hosts: [&arguments.allow_hosts[..], &table.allow_hosts].concat(),
        origins: [&arguments.allow_origins[..], &table.allow_origins].concat(),
        log: arguments.log.or(table.log).unwrap_or_default(),
    }))
}

/// Checks the names of servers, which are paths.
pub(crate) fn check_names(servers: &BTreeMap<String, ServerTable>) -> Result<(), String> {
    let is_plain = |name: &str| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        !name.is_empty() && name.len() <= 64 && name.bytes().all(is_plain)
    };
    match servers.keys().find(|name| !is_plain(name) || TAKEN.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!(
            "servers.{name}: expected up to 64 letters, digits, `-` and `_`, but not one of {}",
            TAKEN.join(", ")
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_addresses_need_a_word() {
        let mut arguments = Http { listen: Some("127.0.0.1:0".into()), ..Http::default() };
        let table = Http::default();
        assert!(listen(&arguments, &table, REMOTE).unwrap().is_some());
        for address in ["0.0.0.0:80", "[::]:80", "192.0.2.7:80"] {
            arguments.listen = Some(address.into());
            arguments.allow_remote = false;
            assert!(listen(&arguments, &table, REMOTE).unwrap_err().contains("--allow-remote"));
            arguments.allow_remote = true;
            assert!(listen(&arguments, &table, REMOTE).unwrap().is_some());
        }
        assert!(listen(&Http::default(), &table, REMOTE).unwrap().is_none());
    }

    #[test]
    fn urls_have_no_secrets_and_errors_do_not_repeat_them() {
        for text in ["https://user:secret@host/mcp", "ftp://secret/", "secret"] {
            let error = upstream(text).unwrap_err();
            assert!(!error.contains("secret"), "{error}");
        }
        assert!(upstream("https://host/mcp?key=1").is_ok());
    }
}
