//! The options of `wire-proxy try` and `stats`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use crate::options::Options;
use crate::options::remote::Remote;
use crate::saved::table::TableFormat;

/// A call of a tool that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: serde_json::Value,
}

#[derive(Debug, Args)]
#[command(
    mut_arg("stats", |own| own.hide(true)),
    mut_arg("dry_run", |own| own.hide(true)),
)]
pub(crate) struct Try {
    #[command(flatten)]
    pub(crate) options: Options,

    /// Call this tool, also if it may write, as in `--call 'search {"query":"a"}'`; can be repeated
    /// [default: tools that only read and need no arguments].
    #[arg(long, value_name = "NAME [ARGUMENTS]", value_parser = call)]
    pub(crate) call: Vec<Call>,

    /// Call all tools that need no arguments, also those that may write.
    #[arg(long)]
    pub(crate) all: bool,

    /// Say why the results of this tool were left alone.
    #[arg(long, value_name = "TOOL")]
    pub(crate) explain: Option<String>,

    /// Count what this client shows the model, such as `claude-code` [default: the clients that have
    /// the server, or else all that `init` knows].
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,

    /// Start servers in files of the current folder, such as `.mcp.json`, without asking, although
    /// they may be a stranger's.
    #[arg(long, conflicts_with_all = ["server", "url_env", "sample"])]
    pub(crate) project: bool,

    /// Try the built-in sample: twenty orders, and a graph.
    #[arg(long, conflicts_with_all = ["server", "url", "url_env"])]
    pub(crate) sample: bool,

    /// Wait so many seconds for an answer; `npx` may have to download the server first.
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = seconds)]
    pub(crate) timeout: Duration,

    /// The format of the table.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,

    #[command(flatten)]
    pub(crate) remote: Remote,

    /// The command that starts the server, and its arguments.
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) server: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// The file; `-` for standard input [default: the one of `init --stats`].
    pub(crate) file: Option<PathBuf>,

    /// Count what this client shows the model [default: the client of each call].
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,

    /// The format of the table.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn call(text: &str) -> Result<Call, String> {
    const EXPECTED: &str =
        "expected the name of a tool, or its name and a JSON object: 'search {\"query\":\"a\"}'";
    let (name, arguments) = text.split_at(text.find('{').unwrap_or(text.len()));
    let name = name.trim().to_owned();
    if name.is_empty() {
        return Err(EXPECTED.to_owned());
    }
    let arguments = if arguments.is_empty() { "{}" } else { arguments };
    let arguments =
        serde_json::from_str(arguments).map_err(|error| format!("{error}; {EXPECTED}"))?;
    Ok(Call { name, arguments })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_call_is_a_name_and_an_object() {
        for (text, name, arguments) in [
            ("search", "search", json!({})),
            ("a/b.c-d {}", "a/b.c-d", json!({})),
            (r#"search {"query": "a {b}"}"#, "search", json!({"query": "a {b}"})),
            (r#"my tool{"n":1}"#, "my tool", json!({"n": 1})),
        ] {
            assert_eq!(call(text), Ok(Call { name: name.into(), arguments }), "{text}");
        }
        for text in ["", " ", "{}", r#"search {"query":"#, "search {1}", "search {} x"] {
            assert!(call(text).unwrap_err().contains("expected the name of a tool"), "{text}");
        }
    }
}
