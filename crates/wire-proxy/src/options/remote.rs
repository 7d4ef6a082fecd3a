//! The options of a server with a URL.

use std::env;

use clap::Args;

/// A server with a URL.
#[derive(Debug, Default, Args)]
pub(crate) struct Remote {
    /// The URL of a server; for `try` also the name of one in a client's configuration.
    #[arg(value_name = "URL", conflicts_with = "server")]
    pub(crate) url: Option<String>,

    /// The variable of the environment with the URL, for one with a key in it: other programs can
    /// read arguments.
    #[arg(hide_short_help = true, long, value_name = "VAR", conflicts_with_all = ["url", "server"])]
    pub(crate) url_env: Option<String>,

    /// With a URL: send this header; for secrets use --header-env.
    #[arg(long = "header", value_name = "NAME: VALUE", conflicts_with = "server")]
    pub(crate) headers: Vec<String>,

    /// With a URL: send this header with the value of an environment variable.
    #[arg(long = "header-env", value_name = "NAME=VAR", conflicts_with = "server")]
    pub(crate) header_variables: Vec<String>,
}

/// Returns `true` if a word is a URL and no command.
pub(crate) fn is_url(word: &str) -> bool {
    word.contains("://")
}

impl Remote {
    /// Returns `true` if an option is about a server with a URL.
    pub(crate) fn is_given(&self) -> bool {
        let has_headers = !(self.headers.is_empty() && self.header_variables.is_empty());
        self.url.is_some() || self.url_env.is_some() || has_headers
    }

    /// The URL of the server, if it has one.
    pub(crate) fn url(&self) -> Result<Option<String>, String> {
        let named = self.url_env.as_ref().map(|name| {
            env::var(name)
                .map_err(|_| format!("--url-env: the variable {name} is not set, or is not text"))
        });
        let url = named.transpose()?.or_else(|| self.url.clone());
        if url.is_none() && self.is_given() {
            return Err("--header and --header-env are for a server with a URL; expected the URL, or --url-env".to_owned());
        }
        Ok(url)
    }

    /// The names and values of the headers.
    pub(crate) fn headers(&self) -> Result<Vec<(String, String)>, String> {
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
