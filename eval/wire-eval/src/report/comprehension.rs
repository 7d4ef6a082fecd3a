//! The tables of a run of questions.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::{arms, mean_tokens, price};
use super::stats::{FEWEST_TABLES, Part, bootstrap, mean_and_median, number, sign_test};
use super::table::{Cell, Table};
use super::{likelihood, slips};
use crate::dataset::Family;
use crate::log::{Call, Log, Outcome};
use crate::question::templates;

/// Returns `true` if it is right exactly and leniently; `None` for a call that failed.
pub(super) fn score(call: &Call) -> Option<(bool, bool)> {
    match call.outcome {
        Outcome::Answered { score, .. } => Some((score.exact, score.lenient)),
        Outcome::Failed { .. } => None,
    }
}

fn lenient<'c>(calls: impl Iterator<Item = &'c Call>) -> Part {
    let mut part = Part::default();
    for (_, is_right) in calls.filter_map(score) {
        part.add(is_right);
    }
    part
}

pub(super) fn tables(log: &Log, baseline: &str) -> Vec<Table> {
    let mut tables = Vec::new();
    for family in Family::REPORTED {
        let calls: Vec<&Call> =
            log.calls.iter().filter(|call| call.family == family.name()).collect();
        if calls.is_empty() {
            continue;
        }
        let of = |arm: &str| -> Vec<&Call> {
            calls.iter().copied().filter(|call| call.key.arm == arm).collect()
        };
        let arms: Vec<&str> = arms(log).into_iter().filter(|arm| !of(arm).is_empty()).collect();
        let (edges, left_out) = edges(&arms, &calls);
        let is_summed = |call: &&Call| !left_out.contains(call.key.question.as_str());
        let all_summed: Vec<&Call> = calls.iter().copied().filter(is_summed).collect();
        let summed = |arm: &str| -> Vec<&Call> {
            all_summed.iter().copied().filter(|call| call.key.arm == arm).collect()
        };
        tables.push(by_arm(log, family, &arms, &summed, baseline));
        tables.push(by_size(family, &arms, &all_summed, &summed));
        tables.extend(by_question(family, &arms, &calls, &edges));
        if family == Family::Rows {
            tables.extend(slips::table(log, family, &arms, &all_summed));
        }
        tables.extend(likelihood::tables(family, &arms, &summed, baseline));
        tables.extend(pairs(family, &arms, &summed, baseline));
    }
    tables
}

/// Answers that each arm must have before a kind of question is called too hard or too easy.
const FEWEST_ANSWERS: usize = 20;

/// Where the arms can't differ: kinds of questions at the floor (no arm has more than a tenth right)
/// or at the ceiling (no arm has more than a twentieth wrong).
type Edges<'c> = BTreeMap<&'c str, &'static str>;

/// The kinds of questions at an edge, and those of them that are left out of sums: none if all are
/// at an edge, since nothing would be left.
fn edges<'c>(arms: &[&str], calls: &[&'c Call]) -> (Edges<'c>, BTreeSet<&'c str>) {
    let kinds: BTreeSet<&str> = calls.iter().map(|call| call.key.question.as_str()).collect();
    let edge = |kind: &&'c str| {
        let of_kind = |arm: &&str| {
            let is_of = |call: &&&Call| call.key.question == **kind && call.key.arm == **arm;
            lenient(calls.iter().filter(is_of).copied())
        };
        let parts: Vec<Part> = arms.iter().map(of_kind).collect();
        let all =
            |is: fn(&Part) -> bool| parts.iter().all(|part| part.of >= FEWEST_ANSWERS && is(part));
        if all(|part| part.right * 10 <= part.of) {
            Some((*kind, "the floor"))
        } else if all(|part| (part.of - part.right) * 20 <= part.of) {
            Some((*kind, "the ceiling"))
        } else {
            None
        }
    };
    let edges: Edges<'c> = kinds.iter().filter_map(edge).collect();
    let left_out =
        if edges.len() < kinds.len() { edges.keys().copied().collect() } else { BTreeSet::new() };
    (edges, left_out)
}

/// The calls of an arm.
pub(super) type Of<'f, 'c> = &'f dyn Fn(&str) -> Vec<&'c Call>;

