//! The page: tables by kind and by document, round trips, times, and where the documents come from.

use wire_core::TokenCounter as _;
use wire_tokens::Counter;
use wire_tokens::measure::{median, part_saved, ratio};

use super::form::{FORMS, JSON};
use super::measured::Measured;
use super::record::Record;
use crate::card::{Cell, Scorecard, Section};
use crate::chart::Chart;

pub(super) fn card(made: &[Measured], fetched: &Record, counters: &[Counter]) -> Scorecard {
    let all: Vec<&Measured> = made.iter().chain(&fetched.documents).collect();
    let mut sections: Vec<Section> = counters
        .iter()
        .flat_map(|&counter| {
            [by_kind(&all, counter, Together::Summed), by_kind(&all, counter, Together::Median)]
        })
        .collect();
    sections.extend(counters.iter().map(|&counter| by_document(&all, counter)));
    if let Some(&counter) = counters.first() {
        sections.insert(0, winners(&all, counter));
    }
    sections.push(round_trips(&all));
    if !fetched.times.is_empty() {
        sections.push(times(fetched));
    }
    sections.push(origins(fetched));
    let others = match fetched.date {
        Some(_) => {
            "what package managers and MCP servers printed, which `cargo xtask real-data`\n\
             collects and counts again. The repository has their counts, but not their contents."
        }
        None => "the documents of a folder.",
    };
    Scorecard {
        name: "real",
        title: "Real data in every form",
        intro: format!(
            "The output of programs, as minified JSON and in other forms. `kubernetes`, `github`, `logs` and `tables` are lists that this repository makes after\n\
                public schemas (`fixtures/payloads/real`); the others are {others}\n\n\
                YAML is written by `saphyr`, CSV by `csv`, TOON by `toon-format`, each with its defaults; GCX1 is the typed form; GCF is the generic\n\
                profile, as specification 3.5 (the default) and 3.6 write it. `auto` is the choice of `wirefmt auto` and `wire-proxy`: for each document the form\n\
                with the fewest tokens of minified JSON, GCX1 and GCF 3.5."
        ),
        command: "cargo run --release -q -p wire-cli -- scorecard real",
        chart: counters.first().map(|&counter| chart(&all, counter)),
        sections,
    }
}

/// The kinds, in the order in which they come, with their documents.
fn kinds<'m>(all: &[&'m Measured]) -> Vec<(&'m str, Vec<&'m Measured>)> {
    let mut kinds: Vec<(&str, Vec<&Measured>)> = Vec::new();
    for measured in all {
        match kinds.iter_mut().find(|(kind, _)| *kind == measured.kind) {
            Some((_, documents)) => documents.push(measured),
            None => kinds.push((&measured.kind, vec![measured])),
        }
    }
    kinds
}

/// The sum over documents, where there is a number for each.
pub(super) fn sum<'m>(
    documents: impl Iterator<Item = &'m Measured>,
    of: impl Fn(&Measured) -> Option<usize>,
) -> Option<usize> {
    documents.map(of).reduce(|one, other| Some(one? + other?)).flatten()
}

fn cell(count: Option<usize>) -> Cell {
    count.map_or(Cell::None, Cell::Count)
}

