//! What sessions and deltas save when an agent asks again.

use std::cmp::Ordering;
use std::ops::Range;

use gcf::graph::{Delta, DiffOutcome, Encoder, Exchange, Outcome, Request, RootAlgorithm};
use wire_core::{Edge, Payload, TokenCounter};
use wire_tokens::measure::{median, part_saved, ratio};
use wire_tokens::{Counter, Counts, Tokens};

use crate::calls::{self, WAYS};
use crate::card::{Cell, Scorecard, Section};
use crate::chart::Chart;
use crate::error::Error;
use crate::fixtures::Fixtures;
use crate::packs::pack::packs;

/// If one of 29 symbols changes, 28 are the same: 96.6 %, an overlap for which the documentation
/// states a figure.
const SIZE: u32 = 29;
/// How many of its symbols have changed.
const CHANGED: [u32; 10] = [0, 1, 2, 3, 5, 8, 12, 15, 20, SIZE];
/// The pack that the others are made of.
const WHOLE: &str = "context_for_task_30";

pub(crate) fn card(
    fixtures: &Fixtures,
    counts: &Counts,
    counters: &[Counter],
) -> Result<Scorecard, Error> {
    let whole = packs(fixtures)?
        .into_iter()
        .find_map(|(name, payload)| (name == WHOLE).then_some(payload))
        .expect("because it is one of the packs");
    let base = part(&whole, 0..SIZE);
    let tasks = tasks(&whole);
    let edits = calls::packs();
    let (of_tasks, of_edits) = (calls::texts(&tasks)?, calls::texts(&edits)?);

    let mut sections = Vec::new();
    let mut sweeps = Vec::new();
    for counter in counters {
        let sweep = sweep(&base, counts, *counter)?;
        sections.push(sweep_section(&sweep, *counter));
        sweeps.push(sweep);
    }
    for counter in counters {
        let named = |texts: &Calls, packs: &calls::Packs, heading: String, intro: &str| {
            ways_section(texts, packs, counts, *counter, heading).with_intro(intro)
        };
        sections.push(named(
            &of_tasks,
            &tasks,
            format!("Six tasks, one after the other, by {counter}"),
            "An agent moves from task to task, and receives parts of `context_for_task_30`: twenty symbols, then twenty that begin five and ten\n\
             symbols later, the same again, the first again, and all thirty.",
        ));
        sections.push(named(
            &of_edits,
            &edits,
            format!("Ten calls with edits in between, by {counter}"),
            "Packs of 24 symbols. The code base is edited between the calls (`crates/wire-scorecards/src/calls.rs`).",
        ));
    }
    sections.push(beside(&sweeps[0], counters[0], &of_edits, counts));
    let counter = counters[0];
    let totals = |texts: &Calls| {
        let count = |way: usize| {
            Some(texts.iter().map(|texts| counts.tokens(counter, &texts[way]).count).sum())
        };
        (0..WAYS.len()).map(count).collect::<Vec<_>>()
    };
    Ok(Scorecard {
        name: "delta",
        title: "Asking again: sessions and deltas",
        intro: "A server sends a payload to a consumer that already has most of it. The tokens are counted in five ways: minified JSON with edges;\n\
                GCF in full; GCF in a session, where symbols that were sent before are references; GCF as a delta, if that is under 60 % of the\n\
                full payload; and session and delta together. A consumer reads every text, and then has the payload of the producer."
            .to_owned(),
        command: "cargo run -q -p wire-cli -- scorecard delta",
        sections,
        chart: Some(Chart {
            title: format!("Tokens of all calls together, by {}", counter.name()),
            series: WAYS.map(str::to_owned).to_vec(),
            groups: vec![
                ("six tasks".to_owned(), totals(&of_tasks)),
                ("ten calls with edits".to_owned(), totals(&of_edits)),
            ],
        }),
    })
}

type Calls = [[String; WAYS.len()]];

