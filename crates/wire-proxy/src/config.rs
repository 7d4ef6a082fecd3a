//! `wire-proxy.toml`, and what follows from it and the command line together.

use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Deserialize;
use wire_mcp::{InvalidPattern, Limits, Options, Rule};
use wire_tokens::Counter;

use crate::args;
use crate::listen::{self, Http, HttpTable, Listen, ONLY, ServerTable, Upstream};
use crate::names::{
    Choice, CounterName, FormatName, NamePattern, PolicyName, PrimerName, StructuredName, forms,
};
use crate::rules::RuleTable;

/// The name of the file in the current folder.
const FILE: &str = "wire-proxy.toml";

/// Options of wire-proxy. The command line overrides the file.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "wire-proxy.toml")]
pub(crate) struct Config {
    /// Token counter: `o200k_base` (the default), `cl100k_base`, `claude-opus-4.7` or
    /// `word-punctuation`.
    counter: Option<CounterName>,
    /// Formats to try besides the original text. All of them by default.
    formats: Option<Vec<FormatName>>,
    /// Policy for `structuredContent`. It is kept by default.
    structured: Option<StructuredName>,
    /// Tools whose results are not rewritten, by patterns in which `*` is any text. By default
    /// `read_*`, `*_file*`, `fetch*` and `cat*`.
    verbatim: Option<Vec<NamePattern>>,
    /// Whether each tool gets an optional argument `format`. Not by default.
    format_argument: Option<bool>,
    /// Where a sentence on the formats is added. Nowhere by default.
    primer: Option<PrimerName>,
    /// File to append the sizes and forms of each call to.
    stats: Option<PathBuf>,
    /// Whether to count the tokens and change nothing. Not by default.
    dry_run: Option<bool>,
    /// `off` passes everything byte for byte, whatever other options are set.
    policy: Option<PolicyName>,
    /// Sizes from which on things pass untouched.
    limits: LimitsTable,
    /// Settings for some tools and clients; if several match, the later ones apply.
    rules: Vec<RuleTable>,
    /// The HTTP side.
    http: HttpTable,
    /// Servers over HTTP, by their names, which are also their paths.
    servers: BTreeMap<String, ServerTable>,
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

fn counter(config: &Config, arguments: &args::Options) -> Counter {
    let CounterName(counter) = arguments.counter.or(config.counter).unwrap_or_default();
    counter
}

fn limits(config: &Config, arguments: &args::Options) -> Limits {
    let mut limits = Limits::DEFAULT;
    if let Some(bytes) = arguments.frame_bytes.or(config.limits.frame_bytes) {
        limits = limits.with_frame_bytes(bytes);
    }
    if let Some(bytes) = arguments.text_bytes.or(config.limits.text_bytes) {
        limits = limits.with_text_bytes(bytes);
    }
    limits
}

fn options(
    config: &Config,
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
        .format_argument(arguments.format_argument || config.format_argument.unwrap_or_default())
        .dry_run(arguments.dry_run || config.dry_run.unwrap_or_default())
        .statistics(arguments.stats.is_some() || config.stats.is_some());
    with_rules(options, config, arguments, server).map_err(|error| error.to_string())
}

fn with_rules(
    mut options: Options,
    config: &Config,
    arguments: &args::Options,
    server: Option<&ServerTable>,
) -> Result<Options, InvalidPattern> {
    if let Some(patterns) = &config.verbatim {
        options = options.verbatim(patterns.iter().map(|NamePattern(pattern)| &**pattern))?;
    }
    let own = server.map_or(&[][..], |server| &server.rules);
    for table in config.rules.iter().chain(own) {
        options = options.rule(table.rule()?);
    }
    for NamePattern(pattern) in &arguments.verbatim {
        options = options.rule(Rule::new().tools(pattern)?.verbatim(true));
    }
    for NamePattern(pattern) in &arguments.not_verbatim {
        options = options.rule(Rule::new().tools(pattern)?.verbatim(false));
    }
    Ok(options)
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
