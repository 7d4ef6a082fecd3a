//! `wirefmt primer`.

use clap::{Args, ValueEnum};
use wire_tokens::Counter;

use crate::tokens::counters;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  wirefmt primer gcf-generic                    the description, to put before the data
  wirefmt primer gcf --count                    its tokens
  wirefmt primer --count                        those of every format

`wire-eval` measures whether your model can read a format.")]
pub(crate) struct PrimerOptions {
    /// The format.
    #[arg(value_name = "FORMAT", value_enum, required_unless_present = "count")]
    pub(crate) format: Option<Primer>,

    /// Count the tokens of the description instead of printing it; without FORMAT those of all
    /// formats.
    #[arg(long)]
    pub(crate) count: bool,

    /// Token counters for --count, with commas between them [default: `o200k_base,cl100k_base`].
    #[arg(long, alias = "tokenizer", value_name = "COUNTER", value_parser = counters(), value_delimiter = ',', requires = "count")]
    counter: Vec<Counter>,
}

impl PrimerOptions {
    pub(crate) fn counters(&self) -> &[Counter] {
        if self.counter.is_empty() {
            &[Counter::O200kBase, Counter::Cl100kBase]
        } else {
            &self.counter
        }
    }
}

/// A format that a model can be told about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Primer {
    /// Ranked symbols and edges.
    Gcf,
    /// Any JSON, as GCF writes it.
    GcfGeneric,
    /// Rows with tabs.
    Gcx,
    /// Responses of graph queries.
    Goon,
}
