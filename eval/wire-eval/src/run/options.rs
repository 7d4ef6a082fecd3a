//! How calls are made, as options.

use clap::Args;
use wire_tokens::Counter;

use crate::args::counter::counter;

/// How calls are made.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Run")]
pub(crate) struct RunOptions {
    /// Number of times each prompt is sent [default: 3; at temperature 0, once].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeats: Option<u32>,

    /// Tokens of a prompt with its answer at most, estimated by --counter: a question whose prompt is
    /// longer in one arm is asked in none [default: no limit].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) max_context: Option<u32>,

    /// Continue the run in the log: answered calls are skipped, failed calls are repeated.
    #[arg(long)]
    pub(super) resume: bool,

    /// Print how many prompts and tokens would be sent, and their price; send nothing.
    #[arg(long)]
    pub(super) dry_run: bool,

    /// Maximum number of calls in flight [default: 4; of a local server 1].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) concurrency: Option<u16>,

    /// Maximum attempts for a failing call; the delay doubles each time, or is the provider's
    /// `Retry-After`.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    pub(super) attempts: u32,

    /// Seconds before the second attempt.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = amount)]
    pub(super) backoff: f64,

    /// Confirm a run that sends more than two million tokens to a provider that may charge for
    /// them.
    #[arg(long)]
    pub(super) yes: bool,

    /// Counter for the estimate.
    #[arg(long, value_name = "COUNTER", default_value_t = Counter::O200kBase, value_parser = counter())]
    pub(crate) counter: Counter,

    /// Price of a million prompt tokens, in any currency.
    #[arg(long, value_name = "PRICE", value_parser = amount)]
    pub(crate) price_input: Option<f64>,

    /// Price of a million output tokens.
    #[arg(long, value_name = "PRICE", requires = "price_input", value_parser = amount)]
    pub(super) price_output: Option<f64>,
}

fn amount(text: &str) -> Result<f64, String> {
    let amount = text.parse().ok().filter(|amount: &f64| (0.0..=1e9).contains(amount));
    amount.ok_or_else(|| "expected a number from 0".to_owned())
}
