//! `wire-eval cost`: the tokens of each format by every counter, compared with minified and pretty
//! JSON.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use serde_json::{Value, json};
use wire_tokens::{Counter, Counts};

use crate::args::counter::counter;
use crate::args::dataset::DatasetOptions;
use crate::arm::{self, Arm};
use crate::dataset::{Family, Named};
use crate::failure::{Failure, print, read, say};
use crate::report::ReportFormat;
use crate::report::stats::{mean_and_median, number};
use crate::report::table::{Cell, Table};

/// What to count, and by what.
#[derive(Clone, Debug, Args)]
pub(crate) struct CostOptions {
    #[command(flatten)]
    dataset: DatasetOptions,

    /// Counters, comma-separated [default: all].
    #[arg(long, value_name = "COUNTER", value_delimiter = ',', value_parser = counter())]
    counter: Vec<Counter>,

    /// A file of exact counts, which replace estimates. For each counter it has the SHA-256 of
    /// texts and their tokens: {"claude-opus-4.7": {"ba78…": 317}}
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    counts: Option<PathBuf>,

    /// Output format.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = ReportFormat::Markdown)]
    format: ReportFormat,
}

const BASELINES: [&str; 2] = ["json", "json-pretty"];

pub(crate) fn run(options: &CostOptions) -> Result<(), Failure> {
    let datasets = options.dataset.datasets(options.dataset.seed)?;
    let counts = options.counts.as_deref().map(counts).transpose()?.unwrap_or_default();
    let counters = if options.counter.is_empty() { Counter::ALL } else { &options.counter };
    let mut tables = Vec::new();
    for family in Family::ALL {
        let of: Vec<&Named> =
            datasets.iter().filter(|named| named.dataset.family() == family).collect();
        if of.is_empty() {
            continue;
        }
        // Data that one format can't represent is left out of all formats, so that all have the
        // same data.
        let arms: Vec<Arm> = arm::of_family(family).collect();
        let mut columns: Vec<(String, Vec<String>)> =
            arms.iter().map(|arm| (arm.name.clone(), Vec::new())).collect();
        let mut count = 0;
        for named in of {
            match row(named, &arms) {
                Ok(texts) => {
                    count += 1;
                    columns.iter_mut().zip(texts).for_each(|((_, column), text)| column.push(text));
                }
                Err(failure) => say("warning", &format!("{} is left out: {failure}", named.name)),
            }
        }
        for counter in counters {
            tables.push(table(family, &columns, *counter, &counts, count));
        }
    }
    match options.format {
        ReportFormat::Markdown => {
            let about = options.dataset.description();
            let tables: String = tables.iter().map(|table| table.markdown(2)).collect();
            print(&format!("# Token cost\n\n{about}\n{tables}"))
        }
        ReportFormat::Json => {
            let tables: Vec<Value> = tables.iter().map(Table::object).collect();
            let object = json!({ "about": options.dataset.description(), "tables": tables });
            print(&format!("{object:#}\n"))
        }
    }
}

/// The text of some data in each arm.
fn row(named: &Named, arms: &[Arm]) -> Result<Vec<String>, Failure> {
    let texts = arms.iter().map(|arm| {
        let text = arm.text(&named.dataset)?;
        Ok(text.expect("because it is an arm of this family"))
    });
    texts.collect()
}

fn table(
    family: Family,
    texts: &[(String, Vec<String>)],
    counter: Counter,
    counts: &Counts,
    datasets: usize,
) -> Table {
    let mut is_estimated = false;
    let mut tokens = |texts: &[String]| -> Vec<f64> {
        let count = |text: &String| {
            let tokens = counts.tokens(counter, text);
            is_estimated |= tokens.estimated;
            number(tokens.count)
        };
        texts.iter().map(count).collect()
    };
    let costs: Vec<(&str, Vec<f64>)> =
        texts.iter().map(|(name, texts)| (name.as_str(), tokens(texts))).collect();
    let mark = if is_estimated { ", estimated" } else { "" };
    let mut table = Table::new(
        format!("{}, by {counter}{mark}", family.name()),
        &format!(
            "{datasets} texts for each format. *Of … JSON* is the median over the texts of their tokens in proportion to the JSON of the \
             same data; it is not the ratio of the means."
        ),
        &["format", "mean tokens", "median tokens", "of minified JSON", "of pretty JSON"],
    );
    let base = |name: &str| costs.iter().find(|(arm, _)| *arm == name).map(|(_, costs)| costs);
    for (name, cost) in &costs {
        let (mean, median) = mean_and_median(cost.clone()).unwrap_or_default();
        let mut row = vec![Cell::Text((*name).to_owned()), Cell::Mean(mean), Cell::Mean(median)];
        row.extend(BASELINES.map(|name| {
            let base = base(name).into_iter().flatten();
            let ratios = cost.iter().zip(base).map(|(ours, json)| ours / json).collect();
            mean_and_median(ratios).map_or(Cell::Nothing, |(_, median)| Cell::Ratio(median))
        }));
        table.row(row);
    }
    table
}

/// The counts of a file.
fn counts(path: &Path) -> Result<Counts, Failure> {
    Counts::from_json(read(path)?.as_bytes()).map_err(|error| Failure::Data {
        file: path.display().to_string(),
        message: error.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counted_text_is_not_estimated() {
        let file = r#"{"claude-opus-4.7": {"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad": 317}}"#;
        let counts = Counts::from_json(file.as_bytes()).unwrap();
        let page = |text: &str| {
            let texts = [("json".to_owned(), vec![text.to_owned()])];
            table(Family::Rows, &texts, Counter::ClaudeOpus47, &counts, 1).markdown(2)
        };
        let exact = page("abc");
        assert!(exact.contains(", by claude-opus-4.7\n"), "{exact}");
        assert!(exact.contains("| json | 317 | 317 |"), "{exact}");
        let estimate = page("abd");
        assert!(estimate.contains(", by claude-opus-4.7, estimated\n"), "{estimate}");
    }
}
