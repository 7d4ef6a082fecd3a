//! Six context packs in every format of payloads.

use serde_json::Value;
use wire_core::{Codec, Directions, Payload, Representation};
use wire_registry::Registry;
use wire_tokens::{Counter, Counts, Tokens};

use super::Fixtures;
use super::card::{Cell, Scorecard, Section};
use super::chart::Chart;
use crate::failure::Failure;
use crate::formats::registry;
use crate::measure::{gzip, median, part_saved, ratio};

/// The packs of the format's own scorecard: the names of our files, what it calls them, and the tokens of JSON and of GCF there.
pub(super) const PACKS: [(&str, &str, usize, usize); 6] = [
    ("context_for_task_10", "context_for_task (10 sym)", 965, 233),
    ("context_for_task_30", "context_for_task (30 sym)", 2968, 649),
    ("context_for_files_15", "context_for_files (15 sym)", 1490, 334),
    ("blast_radius_8", "blast_radius (8 sym)", 835, 208),
    ("semantic_diff_12", "semantic_diff (12 sym)", 1206, 295),
    ("graph_query_20", "graph_query (20 sym)", 2078, 423),
];
/// The documented example, as a case of the corpus.
const EXAMPLE: &str = "gcf/graph/documented_example.json";

/// A payload in every format.
struct Pack {
    name: String,
    payload: Payload<'static>,
    /// By the formats of the registry.
    encoded: Vec<Vec<u8>>,
    /// Whether each comes back as its format's fidelity says; none where it is not read.
    comes_back: Vec<Option<bool>>,
    /// Minified JSON of the same without its edges.
    without_edges: String,
}

/// The formats, by their place in the registry.
struct Formats {
    registry: Registry,
    names: Vec<&'static str>,
}

impl Formats {
    fn place(&self, name: &str) -> usize {
        let place = self.names.iter().position(|known| *known == name);
        place.expect("because the registry has every format of the family")
    }

    fn is_text(&self, name: &str) -> bool {
        let codec = self.registry.get(name).expect("because it is registered");
        codec.info().representation() == Representation::Text
    }

    /// The formats that cost tokens.
    fn texts(&self) -> impl Iterator<Item = &'static str> {
        self.names.iter().copied().filter(|name| self.is_text(name))
    }
}

/// The packs of the fixtures, by their names.
pub(super) fn packs(fixtures: &Fixtures) -> Result<Vec<(&'static str, Payload<'static>)>, Failure> {
    let json = wire_registry::json::Json::compact();
    PACKS
        .iter()
        .map(|(name, ..)| {
            let (file, text) = fixtures.read(&format!("payloads/packs/{name}.json"))?;
            let payload = json
                .decode(text.as_bytes())
                .map(Payload::into_owned)
                .map_err(|error| Failure::decode(file, text.as_bytes().to_vec(), error))?;
            Ok((*name, payload))
        })
        .collect()
}

pub(super) fn card(
    fixtures: &Fixtures,
    counts: &Counts,
    counters: &[Counter],
) -> Result<Scorecard, Failure> {
    let registry = registry(gcf::graph::Encoder::new());
    let names = registry.list().map(wire_core::CodecInfo::name).collect();
    let formats = Formats { registry, names };
    let packs = packs(fixtures)?
        .into_iter()
        .map(|(name, payload)| pack(name, payload, &formats))
        .collect::<Result<Vec<_>, _>>()?;
    let example = pack("the documented example", example(fixtures)?, &formats)?;

    let mut sections = Vec::new();
    for counter in counters {
        sections.push(tokens(&packs, &formats, counts, *counter));
    }
    sections.extend([
        bytes(&packs, &formats),
        integrity(&packs, &formats),
        stated_cases(&packs, &formats),
        stated_example(&packs[0], &example, &formats),
        stated_savings(&packs, &formats),
        stated_comprehension(&packs, &formats),
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
        intro: "Six context packs of ranked symbols and edges in every format, GCF in dialect v1. They are our own (`fixtures/payloads/packs`),\n\
                named and sized after those of GCF's documentation. What is saved is the part of the JSON that is not written; the JSON has the\n\
                edges, signatures and score components, which not every format keeps: the table of round trips says what each loses. By the\n\
                word-and-punctuation estimate white space is free, so that pretty and minified JSON cost the same."
            .to_owned(),
        command: "cargo run --release -q -p wire-cli -- scorecard packs",
        sections,
        chart: Some(chart),
    })
}

