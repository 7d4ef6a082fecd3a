//! Six context packs in every format of payloads.

pub(crate) mod pack;
mod stated;

use wire_tokens::Counter;
use wire_tokens::measure::{median, part_saved};

use crate::card::{Cell, Scorecard, Section};
use crate::scorecards::{Inputs, gzip, tokens};
use pack::{Encoded, Pack, example, packs, registry};

pub(crate) fn card(inputs: &Inputs) -> Result<Scorecard, String> {
    let registry = registry();
    let packs = packs(inputs)?
        .into_iter()
        .map(|(name, payload)| Pack::new(name, payload, &registry))
        .collect::<Result<Vec<_>, _>>()?;
    let example = Pack::new("the documented example", example(inputs)?, &registry)?;

    let mut sections = Vec::new();
    for counter in &inputs.counters {
        sections.push(of_counter(&packs, *counter));
    }
    sections.extend([
        bytes(&packs),
        integrity(&packs),
        stated::cases(&packs),
        stated::example(&packs[0], &example),
        stated::savings(&packs),
        stated::comprehension(&packs),
    ]);
    Ok(Scorecard {
        title: "Context packs in every format",
        intro: "Six context packs of ranked symbols and edges in every format, GCF in dialect v1 (its default version). They are our own (`fixtures/payloads/packs`),\n\
                named and sized after those of GCF's documentation. Changes in tokens and bytes: minus is fewer. The JSON\n\
                has edges, signatures and score components (the parts of a score); not every format keeps them, and the table of round trips says what each loses.\n\
                The word-and-punctuation estimate does not count white space, so pretty and minified JSON have the same number of tokens."
            .to_owned(),
        sections,
    })
}

fn of_counter(packs: &[Pack], counter: Counter) -> Section {
    let mut columns = vec!["pack"];
    let others: Vec<&str> =
        packs[0].texts().filter(|name| !matches!(*name, "json" | "json-pretty")).collect();
    columns.extend(["pretty JSON", "JSON"]);
    columns.extend(&others);
    columns.extend(["GCF against JSON", "against pretty JSON"]);
    let mut section = Section::new(format!("Tokens by {counter}"), &columns);
    let mut parts: Vec<Vec<f64>> = vec![Vec::new(); others.len()];
    let (mut of_json, mut of_pretty) = (Vec::new(), Vec::new());
    for pack in packs {
        let count = |name: &str| tokens(counter, &pack.text(name));
        let (json, pretty, gcf) = (count("json"), count("json-pretty"), count("gcf"));
        let mut row = vec![pack.name.as_str().into(), Cell::Tokens(pretty), Cell::Tokens(json)];
        for (name, parts) in others.iter().zip(&mut parts) {
            parts.push(part_saved(json.count, count(name).count));
            row.push(Cell::Tokens(count(name)));
        }
        of_json.push(part_saved(json.count, gcf.count));
        of_pretty.push(part_saved(pretty.count, gcf.count));
        row.push(Cell::Saved(part_saved(json.count, gcf.count)));
        row.push(Cell::Saved(part_saved(pretty.count, gcf.count)));
        section.row(row);
    }
    let mut last = vec!["**median, against JSON**".into(), Cell::None, Cell::None];
    last.extend(parts.into_iter().map(|parts| Cell::Saved(median(parts))));
    last.extend([Cell::Saved(median(of_json)), Cell::Saved(median(of_pretty))]);
    section.row(last);
    section
}

fn bytes(packs: &[Pack]) -> Section {
    let names: Vec<&str> = packs[0].forms.iter().map(|form| form.info.name()).collect();
    let zipped = ["gzip: json", "gzip: gcf", "gzip: gcb"];
    let mut section = Section::new("Bytes", &[&["pack"], &names[..], &zipped].concat());
    let mut parts: Vec<Vec<f64>> = vec![Vec::new(); names.len() + zipped.len()];
    for pack in packs {
        let plain = pack.forms.iter().map(|form| form.bytes.len());
        let of_name = |name: &str| pack.forms.iter().find(|form| form.info.name() == name);
        let gzipped = |name| of_name(name).map_or(0, |form: &Encoded| gzip(&form.bytes));
        let sizes: Vec<usize> = plain.chain(["json", "gcf", "gcb"].map(gzipped)).collect();
        for (index, (parts, size)) in parts.iter_mut().zip(&sizes).enumerate() {
            let base = if index < names.len() { pack.bytes("json") } else { sizes[names.len()] };
            parts.push(part_saved(base, *size));
        }
        let sizes = sizes.into_iter().map(Cell::Count);
        section.row(std::iter::once((&*pack.name).into()).chain(sizes).collect());
    }
    let medians = parts.into_iter().map(|parts| Cell::Saved(median(parts)));
    section.row(std::iter::once("**median, against JSON**".into()).chain(medians).collect());
    section
}

/// Returns `true` if the formats keep what their fidelity states.
fn integrity(packs: &[Pack]) -> Section {
    let columns = ["format", "for", "round trips as stated", "loses"];
    let mut section = Section::new("Round trips", &columns);
    for (index, Encoded { info, .. }) in packs[0].forms.iter().enumerate() {
        let known = packs.iter().filter_map(|pack| pack.forms[index].comes_back);
        let (count, whole) = (known.clone().count(), known.filter(|whole| *whole).count());
        let comes_back = match count {
            0 => "it is not read".to_owned(),
            count => format!("{whole} of {count}"),
        };
        let losses = info.fidelity().in_words();
        let losses = if losses.is_empty() { "nothing".to_owned() } else { losses.join("; ") };
        let audience = info.audience().to_string();
        section.row(vec![
            info.name().into(),
            (&*audience).into(),
            (&*comes_back).into(),
            (&*losses).into(),
        ]);
    }
    section
}
