//! Six context packs in every format of payloads.

pub(crate) mod pack;
mod stated;

use wire_tokens::measure::{median, part_saved};
use wire_tokens::{Counter, Counts, Tokens};

use crate::card::{Cell, Scorecard, Section};
use crate::chart::Chart;
use crate::error::Error;
use crate::fixtures::Fixtures;
use crate::formats::Formats;
use crate::gzip::gzip;
use pack::{Pack, example, packs};

pub(crate) fn card(
    fixtures: &Fixtures,
    counts: &Counts,
    counters: &[Counter],
) -> Result<Scorecard, Error> {
    let formats = Formats::new();
    let packs = packs(fixtures)?
        .into_iter()
        .map(|(name, payload)| Pack::new(name, payload, &formats))
        .collect::<Result<Vec<_>, _>>()?;
    let example = Pack::new("the documented example", example(fixtures)?, &formats)?;

    let mut sections = Vec::new();
    for counter in counters {
        sections.push(tokens(&packs, &formats, counts, *counter));
    }
    sections.extend([
        bytes(&packs, &formats),
        integrity(&packs, &formats),
        stated::cases(&packs, &formats),
        stated::example(&packs[0], &example, &formats),
        stated::savings(&packs, &formats),
        stated::comprehension(&packs, &formats),
    ]);
    let counter = counters[0];
    let chart = Chart {
        title: format!("Tokens of context packs, by {}", wire_core::TokenCounter::name(&counter)),
        series: formats.texts().map(str::to_owned).collect(),
        groups: packs
            .iter()
            .map(|pack| {
                let count = |name| Some(counts.tokens(counter, &pack.text(&formats, name)).count);
                (pack.name.clone(), formats.texts().map(count).collect())
            })
            .collect(),
    };
    Ok(Scorecard {
        name: "packs",
        title: "Context packs in every format",
        intro: "Six context packs of ranked symbols and edges in every format, GCF in dialect v1 (its default version). They are our own (`fixtures/payloads/packs`),\n\
                named and sized after those of GCF's documentation. \"Saved\" is the part of the JSON's tokens that a format does not use. The JSON\n\
                has edges, signatures and score components (the parts of a score); not every format keeps them, and the table of round trips says what each loses.\n\
                The word-and-punctuation estimate does not count white space, so pretty and minified JSON have the same number of tokens."
            .to_owned(),
        command: "cargo run --release -q -p wire-cli -- scorecard packs",
        sections,
        chart: Some(chart),
    })
}

fn tokens(packs: &[Pack], formats: &Formats, counts: &Counts, counter: Counter) -> Section {
    let mut columns = vec!["pack"];
    let others: Vec<&str> =
        formats.texts().filter(|name| !matches!(*name, "json" | "json-pretty")).collect();
    columns.extend(["pretty JSON", "JSON"]);
    columns.extend(&others);
    columns.extend(["GCF saves of JSON", "of pretty JSON"]);
    let mut section = Section::new(format!("Tokens by {counter}"), &columns);
    let mut parts: Vec<Vec<f64>> = vec![Vec::new(); others.len()];
    let (mut of_json, mut of_pretty) = (Vec::new(), Vec::new());
    for pack in packs {
        let count = |name: &str| -> Tokens { counts.tokens(counter, &pack.text(formats, name)) };
        let (json, pretty, gcf) = (count("json"), count("json-pretty"), count("gcf"));
        let mut row = vec![pack.name.as_str().into(), Cell::Tokens(pretty), Cell::Tokens(json)];
        for (name, parts) in others.iter().zip(&mut parts) {
            parts.push(part_saved(json.count, count(name).count));
            row.push(Cell::Tokens(count(name)));
        }
        of_json.push(part_saved(json.count, gcf.count));
        of_pretty.push(part_saved(pretty.count, gcf.count));
        row.push(Cell::Part(part_saved(json.count, gcf.count)));
        row.push(Cell::Part(part_saved(pretty.count, gcf.count)));
        section.row(row);
    }
    let mut last = vec!["**median saved of JSON**".into(), Cell::None, Cell::None];
    last.extend(parts.into_iter().map(|parts| Cell::Part(median(parts))));
    last.extend([Cell::Part(median(of_json)), Cell::Part(median(of_pretty))]);
    section.row(last);
    section
}

fn bytes(packs: &[Pack], formats: &Formats) -> Section {
    let mut columns = vec!["pack"];
    columns.extend(&formats.names);
    columns.extend(["gzip: json", "gzip: gcf", "gzip: gcb"]);
    let mut section = Section::new("Bytes", &columns);
    let mut parts: Vec<Vec<f64>> = vec![Vec::new(); columns.len() - 1];
    for pack in packs {
        let sizes = pack.encoded.iter().map(Vec::len);
        let zipped = ["json", "gcf", "gcb"].map(|name| gzip(&pack.encoded[formats.place(name)]));
        let json = pack.bytes(formats, "json");
        let cells: Vec<usize> = sizes.chain(zipped).collect();
        for (index, (parts, size)) in parts.iter_mut().zip(&cells).enumerate() {
            let base = if index < formats.names.len() { json } else { zipped[0] };
            parts.push(part_saved(base, *size));
        }
        let cells = cells.into_iter().map(Cell::Count);
        section.row(std::iter::once(pack.name.as_str().into()).chain(cells).collect());
    }
    let medians = parts.into_iter().map(|parts| Cell::Part(median(parts)));
    section.row(std::iter::once("**median saved of JSON**".into()).chain(medians).collect());
    section
}

/// Whether the formats keep what their fidelity states.
fn integrity(packs: &[Pack], formats: &Formats) -> Section {
    let mut section =
        Section::new("Round trips", &["format", "for", "round trips as stated", "loses"]);
    for (index, info) in formats.registry.list().enumerate() {
        let known: Vec<bool> = packs.iter().filter_map(|pack| pack.comes_back[index]).collect();
        let whole = known.iter().filter(|whole| **whole).count();
        let comes_back = match known.len() {
            0 => "it is not read".to_owned(),
            count => format!("{whole} of {count}"),
        };
        let losses = info.fidelity().in_words();
        section.row(vec![
            info.name().into(),
            Cell::Text(info.audience().to_string()),
            Cell::Text(comes_back),
            Cell::Text(if losses.is_empty() { "nothing".to_owned() } else { losses.join("; ") }),
        ]);
    }
    section
}
