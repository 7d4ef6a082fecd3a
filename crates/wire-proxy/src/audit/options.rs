//! The options of `wire-proxy audit`.

use std::path::PathBuf;

use clap::Args;

use crate::options::counter;
use crate::options::names::CounterName;

#[derive(Debug, Args)]
pub(crate) struct Audit {
    /// A folder or a file of sessions [default: where the clients keep theirs].
    pub(crate) folder: Option<PathBuf>,

    /// Read options from this file and no other [default: the one that `wire-proxy config` names, and
    /// of wire-proxy.toml in the current folder what can only make less].
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// Count tokens by `o200k_base`, `cl100k_base`, `claude-opus-4.7`, `runs` or `word-punctuation`
    /// [default: `o200k_base`].
    #[arg(long, value_name = "NAME", value_parser = counter)]
    pub(crate) counter: Option<CounterName>,

    /// Print one JSON object, with all rows, for programs.
    #[arg(long)]
    pub(crate) json: bool,

    /// Write a page with a chart to FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Also print the beginning of each tool's largest result [default: no contents].
    #[arg(long)]
    pub(crate) show: bool,

    /// Count money too, by this price of a million tokens of input.
    #[arg(long, value_name = "AMOUNT", value_parser = price)]
    pub(crate) price: Option<f64>,
}

fn price(text: &str) -> Result<f64, String> {
    let price = text.parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
    price.ok_or_else(|| "expected a number that is not below 0".to_owned())
}
