//! What measures: the payloads, the counters, and a card for each question.

use std::fs;
use std::path::{Path, PathBuf};

use wire_tokens::{Counter, Counts};

use crate::card::Scorecard;
use crate::error::Error;
use crate::fixtures::Fixtures;
use crate::real::Real;
use crate::{delta, latency, packs, queries, tools};

/// A scorecard's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Card {
    /// Six context packs in every format of payloads.
    Packs,
    /// Twenty responses of tools, as GCX and as JSON.
    Tools,
    /// Responses of graph queries, as GOON and as JSON.
    Queries,
    /// What sessions and deltas save when an agent asks again.
    Delta,
    /// What programs print, in our forms and in other people's.
    Real,
}

impl Card {
    /// All of them, in the order in which they are printed.
    pub const ALL: &'static [Card] =
        &[Card::Packs, Card::Tools, Card::Queries, Card::Delta, Card::Real];

    /// The default counters of its tokens.
    fn counters(self) -> &'static [Counter] {
        match self {
            Card::Packs | Card::Queries => Counter::OWN,
            Card::Tools => &[Counter::Cl100kBase, Counter::ClaudeOpus47],
            Card::Delta => &[Counter::WordPunctuation, Counter::Cl100kBase],
            Card::Real => &[Counter::O200kBase, Counter::Cl100kBase],
        }
    }
}

/// Measures the scorecards, on the payloads of a folder and by counters.
#[derive(Clone, Debug)]
pub struct Scorecards {
    fixtures: Fixtures,
    counters: Vec<Counter>,
    counts: Counts,
}

impl Scorecards {
    /// The scorecards of the payloads in a folder: that of the name `fixtures` in the repository.
    pub fn new(fixtures: impl Into<PathBuf>) -> Self {
        Scorecards {
            fixtures: Fixtures { folder: fixtures.into() },
            counters: Vec::new(),
            counts: Counts::default(),
        }
    }

    /// Sets what counts the tokens (default: two or three counters, by the card).
    #[must_use]
    pub fn counters(mut self, counters: Vec<Counter>) -> Self {
        self.counters = counters;
        self
    }

    /// Sets exact counts, for counters that estimate (default: no counts).
    #[must_use]
    pub fn counts(mut self, counts: Counts) -> Self {
        self.counts = counts;
        self
    }

    /// Measures a card.
    ///
    /// # Errors
    ///
    /// [`Error`], when there are no payloads, or one of them is not what it should be.
    pub fn measure(&self, card: Card) -> Result<Scorecard, Error> {
        let counters = self.counters_of(card);
        match card {
            Card::Packs => packs::card(&self.fixtures, &self.counts, counters),
            Card::Tools => tools::card(&self.fixtures, &self.counts, counters),
            Card::Queries => queries::card(&self.fixtures, &self.counts, counters),
            Card::Delta => delta::card(&self.fixtures, &self.counts, counters),
            Card::Real => Ok(self.real(None)?.card()),
        }
    }

    /// Measures documents that programs print: those of the repository, and the JSON files in a
    /// folder and in the folders in it. Without a folder those that were collected for the
    /// documentation count, as far as their counts were kept.
    ///
    /// # Errors
    ///
    /// As [`Scorecards::measure`], and [`Error::NoDocuments`].
    pub fn real(&self, folder: Option<&Path>) -> Result<Real, Error> {
        Real::measure(&self.fixtures, &self.counts, self.counters_of(Card::Real), folder)
    }

    fn counters_of(&self, card: Card) -> &[Counter] {
        if self.counters.is_empty() { card.counters() } else { &self.counters }
    }

    /// Measures the time of encoding the context packs, on this machine and now.
    ///
    /// # Errors
    ///
    /// As [`Scorecards::measure`].
    pub fn latency(&self) -> Result<Scorecard, Error> {
        latency::card(&self.fixtures)
    }
}

/// The names of the files in a folder that are not [those of the cards](Scorecard::files).
///
/// # Errors
///
/// [`Error::Input`], when one can't be read.
pub fn stale(folder: &Path, cards: &[Scorecard]) -> Result<Vec<String>, Error> {
    let mut stale = Vec::new();
    for (name, text) in cards.iter().flat_map(Scorecard::files) {
        let path = folder.join(&name);
        let there = fs::read_to_string(&path)
            .map_err(|source| Error::Input { file: path.display().to_string(), source })?;
        // A checkout may have made other line endings of it.
        if there.replace("\r\n", "\n") != text {
            stale.push(name);
        }
    }
    Ok(stale)
}
