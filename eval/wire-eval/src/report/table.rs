//! Tables, as Markdown and as JSON.

use std::fmt::Write as _;

use serde_json::{Value, json};
use wire_tokens::measure::percent;

use super::stats::Part;

/// A table of a report.
pub(crate) struct Table {
    heading: String,
    /// The text before the table.
    about: String,
    columns: Vec<String>,
    /// The first cell of a row is text, and so may others be.
    rows: Vec<Vec<Cell>>,
}

/// A cell.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Nothing,
    Text(String),
    Count(usize),
    /// Tokens, rounded.
    Mean(f64),
    /// A rate with its interval.
    Rate(Part),
    /// How many of how many.
    Of(Part),
    /// An amount, in hundredths.
    Money(f64),
    /// A number with one decimal.
    Tenths(f64),
    /// A part of a whole, 1 is all of it.
    Ratio(f64),
    /// A probability.
    Chance(f64),
    /// A difference of rates, with its interval if it has one.
    Difference(f64, Option<(f64, f64)>),
    /// A log-probability or a difference of such, with its interval if it has one.
    Log(f64, Option<(f64, f64)>),
}

impl Cell {
    fn markdown(&self) -> String {
        match self {
            Cell::Text(text) => text.replace('|', "\\|"),
            Cell::Count(count) => count.to_string(),
            Cell::Mean(mean) => format!("{mean:.0}"),
            Cell::Money(amount) => format!("{amount:.2}"),
            Cell::Tenths(number) => format!("{number:.1}"),
            Cell::Rate(part) => match (part.rate(), part.interval()) {
                (Some(rate), Some((low, high))) => {
                    format!("{} ({:.0}–{:.0})", percent(rate), low * 100.0, high * 100.0)
                }
                _ => "–".to_owned(),
            },
            Cell::Nothing | Cell::Of(Part { of: 0, .. }) => "–".to_owned(),
            Cell::Of(part) => format!("{} of {}", part.right, part.of),
            Cell::Ratio(ratio) => percent(*ratio),
            Cell::Chance(chance) if *chance < 0.001 => "< 0.001".to_owned(),
            Cell::Chance(chance) => format!("{chance:.3}"),
            Cell::Log(mean, interval) => {
                let log = |log: f64| match format!("{log:.1}").as_str() {
                    "-0.0" => "0.0".to_owned(),
                    log => log.replace('-', "−"),
                };
                let interval =
                    interval.map(|(low, high)| format!(" ({} to {})", log(low), log(high)));
                format!("{}{}", log(*mean), interval.unwrap_or_default())
            }
            Cell::Difference(mean, interval) => {
                let points = |rate: f64| match format!("{:+.0}", rate * 100.0).as_str() {
                    "+0" | "-0" => "0".to_owned(),
                    points => points.replace('-', "−"),
                };
                let interval =
                    interval.map(|(low, high)| format!(" ({} to {})", points(low), points(high)));
                format!("{}{}", points(*mean), interval.unwrap_or_default())
            }
        }
    }

    fn value(&self) -> Value {
        let rounded = |number: f64| ((number * 10_000.0).round() / 10_000.0).into();
        match self {
            Cell::Nothing => Value::Null,
            Cell::Text(text) => text.as_str().into(),
            Cell::Count(count) => (*count).into(),
            Cell::Mean(number)
            | Cell::Money(number)
            | Cell::Tenths(number)
            | Cell::Ratio(number)
            | Cell::Chance(number) => rounded(*number),
            Cell::Difference(mean, interval) => {
                let interval = interval.map(|(low, high)| [low, high].map(rounded));
                json!({ "points": rounded(*mean), "interval": interval })
            }
            Cell::Log(mean, interval) => {
                let interval = interval.map(|(low, high)| [low, high].map(rounded));
                json!({ "log": rounded(*mean), "interval": interval })
            }
            Cell::Of(part) => json!({ "right": part.right, "of": part.of }),
            Cell::Rate(part) => {
                let interval = part.interval().map(|(low, high)| [low, high].map(rounded));
                json!({ "right": part.right, "of": part.of, "rate": part.rate().map(rounded), "interval": interval })
            }
        }
    }
}

impl Table {
    pub(crate) fn new(heading: impl Into<String>, about: &str, columns: &[&str]) -> Self {
        Table {
            heading: heading.into(),
            about: about.to_owned(),
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        assert_eq!(cells.len(), self.columns.len(), "{}", self.heading);
        self.rows.push(cells);
    }

    /// As Markdown, beneath a heading of this level.
    pub(crate) fn markdown(&self, level: usize) -> String {
        let mut text = format!("\n{} {}\n\n", "#".repeat(level), self.heading);
        if !self.about.is_empty() {
            let _ = writeln!(text, "{}\n", self.about);
        }
        let _ = writeln!(text, "| {} |", self.columns.join(" | "));
        text.push_str("|---|");
        text.push_str(&"---:|".repeat(self.columns.len() - 1));
        text.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::markdown).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }

    /// As an object: the rows as objects by the columns.
    pub(crate) fn object(&self) -> Value {
        let row = |cells: &Vec<Cell>| -> Value {
            let members = self.columns.iter().zip(cells);
            members.map(|(name, cell)| (name.clone(), cell.value())).collect()
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        json!({ "heading": self.heading, "about": self.about, "rows": rows })
    }
}