fn by_arm(log: &Log, family: Family, arms: &[&str], of: Of<'_, '_>, baseline: &str) -> Table {
    let mut columns = vec![
        "arm",
        "answers",
        "failed",
        "exact",
        "right",
        "mean tokens of a prompt",
        "of the baseline's",
    ];
    let is_timed = log.calls.iter().any(|call| time(call).is_some());
    columns.extend(log.run.price_input.is_some().then_some("price of 1,000 answers"));
    columns.extend(is_timed.then_some("median seconds"));
    let mut table = Table::new(
        format!("{}: accuracy and tokens", family.name()),
        "*Exact*: only what was asked for. *Right*: that in any other text, and no other value of its kind. In brackets is Wilson's \
         interval of 95 %, which is too narrow where questions are repeated.",
        &columns,
    );
    let base = mean_tokens(log, of(baseline).into_iter());
    for arm in arms {
        let calls = of(arm);
        let mut exact = Part::default();
        for (is_exact, _) in calls.iter().copied().filter_map(score) {
            exact.add(is_exact);
        }
        let tokens = mean_tokens(log, calls.iter().copied());
        let mut row = vec![
            Cell::Text((*arm).to_owned()),
            Cell::Count(exact.of),
            Cell::Count(calls.len() - exact.of),
            Cell::Rate(exact),
            Cell::Rate(lenient(calls.iter().copied())),
            tokens.map_or(Cell::Nothing, Cell::Mean),
            match (tokens, base) {
                (Some(tokens), Some(base)) if base > 0.0 => Cell::Ratio(tokens / base),
                _ => Cell::Nothing,
            },
        ];
        if log.run.price_input.is_some() {
            row.push(price(log, calls.iter().copied()).map_or(Cell::Nothing, Cell::Money));
        }
        if is_timed {
            let seconds = calls.iter().filter_map(|call| time(call)).collect();
            row.push(
                mean_and_median(seconds).map_or(Cell::Nothing, |(_, median)| Cell::Tenths(median)),
            );
        }
        table.row(row);
    }
    table
}

/// The seconds of an answer.
fn time(call: &Call) -> Option<f64> {
    match call.outcome {
        Outcome::Answered { milliseconds, .. } => {
            milliseconds.map(|time| number(usize::try_from(time).unwrap_or(usize::MAX)) / 1000.0)
        }
        Outcome::Failed { .. } => None,
    }
}

fn by_size(family: Family, arms: &[&str], calls: &[&Call], of: Of<'_, '_>) -> Table {
    let sizes: BTreeSet<usize> = calls.iter().map(|call| call.size).collect();
    let what = if family == Family::Calls { "turn" } else { "size" };
    let names: Vec<String> = sizes.iter().map(|size| format!("{what} {size}")).collect();
    let mut columns = vec!["arm"];
    columns.extend(names.iter().map(String::as_str));
    let mut table = Table::new(format!("{}: right answers by {what}", family.name()), "", &columns);
    for arm in arms {
        let calls = of(arm);
        let mut row = vec![Cell::Text((*arm).to_owned())];
        row.extend(sizes.iter().map(|size| {
            Cell::Of(lenient(calls.iter().copied().filter(|call| call.size == *size)))
        }));
        table.row(row);
    }
    table
}

/// `None` where all questions are of one kind, which is not at an edge: other tables say the same.
fn by_question(family: Family, arms: &[&str], calls: &[&Call], edges: &Edges<'_>) -> Option<Table> {
    let kinds: BTreeSet<&str> = calls.iter().map(|call| call.key.question.as_str()).collect();
    if kinds.len() < 2 && edges.is_empty() {
        return None;
    }
    let mut columns = vec!["question"];
    columns.extend(arms);
    let about = if edges.is_empty() {
        ""
    } else {
        "In a kind of question at the floor no arm has more than a tenth right, at the ceiling none more than a twentieth wrong, of 20 answers \
         or more: it can't tell the arms apart. The other tables are without these kinds, unless all kinds are so."
    };
    let mut table =
        Table::new(format!("{}: right answers by question", family.name()), about, &columns);
    // Questions of others are in the order of their names.
    let known: Vec<&str> =
        templates().filter(|template| template.family == family).map(|one| one.id).collect();
    let others = kinds.iter().copied().filter(|kind| !known.contains(kind));
    for kind in known.iter().copied().filter(|kind| kinds.contains(kind)).chain(others) {
        let of: Vec<&Call> =
            calls.iter().copied().filter(|call| call.key.question == kind).collect();
        let edge = edges.get(kind).map(|edge| format!(" (at {edge})"));
        let mut row = vec![Cell::Text(format!("{kind}{}", edge.unwrap_or_default()))];
        row.extend(
            arms.iter().map(|arm| {
                Cell::Of(lenient(of.iter().copied().filter(|call| call.key.arm == *arm)))
            }),
        );
        table.row(row);
    }
    Some(table)
}

/// The columns of tables of pairs.
const COLUMNS: [&str; 7] = ["arm", "pairs", "better", "worse", "the same", "chance", "difference"];

