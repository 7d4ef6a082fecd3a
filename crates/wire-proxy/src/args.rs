//! The command line.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;
use std::{env, process};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::agents::{Agent, HookOf};
use crate::config::HookTable;
use crate::init::{FORMS, is_proxy};
use crate::listen::{Http, ServerTable};
use crate::names::{CounterName, FormatName, NamePattern, PolicyName, PrimerName, StructuredName};
use crate::remote::Remote;
use crate::rules::RuleTable;

/// Never touched, and passed on byte for byte: errors; images, audio, links and blocks with
/// annotations; notifications, progress and cancellation; prompts and resources; unknown members,
/// numbers of any length and white space; the texts of tools that read files (read_*, *_file*,
/// fetch*, cat*); every text that would not use fewer tokens, or whose new
/// text is not proven to have the same value.
///
/// Results of tools that are JSON reach the client with fewer tokens and the same values.
/// wire-proxy starts the server as a child process, or sends to its URL, and uses MCP over standard
/// input and output with the client; or it listens on an address. Neither side has to change.
#[derive(Debug, Parser)]
#[command(
    name = "wire-proxy",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "wire-proxy [OPTIONS] -- COMMAND...\n       wire-proxy [OPTIONS] URL [--header 'NAME: VALUE']\n       wire-proxy [OPTIONS] --listen ADDRESS:PORT --upstream URL\n       wire-proxy try [OPTIONS] [URL | -- COMMAND...]\n       wire-proxy stats|schema|init|hook|audit|login|logout|logins ...",
    after_help = EXAMPLES,
    after_long_help = format!("{EXAMPLES}\n\n{ENDS}"),
    disable_help_flag = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) options: Options,

    #[command(flatten)]
    pub(crate) remote: Remote,

    /// The command that starts the server, and its arguments.
    #[arg(last = true, value_name = "COMMAND", conflicts_with_all = ["listen", "upstream"])]
    pub(crate) server: Vec<OsString>,

    /// Print this help; `wire-proxy man | man -l -` has the other options.
    #[arg(short, long, action = ArgAction::HelpShort)]
    help: Option<bool>,

    #[command(flatten)]
    pub(crate) http: Http,
}

impl Arguments {
    /// The arguments of the command line; ends the program if they are not valid.
    pub(crate) fn read() -> Self {
        Arguments::try_parse().unwrap_or_else(|error| {
            // Nothing is left to tell where standard error can't be written.
            let _ = error.print();
            let mut words = env::args().skip(1);
            let is_hook = words.next().is_some_and(|word| word == "hook");
            if is_hook && words.next().is_some_and(|word| word != "test") {
                // To an agent any other code says that its tool failed.
                process::exit(0);
            }
            if error.kind() == ErrorKind::UnknownArgument && env::args().all(|word| word != "--") {
                eprintln!(
                    "\n  tip: put the server's command after `--`, as in `wire-proxy -- npx -y my-server`"
                );
            }
            if error.kind() == ErrorKind::InvalidValue
                && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidValue)
                && let Some((name, form)) = FORMS.iter().find(|(known, _)| known == name)
            {
                eprintln!("\n  tip: {name}: {form}");
            }
            process::exit(error.exit_code())
        })
    }
}

const EXAMPLES: &str = "\
Examples:
  wire-proxy -- npx -y @modelcontextprotocol/server-memory
  wire-proxy https://example.com/mcp --header-env Authorization=MY_TOKEN
  wire-proxy --listen 127.0.0.1:8080 --upstream https://example.com/mcp
  wire-proxy try -- npx -y @modelcontextprotocol/server-memory";

/// For the manual page.
const ENDS: &str = "\
When the client closes its output, the server's standard input closes. After
1.5 s the server receives SIGTERM, and after 1.5 s more SIGKILL. While answers
are due and the client still reads, it first has up to a minute. A SIGTERM,
SIGINT or SIGHUP is passed on to the server, which receives SIGKILL after 1 s or
with the second signal.