/// Some of the symbols of a payload, and the edges among them.
fn part(whole: &Payload<'static>, symbols: Range<u32>) -> Payload<'static> {
    let edges = whole
        .edges
        .iter()
        .filter(|edge| symbols.contains(&edge.source) && symbols.contains(&edge.target));
    let edges = edges.map(|edge| {
        let (source, target) = (edge.source - symbols.start, edge.target - symbols.start);
        Edge::new(source, target, edge.edge_type.clone()).with_status(edge.status.clone())
    });
    Payload {
        tool: whole.tool.clone(),
        tokens_used: whole.tokens_used,
        token_budget: whole.token_budget,
        pack_root: None,
        edges: edges.collect(),
        symbols: whole.symbols[symbols.start as usize..symbols.end as usize].to_vec(),
    }
}

fn tasks(whole: &Payload<'static>) -> Vec<(&'static str, Payload<'static>)> {
    vec![
        ("the first task", part(whole, 0..20)),
        ("the second, 75 % the same", part(whole, 5..25)),
        ("the third, 75 % the same", part(whole, 10..30)),
        ("the same again", part(whole, 10..30)),
        ("back to the first, 50 % the same", part(whole, 0..20)),
        ("all of it", part(whole, 0..30)),
    ]
}

/// The pack with other symbols instead of those with the lowest scores, as if the question had
/// changed a little.
fn changed(base: &Payload<'static>, count: u32) -> Payload<'static> {
    let mut new = base.clone();
    let mut order: Vec<usize> = (0..new.symbols.len()).collect();
    order.sort_by(|a, b| new.symbols[*a].score.total_cmp(&new.symbols[*b].score).then(b.cmp(a)));
    for index in order.into_iter().take(count as usize) {
        let symbol = &mut new.symbols[index];
        symbol.qualified_name = format!("{}V2", symbol.qualified_name).into();
    }
    new
}

/// A server's answer after some symbols have changed.
struct Answered {
    changed: u32,
    outcome: &'static str,
    tokens: Tokens,
    /// The tokens of the delta, whether or not it is sent; `None` if nothing has changed.
    delta: Option<Tokens>,
    full: Tokens,
    json: Tokens,
}

fn sweep(
    base: &Payload<'static>,
    counts: &Counts,
    counter: Counter,
) -> Result<Vec<Answered>, Error> {
    let refused = |error: gcf::Error| Error::encode(WHOLE.to_owned(), "gcf", error);
    let encoder = Encoder::new().root_algorithm(Some(RootAlgorithm::PackRootV1));
    CHANGED
        .iter()
        .map(|&count| {
            let new = changed(base, count);
            let server = Exchange::new(encoder).counter(counter);
            let mut text = String::new();
            let held = server.answer(Request::Full, base, &mut text).map_err(refused)?.root;
            text.clear();
            let answer =
                server.answer(Request::from_root(Some(&held)), &new, &mut text).map_err(refused)?;
            let tokens = counts.tokens(counter, &text);
            let mut full = String::new();
            Exchange::new(encoder).answer(Request::Full, &new, &mut full).map_err(refused)?;
            let mut json = Vec::new();
            wire_core::Codec::encode(&wire_registry::json::Json::compact(), &new, &mut json)
                .map_err(|error| Error::encode(WHOLE.to_owned(), "json", error))?;
            let delta = match Delta::between(base, &new, &encoder, &counter).map_err(refused)? {
                DiffOutcome::Delta(delta) if count > 0 => {
                    let text = encoder.delta_to_string(&delta).map_err(refused)?;
                    Some(counts.tokens(counter, &text))
                }
                _ => None,
            };
            Ok(Answered {
                changed: count,
                delta,
                outcome: match answer.outcome {
                    Outcome::Unchanged => "unchanged",
                    Outcome::Delta => "delta",
                    Outcome::Full(_) => "full",
                },
                tokens,
                full: counts.tokens(counter, &full),
                json: counts.tokens(counter, &String::from_utf8_lossy(&json)),
            })
        })
        .collect()
}

fn overlap(changed: u32) -> f64 {
    ratio((SIZE - changed) as usize, SIZE as usize)
}

fn sweep_section(sweep: &[Answered], counter: Counter) -> Section {
    let mut section = Section::new(
        format!("The same question again, by {counter}"),
        &[
            "replaced", "overlap", "answer", "tokens", "as a delta", "GCF in full", "saved",
            "JSON in full", "saved of JSON",
        ],
    )
    .with_intro(
        "The consumer has the first 29 symbols of `context_for_task_30`. In the next answer, other symbols replace those with the lowest\n\
         scores. The server knows what the consumer has, and sends a delta if it is under 60 % of the full payload. Replacing a symbol removes\n\
         its edges and adds those of the new one, by name. A delta also has two roots of 64 digits (`pack-root-v1`, a hash of names, edges,\n\
         scores and distances).",
    );
    for answered in sweep {
        section.row(vec![
            Cell::Count(answered.changed as usize),
            Cell::Part(overlap(answered.changed)),
            answered.outcome.into(),
            Cell::Tokens(answered.tokens),
            answered.delta.map_or(Cell::None, Cell::Tokens),
            Cell::Tokens(answered.full),
            Cell::Part(part_saved(answered.full.count, answered.tokens.count)),
            Cell::Tokens(answered.json),
            Cell::Part(part_saved(answered.json.count, answered.tokens.count)),
        ]);
    }
    section
}

fn ways_section(
    texts: &Calls,
    packs: &calls::Packs,
    counts: &Counts,
    counter: Counter,
    heading: String,
) -> Section {
    let columns: Vec<&str> = ["call", "what happened"].into_iter().chain(WAYS).collect();
    let mut section = Section::new(heading, &columns);
    let (mut totals, mut estimated) = ([0; WAYS.len()], false);
    for (number, (texts, (what, _))) in (1..).zip(texts.iter().zip(packs)) {
        let mut row = vec![Cell::Count(number), Cell::Text((*what).to_owned())];
        for (text, total) in texts.iter().zip(&mut totals) {
            let tokens = counts.tokens(counter, text);
            *total += tokens.count;
            estimated |= tokens.estimated;
            row.push(Cell::Tokens(tokens));
        }
        section.row(row);
    }
    let row = |name: &str, cell: &dyn Fn(usize) -> Cell| -> Vec<Cell> {
        let start = [Cell::None, Cell::Text(format!("**{name}**"))];
        start.into_iter().chain(totals.iter().map(|total| cell(*total))).collect()
    };
    section.row(row("together", &|count| Cell::Tokens(Tokens { count, estimated })));
    section.row(row("saved of JSON", &|total| Cell::Part(part_saved(totals[0], total))));
    section.row(row("saved of GCF", &|total| match total.cmp(&totals[1]) {
        Ordering::Greater => Cell::None,
        _ => Cell::Part(part_saved(totals[1], total)),
    }));
    section
}

/// The figures of the documentation, and those that are measured here.
fn beside(sweep: &[Answered], counter: Counter, edits: &Calls, counts: &Counts) -> Section {
    let mut section = Section::new(
        "Beside the format's own figures",
        &["figure", "stated", "here", "measured on"],
    )
    .with_intro(
        "The documentation's figures come from a server that is not available here. They depend on its users: how often they asked a question\n\
         again, and what had changed.",
    );
    let on = |what: &str| Cell::Text(format!("{what}, {counter}"));
    let one = &sweep[1];
    section.row(vec![
        "tokens saved at an overlap of 96.6 %".into(),
        Cell::Part(0.812),
        Cell::Part(part_saved(one.full.count, one.tokens.count)),
        on("one of 29 symbols replaced, against GCF in full"),
    ]);
    let same = &sweep[0];
    section.row(vec![
        "saved when nothing has changed".into(),
        "93–99 % (bytes)".into(),
        Cell::Part(part_saved(same.full.count, same.tokens.count)),
        on("29 symbols, tokens, against GCF in full"),
    ]);
    // The delta column: where the answer is shorter than the payload in full, it is one.
    let deltas: Vec<f64> = edits
        .iter()
        .skip(1)
        .filter(|texts| texts[3].contains(" delta=true "))
        .map(|texts| {
            let count = |text: &str| counts.tokens(counter, text).count;
            ratio(count(&texts[3]), count(&texts[1]))
        })
        .collect();
    let shortened = edits.iter().skip(1).filter(|texts| texts[3].len() < texts[1].len()).count();
    section.row(vec![
        "questions asked again that are answered shorter".into(),
        "81.2 %".into(),
        Cell::Part(ratio(shortened, edits.len() - 1)),
        on("nine calls after the first, with edits in between"),
    ]);
    section.row(vec![
        "size of a delta, of the payload in full".into(),
        "18.8 % (mean)".into(),
        if deltas.is_empty() { Cell::None } else { Cell::Part(median(deltas)) },
        on("the median of the deltas among these calls"),
    ]);
    let total = |way: usize| -> usize {
        edits.iter().map(|texts| counts.tokens(counter, &texts[way]).count).sum()
    };
    section.row(vec![
        "saved with session and delta together".into(),
        "more than 95 %".into(),
        Cell::Part(part_saved(total(0), total(4))),
        on("all ten calls, the first in full, against JSON with edges"),
    ]);
    section.row(vec![
        "the same against GCF in full".into(),
        Cell::None,
        Cell::Part(part_saved(total(1), total(4))),
        on("all ten calls"),
    ]);
    section
}
