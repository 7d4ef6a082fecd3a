//! A card for each question, and what it measures with.

use std::fmt::Display;
use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use flate2::Compression;
use flate2::write::GzEncoder;
use wire_tokens::{Counter, TokenCounter as _, Tokens};

use crate::{Real, delta, packs, queries, tools};

/// A scorecard's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The means of a card.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The folder of the payloads: that of the name `fixtures` in the repository.
    pub fixtures: PathBuf,
    /// The counter of the tokens.
    pub counters: Vec<Counter>,
}

impl Card {
    /// All of them with their names, in the order in which they are printed.
    pub const ALL: [(&str, Card); 5] = [
        ("packs", Card::Packs),
        ("tools", Card::Tools),
        ("queries", Card::Queries),
        ("delta", Card::Delta),
        ("real", Card::Real),
    ];

    /// The counter of its tokens by default.
    pub fn counters(self) -> &'static [Counter] {
        match self {
            Card::Packs | Card::Queries => {
                &[Counter::WordPunctuation, Counter::Cl100kBase, Counter::O200kBase]
            }
            Card::Tools => &[Counter::Cl100kBase, Counter::ClaudeOpus47],
            Card::Delta => &[Counter::WordPunctuation, Counter::Cl100kBase],
            Card::Real => &[Counter::O200kBase, Counter::Cl100kBase],
        }
    }

    /// The means of the card, with its counters.
    pub fn inputs(self, fixtures: PathBuf) -> Inputs {
        Inputs { fixtures, counters: self.counters().to_vec() }
    }

    /// Measures the card: tables in Markdown.
    ///
    /// # Errors
    ///
    /// What is wrong, when there are no payloads, or one of them is not what it should be.
    pub fn measure(self, inputs: &Inputs) -> Result<String, String> {
        let card = match self {
            Card::Packs => packs::card(inputs)?,
            Card::Tools => tools::card(inputs)?,
            Card::Queries => queries::card(inputs)?,
            Card::Delta => delta::card(inputs)?,
            Card::Real => Real::measure(inputs, None)?.card(),
        };
        Ok(card.markdown())
    }
}

impl Inputs {
    /// The text of a file of the payloads, without the last line ending.
    pub(crate) fn read(&self, path: &str) -> Result<String, String> {
        let text = fs::read_to_string(self.fixtures.join(path)).map_err(of(path))?;
        Ok(text.trim_end().to_owned())
    }
}

/// Says of what file or payload an error is.
pub(crate) fn of<E: Display>(what: &str) -> impl Fn(E) -> String {
    move |error| format!("{what}: {error}")
}

/// The tokens of a text.
pub(crate) fn tokens(counter: Counter, text: &str) -> Tokens {
    Tokens { count: counter.count(text), estimated: counter.is_of_private_vocabulary() }
}

/// Bytes after gzip at its default level.
pub(crate) fn gzip(bytes: &[u8]) -> usize {
    const NEVER: &str = "because a vector takes all that is written";
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect(NEVER);
    encoder.finish().expect(NEVER).len()
}
