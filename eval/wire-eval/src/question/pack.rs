//! Questions about packs.

use std::collections::{BTreeMap, BTreeSet};

use wire_core::{Edge, EdgeStatus, EdgeType, Payload};

use super::template::{Form, Template, Truth, no_names, once};
use crate::dataset::{Dataset, Family, Random};

const FAMILY: Family = Family::Packs;

pub(super) const TEMPLATES: &[Template] = &[
    Template {
        id: "top_symbol",
        family: FAMILY,
        wording: "Which symbol has the highest score?",
        form: Form::Name,
        choose: once,
        truth: |dataset, _| Some(Truth::name(name(pack(dataset)?, top(pack(dataset)?)?))),
        names: symbols,
    },
    Template {
        id: "symbol_count",
        family: FAMILY,
        wording: "How many symbols are there?",
        form: Form::Number,
        choose: once,
        truth: |dataset, _| Some(Truth::number(pack(dataset)?.symbols.len())),
        names: no_names,
    },
    Template {
        id: "edge_count",
        family: FAMILY,
        wording: "How many edges are listed, whatever their status?",
        form: Form::Number,
        choose: once,
        truth: |dataset, _| Some(Truth::number(pack(dataset)?.edges.len())),
        names: no_names,
    },
    Template {
        id: "top_kind",
        family: FAMILY,
        wording: "Of what kind is the symbol with the highest score?",
        form: Form::Name,
        choose: once,
        truth: |dataset, _| {
            let payload = pack(dataset)?;
            let kind = &payload.symbols[top(payload)? as usize].kind;
            // Both are spellings of the data: one format abbreviates.
            let spellings = [kind.as_str().to_owned(), kind.abbreviation().to_owned()];
            Some(Truth::Name(spellings.into_iter().collect()))
        },
        names: |dataset, _| {
            let kinds = pack(dataset).into_iter().flat_map(|payload| &payload.symbols);
            kinds
                .flat_map(|symbol| [symbol.kind.as_str(), symbol.kind.abbreviation()])
                .map(str::to_owned)
                .collect()
        },
    },
    Template {
        id: "seed_count",
        family: FAMILY,
        wording: "How many symbols have distance 0, that is, were searched for themselves?",
        form: Form::Number,
        choose: once,
        truth: |dataset, _| {
            let symbols = pack(dataset)?.symbols.iter();
            Some(Truth::number(symbols.filter(|symbol| symbol.distance == 0).count()))
        },
        names: no_names,
    },
    Template {
        id: "edge_type_list",
        family: FAMILY,
        wording: "Of which types are the edges? List each type once.",
        form: Form::Names,
        choose: |dataset, _| {
            some_if(pack(dataset).is_some_and(|payload| !payload.edges.is_empty()))
        },
        truth: |dataset, _| {
            let types = pack(dataset)?.edges.iter().map(|edge| edge.edge_type.as_str().to_owned());
            Some(Truth::Names(types.collect()))
        },
        names: edge_types,
    },
    Template {
        id: "distance_counts",
        family: FAMILY,
        wording: "How many symbols are there at each distance that occurs?",
        form: Form::Counts,
        choose: |dataset, _| {
            some_if(pack(dataset).is_some_and(|payload| !payload.symbols.is_empty()))
        },
        truth: |dataset, _| {
            let mut counts = BTreeMap::new();
            for symbol in &pack(dataset)?.symbols {
                *counts.entry(symbol.distance.to_string()).or_default() += 1;
            }
            Some(Truth::Counts(counts))
        },
        names: no_names,
    },
    Template {
        id: "kind_count",
        family: FAMILY,
        wording: "How many symbols are of the kind {}?",
        form: Form::Number,
        choose: |dataset, random| {
            let symbols = pack(dataset).into_iter().flat_map(|payload| &payload.symbols);
            let kinds: BTreeSet<&str> = symbols.map(|symbol| symbol.kind.as_str()).collect();
            let kinds: Vec<&str> = kinds.into_iter().collect();
            if kinds.is_empty() {
                Vec::new()
            } else {
                vec![vec![(*random.pick(&kinds)).to_owned()]]
            }
        },
        truth: |dataset, arguments| {
            let symbols = pack(dataset)?.symbols.iter();
            let count = symbols.filter(|symbol| symbol.kind.as_str() == arguments[0]).count();
            Some(Truth::number(count))
        },
        names: no_names,
    },
    Template {
        id: "edge_exists",
        family: FAMILY,
        wording: "Is there an edge of type {} from {} to {}?",
        form: Form::YesOrNo,
        choose: |dataset, random| {
            let Some((payload, edge)) =
                some_edge(dataset, random, |edge| edge.status != EdgeStatus::Removed)
            else {
                return Vec::new();
            };
            let there = ends(payload, edge);
            let back = vec![there[0].clone(), there[2].clone(), there[1].clone()];
            // The same edge the other way round is the likeliest mistake.
            let is_there = |question: &[String]| all(payload, question).next().is_some();
            let mut questions = vec![there];
            if !is_there(&back) {
                questions.push(back);
            }
            questions
        },
        truth: |dataset, arguments| {
            Some(Truth::YesOrNo(all(pack(dataset)?, arguments).next().is_some()))
        },
        names: no_names,
    },
    Template {
        id: "callers",
        family: FAMILY,
        wording: "Which symbols have an edge of type calls to {}?",
        form: Form::Names,
        choose: |dataset, random| {
            let Some(payload) = pack(dataset) else { return Vec::new() };
            let mut called: BTreeSet<u32> = calls(payload).map(|edge| edge.target).collect();
            // The question is not whether a removed call still counts.
            called.retain(|target| !any_removed(payload, |edge| edge.target == *target));
            let several: Vec<u32> = called
                .iter()
                .copied()
                .filter(|target| (2..=4).contains(&callers(payload, *target).len()))
                .collect();
            let from = if several.is_empty() { called.into_iter().collect() } else { several };
            if from.is_empty() {
                return Vec::new();
            }
            vec![vec![name(payload, *random.pick(&from))]]
        },
        truth: |dataset, arguments| {
            let payload = pack(dataset)?;
            let target = index(payload, &arguments[0])?;
            let names = callers(payload, target).into_iter().map(|source| name(payload, source));
            Some(Truth::Names(names.collect()))
        },
        names: symbols,
    },
    Template {
        id: "edge_status",
        family: FAMILY,
        wording: "An edge may be unchanged, added or removed. Which is the edge of type {} from {} to {}?",
        form: Form::Name,
        choose: |dataset, random| {
            let changed = some_edge(dataset, random, |edge| !edge.status.is_unchanged());
            changed.map(|(payload, edge)| ends(payload, edge)).into_iter().collect()
        },
        truth: |dataset, arguments| {
            let mut statuses = all(pack(dataset)?, arguments).map(|edge| &edge.status);
            let status = statuses.next()?;
            let is_known = EdgeStatus::ALL.contains(status);
            (is_known && statuses.all(|other| other == status))
                .then(|| Truth::name(status.as_str()))
        },
        names: |_, _| ["unchanged", "added", "removed"].map(str::to_owned).into_iter().collect(),
    },
    Template {
        id: "two_hops",
        family: FAMILY,
        wording: "Two edges of type calls lead from {} to {}, over one symbol in between. Which symbol is that?",
        form: Form::Name,
        choose: |dataset, random| {
            let Some(payload) = pack(dataset) else { return Vec::new() };
            let mut pairs = Vec::new();
            for first in calls(payload) {
                for second in calls(payload) {
                    let (from, to) = (first.source, second.target);
                    let is_path = first.target == second.source && from != to;
                    let is_loop = first.target == from || first.target == to;
                    if is_path
                        && !is_loop
                        && !any_removed(payload, |edge| edge.source == from || edge.target == to)
                    {
                        pairs.push((from, to));
                    }
                }
            }
            if pairs.is_empty() {
                return Vec::new();
            }
            let (from, to) = *random.pick(&pairs);
            vec![vec![name(payload, from), name(payload, to)]]
        },
        truth: |dataset, arguments| {
            let payload = pack(dataset)?;
            let (from, to) = (index(payload, &arguments[0])?, index(payload, &arguments[1])?);
            let after = |between: u32| {
                calls(payload).any(|edge| edge.source == between && edge.target == to)
            };
            let between = calls(payload);
            let between = between.filter(|edge| {
                let at = edge.target;
                edge.source == from && at != from && at != to && after(at)
            });
            let names: BTreeSet<String> = between.map(|edge| name(payload, edge.target)).collect();
            (!names.is_empty()).then_some(Truth::Name(names))
        },
        names: symbols,
    },
];

