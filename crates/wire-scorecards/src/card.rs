//! A scorecard: sections with a table each, as Markdown and as JSON, and a chart.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use wire_tokens::measure::{median, part_saved, percent};
use wire_tokens::{Counter, Counts, Tokens};

use crate::chart::Chart;

/// A scorecard.
#[derive(Debug)]
pub struct Scorecard {
    /// The name of its files.
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// The measurement and its method.
    pub(crate) intro: String,
    /// The command that prints it.
    pub(crate) command: &'static str,
    pub(crate) sections: Vec<Section>,
    pub(crate) chart: Option<Chart>,
}

/// A table, and the text before it.
#[derive(Debug)]
pub(crate) struct Section {
    pub(crate) heading: String,
    pub(crate) intro: String,
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// A cell of a table.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Cell {
    /// There is nothing to say.
    None,
    Text(String),
    Count(usize),
    Tokens(Tokens),
    /// A part of a whole, 1 is all of it.
    Part(f64),
    /// Microseconds.
    Micros(f64),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

impl Cell {
    /// The form of a table's cell.
    fn markdown(&self) -> String {
        match self {
            Cell::None => "–".to_owned(),
            Cell::Text(text) => text.replace('|', "\\|"),
            Cell::Count(count) => count.to_string(),
            Cell::Tokens(tokens) => tokens.to_string(),
            Cell::Part(part) => percent(*part),
            Cell::Micros(micros) => format!("{micros:.1} µs"),
        }
    }

    /// Numbers as numbers: parts with four decimals, estimates with a mark.
    fn value(&self) -> Value {
        let rounded = |number: f64, to: f64| ((number * to).round() / to).into();
        match self {
            Cell::None => Value::Null,
            Cell::Text(text) => text.as_str().into(),
            Cell::Count(count) | Cell::Tokens(Tokens { count, estimated: false }) => {
                (*count).into()
            }
            Cell::Tokens(Tokens { count, estimated: true }) => {
                json!({ "tokens": count, "estimated": true })
            }
            Cell::Part(part) => rounded(*part, 10_000.0),
            Cell::Micros(micros) => rounded(*micros, 10.0),
        }
    }
}

impl Section {
    pub(crate) fn new(heading: impl Into<String>, columns: &[&str]) -> Self {
        Section {
            heading: heading.into(),
            intro: String::new(),
            columns: columns.iter().map(|column| (*column).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    #[must_use]
    pub(crate) fn with_intro(mut self, intro: impl Into<String>) -> Self {
        self.intro = intro.into();
        self
    }

    /// The tokens of texts in pretty JSON, in minified JSON and in a format, what the format saves
    /// of both, and the medians of that.
    pub(crate) fn of_tokens<'t>(
        format: &str,
        (counts, counter): (&Counts, Counter),
        texts: impl Iterator<Item = (&'t str, [&'t str; 3])>,
    ) -> Self {
        let columns =
            ["response", "pretty JSON", "JSON", format, "saved of JSON", "saved of pretty JSON"];
        let mut section = Section::new(format!("Tokens by {counter}"), &columns);
        let (mut of_json, mut of_pretty) = (Vec::new(), Vec::new());
        for (name, texts) in texts {
            let [pretty, json, ours] = texts.map(|text| counts.tokens(counter, text));
            of_json.push(part_saved(json.count, ours.count));
            of_pretty.push(part_saved(pretty.count, ours.count));
            section.row(vec![
                name.into(),
                Cell::Tokens(pretty),
                Cell::Tokens(json),
                Cell::Tokens(ours),
                Cell::Part(part_saved(json.count, ours.count)),
                Cell::Part(part_saved(pretty.count, ours.count)),
            ]);
        }
        let mut last = vec!["**median**".into(), Cell::None, Cell::None, Cell::None];
        last.extend([Cell::Part(median(of_json)), Cell::Part(median(of_pretty))]);
        section.row(last);
        section
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        assert_eq!(cells.len(), self.columns.len(), "{}", self.heading);
        self.rows.push(cells);
    }

    fn markdown(&self, text: &mut String) {
        let _ = writeln!(text, "\n## {}\n", self.heading);
        if !self.intro.is_empty() {
            let _ = writeln!(text, "{}\n", self.intro);
        }
        let _ = writeln!(text, "| {} |", self.columns.join(" | "));
        text.push('|');
        for index in 0..self.columns.len() {
            let is_text = |row: &Vec<Cell>| matches!(row[index], Cell::Text(_));
            text.push_str(if self.rows.iter().any(is_text) { "---|" } else { "---:|" });
        }
        text.push('\n');
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::markdown).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
    }

    fn object(&self) -> Value {
        let row = |cells: &Vec<Cell>| -> Value {
            let members = self.columns.iter().zip(cells);
            members.map(|(name, cell)| (name.clone(), cell.value())).collect::<Map<_, _>>().into()
        };
        let rows: Vec<Value> = self.rows.iter().map(row).collect();
        json!({ "heading": self.heading, "about": self.intro, "rows": rows })
    }
}

impl Scorecard {
    /// The name of its files, which is that of its card: `packs`, `tools`, `queries`, `delta`,
    /// `real` or `latency`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The tables as Markdown, after a link to the file of the chart.
    pub fn markdown(&self) -> String {
        let mut text =
            format!("# {}\n\n{}\n\n```sh\n{}\n```\n", self.title, self.intro, self.command);
        if self.chart.is_some() {
            let _ = writeln!(text, "\n![{}]({}.svg)", self.title, self.name);
        }
        for section in &self.sections {
            section.markdown(&mut text);
        }
        text
    }

    /// The tables as one JSON object, indented, with a final newline.
    pub fn json(&self) -> String {
        format!("{:#}\n", self.object())
    }

    /// The chart as SVG; `None` if the card has no chart.
    pub fn svg(&self) -> Option<String> {
        self.chart.as_ref().map(Chart::svg)
    }

    /// Its files: their names and contents.
    pub fn files(&self) -> Vec<(String, String)> {
        let name = self.name;
        let mut files =
            vec![(format!("{name}.md"), self.markdown()), (format!("{name}.json"), self.json())];
        files.extend(self.svg().map(|svg| (format!("{name}.svg"), svg)));
        files
    }

    fn object(&self) -> Value {
        let sections: Vec<Value> = self.sections.iter().map(Section::object).collect();
        json!({ "card": self.name, "title": self.title, "about": self.intro, "sections": sections })
    }
}

/// Several scorecards as one Markdown text.
pub fn markdown(cards: &[Scorecard]) -> String {
    let texts: Vec<String> = cards.iter().map(Scorecard::markdown).collect();
    texts.join("\n")
}

/// Several scorecards as one JSON object, indented, with a final newline.
pub fn json(cards: &[Scorecard]) -> String {
    let cards: Vec<Value> = cards.iter().map(Scorecard::object).collect();
    format!("{:#}\n", json!({ "cards": cards }))
}
