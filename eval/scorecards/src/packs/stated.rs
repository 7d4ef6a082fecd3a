//! The figures of GCF's documentation, and those that are measured here.

use wire_tokens::measure::{median, part_saved, ratio};

use super::pack::{PACKS, Pack};
use crate::card::{Cell, Section};

/// The table of the six cases.
pub(super) fn cases(packs: &[Pack]) -> Section {
    let mut section = Section::new(
        "Beside the format's own scorecard",
        &[
            "case", "stated: JSON", "stated: GCF", "stated: change", "symbols and edges here",
            "JSON here", "GCF here", "change here", "JSON without edges", "change against that",
        ],
    )
    .with_intro(
        "Tokens by the word-and-punctuation estimate, which the documentation of GCF also uses. It states two medians of its savings, 76.7 %\n\
         and 84.0 %: the baseline of one has the edges, that of the other does not, and its table uses the one without. Both are shown here,\n\
         compared with minified JSON with signatures and score components. The GCF always has its edges.",
    );
    let (mut stated, mut of_json, mut of_bare) = (Vec::new(), Vec::new(), Vec::new());
    for (pack, (_, case, json, gcf)) in packs.iter().zip(PACKS) {
        let (our_json, our_gcf) = (pack.words("json"), pack.words("gcf"));
        let bare = pack.words_without_edges();
        stated.push(part_saved(json, gcf));
        of_json.push(part_saved(our_json, our_gcf));
        of_bare.push(part_saved(bare, our_gcf));
        let (symbols, edges) = (pack.payload.symbols.len(), pack.payload.edges.len());
        let mut row = vec![case.into(), json.into(), gcf.into(), part_saved(json, gcf).into()];
        row.extend([format!("{symbols}, {edges}").into(), our_json.into(), our_gcf.into()]);
        row.extend([part_saved(our_json, our_gcf).into(), bare.into()]);
        row.push(part_saved(bare, our_gcf).into());
        section.row(row);
    }
    let mut last = vec!["**median**".into(), Cell::None, Cell::None, median(stated).into()];
    last.extend([Cell::None, Cell::None, Cell::None, median(of_json).into()]);
    last.extend([Cell::None, median(of_bare).into()]);
    section.row(last);
    section
}

/// The table of ten symbols and eight edges.
pub(super) fn example(ours: &Pack, example: &Pack) -> Section {
    let mut section = Section::new(
        "Ten symbols",
        &["figure", "stated", "the documented example here", "`context_for_task_10` here"],
    )
    .with_intro(
        "The documentation prints its ten symbols and eight edges only as GCF, without signatures and components. So the JSON of its\n\
         comparison can't be made again: the example's JSON here lacks them. The JSON of our pack, of ten symbols and twelve edges, has them.\n\
         The binary form can't have 448 bytes: the names of its symbols alone have 608.",
    );
    let mut row = |figure: &str, stated: usize, of: &dyn Fn(&Pack) -> usize| {
        let cells = [stated, of(example), of(ours)].map(Cell::Count);
        section.row(std::iter::once(figure.into()).chain(cells).collect());
    };
    row("pretty JSON, bytes", 4153, &|pack| pack.bytes("json-pretty"));
    row("JSON, tokens", 965, &|pack| pack.words("json"));
    row("GCF, bytes", 1079, &|pack| pack.bytes("gcf"));
    row("GCF, tokens", 233, &|pack| pack.words("gcf"));
    row("binary, bytes", 448, &|pack| pack.bytes("gcb"));
    section
}

/// The savings of each codec, as the documentation's table states them.
pub(super) fn savings(packs: &[Pack]) -> Section {
    let mut section =
        Section::new("What each format saves", &["format", "stated", "here", "measured on"]);
    let tokens = |name: &str| {
        let part = |pack: &Pack| part_saved(pack.words("json"), pack.words(name));
        Cell::Saved(median(packs.iter().map(part).collect()))
    };
    let on = "the median of the six packs, word-and-punctuation tokens of JSON with edges";
    for (name, stated, on) in [
        ("gcf", "−84 %", on.to_owned()),
        ("json", "0 %", on.to_owned()),
        ("xml", "around +20 %", format!("{on}; theirs has no edges, ours does")),
        ("markdown", "around −10 %", format!("{on}; it has no score components")),
    ] {
        section.row(vec![name.into(), stated.into(), tokens(name), Cell::Text(on)]);
    }
    let larger = |pack: &Pack| ratio(pack.bytes("gcf"), pack.bytes("gcb")) - 1.0;
    section.row(vec![
        "GCF against binary, bytes more".into(),
        "10–15 %".into(),
        Cell::Part(median(packs.iter().map(larger).collect())),
        "the median of the six packs; GCB1 has signatures and components, GCF does not".into(),
    ]);
    section
}

/// The tables of the comprehension benchmark, as far as no model is needed.
pub(super) fn comprehension(packs: &[Pack]) -> Section {
    let mean = |name: &str| {
        let sum: usize = packs.iter().map(|pack| pack.words(name)).sum();
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
        "Whether a model can read a format can't be measured without a model, so the answered questions are those that the documentation\n\
         states. The tokens here are the means over the six packs, by the word-and-punctuation estimate, with edges in every format; the\n\
         documentation's XML has no edges.",
    );
    for (name, small, part, large, of_large, questions) in [
        ("json", 1818, 1.0, 16372, 1.0, "4 of 6"),
        ("xml", 1818, 1.0, 5026, 0.31, "4 of 6"),
        ("gcf", 265, 0.15, 2687, 0.16, "6 of 6"),
    ] {
        let mut row = vec![name.into(), Cell::Count(small), Cell::Part(part), Cell::Count(large)];
        row.extend([Cell::Part(of_large), questions.into(), mean(name).into()]);
        row.push(Cell::Part(ratio(mean(name), mean("json"))));
        section.row(row);
    }
    section
}