/// The form with the fewest tokens for each kind, and the next one.
fn winners(all: &[&Measured], counter: Counter) -> Section {
    let columns = [
        "data",
        "fewest tokens",
        "saved",
        "then",
        "saved of it",
        "GCF 3.5",
        "repeated names",
        "long texts",
        "why",
    ];
    let mut section = Section::new(format!("Who has the fewest tokens, by {}", counter.name()), &columns).with_intro(
        "The parts of minified JSON's tokens that are saved. CSV is left out, since it has no types. `repeated names` is the part of minified JSON's bytes that are names of\n\
         members which occurred at the same place before; `long texts` is the part that are strings of more than 40 bytes.\n\n\
         What a form can save is the repeated names, with their quotes. It saves less where objects are in objects, since each needs a line or a header again, and where\n\
         names are short: `\":\"` and `\",\"` are one token each in both vocabularies. It saves nothing where most of the bytes are long texts, which use the same tokens in every form. A line for each value, as in YAML, uses more tokens than JSON's punctuation.\n\n\
         All documents of a kind together, so that a large one weighs more: the tables of the median document say how much of a kind its largest document is.",
    );
    for (kind, documents) in kinds(all) {
        let count = |form: &str| sum(documents.iter().copied(), |it| it.tokens(form, counter));
        let Some(json) = count(JSON) else { continue };
        let comes_back = |form: &&str| {
            documents.iter().all(|it| it.forms.get(*form).is_some_and(|sizes| sizes.comes_back))
        };
        let forms = FORMS.iter().map(|form| form.name).filter(comes_back);
        let mut ranks: Vec<(usize, &str)> =
            forms.filter_map(|form| Some((count(form)?, form))).collect();
        ranks.sort_by_key(|(tokens, _)| *tokens);
        let mut row = vec![kind.into()];
        for at in 0..2 {
            match ranks.get(at) {
                Some((tokens, form)) => {
                    row.extend([(*form).into(), Cell::Part(part_saved(json, *tokens))]);
                }
                None => row.extend([Cell::None, Cell::None]),
            }
        }
        row.push(count("GCF 3.5").map_or(Cell::None, |gcf| Cell::Part(part_saved(json, gcf))));
        let [names, texts] = [|it: &Measured| it.repeated_names, |it: &Measured| it.long_texts]
            .map(|of| weighted(&documents, of));
        let is_flat = documents.iter().all(|it| it.forms.contains_key("CSV"));
        let is_json_smallest = ranks.first().is_some_and(|(_, form)| *form == JSON);
        let why = if is_json_smallest { why_json(names, texts) } else { why(texts, is_flat) };
        row.extend([Cell::Part(names), Cell::Part(texts), why.into()]);
        section.row(row);
    }
    section
}

/// A part of the bytes of minified JSON, of several documents together.
fn weighted(documents: &[&Measured], of: impl Fn(&Measured) -> f64) -> f64 {
    let bytes = |it: &Measured| it.forms.get(JSON).map_or(0, |sizes| sizes.bytes);
    let all: usize = documents.iter().map(|it| bytes(it)).sum();
    documents.iter().map(|it| of(it) * ratio(bytes(it), all.max(1))).sum()
}

/// From this part of the bytes on, long texts decide.
const MOSTLY: f64 = 0.5;
/// Below this part of the bytes, repeated names are few.
const FEW: f64 = 0.1;

/// Why minified JSON has the fewest tokens, by the parts of its bytes that are repeated names and
/// long texts.
fn why_json(names: f64, texts: f64) -> &'static str {
    if texts >= MOSTLY {
        "most of it is long texts, the same in every form; other forms add headers or lines"
    } else if names < FEW {
        "few names repeat, so there is little to save; a line for each member uses more than `\":\"` and `\",\"`"
    } else {
        "the repeated names are those of small objects in others, whose headers and lines use what the names save"
    }
}

/// Why another form has the fewest.
fn why(texts: f64, is_flat: bool) -> &'static str {
    if is_flat {
        "rows of scalars: each name once"
    } else if texts >= MOSTLY {
        "rows: each name once; the long texts are the same in every form"
    } else {
        "rows with objects or arrays in them: names of rows once, those of what is in them again"
    }
}

/// How the documents of a kind are put together.
#[derive(Clone, Copy)]
enum Together {
    Summed,
    Median,
}

impl Together {
    /// The part of minified JSON's tokens that is saved.
    fn saved(
        self,
        documents: &[&Measured],
        counter: Counter,
        of: impl Fn(&Measured) -> Option<usize>,
    ) -> Option<f64> {
        match self {
            Together::Summed => {
                let json = sum(documents.iter().copied(), |it| it.tokens(JSON, counter))?;
                Some(part_saved(json, sum(documents.iter().copied(), of)?))
            }
            Together::Median => {
                let saved = |it: &&Measured| Some(part_saved(it.tokens(JSON, counter)?, of(it)?));
                Some(median(documents.iter().map(saved).collect::<Option<_>>()?))
            }
        }
    }
}

