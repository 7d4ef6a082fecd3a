//! Documents as programs print them, in every form: JSON, YAML, CSV, TOON, GCX1 and GCF.

mod csv;
mod document;
mod form;
mod measured;
mod page;
mod record;
mod yaml;

use std::path::Path;

use wire_tokens::measure::part_saved;
use wire_tokens::{Counter, Counts};

use self::form::JSON;
use self::measured::Measured;
use self::record::Record;
use crate::card::Scorecard;
use crate::error::Error;
use crate::fixtures::Fixtures;

/// The documents that the repository makes itself.
const MADE: &str = "payloads/real";

/// The sizes of documents in each form: those that the repository generates, and those that were
/// collected from programs.
#[derive(Debug)]
pub struct Real {
    made: Vec<Measured>,
    fetched: Record,
    counters: Vec<Counter>,
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
            None => Record::kept(),
        };
        Ok(Real { made, fetched, counters: counters.to_vec() })
    }

    /// The scorecard.
    pub fn card(&self) -> Scorecard {
        page::card(&self.made, &self.fetched, &self.counters)
    }

    /// The counts of what was collected, as JSON with a final newline.
    pub fn record(&self) -> String {
        self.fetched.to_json()
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

    /// The tokens of all documents of a kind in a form; `None` if the form can't represent all of
    /// them, or nothing was counted.
    pub fn tokens(&self, kind: &str, form: &str, counter: Counter) -> Option<usize> {
        page::sum(self.all().filter(|it| it.kind == kind), |it| it.tokens(form, counter))
    }

    /// The tokens of all documents of a kind, each in what
    /// [`wirefmt auto`](https://github.com/wire-formats/wire) chooses.
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
