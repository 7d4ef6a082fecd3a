//! `wire-proxy.toml`, and what follows from it and the command line together.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use wire_mcp::{InvalidPattern, Limits, Options, Rule};
use wire_tokens::Counter;

use crate::args;
use crate::listen::{self, Http, Listen, ONLY, ServerTable, Upstream};
use crate::names::{Choice, CounterName, NamePattern, forms};

/// The name of the file in the current folder.
const FILE: &str = "wire-proxy.toml";

/// The hook of an agent.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct HookTable {
    /// Patterns of further commands that list JSON, as in `my-tool list`. `*` is any text, and any
    /// words may follow. One with `!` before it excludes; the last one that matches decides.
    commands: Vec<NamePattern>,
}

/// The settings of a hook.
#[derive(Debug)]
pub(crate) struct HookSettings {
    pub(crate) options: Options,
    pub(crate) counter: Counter,
    pub(crate) stats: Option<PathBuf>,
    /// Patterns of commands.
    pub(crate) commands: Vec<String>,
    pub(crate) event_bytes: usize,
}

/// The settings of a run.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) options: Options,
    pub(crate) counter: Counter,
    pub(crate) frame_bytes: usize,
    pub(crate) stats: Option<PathBuf>,
}

/// The settings of a run over HTTP.
#[derive(Debug)]
pub(crate) struct HttpSettings {
    pub(crate) listen: Listen,
    /// Servers by their names.
    pub(crate) servers: Vec<(String, reqwest::Url, Options)>,
    pub(crate) frame_bytes: usize,
    pub(crate) stats: Option<PathBuf>,
}

/// The options of the file, and of the command line before them.
pub(crate) fn settings(arguments: &args::Options) -> Result<Settings, String> {
    let config = read(arguments.config.as_deref())?;
    let frame_bytes = limits(&config, arguments).frame_bytes;
    let counter = counter(&config, arguments);
    let options = options(&config, arguments, None)?;
    Ok(Settings { options, counter, frame_bytes, stats: arguments.stats.clone().or(config.stats) })
}

/// The same for a hook.
pub(crate) fn hook_settings(hook: &args::Hook) -> Result<HookSettings, String> {
    let arguments = args::Options {
        config: hook.config.clone(),
        stats: hook.stats.clone(),
        ..args::Options::default()
    };
    hook_settings_of(read(arguments.config.as_deref())?, &arguments)
}

/// The same for a file that was read before.
pub(crate) fn hook_settings_of(
    config: args::Options,
    arguments: &args::Options,
) -> Result<HookSettings, String> {
    /// Events of so many bytes are read in less than 0.3 s.
    const EVENT_BYTES: usize = 1 << 20;
    let options = options(&config, arguments, None)?;
    let counter = counter(&config, arguments);
    let event_bytes = config.limits.hook_bytes.unwrap_or(EVENT_BYTES);
    let stats = arguments.stats.clone().or(config.stats);
    let commands = config.hook.commands.into_iter().map(|NamePattern(pattern)| pattern).collect();
    Ok(HookSettings { options, counter, stats, commands, event_bytes })
}

/// The same for a run over HTTP; `None` if no address to listen on is named.
pub(crate) fn http_settings(
    arguments: &args::Options,
    http: &Http,
) -> Result<Option<HttpSettings>, String> {
    let config = read(arguments.config.as_deref())?;
    listen::check_names(&config.servers)?;
    let Some(listen) = listen::listen(http, &config.http)? else { return Ok(None) };
    let mut servers = Vec::new();
    for (name, table) in config.servers.iter().filter(|_| http.upstream.is_none()) {
        let options = options(&config, arguments, Some(table))
            .map_err(|error| format!("servers.{name}: {error}"))?;
        servers.push((name.clone(), table.upstream.0.clone(), options));
    }
    if let Some(Upstream(url)) = &http.upstream {
        servers.push((ONLY.to_owned(), url.clone(), options(&config, arguments, None)?));
    }
    if servers.is_empty() {
        return Err(
            "expected --upstream URL, or a table [servers.NAME] with `upstream` in wire-proxy.toml"
                .to_owned(),
        );
    }
    let frame_bytes = limits(&config, arguments).frame_bytes;
    let stats = arguments.stats.clone().or(config.stats);
    Ok(Some(HttpSettings { listen, servers, frame_bytes, stats }))
}

pub(crate) fn counter(config: &args::Options, arguments: &args::Options) -> Counter {
    let CounterName(counter) = arguments.counter.or(config.counter).unwrap_or_default();
    counter
}

fn limits(config: &args::Options, arguments: &args::Options) -> Limits {
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
    config: &args::Options,
    arguments: &args::Options,
    server: Option<&ServerTable>,
) -> Result<Options, String> {
    let mut options = Options::new(counter(config, arguments)).limits(limits(config, arguments));
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
    mut options: Options,
    config: &args::Options,
    arguments: &args::Options,
    server: Option<&ServerTable>,
) -> Result<Options, InvalidPattern> {
    options = with_patterns(options, config)?;
    let own = server.map_or(&[][..], |server| &server.rules);
    for table in config.rules.iter().chain(own) {
        options = options.rule(table.rule()?);
    }
    with_patterns(options, arguments)
}

/// The patterns of the command line or of the file, as rules.
fn with_patterns(mut options: Options, own: &args::Options) -> Result<Options, InvalidPattern> {
    for (patterns, is_verbatim) in [(&own.verbatim, true), (&own.not_verbatim, false)] {
        for NamePattern(pattern) in patterns {
            options = options.rule(Rule::new().tools(pattern)?.verbatim(is_verbatim));
        }
    }
    Ok(options)
}

/// The file that is named, or the one in the current folder if there is one.
pub(crate) fn read(path: Option<&Path>) -> Result<args::Options, String> {
    let named = path.unwrap_or(Path::new(FILE));
    let text = match fs::read_to_string(named) {
        Ok(text) => text,
        Err(error) if path.is_none() && error.kind() == ErrorKind::NotFound => {
            return Ok(args::Options::default());
        }
        Err(error) => return Err(format!("{}: {error}", named.display())),
    };
    // The error shows the line.
    toml::from_str(&text).map_err(|error| format!("{}: {error}", named.display()))
}

/// The JSON schema of the file.
pub(crate) fn schema() -> String {
    let schema = schemars::schema_for!(args::Options);
    serde_json::to_string_pretty(&schema).expect("because a schema is JSON") + "\n"
}
