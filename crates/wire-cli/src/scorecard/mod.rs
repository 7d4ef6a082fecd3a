//! `wirefmt scorecard`: what formats cost on the payloads of the repository, beside what their authors state of theirs.

mod calls;
mod card;
mod chart;
mod delta;
mod latency;
mod packs;
mod queries;
mod tools;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;
use wire_tokens::{Counter, Counts};

use crate::args::{Card, ScorecardFormat, ScorecardOptions};
use crate::failure::Failure;
use crate::output;
use crate::tokens;

use card::Scorecard;

pub(crate) fn run(options: &ScorecardOptions) -> Result<(), Failure> {
    let cards: &[Card] = match options.card {
        Card::All => &[Card::Packs, Card::Tools, Card::Queries, Card::Delta],
        _ => std::slice::from_ref(&options.card),
    };
    let fixtures = Fixtures { folder: options.fixtures.clone() };
    let counts = tokens::counts(options.counts.as_deref())?;
    let cards = cards
        .iter()
        .map(|card| measured(*card, &fixtures, &counts, &options.tokenizer))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(folder) = &options.check {
        return check(folder, &cards);
    }
    let is_timed = !options.no_timings && cards.iter().any(|card| card.name == "packs");
    let latency = is_timed.then(|| latency::card(&fixtures)).transpose()?;
    if let Some(folder) = &options.write {
        return write(folder, cards.iter().chain(&latency));
    }
    let cards: Vec<&Scorecard> = cards.iter().chain(&latency).collect();
    let text = match options.format {
        ScorecardFormat::Markdown => {
            let texts: Vec<String> = cards.iter().map(|card| card.markdown()).collect();
            texts.join("\n")
        }
        ScorecardFormat::Json => {
            let cards: Vec<_> = cards.iter().map(|card| card.object()).collect();
            format!("{:#}\n", json!({ "cards": cards }))
        }
        ScorecardFormat::Svg => match cards.iter().find_map(|card| card.chart.as_ref()) {
            Some(chart) if options.card != Card::All => chart.svg(),
            _ => {
                let message =
                    "--format svg draws one card, expected packs, tools, queries or delta";
                return Err(Failure::usage(message.to_owned()));
            }
        },
    };
    let destination = options.output.as_deref().filter(|path| path.as_os_str() != "-");
    output::write(destination, |writer| writer.write_all(text.as_bytes()))
}

fn measured(
    card: Card,
    fixtures: &Fixtures,
    counts: &Counts,
    counters: &[Counter],
) -> Result<Scorecard, Failure> {
    let or = |default: &'static [Counter]| if counters.is_empty() { default } else { counters };
    match card {
        Card::Packs => packs::card(fixtures, counts, or(&Counter::OWN)),
        Card::Tools => {
            tools::card(fixtures, counts, or(&[Counter::Cl100kBase, Counter::ClaudeOpus47]))
        }
        Card::Queries => queries::card(fixtures, counts, or(&Counter::OWN)),
        Card::Delta | Card::All => {
            delta::card(fixtures, counts, or(&[Counter::WordPunctuation, Counter::Cl100kBase]))
        }
    }
}

/// The files of a card, by their names.
fn files(card: &Scorecard) -> Vec<(String, String)> {
    let name = card.name;
    let mut files = vec![
        (format!("{name}.md"), card.markdown()),
        (format!("{name}.json"), format!("{:#}\n", card.object())),
    ];
    files.extend(card.chart.as_ref().map(|chart| (format!("{name}.svg"), chart.svg())));
    files
}

fn write<'c>(folder: &Path, cards: impl Iterator<Item = &'c Scorecard>) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|source| Failure::output(folder.display().to_string(), &source))?;
    for card in cards {
        for (name, text) in files(card) {
            output::write(Some(&folder.join(name)), |writer| writer.write_all(text.as_bytes()))?;
        }
    }
    Ok(())
}

/// Whether the files of a folder are those of the cards.
fn check(folder: &Path, cards: &[Scorecard]) -> Result<(), Failure> {
    let mut stale = Vec::new();
    for (name, text) in cards.iter().flat_map(files) {
        let path = folder.join(&name);
        let there = fs::read_to_string(&path)
            .map_err(|source| Failure::input(path.display().to_string(), &source))?;
        // A checkout may have made other line endings of it.
        if there.replace("\r\n", "\n") != text {
            stale.push(name);
        }
    }
    if stale.is_empty() {
        return Ok(());
    }
    Err(Failure::stale(folder.display().to_string(), &stale))
}

/// The folder `fixtures`.
struct Fixtures {
    folder: PathBuf,
}

impl Fixtures {
    /// A file below it: how messages call it, and its text without the last line ending.
    fn read(&self, path: &str) -> Result<(String, String), Failure> {
        let path = self.folder.join(path);
        let file = path.display().to_string();
        match fs::read_to_string(&path) {
            Ok(text) => Ok((file, text.trim_end().to_owned())),
            Err(_) if !self.folder.is_dir() => Err(Failure::no_files(
                self.folder.display().to_string(),
                "payloads; --fixtures is the folder of that name in the repository".to_owned(),
            )),
            Err(source) => Err(Failure::input(file, &source)),
        }
    }
}
