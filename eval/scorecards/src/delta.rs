//! What sessions and deltas save when an agent asks again.

use std::cmp::Ordering;
use std::ops::Range;

use gcf::graph::{Delta, Encoder, Exchange, Request, RootAlgorithm};
use wire_core::{Codec, Edge, Payload};
use wire_registry::json::Json;
use wire_tokens::measure::{median, part_saved, ratio};
use wire_tokens::{Counter, TokenCounter as _, Tokens};

use crate::calls::{self, Calls, WAYS};
use crate::card::{Cell, Scorecard, Section};
use crate::packs::pack::packs;
use crate::scorecards::{Inputs, of, tokens};

/// If one of 29 symbols changes, 28 are the same: 96.6 %, an overlap for which the documentation
/// states a figure.
const SIZE: u32 = 29;
/// How many of its symbols have changed.
const CHANGED: [u32; 10] = [0, 1, 2, 3, 5, 8, 12, 15, 20, SIZE];
/// The pack that the others are made of.
const WHOLE: &str = "context_for_task_30";

pub(crate) fn card(inputs: &Inputs) -> Result<Scorecard, String> {
    let counters = &inputs.counters;
    let whole = packs(inputs)?.into_iter().find(|(name, _)| *name == WHOLE);
    let (_, whole) = whole.expect("because it is one of the packs");
    let base = part(&whole, 0..SIZE);
    let tasks = tasks(&whole);
    let edits = calls::packs();
    let (of_tasks, of_edits) = (calls::texts(&tasks)?, calls::texts(&edits)?);

    let (mut sections, mut saved) = (Vec::new(), Vec::new());
    for counter in counters {
        let (section, parts) = sweep(&base, *counter)?;
        sections.push(section);
        saved.push(parts);
    }
    let packs = "Packs of 24 symbols. The code base is edited between the calls (`eval/scorecards/src/calls.rs`).";
    let parts = "An agent moves from task to task, and receives parts of `context_for_task_30`: twenty symbols, then twenty that begin five and ten\n\
                 symbols later, the same again, the first again, and all thirty.";
    for counter in counters {
        for (texts, calls, heading, intro) in [
            (&of_tasks, &tasks, "Six tasks, one after the other", parts),
            (&of_edits, &edits, "Ten calls with edits in between", packs),
        ] {
            let heading = format!("{heading}, by {counter}");
            sections.push(ways(texts, calls, *counter, heading).with_intro(intro));
        }
    }
    sections.push(beside(&saved[0], counters[0], &of_edits));
    Ok(Scorecard {
        title: "Asking again: sessions and deltas",
        intro: "A server sends a payload to a consumer that already has most of it. The tokens are counted in five ways: minified JSON with edges;\n\
                GCF in full; GCF in a session, where symbols that were sent before are references; GCF as a delta, if that is under 60 % of the\n\
                full payload; and session and delta together. A consumer reads every text, and then has the payload of the producer."
            .to_owned(),
        sections,
    })
}

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

/// A server's answers after some symbols have changed, and the part of GCF in full that each saves.
fn sweep(base: &Payload<'static>, counter: Counter) -> Result<(Section, Vec<f64>), String> {
    let columns = [
        "replaced",
        "overlap",
        "answer",
        "tokens",
        "as a delta",
        "GCF in full",
        "against it",
        "JSON in full",
        "against JSON",
    ];
    let mut section = Section::new(format!("The same question again, by {counter}"), &columns).with_intro(
        "The consumer has the first 29 symbols of `context_for_task_30`. In the next answer, other symbols replace those with the lowest\n\
         scores. The server knows what the consumer has, and sends a delta if it is under 60 % of the full payload. Replacing a symbol removes\n\
         its edges and adds those of the new one, by name. A delta also has two roots of 64 digits (`pack-root-v1`, a hash of names, edges,\n\
         scores and distances).",
    );
    let encoder = Encoder::new().root_algorithm(Some(RootAlgorithm::PackRootV1));
    let count = |text: &str| tokens(counter, text);
    let mut parts = Vec::new();
    for changes in CHANGED {
        let new = changed(base, changes);
        let server = Exchange::new(encoder).counter(counter);
        let answer = |request, payload| {
            let mut text = String::new();
            server
                .answer(request, payload, &mut text)
                .map(|answer| (answer, text))
                .map_err(of(WHOLE))
        };
        let held = answer(Request::Full, base)?.0.root;
        let (sent, text) = answer(Request::Since(&held), &new)?;
        let (tokens, full) = (count(&text), count(&answer(Request::Full, &new)?.1));
        let mut json = Vec::new();
        Codec::encode(&Json::compact(), &new, &mut json).map_err(of(WHOLE))?;
        let json = count(&String::from_utf8_lossy(&json));
        // Whether or not it is sent; there is none if nothing has changed.
        let mut delta = None;
        if let Ok(it) = Delta::between(base, &new, &encoder, &counter).map_err(of(WHOLE))?
            && changes > 0
        {
            delta = Some(count(&encoder.delta_to_string(&it).map_err(of(WHOLE))?));
        }
        let overlap = ratio((SIZE - changes) as usize, SIZE as usize);
        let mut row =
            vec![(changes as usize).into(), Cell::Part(overlap), sent.outcome.name().into()];
        row.extend([tokens.into(), delta.into(), full.into()]);
        parts.push(part_saved(full.count, tokens.count));
        row.push(part_saved(full.count, tokens.count).into());
        row.extend([json.into(), part_saved(json.count, tokens.count).into()]);
        section.row(row);
    }
    Ok((section, parts))
}

