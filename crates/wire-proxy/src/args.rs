//! The command line.

use std::ffi::OsString;
use std::io::{self, Write};
use std::{env, process};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgAction, CommandFactory, Parser, Subcommand};

use crate::audit::Audit;
use crate::hook::Hook;
use crate::init::{Init, OTHER};
use crate::login::{LogIn, LogOut};
use crate::options::Options;
use crate::options::file::Config;
use crate::options::listen::Http;
use crate::options::remote::Remote;
use crate::saved::{Stats, Try};
use crate::serve::{ResultOptions, Serve};

/// Makes the results of any MCP server use fewer tokens, with the same values.
///
/// wire-proxy starts the server as a child process, or sends to its URL, and uses MCP over standard
/// input and output with the client; or it listens on an address. Neither side has to change.
#[derive(Debug, Parser)]
#[command(
    name = "wire-proxy",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true,
    subcommand_negates_reqs = true,
    override_usage = "wire-proxy [OPTIONS] -- COMMAND...\n       wire-proxy [OPTIONS] URL [--header 'NAME: VALUE']\n       wire-proxy [OPTIONS] --listen ADDRESS:PORT --upstream URL\n       wire-proxy try [OPTIONS] [NAME | URL | -- COMMAND...]",
    after_help = format!("{UNTOUCHED}\n\n{EXAMPLES}"),
    after_long_help = format!("{UNTOUCHED}\n\n{EXAMPLES}\n\n{ENDS}"),
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

    /// Print this help; `wire-proxy man | man -l -` has more options.
    #[arg(short, long, global = true, action = ArgAction::HelpShort)]
    help: Option<bool>,

    #[command(flatten)]
    pub(crate) http: Http,
}

impl Arguments {
    /// The arguments of the command line; ends the program if they are not valid.
    pub(crate) fn read() -> Self {
        Arguments::try_parse_from(words()).unwrap_or_else(|error| {
            // Nothing is left to tell where standard error can't be written.
            let _ = error.print();
            let mut words = env::args().skip(1);
            let is_hook = words.next().is_some_and(|word| word == "hook");
            if is_hook && words.next().is_some_and(|word| word != "test") {
                // To an agent any other code says that its tool failed.
                process::exit(0);
            }
            let is_command = env::args()
                .nth(1)
                .is_some_and(|word| Arguments::command().find_subcommand(word).is_some());
            let is_bare = !is_command && env::args().all(|word| word != "--");
            if error.kind() == ErrorKind::UnknownArgument && is_bare {
                tip("put the server's command after `--`, as in `wire-proxy -- npx -y my-server`");
            }
            if error.kind() == ErrorKind::InvalidValue
                && let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidValue)
                && env::args().nth(1).is_some_and(|word| word == "init")
                && env::args().nth(2).as_ref() == Some(name)
            {
                tip(&format!("{name}: {OTHER}"));
            }
            process::exit(error.exit_code())
        })
    }
}

/// The words of the command line. `help --help` is help, too: clap's command has no options.
fn words() -> impl Iterator<Item = OsString> {
    let is_help = env::args_os().nth(1).is_some_and(|word| word == "help");
    env::args_os().filter(move |word| !(is_help && (word == "--help" || word == "-h")))
}

fn tip(text: &str) {
    let _ = writeln!(io::stderr(), "\n  tip: {text}");
}

const UNTOUCHED: &str = "\
Never touched, and passed on byte for byte: errors; images, audio, links and blocks with
annotations; notifications, progress and cancellation; prompts and resources; unknown members,
numbers of any length and white space; what a model may have to quote: results of tools that read a
file by their name (read_file, getPage) or arguments, and long texts in a wrapper; every text that
would not use fewer tokens, or is not proven to have the same value.";

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
    /// Count what the proxy would save on your servers, before anything is changed.
    ///
    /// Calls the tools of a server that only read. Tools that need arguments are called only by
    /// --call. A tool only reads if its annotations have `readOnlyHint: true`. By default MCP assumes
    /// that a tool without annotations destroys something, so all others are called only by --call
    /// or --all. Without COMMAND the servers in the configurations of clients are tried, or a sample
    /// where there are none; it is said first what is started and called.
    Try(Box<Try>),
    /// Print what was saved, of the calls that --stats logged.
    Stats(Stats),
    /// Print the path of your own file of options, or add to it.
    ///
    /// It need not be there. A `wire-proxy.toml` in the current folder is obeyed where it makes less,
    /// since it may be a stranger's.
    Config(Config),
    /// Print the JSON schema of the file of options, for editors.
    Schema,
    /// Put the proxy into a client's configuration; shows the change first.
    ///
    /// A server with a URL becomes `wire-proxy URL` where the file is JSON; others are named. Comments,
    /// order and white space of the file are kept.
    Init(Init),
    /// Answer the hook of an agent, which `init --hook` writes: rewrites outputs of its own tools.
    ///
    /// Reads the hook's event from standard input. Nothing is printed where nothing changes, and
    /// the exit code is always 0. `test` says what the answer to an event would be, and why.
    Hook(Hook),
    /// Count what would have been saved in the past sessions of your agents.
    ///
    /// Reads the sessions of Claude Code, Codex, Copilot CLI, OpenCode, Gemini CLI, Qwen Code, Cline
    /// and Continue on this machine, and says first which folders. Nothing is changed or sent, and
    /// nothing of the contents is printed without --show.
    Audit(Audit),
    /// Serve gateways of models, such as LiteLLM, which send it whole conversations.
    ///
    /// Answers LiteLLM at `/beta/litellm_basic_guardrail_api`, gateways with a compressor at
    /// `/v1/compress`, and those that pass results of tools at `/v1/result`. A text is rewritten alike
    /// in each request, so that prompt caches keep what they hold.
    Serve(Box<Serve>),
    /// Rewrite one result of a tool, a `CallToolResult` on standard input, for scripts.
    ///
    /// Nothing is printed where nothing changes.
    Result(Box<ResultOptions>),
    /// Log in to a server with a URL, in a browser.
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

/// The command that a word may have been meant for.
pub(crate) fn meant(word: &str) -> Option<String> {
    let program = Arguments::command();
    let names =
        program.get_subcommands().filter(|own| !own.is_hide_set()).map(clap::Command::get_name);
    let near = names.map(|name| (strsim::levenshtein(word, name), name)).min()?;
    (near.0 <= 2).then(|| near.1.to_owned())
}

#[cfg(test)]
mod tests {
    use wire_conformance::pages::{examples, words};

    use super::*;

    #[test]
    fn a_command_with_a_slip_is_found() {
        assert_eq!(meant("serv").as_deref(), Some("serve"));
        assert_eq!(meant("reslt").as_deref(), Some("result"));
        assert_eq!(meant("server"), Some("serve".to_owned()));
        assert_eq!(meant("npx"), None);
    }

    #[test]
    fn examples_of_help_and_pages_are_read() {
        let mut program = Arguments::command();
        program.build();
        let mut helps = vec![program.render_long_help().to_string()];
        helps.extend(program.get_subcommands_mut().map(|own| own.render_long_help().to_string()));
        let examples = examples("wire-proxy", &helps);
        assert!(examples.len() > 20, "{examples:?}");
        for example in examples {
            let read = Arguments::try_parse_from(words(&example));
            assert!(read.is_ok(), "{example}: {}", read.unwrap_err());
        }
    }
}
