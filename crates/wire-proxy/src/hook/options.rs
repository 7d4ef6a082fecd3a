//! The options of a hook, and what follows from them.

use std::path::PathBuf;

use clap::Args;
use wire_tokens::Counter;

use crate::agents::HookOf;
use crate::options::names::NamePattern;
use crate::options::{EVENT_BYTES, Options, file};

#[derive(Debug, Args)]
pub(crate) struct Hook {
    /// The agent whose event is on standard input, or `test` to see what its answer would be, and why.
    #[arg(value_parser = HookOf::parser(), value_name = "AGENT")]
    pub(crate) of: HookOf,

    /// Read options from this file and no other [default: the one that `wire-proxy config` names, and
    /// of wire-proxy.toml in the current folder what can only make less].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Append the token counts of each output to FILE, without contents [default: no log].
    #[arg(long, value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,
}

/// The settings of a hook.
#[derive(Debug)]
pub(crate) struct HookSettings {
    pub(crate) options: wire_mcp::Options,
    pub(crate) counter: Counter,
    pub(crate) stats: Option<PathBuf>,
    /// Patterns of commands.
    pub(crate) commands: Vec<String>,
    pub(crate) event_bytes: usize,
}

/// The same for a hook.
pub(crate) fn settings(hook: &Hook) -> Result<HookSettings, String> {
    let arguments =
        Options { config: hook.config.clone(), stats: hook.stats.clone(), ..Options::default() };
    settings_of(file::read(arguments.config.as_deref())?, &arguments)
}

/// The same for a file that was read before.
pub(crate) fn settings_of(config: Options, arguments: &Options) -> Result<HookSettings, String> {
    let options = file::options(&config, arguments, None)?;
    let counter = file::counter(&config, arguments);
    let event_bytes = config.limits.hook_bytes.unwrap_or(EVENT_BYTES);
    let stats = arguments.stats.clone().or(config.stats);
    let commands = config.hook.commands.into_iter().map(|NamePattern(pattern)| pattern).collect();
    Ok(HookSettings { options, counter, stats, commands, event_bytes })
}