Exit codes: the server's own; 128 plus the number of a signal that ended it or
was received; 2 usage, 3 input or output, 127 the server can't be started.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Call the tools of a server that only read, and print what would be saved.
    ///
    /// Tools that need arguments are called only by --call. A tool only reads if its annotations have `readOnlyHint: true`. By default MCP assumes that
    /// a tool without annotations destroys something, so all others are called only by --call or
    /// --all. Without COMMAND the servers in the configurations of clients are tried, or a sample
    /// where there are none; it is said first what is started and called.
    Try(Box<Try>),
    /// Print the table of a run that --stats logged.
    Stats(Stats),
    /// Print the JSON schema of wire-proxy.toml.
    Schema,
    /// Show or write how the proxy gets into a client's configuration.
    ///
    /// A server with a URL becomes `wire-proxy URL` where the file is JSON; others are named. Comments,
    /// order and white space of the file are kept.
    Init(Init),
    /// Answer an agent's hook: the output of a tool with fewer tokens, if it has JSON in it.
    ///
    /// Reads the hook's event from standard input. Nothing is printed where nothing changes, and
    /// the exit code is always 0. `test` says what the answer to an event would be, and why.
    Hook(Hook),
    /// Count what tools' results cost in an agent's past sessions, and what would be saved.
    ///
    /// Reads the sessions of Claude Code, Codex, Copilot CLI, OpenCode, Gemini CLI, Qwen Code, Cline
    /// and Continue on this machine, and says first which folders. Nothing is changed or sent, and
    /// nothing of the contents is printed without --show.
    Audit(Audit),
    /// Log in to a server with a URL, by a browser.
    ///
    /// The tokens are stored in a file that only you can read, and are renewed. `wire-proxy URL` also
    /// asks for a login when it is first needed.
    Login(LogIn),
    /// Remove the tokens for a server from this machine.
    Logout(LogOut),
    /// List the servers that you are logged in to, and when their tokens end.
    Logins,
    /// Print a completion script for a shell.
    #[command(hide = true)]
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, for `man -l -`.
    #[command(hide = true)]
    Man,
    /// A small MCP server, for `try`.
    #[command(hide = true)]
    Sample,
}

#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The client.
    #[arg(value_parser = Agent::parser())]
    pub(crate) client: Agent,

    /// Write the change; the file without the proxy is kept as FILE.before-wire-proxy.
    #[arg(long)]
    pub(crate) write: bool,

    /// Remove the proxy again; only shows the change unless --write is given.
    #[arg(long)]
    pub(crate) undo: bool,

    /// Add the hook for the agent's own tools instead.
    #[arg(long, conflicts_with_all = ["server", "structured", "policy"])]
    pub(crate) hook: bool,

    /// Only this server.
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Vec<String>,

    /// The configuration [default: the project's, or else the user's].
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// Command of the proxy in the configuration [default: wire-proxy, or its path if it is not on
    /// PATH].
    #[arg(long, value_name = "COMMAND", value_parser = program, conflicts_with = "undo")]
    pub(crate) program: Option<String>,

    /// Option --structured of the proxy in the configuration [default: what saves for this client].
    #[arg(long, value_name = "POLICY", value_enum, conflicts_with = "undo")]
    pub(crate) structured: Option<StructuredName>,

    /// Option --policy of the proxy in the configuration: `minify` is for small local models.
    #[arg(long, value_name = "POLICY", value_enum, conflicts_with = "undo")]
    pub(crate) policy: Option<PolicyName>,
}

#[derive(Debug, Args)]
pub(crate) struct LogIn {
    /// The URL of the server.
    pub(crate) url: String,

    /// The id of a client that is registered at the server [default: wire-proxy registers itself].
    #[arg(long, value_name = "ID")]
    pub(crate) client_id: Option<String>,

    /// The variable of the environment with that client's secret.
    #[arg(long, value_name = "VAR", requires = "client_id")]
    pub(crate) client_secret_env: Option<String>,

    /// The port of the redirection, if it is registered with one [default: any].
    #[arg(long, value_name = "PORT", default_value = "0", hide_default_value = true)]
    pub(crate) callback_port: u16,

    /// A right to ask for; can be repeated [default: those that the server names].
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct LogOut {
    /// The URL of the server.
    pub(crate) url: String,
}

#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// The agent, or `test`.
    #[arg(value_parser = HookOf::parser(), value_name = "AGENT")]
    pub(crate) of: HookOf,

    /// Read options from this file [default: wire-proxy.toml, if there is one in the current
    /// folder].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Append the sizes and forms of each output to FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Audit {
    /// A folder or a file of sessions [default: where the clients keep theirs].
    pub(crate) folder: Option<PathBuf>,

    /// Read options from this file [default: wire-proxy.toml, if there is one in the current
    /// folder].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Token counter: `o200k_base`, `cl100k_base`, `claude-opus-4.7` or `word-punctuation`
    /// [default: `o200k_base`].
    #[arg(long, value_name = "NAME", value_parser = counter)]
    pub(crate) counter: Option<CounterName>,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,

    /// Write a page with a chart to FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Print the beginning of each tool's largest result, escaped.
    #[arg(long)]
    pub(crate) show: bool,

    /// The price of a million tokens of input, to count money too.
    #[arg(long, value_name = "AMOUNT", value_parser = price)]
    pub(crate) price: Option<f64>,
}

/// A call of a tool that is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Call {
    pub(crate) name: String,
    pub(crate) arguments: serde_json::Value,
}

#[derive(Debug, Args)]
pub(crate) struct Try {
    #[command(flatten)]
    pub(crate) options: Options,

    /// Call this tool, also if it may write; with arguments as in `--call 'search {"query":"a"}'`.
    #[arg(long, value_name = "NAME [ARGUMENTS]", value_parser = call)]
    pub(crate) call: Vec<Call>,