fn ways(texts: &Calls, packs: &calls::Packs, counter: Counter, heading: String) -> Section {
    let columns: Vec<&str> = ["call", "what happened"].into_iter().chain(WAYS).collect();
    let mut section = Section::new(heading, &columns);
    let (mut totals, mut estimated) = ([0; WAYS.len()], false);
    for (call, (what, _)) in packs.iter().enumerate() {
        let mut row = vec![Cell::Count(call + 1), (*what).into()];
        for (texts, total) in texts.iter().zip(&mut totals) {
            let tokens = tokens(counter, &texts[call]);
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
    section.row(row("against JSON", &|total| Cell::Saved(part_saved(totals[0], total))));
    section.row(row("against GCF", &|total| match total.cmp(&totals[1]) {
        Ordering::Greater => Cell::None,
        _ => Cell::Saved(part_saved(totals[1], total)),
    }));
    section
}

/// The figures of the documentation, and those that are measured here.
fn beside(saved: &[f64], counter: Counter, edits: &Calls) -> Section {
    let mut section = Section::beside(
        "The documentation's figures come from a server that is not available here. They depend on its users: how often they asked a question\n\
         again, and what had changed.",
    );
    let on = |what: &str| format!("{what}, {counter}");
    section.figure(
        "change in tokens at an overlap of 96.6 %",
        0.812,
        saved[1],
        &on("one of 29 symbols replaced, against GCF in full"),
    );
    section.figure(
        "when nothing has changed",
        "−93 to −99 % (bytes)",
        saved[0],
        &on("29 symbols, tokens, against GCF in full"),
    );
    let count = |text: &String| counter.count(text);
    let [json, gcf, _, deltas, both] = edits;
    let later: Vec<(&String, &String)> = deltas.iter().zip(gcf).skip(1).collect();
    let shortened = later.iter().filter(|(delta, gcf)| delta.len() < gcf.len()).count();
    section.figure(
        "questions asked again that are answered shorter",
        "81.2 %",
        Cell::Part(ratio(shortened, later.len())),
        &on("nine calls after the first, with edits in between"),
    );
    // The delta column: where the answer is shorter than the payload in full, it is one.
    let deltas = later.iter().filter(|(delta, _)| delta.contains(" delta=true "));
    let sizes: Vec<f64> = deltas.map(|(delta, gcf)| ratio(count(delta), count(gcf))).collect();
    section.figure(
        "size of a delta, of the payload in full",
        "18.8 % (mean)",
        (!sizes.is_empty()).then(|| Cell::Part(median(sizes))),
        &on("the median of the deltas among these calls"),
    );
    let [json, gcf, both] = [json, gcf, both].map(|texts| texts.iter().map(count).sum::<usize>());
    section.figure(
        "with session and delta together",
        "below −95 %",
        part_saved(json, both),
        &on("all ten calls, the first in full, against JSON with edges"),
    );
    let of_gcf = part_saved(gcf, both);
    section.figure("the same against GCF in full", Cell::None, of_gcf, &on("all ten calls"));
    section
}