fn pack(dataset: &Dataset) -> Option<&Payload<'static>> {
    match dataset {
        Dataset::Pack(payload) => Some(payload),
        _ => None,
    }
}

fn some_if(is_asked: bool) -> Vec<Vec<String>> {
    if is_asked { vec![Vec::new()] } else { Vec::new() }
}

fn name(payload: &Payload<'_>, index: u32) -> String {
    payload.symbols[index as usize].qualified_name.to_string()
}

/// The symbol of this name, if it is the only one.
fn index(payload: &Payload<'_>, name: &str) -> Option<u32> {
    let mut found =
        (0u32..).zip(&payload.symbols).filter(|(_, symbol)| symbol.qualified_name == name);
    let (index, _) = found.next()?;
    found.next().is_none().then_some(index)
}

/// The symbol of the highest score, if two decimals tell which it is.
fn top(payload: &Payload<'_>) -> Option<u32> {
    let rounded = |score: f64| (score * 100.0).round();
    let mut order: Vec<(u32, f64)> =
        (0u32..).zip(payload.symbols.iter().map(|symbol| rounded(symbol.score))).collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1));
    let (index, score) = *order.first()?;
    order.get(1).is_none_or(|(_, next)| *next < score).then_some(index)
}

fn calls<'p>(payload: &'p Payload<'static>) -> impl Iterator<Item = &'p Edge<'static>> {
    payload.edges.iter().filter(|edge| edge.edge_type == EdgeType::Calls)
}