fn by_kind(all: &[&Measured], counter: Counter, together: Together) -> Section {
    let forms = FORMS.iter().map(|form| form.name).skip(1);
    let (heading, first, intro) = match together {
        Together::Summed => (
            "Saved of minified JSON",
            JSON,
            "The tokens of minified JSON, and the part of them that each other form saves: negative where it has more. All documents of a kind together;\n\
             a form is left out where it can't represent each of them.",
        ),
        Together::Median => (
            "Saved in the median document",
            "largest document",
            "The part of minified JSON's tokens that each other form saves in the median document of a kind, where a small document counts as a large one does.\n\
             `largest document` is the part of the kind's tokens that its largest document has.",
        ),
    };
    let columns: Vec<&str> =
        ["data", "documents", first].into_iter().chain(forms).chain(["auto"]).collect();
    let mut section =
        Section::new(format!("{heading}, by {}", counter.name()), &columns).with_intro(intro);
    for (kind, documents) in kinds(all) {
        let json = sum(documents.iter().copied(), |it| it.tokens(JSON, counter));
        let first = match together {
            Together::Summed => cell(json),
            Together::Median => {
                let largest = documents.iter().filter_map(|it| it.tokens(JSON, counter)).max();
                let part = largest.zip(json).map(|(largest, json)| ratio(largest, json.max(1)));
                part.map_or(Cell::None, Cell::Part)
            }
        };
        let mut row = vec![kind.into(), Cell::Count(documents.len()), first];
        let saved = |part: Option<f64>| part.map_or(Cell::None, Cell::Part);
        for form in &FORMS[1..] {
            let tokens = |it: &Measured| it.tokens(form.name, counter);
            row.push(saved(together.saved(&documents, counter, tokens)));
        }
        let auto = |it: &Measured| Some(it.cheapest(counter)?.1);
        row.push(saved(together.saved(&documents, counter, auto)));
        section.row(row);
    }
    section
}

fn by_document(all: &[&Measured], counter: Counter) -> Section {
    let forms = FORMS.iter().map(|form| form.name);
    let columns: Vec<&str> = ["document", "repeated names", "long texts"]
        .into_iter()
        .chain(forms)
        .chain(["auto", "auto saves"])
        .collect();
    let mut section = Section::new(format!("Each document, by {}", counter.name()), &columns);
    for measured in all {
        let mut row = vec![
            Cell::Text(format!("{}: {}", measured.kind, measured.name)),
            Cell::Part(measured.repeated_names),
            Cell::Part(measured.long_texts),
        ];
        row.extend(FORMS.iter().map(|form| cell(measured.tokens(form.name, counter))));
        match measured.tokens(JSON, counter).zip(measured.cheapest(counter)) {
            Some((json, (form, tokens))) => {
                row.extend([form.into(), Cell::Part(part_saved(json, tokens))]);
            }
            None => row.extend([Cell::None, Cell::None]),
        }
        section.row(row);
    }
    section
}

fn round_trips(all: &[&Measured]) -> Section {
    let mut section = Section::new("Round trips", &["form", "documents represented", "decode to the same"]).with_intro(
        "Whether reading the text gives the same JSON, where 1.0 is 1 and the order of members counts for nothing. CSV represents rows of scalars only and has no types, so nothing is\n\
         read back from it.",
    );
    for form in &FORMS {
        let held: Vec<_> = all.iter().filter_map(|it| it.forms.get(form.name)).collect();
        let back = held.iter().filter(|sizes| sizes.comes_back).count();
        let back = if form.name == "CSV" { Cell::None } else { Cell::Count(back) };
        section.row(vec![
            form.name.into(),
            Cell::Text(format!("{} of {}", held.len(), all.len())),
            back,
        ]);
    }
    section
}

fn times(fetched: &Record) -> Section {
    let mut section = Section::new("Time, as a multiple of minified JSON", &["form", "writing", "reading"]).with_intro(
        "All collected documents that a form can represent, from and to the values of `serde_json`, by its package in Rust: the fastest of five runs on one machine when they were collected. Nothing\n\
         depends on it; [speed](../performance.md) is measured elsewhere.",
    );
    let times = |ratio: f64| Cell::Text(format!("{ratio:.1}×"));
    for measured in &fetched.times {
        let read = measured.read.map_or(Cell::None, times);
        section.row(vec![measured.form.as_str().into(), times(measured.write), read]);
    }
    section
}

fn origins(fetched: &Record) -> Section {
    let mut section = Section::new("What was collected", &["document", "bytes minified", "source"]);
    let on = fetched.date.as_ref().map(|date| format!("On {date}"));
    section.intro = match (on, fetched.tools.is_empty()) {
        (Some(on), false) => format!("{on}, by {}.", fetched.tools.join(", ")),
        (Some(on), true) => format!("{on}."),
        (None, _) => "A folder of documents, which says nothing of where they are from.".to_owned(),
    };
    for measured in &fetched.documents {
        section.row(vec![
            Cell::Text(format!("{}: {}", measured.kind, measured.name)),
            cell(measured.forms.get(JSON).map(|sizes| sizes.bytes)),
            measured.source.as_deref().map_or(Cell::None, Cell::from),
        ]);
    }
    section
}

