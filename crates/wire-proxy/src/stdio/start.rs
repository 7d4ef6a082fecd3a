//! How the server of a run is started: by a command, or as a URL with headers.

use std::ffi::OsString;

use hyper::header::{HeaderName, HeaderValue};

use crate::args;
use crate::options::listen::Upstream;
use crate::options::remote::{Remote, is_url};
use crate::upstream::{self, Target};

/// The path that servers mostly have.
const PATH: &str = "/mcp";

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
        let Some(url) = remote.url()? else {
            return Ok(Start::Command { command: command.to_owned(), environment: Vec::new() });
        };
        if !is_url(&url) {
            let meant = args::meant(&url).map(|name| format!("; `wire-proxy {name}` is a command"));
            return Err(format!(
                "expected the server's command after `--`, as in `wire-proxy -- npx -y my-server`, or its URL, such as https://example.com/mcp{}",
                meant.unwrap_or_default()
            ));
        }
        Start::of_url(&url, &remote.headers()?, frame_bytes, true)
    }

    /// The same URL with the path `/mcp`, if it has another one.
    pub(crate) fn at_path(&self) -> Option<Self> {
        let Start::Url(target) = self else { return None };
        let mut target = target.clone();
        target.url.set_path(PATH);
        (*self != Start::Url(target.clone())).then_some(Start::Url(target))
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
            if upstream::is_own(&name) {
                return Err(format!("the header {name} is wire-proxy's own"));
            }
            HeaderValue::from_str(value).map_err(|_| {
                format!("the value of the header {name} has characters that no header has")
            })?;
        }
        Ok(Start::Url(Target { url, headers: headers.to_vec(), frame_bytes, may_log_in }))
    }
}