fn pack(name: &str, payload: Payload<'static>, formats: &Formats) -> Result<Pack, Failure> {
    let encode = |codec: &dyn Codec, payload: &Payload<'_>| {
        let mut bytes = Vec::new();
        match codec.encode(payload, &mut bytes) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(Failure::encode(name.to_owned(), codec.info().name(), error)),
        }
    };
    let mut encoded = Vec::new();
    let mut comes_back = Vec::new();
    for codec in formats.registry.codecs() {
        let bytes = encode(codec, &payload)?;
        comes_back.push(match codec.info().directions() {
            Directions::EncodeOnly => None,
            Directions::Both => {
                let mut expected = payload.clone();
                codec.info().fidelity().project(&mut expected);
                let back = codec
                    .decode(&bytes)
                    .map_err(|error| Failure::decode(name.to_owned(), bytes.clone(), error))?;
                Some(back == expected)
            }
        });
        encoded.push(bytes);
    }
    let json = wire_registry::json::Json::compact();
    let mut bare = payload.clone();
    bare.edges.clear();
    let without_edges = String::from_utf8_lossy(&encode(&json, &bare)?).into_owned();
    Ok(Pack { name: name.to_owned(), payload, encoded, comes_back, without_edges })
}

impl Pack {
    fn text(&self, formats: &Formats, name: &str) -> String {
        String::from_utf8_lossy(&self.encoded[formats.place(name)]).into_owned()
    }

    fn bytes(&self, formats: &Formats, name: &str) -> usize {
        self.encoded[formats.place(name)].len()
    }

    /// Tokens by the word-and-punctuation estimate, which the documentation of GCF counts with.
    fn words(&self, formats: &Formats, name: &str) -> usize {
        wire_core::TokenCounter::count(&Counter::WordPunctuation, &self.text(formats, name))
    }

    fn words_without_edges(&self) -> usize {
        wire_core::TokenCounter::count(&Counter::WordPunctuation, &self.without_edges)
    }
}

/// The payload of the documentation's example.
fn example(fixtures: &Fixtures) -> Result<Payload<'static>, Failure> {
    let (file, text) = fixtures.read(EXAMPLE)?;
    let refused = |error: wire_core::CodecError| {
        Failure::decode(file.clone(), text.as_bytes().to_vec(), error)
    };
    let cases: Value = serde_json::from_str(&text)
        .map_err(|error| refused(wire_registry::json::error(text.as_bytes(), &error)))?;
    let gcf = cases["cases"][0]["text"].as_str().unwrap_or_default();
    let payload = gcf::graph::from_str(gcf).map_err(|error| refused(error.into()))?;
    Ok(payload.into_owned())
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