/// Each arm beside the baseline, question by question: over all kinds, and for data of several
/// tables by kind.
fn pairs(family: Family, arms: &[&str], of: Of<'_, '_>, baseline: &str) -> Vec<Table> {
    if !arms.contains(&baseline) || arms.len() < 2 {
        return Vec::new();
    }
    let all: Vec<Differences<'_>> = arms
        .iter()
        .filter(|arm| **arm != baseline)
        .map(|arm| Differences::new(arm, &of(arm), &of(baseline)))
        .collect();
    let mut table = Table::new(
        format!("{}: beside {baseline}, question by question", family.name()),
        "A pair is a question about some data; the arm that was right in more of its repeats is better. The chance is that of the \
         two-sided sign test, not corrected for the number of arms. The difference is that of right answers, in points of 100, \
         with an interval of 95 % by a bootstrap over the tables, if there are five or more.",
        &COLUMNS,
    );
    for differences in &all {
        table.row(differences.row(|_| true));
    }
    let mut tables = vec![table];
    let mut kinds: BTreeSet<&str> = all.iter().flat_map(Differences::kinds).collect();
    kinds.retain(|kind| all.iter().any(|differences| differences.tables(kind) >= FEWEST_TABLES));
    if kinds.len() > 1 {
        let mut columns = vec!["question"];
        columns.extend(COLUMNS);
        let mut table = Table::new(
            format!("{}: beside {baseline}, by question", family.name()),
            "The same pairs by kind of question, of which each has five tables or more.",
            &columns,
        );
        for kind in kinds {
            for differences in &all {
                let mut row = vec![Cell::Text(kind.to_owned())];
                row.extend(differences.row(|other| other == kind));
                table.row(row);
            }
        }
        tables.push(table);
    }
    tables
}

/// A question about some data: its dataset, its kind and its number.
pub(super) type Item<'c> = (&'c str, &'c str, usize);

pub(super) fn item(call: &Call) -> Item<'_> {
    (&call.key.dataset, &call.key.question, call.key.number)
}

/// The differences of an arm to the baseline.
struct Differences<'c> {
    arm: &'c str,
    /// For each question that both have answered, the rate of right answers less the baseline's.
    pairs: BTreeMap<Item<'c>, f64>,
}

impl<'c> Differences<'c> {
    fn new(arm: &'c str, ours: &[&'c Call], theirs: &[&'c Call]) -> Self {
        let rates = |calls: &[&'c Call]| {
            let mut items: BTreeMap<Item<'c>, Part> = BTreeMap::new();
            for call in calls {
                if let Some((_, is_right)) = score(call) {
                    items.entry(item(call)).or_default().add(is_right);
                }
            }
            items
        };
        let base = rates(theirs);
        let pair =
            |(item, part): (Item<'c>, Part)| Some((item, part.rate()? - base.get(&item)?.rate()?));
        Differences { arm, pairs: rates(ours).into_iter().filter_map(pair).collect() }
    }

    fn kinds(&self) -> impl Iterator<Item = &'c str> {
        self.pairs.keys().map(|(_, kind, _)| *kind)
    }

    /// The number of tables with a question of this kind.
    fn tables(&self, kind: &str) -> usize {
        let of_kind = self.pairs.keys().filter(|(_, other, _)| *other == kind);
        of_kind.map(|(dataset, ..)| *dataset).collect::<BTreeSet<_>>().len()
    }

    /// A row about the pairs of these kinds.
    fn row(&self, is_of_kind: impl Fn(&str) -> bool) -> Vec<Cell> {
        let pairs = || self.pairs.iter().filter(|((_, kind, _), _)| is_of_kind(kind));
        let count = |sign: fn(&f64) -> bool| pairs().filter(|(_, other)| sign(other)).count();
        let (better, worse) = (count(|other| *other > 0.0), count(|other| *other < 0.0));
        let mut tables: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
        for ((dataset, ..), difference) in pairs() {
            let table = tables.entry(dataset).or_default();
            table.0 += 1;
            table.1 += difference;
        }
        let tables: Vec<(usize, f64)> = tables.into_values().collect();
        let (all, sum) =
            tables.iter().fold((0, 0.0), |all, table| (all.0 + table.0, all.1 + table.1));
        let difference = if all == 0 {
            Cell::Nothing
        } else {
            Cell::Difference(sum / number(all), bootstrap(&tables))
        };
        vec![
            Cell::Text(self.arm.to_owned()),
            Cell::Count(all),
            Cell::Count(better),
            Cell::Count(worse),
            Cell::Count(all - better - worse),
            Cell::Chance(sign_test(better, worse)),
            difference,
        ]
    }
}