/// Percent of the tokens of minified JSON.
fn chart(all: &[&Measured], counter: Counter) -> Chart {
    const SHOWN: [&str; 6] = [JSON, "pretty JSON", "YAML", "TOON", "GCX1", "GCF 3.5"];
    let groups = kinds(all).into_iter().map(|(kind, documents)| {
        let count = |form: &str| sum(documents.iter().copied(), |it| it.tokens(form, counter));
        let percent = |form: &&str| {
            let (json, tokens) = (count(JSON)?, count(form)?);
            Some((tokens * 200 + json) / (json * 2))
        };
        (kind.to_owned(), SHOWN.iter().map(percent).collect())
    });
    Chart {
        title: format!("Percent of the tokens of minified JSON ({})", counter.name()),
        series: SHOWN.map(str::to_owned).to_vec(),
        groups: groups.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::measured::Sizes;
    use super::*;

    /// A document whose forms have these tokens, in the order of `FORMS`.
    fn document(kind: &str, name: &str, tokens: [usize; 8], parts: (f64, f64)) -> Measured {
        let sizes = |tokens: usize| Sizes {
            bytes: 4 * tokens,
            tokens: [(Counter::O200kBase.name().to_owned(), tokens)].into(),
            comes_back: true,
        };
        let forms = FORMS.iter().zip(tokens).filter(|(_, tokens)| *tokens > 0);
        Measured {
            kind: kind.to_owned(),
            name: name.to_owned(),
            source: None,
            repeated_names: parts.0,
            long_texts: parts.1,
            forms: forms.map(|(form, tokens)| (form.name.to_owned(), sizes(tokens))).collect(),
        }
    }

    #[test]
    fn reasons_are_those_of_the_winner() {
        let json = [100, 110, 120, 0, 130, 140, 150, 160];
        let gcf = [100, 110, 120, 0, 130, 90, 80, 70];
        let rows = [100, 110, 120, 50, 60, 61, 62, 63];
        let all = [
            document("names", "n", json, (0.0, 0.0)),
            document("objects", "n", json, (0.4, 0.0)),
            document("texts", "n", json, (0.4, 0.9)),
            document("nested", "n", gcf, (0.4, 0.1)),
            document("flat", "n", rows, (0.4, 0.1)),
        ];
        let section = winners(&all.iter().collect::<Vec<_>>(), Counter::O200kBase);
        let reasons: Vec<&Cell> = section.rows.iter().filter_map(|row| row.last()).collect();
        let starts = ["few names", "the repeated names are", "most of it", "rows with", "rows of"];
        for (reason, start) in reasons.iter().zip(starts) {
            assert!(matches!(reason, Cell::Text(text) if text.starts_with(start)), "{reason:?}");
        }
        assert_eq!(reasons.len(), starts.len());
    }

    #[test]
    fn a_large_document_does_not_decide_the_median() {
        let forms = |json: usize, gcf: usize| [json, json, json, 0, json, json, gcf, json];
        let all = [
            document("k", "a", forms(100, 90), (0.0, 0.0)),
            document("k", "b", forms(100, 80), (0.0, 0.0)),
            document("k", "c", forms(800, 960), (0.0, 0.0)),
        ];
        let all: Vec<&Measured> = all.iter().collect();
        let rows = [Together::Summed, Together::Median]
            .map(|it| by_kind(&all, Counter::O200kBase, it).rows.remove(0));
        assert_eq!((&rows[0][2], &rows[1][2]), (&Cell::Count(1000), &Cell::Part(0.8)));
        let gcf = rows.map(|row| match row[8] {
            Cell::Part(part) => (part * 100.0).round(),
            _ => f64::NAN,
        });
        assert_eq!(gcf, [-13.0, 10.0]);
    }

    #[test]
    fn what_the_page_says_of_tokens_is_so() {
        for counter in [Counter::O200kBase, Counter::Cl100kBase] {
            assert_eq!(counter.count("\":\""), 1, "{}", counter.name());
            assert_eq!(counter.count("\",\""), 1, "{}", counter.name());
        }
    }
}
