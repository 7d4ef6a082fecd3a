//! The options of `wire-proxy serve` and `wire-proxy result`, and what follows from them.

use std::env;

use clap::Args;
use wire_mcp::Repeats;

use crate::options::file::Settings;
use crate::options::listen::{self, Http, Listen, LogLevel};
use crate::options::names::RepeatsName;
use crate::options::{Options, file};

const DRY_RUN: &str = "Change nothing, and only count the tokens for /metrics";

#[derive(Debug, Args)]
#[command(mut_arg("dry_run", |own| own.hide(false).help(DRY_RUN)))]
pub(crate) struct Serve {
    /// Where to listen.
    #[arg(value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8787")]
    address: String,

    /// Serve only requests with the token in this environment variable, which an address needs that
    /// other machines can reach [default: serve all of this machine].
    ///
    /// It is in `Authorization: Bearer`, `x-api-key` or `X-Headroom-Proxy-Token`.
    #[arg(long, value_name = "NAME")]
    token_env: Option<String>,

    /// Serve gateways that call this machine by this name, besides `localhost` and loopback
    /// addresses.
    #[arg(long = "allow-host", value_name = "NAME")]
    allow_hosts: Vec<String>,

    /// Serve pages of this origin, besides those of this machine.
    #[arg(hide_short_help = true, long = "allow-origin", value_name = "ORIGIN")]
    allow_origins: Vec<String>,

    /// What to log to standard error; contents, names of tools, ids and tokens never are [default:
    /// warn].
    #[arg(long, value_enum, value_name = "LEVEL")]
    log: Option<LogLevel>,

    /// Write results that repeat an earlier one as references to it, where nobody drops old rows; no
    /// model was asked yet how well it reads them [default: no references].
    ///
    /// As in `Same as the last full result with id = 7.` Not for providers that drop old rows, which
    /// leaves references to nothing (context management of Anthropic, truncation of OpenAI's
    /// responses), nor for gateways that withhold old results.
    #[arg(long, value_enum, value_name = "WHICH")]
    repeats: Option<RepeatsName>,

    #[command(flatten)]
    options: ResultOptions,
}

#[derive(Debug, Args)]
#[command(
    mut_arg("stats", |own| own.hide(true)),
    mut_arg("dry_run", |own| own.hide(true)),
    mut_arg("format_argument", |own| own.hide(true)),
    mut_arg("structured", |own| own.hide(true))
)]
pub(crate) struct ResultOptions {
    #[command(flatten)]
    options: Options,
}

impl Serve {
    /// Where to listen, the token that is asked for, and how texts are written.
    pub(super) fn settings(&self) -> Result<(Listen, Option<String>, Settings), String> {
        let (mut settings, config) = self.options.settings()?;
        let repeats = self.repeats.map_or(Repeats::Off, |own| own.0);
        // Answers have the counts.
        settings.options = settings.options.repeats(repeats).statistics(true);
        let token = self.token_env.as_deref().map(token).transpose()?;
        let arguments = Http {
            listen: Some(address(&self.address)),
            allow_remote: token.is_some(),
            allow_hosts: self.allow_hosts.clone(),
            allow_origins: self.allow_origins.clone(),
            log: self.log,
            ..Http::default()
        };
        // Whoever may reach the servers of a file may not use this without a token.
        let table = Http { allow_remote: false, ..config.http };
        let listen = listen::listen(&arguments, &table, "--token-env NAME and --allow-host NAME")?;
        Ok((listen.expect("because an address is given"), token, settings))
    }
}

impl ResultOptions {
    /// How texts are written; and the options of the files.
    pub(super) fn settings(&self) -> Result<(Settings, Options), String> {
        let arguments = &self.options;
        if arguments.stats.is_some() {
            return Err("--stats is for calls; `serve` counts what it does at /metrics".to_owned());
        }
        if arguments.format_argument {
            return Err("--format-argument is for lists of tools, which don't come here".to_owned());
        }
        if arguments.structured.is_some() {
            return Err(
                "--structured is for clients of MCP; texts alone are rewritten here".to_owned()
            );
        }
        let config = file::read(arguments.config.as_deref())?;
        Ok((file::settings_of(&config, arguments)?, config))
    }
}

/// The address that somebody means by a port alone.
fn address(text: &str) -> String {
    let port = text.trim_start_matches(':');
    let is_port = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    if is_port { format!("127.0.0.1:{port}") } else { text.to_owned() }
}

/// The token in an environment variable, whose name is not repeated: some write the token itself.
fn token(name: &str) -> Result<String, String> {
    const EXPECTED: &str = "--token-env: expected the name of an environment variable with a token";
    let token = env::var(name).map_err(|_| EXPECTED)?;
    if token.is_empty() {
        return Err("--token-env: the variable is empty, expected a token in it".to_owned());
    }
    Ok(token)
}
