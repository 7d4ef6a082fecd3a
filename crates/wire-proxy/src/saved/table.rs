//! The table of calls: a row for each tool and reader. Savings are stated against minified JSON
//! first.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

use clap::ValueEnum;
use std::collections::BTreeMap;

use comfy_table::CellAlignment;
use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};

use wire_mcp::Tokens;
use wire_tokens::measure::{part_saved, percent};

use crate::log::Line;
use crate::text::printable;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// For people.
    Text,
    /// For pages.
    Markdown,
    /// For programs: one object a row.
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reader {
    Content,
    Structured,
    Both,
    /// The model, of a client that is known.
    Shown,
}

impl Reader {
    fn name(self) -> &'static str {
        match self {
            Reader::Content => "content",
            Reader::Structured => "structuredContent",
            Reader::Both => "both",
            Reader::Shown => "as shown",
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    calls: usize,
    tokens: Tokens,
    milliseconds: f64,
}

/// Calls by tool and reader.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: BTreeMap<(String, Reader), Sum>,
    total: BTreeMap<Reader, Sum>,
}

/// What the savings are stated against first: minified JSON in statistics (ruling M8), what the
/// server sent where a server is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Against {
    Minified,
    Sent,
}

impl Table {
    pub(crate) fn is_empty(&self) -> bool {
        self.total.is_empty()
    }

    /// Adds a call. Readers of `structuredContent` see the texts of results without it. What a model
    /// is shown is known of some clients only.
    pub(crate) fn add(&mut self, line: &Line) {
        let structured = line.structured.unwrap_or(line.content);
        let both = line.both.unwrap_or(line.content);
        let readers = [
            (Reader::Content, line.content),
            (Reader::Structured, structured),
            (Reader::Both, both),
        ];
        for (reader, tokens) in readers {
            self.total.entry(reader).or_default().add(tokens, line.milliseconds);
            if reader == Reader::Content || line.structured.is_some() {
                let key = (line.tool.clone(), reader);
                self.rows.entry(key).or_default().add(tokens, line.milliseconds);
            }
        }
        self.add_shown(line);
    }

    /// Adds a call as its client shows it, alone.
    pub(crate) fn add_shown(&mut self, line: &Line) {
        let Some(tokens) = line.shown else { return };
        let key = (line.tool.clone(), Reader::Shown);
        self.rows.entry(key).or_default().add(tokens, line.milliseconds);
        self.total.entry(Reader::Shown).or_default().add(tokens, line.milliseconds);
    }

    pub(crate) fn shown(&self, format: TableFormat, against: Against) -> String {
        let total = self.total.iter().map(|(reader, sum)| ("all", *reader, *sum));
        let rows = self.rows.iter().map(|((tool, reader), sum)| (&**tool, *reader, *sum));
        let rows = rows.chain(total);
        if format == TableFormat::Json {
            return rows.map(|(tool, reader, sum)| sum.json(tool, reader)).collect();
        }
        let mut table = comfy_table::Table::new();
        let preset = if format == TableFormat::Text { NOTHING } else { ASCII_MARKDOWN };
        let header = match against {
            Against::Minified => &[
                "as sent",
                "minified",
                "through",
                "saved of minified",
                "saved of sent",
                "ms a call",
            ][..],
            Against::Sent => &["as sent", "through", "saved", "minified", "saved of minified"],
        };
        let header = ["tool", "reader", "calls"].iter().chain(header);
        table.load_preset(preset).set_header(header.copied());
        for (tool, reader, sum) in rows {
            table.add_row(sum.cells(tool, reader, against));
        }
        for column in table.column_iter_mut().skip(2) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.to_string().lines().flat_map(|line| [line.trim_end(), "\n"]).collect()
    }
}

impl Sum {
    fn add(&mut self, tokens: Tokens, milliseconds: f64) {
        self.calls += 1;
        self.milliseconds += milliseconds;
        self.tokens = self.tokens.plus(tokens);
    }

    fn milliseconds_a_call(&self) -> f64 {
        self.milliseconds / self.calls.max(1) as f64
    }

    fn cells(&self, tool: &str, reader: Reader, against: Against) -> Vec<String> {
        let Tokens { came, minified, went, .. } = self.tokens;
        let [of_sent, of_minified] = [saved(came, went), saved(minified, went)];
        let [came, minified, went] = [came, minified, went].map(|tokens| tokens.to_string());
        let first =
            [printable(tool).replace('|', "\\|"), reader.name().to_owned(), self.calls.to_string()];
        let counts = match against {
            Against::Minified => {
                let time = format!("{:.2}", self.milliseconds_a_call());
                vec![came, minified, went, of_minified, of_sent, time]
            }
            Against::Sent => vec![came, went, of_sent, minified, of_minified],
        };
        first.into_iter().chain(counts).collect()
    }

    fn json(&self, tool: &str, reader: Reader) -> String {
        let row = serde_json::json!({
            "tool": tool,
            "reader": reader.name(),
            "calls": self.calls,
            "came": self.tokens.came,
            "minified": self.tokens.minified,
            "went": self.tokens.went,
            "milliseconds": self.milliseconds,
        });
        format!("{row}\n")
    }
}

/// The difference of two numbers, in percent of the first.
fn saved(before: usize, after: usize) -> String {
    if before == 0 { "-".to_owned() } else { percent(part_saved(before, after)) }
}