fn any_removed(payload: &Payload<'static>, is: impl Fn(&Edge<'_>) -> bool) -> bool {
    calls(payload).any(|edge| is(edge) && edge.status == EdgeStatus::Removed)
}

fn callers(payload: &Payload<'static>, target: u32) -> BTreeSet<u32> {
    calls(payload).filter(|edge| edge.target == target).map(|edge| edge.source).collect()
}

/// Its type, where it begins, and where it ends.
fn ends(payload: &Payload<'_>, edge: &Edge<'_>) -> Vec<String> {
    vec![edge.edge_type.as_str().to_owned(), name(payload, edge.source), name(payload, edge.target)]
}

/// The edges of a type between two symbols.
fn all<'p>(
    payload: &'p Payload<'static>,
    ends: &'p [String],
) -> impl Iterator<Item = &'p Edge<'static>> {
    let (source, target) = (index(payload, &ends[1]), index(payload, &ends[2]));
    payload.edges.iter().filter(move |edge| {
        Some(edge.source) == source
            && Some(edge.target) == target
            && edge.edge_type.as_str() == ends[0]
    })
}

/// One of the edges that fit, between symbols whose names no others have.
fn some_edge<'m>(
    dataset: &'m Dataset,
    random: &mut Random,
    fits: fn(&Edge<'_>) -> bool,
) -> Option<(&'m Payload<'static>, &'m Edge<'static>)> {
    let payload = pack(dataset)?;
    let is_clear = |end: u32| index(payload, &name(payload, end)).is_some();
    let edges: Vec<&Edge<'static>> = payload
        .edges
        .iter()
        .filter(|edge| fits(edge) && is_clear(edge.source) && is_clear(edge.target))
        .collect();
    (!edges.is_empty()).then(|| (payload, *random.pick(&edges)))
}

fn symbols(dataset: &Dataset, _: &[String]) -> BTreeSet<String> {
    let symbols = pack(dataset).into_iter().flat_map(|payload| &payload.symbols);
    symbols.map(|symbol| symbol.qualified_name.to_string()).collect()
}

/// The types of the vocabulary, and further types of the edges.
fn edge_types(dataset: &Dataset, _: &[String]) -> BTreeSet<String> {
    let edges = pack(dataset).into_iter().flat_map(|payload| &payload.edges);
    let used = edges.map(|edge| &edge.edge_type);
    EdgeType::ALL.iter().chain(used).map(|edge_type| edge_type.as_str().to_owned()).collect()
}
