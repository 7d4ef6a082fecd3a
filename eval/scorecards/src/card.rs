//! A scorecard: sections with a table each, as Markdown.

use std::fmt::Write as _;

use wire_tokens::measure::{change, median, part_saved, percent};
use wire_tokens::{Counter, Tokens};

use crate::scorecards::{gzip, tokens};

/// A scorecard.
pub(crate) struct Scorecard {
    pub(crate) title: &'static str,
    /// The measurement and its method.
    pub(crate) intro: String,
    pub(crate) sections: Vec<Section>,
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
    /// A saved part, shown as the change: minus is fewer.
    Saved(f64),
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.to_owned())
    }
}

macro_rules! cells {
    ($($kind:ident: $type:ty;)*) => {$(
        impl From<$type> for Cell {
            fn from(cell: $type) -> Self {
                Cell::$kind(cell)
            }
        }
    )*};
}

cells! { Text: String; Count: usize; Tokens: Tokens; Saved: f64; }

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(cell: Option<T>) -> Self {
        cell.map_or(Cell::None, T::into)
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
            Cell::Saved(part) => change(*part),
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

    /// The tokens of texts in pretty JSON, in minified JSON and in a format, the changes
    /// against both, and the medians of that.
    pub(crate) fn of_tokens<'t>(
        format: &str,
        counter: Counter,
        texts: impl Iterator<Item = (&'t str, [&'t str; 3])>,
    ) -> Self {
        let columns =
            ["response", "pretty JSON", "JSON", format, "against JSON", "against pretty JSON"];
        let mut section = Section::new(format!("Tokens by {counter}"), &columns);
        let (mut of_json, mut of_pretty) = (Vec::new(), Vec::new());
        for (name, texts) in texts {
            let [pretty, json, ours] = texts.map(|text| tokens(counter, text));
            of_json.push(part_saved(json.count, ours.count));
            of_pretty.push(part_saved(pretty.count, ours.count));
            let mut row = vec![name.into()];
            row.extend([pretty, json, ours].map(Cell::Tokens));
            row.extend([json, pretty].map(|it| part_saved(it.count, ours.count).into()));
            section.row(row);
        }
        let mut last = vec!["**median**".into(), Cell::None, Cell::None, Cell::None];
        last.extend([Cell::Saved(median(of_json)), Cell::Saved(median(of_pretty))]);
        section.row(last);
        section
    }

    /// The bytes of texts in pretty JSON, in minified JSON and in a format, plain and after gzip,
    /// the changes, and their medians.
    pub(crate) fn of_bytes<'t>(
        format: &str,
        more: &[&str],
        rows: impl Iterator<Item = (&'t str, Vec<Cell>, [&'t str; 3], bool)>,
    ) -> Self {
        let [zipped_json, zipped] = ["JSON", format].map(|name| format!("gzip: {name}"));
        let mut columns = [&["response"], more, &["pretty JSON", "JSON", format]].concat();
        columns.extend(["against JSON", &zipped_json, &zipped, "gzip: against JSON", "round trip"]);
        let mut section = Section::new("Bytes", &columns);
        let (mut plain, mut small) = (Vec::new(), Vec::new());
        let (mut whole, mut all) = (0, 0);
        for (name, more, [pretty, json, ours], comes_back) in rows {
            let gzipped = [json, ours].map(|text| gzip(text.as_bytes()));
            let parts = [part_saved(json.len(), ours.len()), part_saved(gzipped[0], gzipped[1])];
            let mut row = vec![name.into()];
            row.extend(more);
            row.extend([pretty, json, ours].map(|text| Cell::Count(text.len())));
            row.extend([parts[0].into(), gzipped[0].into(), gzipped[1].into(), parts[1].into()]);
            row.push(if comes_back { "yes" } else { "no" }.into());
            section.row(row);
            plain.push(parts[0]);
            small.push(parts[1]);
            (whole, all) = (whole + usize::from(comes_back), all + 1);
        }
        let mut last = vec!["**median**".into()];
        last.extend(std::iter::repeat_n(Cell::None, more.len() + 3));
        last.extend([median(plain).into(), Cell::None, Cell::None, median(small).into()]);
        last.push(Cell::Text(format!("{whole} of {all}")));
        section.row(last);
        section
    }

    /// The figures that a format's authors state, and those that are measured here.
    pub(crate) fn beside(intro: &str) -> Self {
        let columns = ["figure", "stated", "here", "measured on"];
        Section::new("Beside the format's own figures", &columns).with_intro(intro)
    }

    /// A row of such figures.
    pub(crate) fn figure(
        &mut self,
        figure: &str,
        stated: impl Into<Cell>,
        here: impl Into<Cell>,
        on: &str,
    ) {
        self.row(vec![figure.into(), stated.into(), here.into(), on.into()]);
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
}

impl Scorecard {
    /// The tables as Markdown.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("# {}\n\n{}\n", self.title, self.intro);
        for section in &self.sections {
            section.markdown(&mut text);
        }
        text
    }
}