/// Whether the formats keep what they say that they keep.
fn integrity(packs: &[Pack], formats: &Formats) -> Section {
    let mut section =
        Section::new("Round trips", &["format", "for", "comes back as stated", "loses"]);
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

fn stated_cases(packs: &[Pack], formats: &Formats) -> Section {
    let mut section = Section::new(
        "Beside the format's own scorecard",
        &[
            "case", "stated: JSON", "stated: GCF", "stated: saved", "symbols and edges here",
            "JSON here", "GCF here", "saved here", "JSON without edges", "saved of that",
        ],
    )
    .with_intro(
        "Tokens by the word-and-punctuation estimate, which the documentation of GCF counts with. It states its savings twice, 76.7 % and\n\
         84.0 % in the median: the baseline of one has the edges, that of the other has not; the table's is the one without. Here both are, of\n\
         minified JSON with signatures and score components; the GCF has its edges either way.",
    );
    let (mut stated, mut of_json, mut of_bare) = (Vec::new(), Vec::new(), Vec::new());
    for (pack, (_, case, json, gcf)) in packs.iter().zip(PACKS) {
        let (our_json, our_gcf) = (pack.words(formats, "json"), pack.words(formats, "gcf"));
        let bare = pack.words_without_edges();
        stated.push(part_saved(json, gcf));
        of_json.push(part_saved(our_json, our_gcf));
        of_bare.push(part_saved(bare, our_gcf));
        let (symbols, edges) = (pack.payload.symbols.len(), pack.payload.edges.len());
        section.row(vec![
            case.into(),
            Cell::Count(json),
            Cell::Count(gcf),
            Cell::Part(part_saved(json, gcf)),
            Cell::Text(format!("{symbols}, {edges}")),
            Cell::Count(our_json),
            Cell::Count(our_gcf),
            Cell::Part(part_saved(our_json, our_gcf)),
            Cell::Count(bare),
            Cell::Part(part_saved(bare, our_gcf)),
        ]);
    }
    section.row(vec![
        "**median**".into(),
        Cell::None,
        Cell::None,
        Cell::Part(median(stated)),
        Cell::None,
        Cell::None,
        Cell::None,
        Cell::Part(median(of_json)),
        Cell::None,
        Cell::Part(median(of_bare)),
    ]);
    section
}

/// The table of ten symbols and eight edges.
fn stated_example(ours: &Pack, example: &Pack, formats: &Formats) -> Section {
    let mut section = Section::new(
        "Ten symbols",
        &["figure", "stated", "the documented example here", "`context_for_task_10` here"],
    )
    .with_intro(
        "The documentation prints its ten symbols and eight edges as GCF, without signatures and components, so that what it compares\n\
         GCF with can't be made again: the example's JSON here lacks them, and that of our pack, of ten symbols and twelve edges, has them.\n\
         Its binary form can't have 448 bytes: the names of its symbols alone are 608.",
    );
    let mut row = |figure: &str, stated: usize, of: &dyn Fn(&Pack) -> usize| {
        let cells = [stated, of(example), of(ours)].map(Cell::Count);
        section.row(std::iter::once(figure.into()).chain(cells).collect());
    };
    row("pretty JSON, bytes", 4153, &|pack| pack.bytes(formats, "json-pretty"));
    row("JSON, tokens", 965, &|pack| pack.words(formats, "json"));
    row("GCF, bytes", 1079, &|pack| pack.bytes(formats, "gcf"));
    row("GCF, tokens", 233, &|pack| pack.words(formats, "gcf"));
    row("binary, bytes", 448, &|pack| pack.bytes(formats, "gcb"));
    section
}

/// What the table of codecs says that each saves.
fn stated_savings(packs: &[Pack], formats: &Formats) -> Section {
    let mut section =
        Section::new("What each format saves", &["format", "stated", "here", "measured on"]);
    let tokens = |name: &str| {
        let part = |pack: &Pack| part_saved(pack.words(formats, "json"), pack.words(formats, name));
        Cell::Part(median(packs.iter().map(part).collect()))
    };
    let on = "the median of the six packs, word-and-punctuation tokens of JSON with edges";
    for (name, stated, on) in [
        ("gcf", "84 %", on.to_owned()),
        ("json", "0 %", on.to_owned()),
        ("xml", "around −20 %", format!("{on}; theirs has no edges, ours has")),
        ("markdown", "around 10 %", format!("{on}; it has no score components")),
    ] {
        section.row(vec![name.into(), stated.into(), tokens(name), Cell::Text(on)]);
    }
    let larger = |pack: &Pack| ratio(pack.bytes(formats, "gcf"), pack.bytes(formats, "gcb")) - 1.0;
    section.row(vec![
        "GCF against binary, bytes more".into(),
        "10–15 %".into(),
        Cell::Part(median(packs.iter().map(larger).collect())),
        "the median of the six packs; GCB1 has signatures and components, GCF has not".into(),
    ]);
    section
}

/// The tables of the comprehension benchmark, as far as no model is needed.
fn stated_comprehension(packs: &[Pack], formats: &Formats) -> Section {
    let mean = |name: &str| {
        let sum: usize = packs.iter().map(|pack| pack.words(formats, name)).sum();
        (sum + packs.len() / 2) / packs.len()
    };
    let mut section = Section::new(
        "Tokens and comprehension",
        &[
            "format", "stated: mean tokens", "of JSON", "stated, large payloads: mean tokens",
            "of JSON (large)", "questions a model answered", "here: mean tokens", "of JSON here",
        ],
    )
    .with_intro(
        "Whether a model reads a format can't be measured without one; the questions stand here as the documentation states them. The\n\
         tokens here are the means over the six packs, by the word-and-punctuation estimate, with edges in every format; its XML had none.",
    );
    for (name, small, part, large, of_large, questions) in [
        ("json", 1818, 1.0, 16372, 1.0, "4 of 6"),
        ("xml", 1818, 1.0, 5026, 0.31, "4 of 6"),
        ("gcf", 265, 0.15, 2687, 0.16, "6 of 6"),
    ] {
        section.row(vec![
            name.into(),
            Cell::Count(small),
            Cell::Part(part),
            Cell::Count(large),
            Cell::Part(of_large),
            questions.into(),
            Cell::Count(mean(name)),
            Cell::Part(ratio(mean(name), mean("json"))),
        ]);
    }
    section
}
