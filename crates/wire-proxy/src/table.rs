//! The table of calls: a row for each tool and reader. Savings are stated against minified JSON
//! first.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

use std::collections::BTreeMap;

use comfy_table::CellAlignment;
use comfy_table::presets::{ASCII_MARKDOWN, NOTHING};

use crate::args::TableFormat;
use crate::call::{Line, Tokens};

/// The reader of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reader {
    Content,
    Structured,
    Both,
    /// The model, of a client that is known.
    Shown,
    /// For lists of tools: descriptions with the primer.
    Descriptions,
}

impl Reader {
    fn name(self) -> &'static str {
        match self {
            Reader::Content => "content",
            Reader::Structured => "structuredContent",
            Reader::Both => "both",
            Reader::Shown => "as shown",
            Reader::Descriptions => "descriptions",
        }
    }
}

/// The sums.
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

const HEADER: [&str; 8] = [
    "tool",
    "reader",
    "calls",
    "as sent",
    "minified",
    "through",
    "saved of minified",
    "saved of sent",
];

impl Table {
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
        if let Some(tokens) = line.shown {
            let key = (line.tool.clone(), Reader::Shown);
            self.rows.entry(key).or_default().add(tokens, line.milliseconds);
            self.total.entry(Reader::Shown).or_default().add(tokens, line.milliseconds);
        }
    }

    /// Adds what the primer put into a list of tools. Every reader pays it.
    pub(crate) fn add_primer(&mut self, tokens: usize) {
        let added = Tokens { went: tokens, ..Tokens::default() };
        let key = ("tools/list".to_owned(), Reader::Descriptions);
        self.rows.entry(key).or_default().add(added, 0.0);
        for reader in [Reader::Content, Reader::Structured, Reader::Both] {
            self.total.entry(reader).or_default().tokens.went += tokens;
        }
    }

    /// The table in a format.
    pub(crate) fn shown(&self, format: TableFormat) -> String {
        let total = self.total.iter().map(|(reader, sum)| ("all", *reader, *sum));
        let rows = self.rows.iter().map(|((tool, reader), sum)| (&**tool, *reader, *sum));
        let rows = rows.chain(total);
        if format == TableFormat::Json {
            return rows.map(|(tool, reader, sum)| sum.json(tool, reader)).collect();
        }
        let mut table = comfy_table::Table::new();
        let preset = if format == TableFormat::Text { NOTHING } else { ASCII_MARKDOWN };
        table.load_preset(preset).set_header(HEADER.into_iter().chain(["ms a call"]));
        for (tool, reader, sum) in rows {
            table.add_row(sum.cells(tool, reader));
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
        self.tokens.came += tokens.came;
        self.tokens.minified += tokens.minified;
        self.tokens.went += tokens.went;
    }

    fn milliseconds_a_call(&self) -> f64 {
        self.milliseconds / self.calls.max(1) as f64
    }

    fn cells(&self, tool: &str, reader: Reader) -> Vec<String> {
        let Tokens { came, minified, went } = self.tokens;
        vec![
            printable(tool).replace('|', "\\|"),
            reader.name().to_owned(),
            self.calls.to_string(),
            came.to_string(),
            minified.to_string(),
            went.to_string(),
            saved(minified, went),
            saved(came, went),
            format!("{:.2}", self.milliseconds_a_call()),
        ]
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

/// A text of a server, which a terminal must not obey.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// The difference of two numbers, in percent of the first.
fn saved(before: usize, after: usize) -> String {
    if before == 0 {
        return "-".to_owned();
    }
    let part = 100.0 - 100.0 * after as f64 / before as f64;
    format!("{part:.1} %")
}
