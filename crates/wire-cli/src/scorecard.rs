//! `wirefmt scorecard`: the tokens of each format on the payloads of the repository, and the
//! figures that the formats' authors state.

use std::fs;
use std::path::Path;

use wire_scorecards::{Error, Scorecard, Scorecards, json, markdown, stale};

use crate::args::{Card, ScorecardFormat, ScorecardOptions};
use crate::failure::{Failure, shown};
use crate::output;
use crate::tokens;

pub(crate) fn run(options: &ScorecardOptions) -> Result<(), Failure> {
    let scorecards = Scorecards::new(&options.fixtures)
        .counters(options.tokenizer.clone())
        .counts(tokens::counts(options.counts.as_deref())?);
    let mut cards = match (&options.folder, options.card) {
        (None, card) => {
            let measured: Result<Vec<Scorecard>, Error> =
                card.cards().iter().map(|card| scorecards.measure(*card)).collect();
            measured.map_err(failure)?
        }
        (Some(folder), Card::Real) => {
            vec![real(&scorecards, folder, options.record.as_deref())?]
        }
        (Some(folder), _) => {
            let folder = folder.display().to_string();
            let message = format!(
                "only the card `real` counts a folder, found {}; expected `wirefmt scorecard real {0}`",
                shown(&folder)
            );
            return Err(Failure::usage(message));
        }
    };
    if let Some(folder) = &options.check {
        return check(folder, &cards);
    }
    if !options.no_timings && cards.iter().any(|card| card.name() == "packs") {
        cards.push(scorecards.latency().map_err(failure)?);
    }
    if let Some(folder) = &options.write {
        return write(folder, &cards);
    }
    let text = match options.format {
        ScorecardFormat::Markdown => markdown(&cards),
        ScorecardFormat::Json => json(&cards),
        ScorecardFormat::Svg => match cards.iter().find_map(Scorecard::svg) {
            Some(chart) if options.card != Card::All => chart,
            _ => {
                let message =
                    "--format svg draws one card, expected packs, tools, queries, delta or real";
                return Err(Failure::usage(message.to_owned()));
            }
        },
    };
    let destination = options.output.as_deref().filter(|path| path.as_os_str() != "-");
    output::write(destination, |writer| writer.write_all(text.as_bytes()))
}

impl Card {
    /// The measurements for it.
    fn cards(self) -> &'static [wire_scorecards::Card] {
        match self {
            Card::Packs => &[wire_scorecards::Card::Packs],
            Card::Tools => &[wire_scorecards::Card::Tools],
            Card::Queries => &[wire_scorecards::Card::Queries],
            Card::Delta => &[wire_scorecards::Card::Delta],
            Card::Real => &[wire_scorecards::Card::Real],
            Card::All => wire_scorecards::Card::ALL,
        }
    }
}

/// The card of a folder's files, whose counts are kept where that is asked for.
fn real(
    scorecards: &Scorecards,
    folder: &Path,
    record: Option<&Path>,
) -> Result<Scorecard, Failure> {
    let real = scorecards.real(Some(folder)).map_err(failure)?;
    if let Some(file) = record {
        output::write(Some(file), |writer| writer.write_all(real.record().as_bytes()))?;
    }
    Ok(real.card())
}

fn write(folder: &Path, cards: &[Scorecard]) -> Result<(), Failure> {
    fs::create_dir_all(folder)
        .map_err(|source| Failure::output(folder.display().to_string(), &source))?;
    for (name, text) in cards.iter().flat_map(Scorecard::files) {
        output::write(Some(&folder.join(name)), |writer| writer.write_all(text.as_bytes()))?;
    }
    Ok(())
}

/// Whether the files of a folder are those of the cards.
fn check(folder: &Path, cards: &[Scorecard]) -> Result<(), Failure> {
    let stale = stale(folder, cards).map_err(failure)?;
    if stale.is_empty() {
        return Ok(());
    }
    let (folder, files) = (folder.display().to_string(), stale.join(", "));
    let message = format!(
        "in {} {files} differ from what is measured now; --write {0} writes them",
        shown(&folder)
    );
    Err(Failure::of_file(folder, "stale", message))
}

/// Why nothing was measured, as a failure of a command.
fn failure(error: Error) -> Failure {
    match error {
        Error::NoFixtures { folder } => Failure::no_files(
            folder.display().to_string(),
            "payloads; --fixtures is the folder of that name in the repository",
        ),
        Error::NoDocuments { folder } => Failure::no_files(
            folder.display().to_string(),
            "JSON files, or folders with some; `cargo xtask real-data` collects them",
        ),
        Error::Input { file, source } => Failure::input(file, &source),
        Error::Decode { file, input, source } => Failure::decode(file, input, source),
        Error::Encode { file, format, source } => Failure::encode(file, format, source),
    }
}
