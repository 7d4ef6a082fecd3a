//! The table of calls: a row for each tool.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

use clap::ValueEnum;
use std::collections::BTreeMap;

use comfy_table::CellAlignment;
use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};

use wire_mcp::Tokens;
use wire_tokens::measure::{part_saved, percent};

use crate::text::{change, grouped, printable};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people.
    Text,
    /// For pages.
    Markdown,
    /// For programs: one object a row.
    Json,
}

/// The tokens of calls as a client shows their results.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sum {
    pub(crate) calls: usize,
    pub(crate) tokens: Tokens,
    /// Of the results that have fewer tokens.
    written: Tokens,
    /// What the form saves of these, against minified JSON.
    form: usize,
    milliseconds: f64,
}

impl Sum {
    /// Adds a call: what its client shows, and its `content`.
    pub(crate) fn add(&mut self, shown: Tokens, content: Tokens, milliseconds: f64) {
        self.calls += 1;
        self.milliseconds += milliseconds;
        self.tokens = self.tokens.plus(shown);
        if shown.went < shown.came {
            self.written = self.written.plus(shown);
            let form = content.minified.saturating_sub(content.went);
            self.form += form.min(shown.came - shown.went);
        }
    }

    pub(crate) fn plus(&mut self, other: &Sum) {
        self.calls += other.calls;
        self.tokens = self.tokens.plus(other.tokens);
        self.written = self.written.plus(other.written);
        self.form += other.form;
        self.milliseconds += other.milliseconds;
    }

    /// The tokens before and after, and what made the difference.
    pub(crate) fn said(&self) -> String {
        let Tokens { came, went, .. } = self.tokens;
        let rest = came.saturating_sub(went + self.form);
        let by = match (self.form, rest) {
            _ if went >= came => String::new(),
            (0, _) => ", all of it white space or a second copy".to_owned(),
            (_, 0) => ", all of it by the form".to_owned(),
            (form, rest) => format!(
                ": the form {}, white space or a second copy {}",
                change(came, came - form),
                change(came, came - rest)
            ),
        };
        format!(
            "{} → {} tokens ({}{by})",
            grouped(came as u64),
            grouped(went as u64),
            change(came, went)
        )
    }

    /// The cells after the names. Where nothing was written, minified JSON is no measure.
    pub(crate) fn cells(&self) -> [String; 5] {
        let Tokens { came, went, .. } = self.tokens;
        let of_minified = saved(self.written.minified, self.written.went);
        let [calls, sent, through] = [self.calls, came, went].map(|count| grouped(count as u64));
        [calls, sent, through, saved(came, went), of_minified]
    }
}

/// The difference of two numbers, in percent of the first.
fn saved(before: usize, after: usize) -> String {
    if before == 0 { "-".to_owned() } else { percent(part_saved(before, after)) }
}

/// The headings of [`Sum::cells`].
pub(crate) const HEADINGS: [&str; 5] = ["calls", "as sent", "through", "saved", "of minified JSON"];

/// Calls by tool.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: BTreeMap<String, Sum>,
}

impl Table {
    /// The sum of a tool.
    pub(crate) fn of(&mut self, tool: &str) -> &mut Sum {
        self.rows.entry(tool.to_owned()).or_default()
    }

    pub(crate) fn total(&self) -> Sum {
        let mut total = Sum::default();
        self.rows.values().for_each(|row| total.plus(row));
        total
    }

    /// The table, or nothing if there is no call.
    pub(crate) fn shown(&self, format: TableFormat) -> String {
        if format == TableFormat::Json {
            let json = |(tool, sum): (&String, &Sum)| {
                let Tokens { came, minified, went, .. } = sum.tokens;
                let row = serde_json::json!({
                    "tool": tool, "calls": sum.calls, "came": came, "minified": minified,
                    "went": went, "milliseconds": sum.milliseconds,
                });
                format!("{row}\n")
            };
            return self.rows.iter().map(json).collect();
        }
        let rows = self.rows.iter().map(|(tool, sum)| (vec![tool.clone()], *sum));
        drawn(&["tool"], rows.collect(), format)
    }
}

/// A table of sums with their names, and the sum of all if there are several.
pub(crate) fn drawn(
    names: &[&str],
    mut rows: Vec<(Vec<String>, Sum)>,
    format: TableFormat,
) -> String {
    if rows.is_empty() {
        return String::new();
    }
    if rows.len() > 1 {
        let mut total = Sum::default();
        for (_, sum) in &rows {
            total.plus(sum);
        }
        rows.push((vec!["all".to_owned(); names.len()], total));
    }
    let mut table = comfy_table::Table::new();
    let preset = if format == TableFormat::Text { NOTHING } else { ASCII_MARKDOWN };
    table.load_preset(preset).set_header(names.iter().chain(&HEADINGS));
    for (own, sum) in rows {
        let own = own.iter().map(|name| printable(name).replace('|', "\\|"));
        table.add_row(own.chain(sum.cells()));
    }
    for column in table.column_iter_mut().skip(names.len()) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.to_string().lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
}
