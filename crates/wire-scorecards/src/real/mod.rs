//! Documents as programs print them, in every form: JSON, YAML, CSV, TOON, GCX1 and GCF.

mod csv;
mod document;
mod form;
mod measured;
mod page;
mod yaml;

use std::path::Path;

use serde::{Deserialize, Serialize};
use wire_tokens::measure::part_saved;
use wire_tokens::{Counter, Counts};

use self::document::Sources;
use self::form::JSON;
use self::measured::{Measured, Times};
use crate::card::Scorecard;
use crate::error::Error;
use crate::fixtures::Fixtures;

/// The documents that the repository makes itself.
const MADE: &str = "payloads/real";
/// The counts of what was collected from package managers and servers; `cargo xtask real-data`
/// writes it.
const RECORD: &str = include_str!("fetched.json");

/// What documents use in each form: those that the repository makes itself, and those that were
/// collected from programs.
#[derive(Debug)]
pub struct Real {
    made: Vec<Measured>,
    fetched: Record,
    counters: Vec<Counter>,
}

/// What was counted of a collection. The collection itself is not kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Record {
    #[serde(skip_serializing_if = "Option::is_none")]
    date: Option<String>,
    tools: Vec<String>,
    times: Vec<Times>,
    documents: Vec<Measured>,
}

impl Real {
    pub(crate) fn measure(
        fixtures: &Fixtures,
        counts: &Counts,
        counters: &[Counter],
        folder: Option<&Path>,
    ) -> Result<Self, Error> {
        let (made, _) = document::documents(&fixtures.below(MADE)?)?;
        let made = made.iter().map(|it| Measured::of(it, counters, counts)).collect();
        let fetched = match folder {
            Some(folder) => Record::of(folder, counts, counters)?,
            None => serde_json::from_str(RECORD).expect("because a test reads the record"),
        };
        Ok(Real { made, fetched, counters: counters.to_vec() })
    }

    /// The scorecard.
    pub fn card(&self) -> Scorecard {
        page::card(&self.made, &self.fetched, &self.counters)
    }

    /// The counts of what was collected, as JSON with a final newline.
    pub fn record(&self) -> String {
        const NEVER: &str = "because it is maps with names and finite numbers";
        let line = |it: &Measured| serde_json::to_string(it).expect(NEVER);
        let head = Record { documents: Vec::new(), ..self.fetched.clone() };
        let head = serde_json::to_string(&head).expect(NEVER);
        let lines: Vec<String> = self.fetched.documents.iter().map(line).collect();
        // A line for each document, so that a new collection shows what changed.
        format!("{}\n{}\n]}}\n", head.trim_end_matches("]}"), lines.join(",\n"))
    }

    /// The kinds of documents, those of the repository first.
    pub fn kinds(&self) -> Vec<&str> {
        let mut kinds: Vec<&str> = self.all().map(|it| &*it.kind).collect();
        kinds.dedup();
        kinds
    }

    /// The names of the forms, in the order of the page.
    pub fn forms() -> impl Iterator<Item = &'static str> {
        form::FORMS.iter().map(|form| form.name)
    }

    /// The tokens of all documents of a kind in a form; none where the form does not hold all of
    /// them, or nothing was counted.
    pub fn tokens(&self, kind: &str, form: &str, counter: Counter) -> Option<usize> {
        page::sum(self.all().filter(|it| it.kind == kind), |it| it.tokens(form, counter))
    }

    /// The tokens of all documents of a kind, each in what
    /// [`wirefmt auto`](https://github.com/wire-formats/wire) takes.
    pub fn cheapest(&self, kind: &str, counter: Counter) -> Option<usize> {
        page::sum(self.all().filter(|it| it.kind == kind), |it| Some(it.cheapest(counter)?.1))
    }

    /// The part of minified JSON's tokens that a form saves of a kind; negative where it has more.
    pub fn saved(&self, kind: &str, form: &str, counter: Counter) -> Option<f64> {
        Some(part_saved(self.tokens(kind, JSON, counter)?, self.tokens(kind, form, counter)?))
    }

    /// The day of the collection: `2026-11-24`.
    pub fn date(&self) -> Option<&str> {
        self.fetched.date.as_deref()
    }

    fn all(&self) -> impl Iterator<Item = &Measured> {
        self.made.iter().chain(&self.fetched.documents)
    }
}

impl Record {
    fn of(folder: &Path, counts: &Counts, counters: &[Counter]) -> Result<Self, Error> {
        let (documents, sources) = document::documents(folder)?;
        let Sources { date, tools, .. } = sources.unwrap_or_default();
        Ok(Record {
            date: (!date.is_empty()).then_some(date),
            tools,
            times: measured::times(&documents),
            documents: documents.iter().map(|it| Measured::of(it, counters, counts)).collect(),
        })
    }
}
