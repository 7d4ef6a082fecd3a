//! The options of a server with a URL.

use std::env;

use clap::Args;

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

/// Returns `true` if a word is a URL and no command.
pub(crate) fn is_url(word: &str) -> bool {
    word.contains("://")
}

impl Remote {
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
