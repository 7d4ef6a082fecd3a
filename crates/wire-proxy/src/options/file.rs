//! `wire-proxy.toml`, and what follows from it and the command line together.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use wire_mcp::{InvalidPattern, Limits, Rule};
use wire_tokens::Counter;

use crate::options::Options;
use crate::options::listen::ServerTable;
use crate::options::names::{Choice, CounterName, NamePattern, forms};

/// The name of the file in the current folder.
const FILE: &str = "wire-proxy.toml";

#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) options: wire_mcp::Options,
    pub(crate) counter: Counter,
    pub(crate) frame_bytes: usize,
    pub(crate) stats: Option<PathBuf>,
}

/// The options of the file, and of the command line before them.
pub(crate) fn settings(arguments: &Options) -> Result<Settings, String> {
    let config = read(arguments.config.as_deref())?;
    let frame_bytes = limits(&config, arguments).frame_bytes;
    let counter = counter(&config, arguments);
    let options = options(&config, arguments, None)?;
    Ok(Settings { options, counter, frame_bytes, stats: arguments.stats.clone().or(config.stats) })
}

pub(crate) fn counter(config: &Options, arguments: &Options) -> Counter {
    let CounterName(counter) = arguments.counter.or(config.counter).unwrap_or_default();
    counter
}

pub(crate) fn limits(config: &Options, arguments: &Options) -> Limits {
    let mut limits = Limits::DEFAULT;
    if let Some(bytes) = arguments.limits.frame_bytes.or(config.limits.frame_bytes) {
        limits = limits.with_frame_bytes(bytes);
    }
    if let Some(bytes) = arguments.limits.text_bytes.or(config.limits.text_bytes) {
        limits = limits.with_text_bytes(bytes);
    }
    limits
}

pub(crate) fn options(
    config: &Options,
    arguments: &Options,
    server: Option<&ServerTable>,
) -> Result<wire_mcp::Options, String> {
    let mut options =
        wire_mcp::Options::new(counter(config, arguments)).limits(limits(config, arguments));
    if let Some(formats) = arguments.formats.as_ref().or(config.formats.as_ref()) {
        options = options.formats(&forms(formats));
    }
    let own = server.and_then(|server| server.structured);
    if let Some(Choice(structured)) = arguments.structured.or(own).or(config.structured) {
        options = options.structured(structured);
    }
    if let Some(Choice(place)) = arguments.primer.or(config.primer) {
        options = options.primer(place);
    }
    let own = server.and_then(|server| server.policy);
    if let Some(Choice(policy)) = arguments.policy.or(own).or(config.policy) {
        options = options.policy(policy);
    }
    let options = options
        .format_argument(arguments.format_argument || config.format_argument)
        .dry_run(arguments.dry_run || config.dry_run)
        .statistics(arguments.stats.is_some() || config.stats.is_some());
    with_rules(options, config, arguments, server).map_err(|error| error.to_string())
}

fn with_rules(
    mut options: wire_mcp::Options,
    config: &Options,
    arguments: &Options,
    server: Option<&ServerTable>,
) -> Result<wire_mcp::Options, InvalidPattern> {
    options = with_patterns(options, config)?;
    let own = server.map_or(&[][..], |server| &server.rules);
    for table in config.rules.iter().chain(own) {
        options = options.rule(table.rule()?);
    }
    with_patterns(options, arguments)
}

/// The patterns of the command line or of the file, as rules.
fn with_patterns(
    mut options: wire_mcp::Options,
    own: &Options,
) -> Result<wire_mcp::Options, InvalidPattern> {
    for (patterns, is_verbatim) in [(&own.verbatim, true), (&own.not_verbatim, false)] {
        for NamePattern(pattern) in patterns {
            options = options.rule(Rule::new().tools(pattern)?.verbatim(is_verbatim));
        }
    }
    Ok(options)
}

/// The file that is named, or the one in the current folder if there is one.
pub(crate) fn read(path: Option<&Path>) -> Result<Options, String> {
    let named = path.unwrap_or(Path::new(FILE));
    let text = match fs::read_to_string(named) {
        Ok(text) => text,
        Err(error) if path.is_none() && error.kind() == ErrorKind::NotFound => {
            return Ok(Options::default());
        }
        Err(error) => return Err(format!("{}: {error}", named.display())),
    };
    // The error shows the line.
    toml::from_str(&text).map_err(|error| format!("{}: {error}", named.display()))
}

/// The JSON schema of the file.
pub(crate) fn schema() -> String {
    let schema = schemars::schema_for!(Options);
    serde_json::to_string_pretty(&schema).expect("because a schema is JSON") + "\n"
}
