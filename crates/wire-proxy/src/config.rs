//! `wire-proxy.toml`, and what follows from it and the command line together.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use wire_mcp::{Format, InvalidPattern, Limits, Options, Rule};
use wire_tokens::Counter;

use crate::args;
use crate::names::{CounterName, FormatName, NamePattern, PolicyName, StructuredName};

/// The name of the file in the current folder.
const FILE: &str = "wire-proxy.toml";

/// Options of wire-proxy. The command line counts where both say something.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "wire-proxy.toml")]
pub(crate) struct Config {
    /// What texts are compared by: `o200k_base` (the default), `cl100k_base`, `claude-opus-4.7` or
    /// `word-punctuation`.
    counter: Option<CounterName>,
    /// Forms that are tried, beside the text as it came. All of them by default.
    formats: Option<Vec<FormatName>>,
    /// What becomes of `structuredContent`. It is kept by default.
    structured: Option<StructuredName>,
    /// Tools whose results are left alone, by patterns in which `*` is any text. By default
    /// `read_*`, `*_file*`, `fetch*` and `cat*`.
    verbatim: Option<Vec<NamePattern>>,
    /// Whether each tool gets an optional argument `format`. Not by default.
    format_argument: Option<bool>,
    /// A file that what each call came and went as is appended to.
    stats: Option<PathBuf>,
    /// Whether to count, and to change nothing. Not by default.
    dry_run: Option<bool>,
    /// `off` passes everything byte for byte, whatever else the file says.
    policy: Option<PolicyName>,
    /// Sizes from which on things pass untouched.
    limits: LimitsTable,
    /// Settings for some tools and clients; of several that match, later ones count.
    rules: Vec<RuleTable>,
}

/// Sizes from which on things pass untouched.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct LimitsTable {
    /// Bytes of a frame; larger ones pass in pieces. 67108864 by default.
    frame_bytes: Option<usize>,
    /// Bytes of the texts of one result. 4194304 by default.
    text_bytes: Option<usize>,
}

/// Settings for the tools and clients that match.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
struct RuleTable {
    /// A pattern of names of tools; every tool by default.
    tools: Option<NamePattern>,
    /// A pattern of names of clients, as they give them in `clientInfo`; every client by default.
    clients: Option<NamePattern>,
    /// Whether results are rewritten.
    policy: Option<PolicyName>,
    /// What becomes of `structuredContent`.
    structured: Option<StructuredName>,
    /// Whether results are left alone, as those of tools that read files.
    verbatim: Option<bool>,
    /// Forms that are tried.
    formats: Option<Vec<FormatName>>,
}

/// What a run needs.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) options: Options,
    pub(crate) counter: Counter,
    pub(crate) frame_bytes: usize,
    pub(crate) stats: Option<PathBuf>,
}

/// The options of the file, and of the command line before them.
pub(crate) fn settings(arguments: &args::Options) -> Result<Settings, String> {
    let config = read(arguments.config.as_deref())?;
    let CounterName(counter) = arguments.counter.or(config.counter).unwrap_or_default();
    let mut limits = Limits::DEFAULT;
    if let Some(bytes) = arguments.frame_bytes.or(config.limits.frame_bytes) {
        limits = limits.with_frame_bytes(bytes);
    }
    if let Some(bytes) = arguments.text_bytes.or(config.limits.text_bytes) {
        limits = limits.with_text_bytes(bytes);
    }
    let mut options = Options::new(counter).limits(limits);
    if let Some(formats) = arguments.formats.as_ref().or(config.formats.as_ref()) {
        options = options.formats(&forms(formats));
    }
    if let Some(structured) = arguments.structured.or(config.structured) {
        options = options.structured(structured.into());
    }
    if let Some(policy) = arguments.policy.or(config.policy) {
        options = options.policy(policy.into());
    }
    if arguments.format_argument || config.format_argument == Some(true) {
        options = options.format_argument();
    }
    if arguments.dry_run || config.dry_run == Some(true) {
        options = options.dry_run();
    }
    options = with_rules(options, &config, arguments).map_err(|error| error.to_string())?;
    let stats = arguments.stats.clone().or(config.stats);
    if stats.is_some() {
        options = options.statistics();
    }
    Ok(Settings { options, counter, frame_bytes: limits.frame_bytes, stats })
}

fn with_rules(
    mut options: Options,
    config: &Config,
    arguments: &args::Options,
) -> Result<Options, InvalidPattern> {
    if let Some(patterns) = &config.verbatim {
        options = options.verbatim(patterns.iter().map(|NamePattern(pattern)| &**pattern))?;
    }
    for table in &config.rules {
        let mut rule = Rule::new();
        if let Some(NamePattern(pattern)) = &table.tools {
            rule = rule.tools(pattern)?;
        }
        if let Some(NamePattern(pattern)) = &table.clients {
            rule = rule.clients(pattern)?;
        }
        if let Some(policy) = table.policy {
            rule = rule.policy(policy.into());
        }
        if let Some(structured) = table.structured {
            rule = rule.structured(structured.into());
        }
        if let Some(formats) = &table.formats {
            rule = rule.formats(&forms(formats));
        }
        rule = match table.verbatim {
            Some(true) => rule.verbatim(),
            Some(false) => rule.not_verbatim(),
            None => rule,
        };
        options = options.rule(rule);
    }
    for NamePattern(pattern) in &arguments.verbatim {
        options = options.rule(Rule::new().tools(pattern)?.verbatim());
    }
    for NamePattern(pattern) in &arguments.not_verbatim {
        options = options.rule(Rule::new().tools(pattern)?.not_verbatim());
    }
    Ok(options)
}

fn forms(names: &[FormatName]) -> Vec<Format> {
    names.iter().copied().map(Format::from).collect()
}

/// The file that is named, or the one in the current folder if there is one.
fn read(path: Option<&Path>) -> Result<Config, String> {
    let named = path.unwrap_or(Path::new(FILE));
    let text = match fs::read_to_string(named) {
        Ok(text) => text,
        Err(error) if path.is_none() && error.kind() == ErrorKind::NotFound => {
            return Ok(Config::default());
        }
        Err(error) => return Err(format!("{}: {error}", named.display())),
    };
    // The error shows the line.
    toml::from_str(&text).map_err(|error| format!("{}: {error}", named.display()))
}

/// The JSON schema of the file.
pub(crate) fn schema() -> String {
    let schema = schemars::schema_for!(Config);
    serde_json::to_string_pretty(&schema).expect("because a schema is JSON") + "\n"
}
