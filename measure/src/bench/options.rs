//! The options of `cargo xtask bench`.

use clap::Args;

#[derive(Args)]
pub(crate) struct Options {
    /// How often everything is measured, each time shortly; a ratio is the median of those of the
    /// rounds.
    #[arg(long, default_value_t = 9)]
    pub(super) rounds: usize,
    /// Only rows whose work has this in its name.
    #[arg(long, default_value = "")]
    pub(super) filter: String,
    /// The size of the JSON texts that go straight through, in megabytes.
    #[arg(long, default_value_t = 50, value_name = "MB")]
    pub(super) megabytes: u32,
    /// Count instructions of small and large inputs instead, with callgrind.
    #[arg(long)]
    pub(super) growth: bool,
    /// Measure processor time and memory of the command line beside `jq` instead.
    #[arg(long, conflicts_with = "growth")]
    pub(super) cli: bool,
}
