//! The server of a run: a command, or a URL with headers.

use std::env;
use std::ffi::OsString;

use clap::Args;
use hyper::header::{HeaderName, HeaderValue};

use crate::bridge::{self, Target};
use crate::listen::Upstream;

/// A server with a URL.
#[derive(Debug, Default, Args)]
pub(crate) struct Remote {
    /// The URL of a server over HTTP, instead of a command.
    #[arg(value_name = "URL", conflicts_with = "server")]
    pub(crate) url: Option<String>,

    /// With URL: send this header; secrets belong in --header-env.
    #[arg(
        long = "header",
        value_name = "NAME: VALUE",
        requires = "url",
        conflicts_with = "server"
    )]
    pub(crate) headers: Vec<String>,

    /// With URL: send a header with the value of this variable of the environment.
    #[arg(
        long = "header-env",
        value_name = "NAME=VAR",
        requires = "url",
        conflicts_with = "server"
    )]
    pub(crate) header_variables: Vec<String>,
}

/// How the server of a run is started.
#[derive(Clone, PartialEq, Eq)] // and no `Debug`, which would show secrets
pub(crate) enum Start {
    /// A command, and variables of its environment.
    Command {
        command: Vec<OsString>,
        environment: Vec<(String, String)>,
    },
    Url(Target),
}

impl Start {
    /// A command, or a URL.
    ///
    /// # Errors
    ///
    /// The URL or a header is not valid. Values of headers are not repeated: they are secrets.
    pub(crate) fn of(
        command: &[OsString],
        remote: &Remote,
        frame_bytes: usize,
    ) -> Result<Self, String> {
        let Some(url) = &remote.url else {
            return Ok(Start::Command { command: command.to_owned(), environment: Vec::new() });
        };
        if !is_url(url) {
            return Err("expected the server's command after `--`, as in `wire-proxy -- npx -y my-server`, or its URL, such as https://example.com/mcp".to_owned());
        }
        Start::of_url(url, &remote.headers()?, frame_bytes, true)
    }

    /// A URL, with these headers. `may_log_in` tells whether it may open
    /// a browser.
    ///
    /// # Errors
    ///
    /// As of [`Start::of`].
    pub(crate) fn of_url(
        url: &str,
        headers: &[(String, String)],
        frame_bytes: usize,
        may_log_in: bool,
    ) -> Result<Self, String> {
        let Upstream(url) = Upstream::try_from(url.to_owned())?;
        for (name, value) in headers {
            let parsed = HeaderName::try_from(name.as_str());
            let name = parsed.map_err(|_| format!("{name:?} is not the name of a header"))?;
            if bridge::is_own(&name) {
                return Err(format!("the header {name} is wire-proxy's own"));
            }
            HeaderValue::from_str(value).map_err(|_| {
                format!("the value of the header {name} has characters that no header has")
            })?;
        }
        Ok(Start::Url(Target { url, headers: headers.to_vec(), frame_bytes, may_log_in }))
    }
}

/// Returns `true` if a word is a URL and no command.
pub(crate) fn is_url(word: &str) -> bool {
    word.contains("://")
}

impl Remote {
    /// The names and values of the headers.
    fn headers(&self) -> Result<Vec<(String, String)>, String> {
        let mut headers = Vec::new();
        for header in &self.headers {
            let (name, value) = header.split_once(':').ok_or(
                "--header: expected a name, a colon and a value, as in 'Authorization: Bearer …'",
            )?;
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        for header in &self.header_variables {
            let (name, variable) = header.split_once('=').ok_or(
                "--header-env: expected a name, `=` and a variable, as in Authorization=MY_TOKEN",
            )?;
            let value = env::var(variable).map_err(|_| {
                format!("--header-env: the variable {variable} is not set, or is not text")
            })?;
            headers.push((name.trim().to_owned(), value.trim().to_owned()));
        }
        Ok(headers)
    }
}
