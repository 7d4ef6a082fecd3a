//! How calls are made, as options.

use clap::Args;
use wire_tokens::Counter;

use crate::args::counter::counter;

/// How calls are made.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "How it is run")]
pub(crate) struct RunOptions {
    /// How often each prompt is sent.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeats: u32,

    /// Go on with the run of the log: calls that were answered are not made again, those that failed are.
    #[arg(long)]
    pub(super) resume: bool,

    /// Say what would be asked and what it would cost, and ask nothing.
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Calls at a time.
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) concurrency: u16,

    /// How often a call that fails is made; each time the wait before it doubles, or is what the provider asks for.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(super) attempts: u32,

    /// Seconds before a call is made for the second time.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = amount)]
    pub(super) backoff: f64,

    /// Send more than two million tokens to somebody who may charge for them.
    #[arg(long)]
    pub(super) yes: bool,

    /// What counts the tokens of the estimate.
    #[arg(long, value_name = "COUNTER", default_value_t = Counter::Cl100kBase, value_parser = counter())]
    pub(crate) counter: Counter,

    /// The price of a million tokens of prompts, in whatever currency.
    #[arg(long, value_name = "PRICE", value_parser = amount)]
    pub(super) price_input: Option<f64>,

    /// The price of a million tokens of answers.
    #[arg(long, value_name = "PRICE", requires = "price_input", value_parser = amount)]
    pub(super) price_output: Option<f64>,
}

fn amount(text: &str) -> Result<f64, String> {
    let amount = text.parse().ok().filter(|amount: &f64| (0.0..=1e9).contains(amount));
    amount.ok_or_else(|| "expected a number from 0".to_owned())
}