    /// Call all tools that need no arguments, also those that may write.
    #[arg(long)]
    pub(crate) all: bool,

    /// Say why the results of this tool were left alone.
    #[arg(long, value_name = "TOOL")]
    pub(crate) explain: Option<String>,

    /// Count what this client shows the model: a name for `init`, or in `clientInfo` [default: the
    /// clients that have the server, or else those of `init`].
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,

    /// Try the built-in sample: twenty orders, and a graph.
    #[arg(long, conflicts_with_all = ["server", "url"])]
    pub(crate) sample: bool,

    /// How long to wait for an answer, in seconds; `npx` may have to download the server first.
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
    /// The file; `-` for standard input.
    pub(crate) file: PathBuf,

    /// The format of the table.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people.
    Text,
    /// For pages.
    Markdown,
    /// For programs: one object a row.
    Json,
}

/// Options of the command line and of wire-proxy.toml; the command line overrides the file.
#[derive(Clone, Debug, Default, Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "wire-proxy.toml")]
pub(crate) struct Options {
    /// Read options from this file [default: wire-proxy.toml, if there is one in the current
    /// folder].
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,

    /// Token counter: `o200k_base`, `cl100k_base`, `claude-opus-4.7` or `word-punctuation`
    /// [default: `o200k_base`].
    #[arg(hide_short_help = true, long, value_name = "NAME", value_parser = counter)]
    pub(crate) counter: Option<CounterName>,

    /// Formats to try besides the original text [default: json,gcf,gcx].
    #[arg(hide_short_help = true, long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub(crate) formats: Option<Vec<FormatName>>,

    /// What becomes of structuredContent: `keep` it; `drop` it if the text has the same value; `auto`
    /// drops it for clients that are known to show it; `text` writes its text into results without
    /// one [default: keep].
    #[arg(long, value_name = "POLICY", value_enum)]
    pub(crate) structured: Option<StructuredName>,

    /// Do not rewrite the results of these tools either; `*` is any text.
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub(crate) verbatim: Vec<NamePattern>,

    /// Rewrite the results of these tools, although they are named like tools that read files.
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub(crate) not_verbatim: Vec<NamePattern>,

    /// Give each tool an optional argument `format` (auto, json, gcf, gcx).
    #[arg(long)]
    pub(crate) format_argument: bool,

    /// Add a sentence on the formats: in front of the descriptions of `tools` whose results are
    /// rewritten, or once in the server's `instructions`; its tokens count against the savings
    /// [default: off; without a value: tools].
    #[arg(long, value_name = "WHERE", value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "tools")]
    pub(crate) primer: Option<PrimerName>,

    /// Append the sizes and forms of each call to FILE, as JSON lines without contents and
    /// arguments.
    #[arg(long, value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,

    /// Count the tokens, and change nothing.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// `off` passes everything byte for byte; `minify` keeps JSON, at most minified [default: on].
    #[arg(hide_short_help = true, long, value_name = "POLICY", value_enum)]
    pub(crate) policy: Option<PolicyName>,

    #[command(flatten)]
    pub(crate) limits: Sizes,

    /// The hook of an agent.
    #[arg(skip)]
    pub(crate) hook: HookTable,

    /// Settings for some tools and clients; if several match, the later ones apply.
    #[arg(skip)]
    pub(crate) rules: Vec<RuleTable>,

    /// The HTTP side.
    #[arg(skip)]
    pub(crate) http: Http,

    /// Servers over HTTP, by their names, which are also their paths.
    #[arg(skip)]
    pub(crate) servers: BTreeMap<String, ServerTable>,
}

/// Sizes from which on things pass untouched.
#[derive(Clone, Debug, Default, Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[expect(clippy::struct_field_names, reason = "all are sizes")]
pub(crate) struct Sizes {
    /// Larger frames pass in pieces, unchanged [default: 67108864].
    #[arg(hide_short_help = true, long, value_name = "BYTES")]
    pub(crate) frame_bytes: Option<usize>,

    /// Results with more bytes of text pass unchanged [default: 4194304].
    #[arg(hide_short_help = true, long, value_name = "BYTES")]
    pub(crate) text_bytes: Option<usize>,

    /// Larger events of a hook pass unchanged [default: 1048576].
    #[arg(skip)]
    pub(crate) hook_bytes: Option<usize>,
}

fn program(text: &str) -> Result<String, String> {
    // By its name it is found again.
    if is_proxy(text) {
        return Ok(text.to_owned());
    }
    Err("expected wire-proxy, or a path that ends with it".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "expected a number of seconds".to_owned())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn price(text: &str) -> Result<f64, String> {
    let price = text.parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
    price.ok_or_else(|| "expected a number that is not below 0".to_owned())
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

fn counter(name: &str) -> Result<CounterName, String> {
    CounterName::try_from(name.to_owned())
}

fn pattern(text: &str) -> Result<NamePattern, String> {
    NamePattern::try_from(text.to_owned())
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
