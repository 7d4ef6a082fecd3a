//! What data to ask about, and to count.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, ValueHint};

use crate::dataset::{Family, Named, from_file, generate};
use crate::failure::Failure;

/// What to ask about.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Data")]
pub(crate) struct DatasetOptions {
    /// Use these files instead of generated data: payloads, query responses or rows, in any
    /// supported format.
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath, conflicts_with_all = ["sizes", "families"])]
    pub(crate) input: Vec<PathBuf>,

    /// Sizes of the generated data, in symbols, nodes or rows, comma-separated.
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [10, 50, 130, 500], value_parser = size())]
    sizes: Vec<u64>,

    /// Kinds of data to generate, comma-separated.
    #[arg(long, value_name = "FAMILY", value_delimiter = ',', value_enum, default_values_t = Family::ALL, hide_possible_values = false)]
    families: Vec<Family>,

    /// Seed of the random numbers: the same seed gives the same data and questions.
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub(crate) seed: u64,
}

impl DatasetOptions {
    /// The data; generated data is that of this seed.
    ///
    /// # Errors
    ///
    /// A file can't be read, or contains nothing to ask about.
    pub(crate) fn datasets(&self, seed: u64) -> Result<Vec<Named>, Failure> {
        if !self.input.is_empty() {
            return self.input.iter().map(|path| from_file(path)).collect();
        }
        let sizes = || self.sizes.iter().map(|size| usize::try_from(*size).unwrap_or(usize::MAX));
        let all = self
            .families
            .iter()
            .flat_map(|family| sizes().flat_map(|size| generate(*family, size, seed)));
        Ok(all.collect())
    }

    /// A description of the data, for reports.
    pub(crate) fn description(&self) -> String {
        let joined = |items: Vec<String>| items.join(", ");
        if self.input.is_empty() {
            let sizes = joined(self.sizes.iter().map(u64::to_string).collect());
            let families =
                joined(self.families.iter().map(|family| family.name().to_owned()).collect());
            format!(
                "Generated {families} of {sizes} symbols, nodes or rows, from seed {}.",
                self.seed
            )
        } else {
            let files = self.input.iter().map(|path| path.display().to_string()).collect();
            format!("Of {}.", joined(files))
        }
    }
}

/// Symbols, nodes or rows; more would make a prompt that is too long for any model.
pub(super) fn size() -> impl TypedValueParser<Value = u64> {
    clap::value_parser!(u64).range(1..=100_000)
}
