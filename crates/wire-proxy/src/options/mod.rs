//! Options that several commands share, on the command line and in wire-proxy.toml.

pub(crate) mod file;
pub(crate) mod listen;
pub(crate) mod names;
pub(crate) mod remote;
pub(crate) mod replace;
pub(crate) mod rules;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::options::listen::{Http, ServerTable};
use crate::options::names::{CounterName, FormatName, NamePattern, PolicyName, StructuredName};
use crate::options::rules::RuleTable;

/// Options of the command line and of wire-proxy.toml; the command line overrides the file.
#[derive(Clone, Debug, Default, Args, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
#[schemars(title = "wire-proxy.toml")]
pub(crate) struct Options {
    /// Read options from this file and no other [default: the one that `wire-proxy config` names, and
    /// of wire-proxy.toml in the current folder what can only make less].
    #[arg(hide_short_help = true, long, value_name = "FILE")]
    #[serde(skip)]
    pub(crate) config: Option<PathBuf>,

    /// Count tokens by `o200k_base`, `cl100k_base`, `claude-opus-4.7`, `runs` or `word-punctuation`
    /// [default: `o200k_base`].
    #[arg(hide_short_help = true, long, value_name = "NAME", value_parser = counter)]
    pub(crate) counter: Option<CounterName>,

    /// Formats to try besides the original text [default: json,gcf].
    #[arg(hide_short_help = true, long, value_name = "LIST", value_delimiter = ',', value_enum)]
    pub(crate) formats: Option<Vec<FormatName>>,

    /// `drop` removes structuredContent, the second copy of a result, if the text has the same value;
    /// `auto` does for clients that are known to show it; `text` writes it as text if there is none
    /// [default: keep].
    #[arg(long, value_name = "POLICY", value_enum)]
    pub(crate) structured: Option<StructuredName>,

    /// Leave the results of these tools as they are, as in `secret_*` [default: only of tools that
    /// read files].
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub(crate) verbatim: Vec<NamePattern>,

    /// Rewrite the results of these tools, although they seem to read files [default: none].
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub(crate) not_verbatim: Vec<NamePattern>,

    /// Give each tool an optional argument `format` (auto, json, gcf, gcx).
    #[arg(hide_short_help = true, long)]
    pub(crate) format_argument: bool,

    /// Append the token counts of each call to FILE, without contents, for `wire-proxy stats`
    /// [default: no log].
    #[arg(long, value_name = "FILE")]
    pub(crate) stats: Option<PathBuf>,

    /// Change nothing, and only count the tokens for --stats.
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// `off` passes everything byte for byte; `minify` keeps JSON, at most minified [default: on].
    #[arg(hide_short_help = true, long, value_name = "POLICY", value_enum)]
    pub(crate) policy: Option<PolicyName>,

    #[command(flatten)]
    pub(crate) limits: Sizes,

    /// Options of `wire-proxy hook`.
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

    /// The policy of a folder's file, if no other is said.
    #[arg(skip)]
    #[serde(skip)]
    pub(crate) folder_policy: Option<PolicyName>,

    /// What a folder's file says in vain.
    #[arg(skip)]
    #[serde(skip)]
    pub(crate) ignored: Vec<&'static str>,
}

/// The default for events of a hook: so many bytes are read in less than 0.3 s.
pub(crate) const EVENT_BYTES: usize = 1 << 20;

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

/// Options of `wire-proxy hook`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct HookTable {
    /// Patterns of further commands that list JSON, as in `my-tool list`. `*` is any text, and any
    /// words may follow. One with `!` before it excludes; the last one that matches decides.
    pub(crate) commands: Vec<NamePattern>,
}

pub(crate) fn counter(name: &str) -> Result<CounterName, String> {
    CounterName::try_from(name.to_owned())
}

pub(crate) fn pattern(text: &str) -> Result<NamePattern, String> {
    NamePattern::try_from(text.to_owned())
}
