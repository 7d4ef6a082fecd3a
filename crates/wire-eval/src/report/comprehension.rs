//! The tables of a run of questions.

use std::collections::{BTreeMap, BTreeSet};

use super::calls::{arms, mean_tokens, price};
use super::chart::{Panel, Point};
use super::stats::{Part, mean_and_median, number, sign_test};
use super::table::{Cell, Table};
use crate::dataset::Family;
use crate::log::{Call, Judged, Log, Outcome};
use crate::question::templates;

/// Whether it is right exactly and leniently; `None` for a call that failed.
fn score(call: &Call) -> Option<(bool, bool)> {
    match call.outcome {
        Outcome::Answered { judged: Judged::Score { exact, lenient }, .. } => {
            Some((exact, lenient))
        }
        _ => None,
    }
}

fn lenient<'c>(calls: impl Iterator<Item = &'c Call>) -> Part {
    let mut part = Part::default();
    for (_, is_right) in calls.filter_map(score) {
        part.add(is_right);
    }
    part
}

pub(super) fn tables(log: &Log, baseline: &str) -> (Vec<Table>, Vec<Panel>) {
    let (mut tables, mut panels) = (Vec::new(), Vec::new());
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
        tables.push(by_arm(log, family, &arms, &of, baseline));
        tables.push(by_size(family, &arms, &calls, &of));
        tables.push(by_question(family, &arms, &calls));
        tables.extend(pairs(family, &arms, &of, baseline));
        let point = |arm: &&str| {
            let calls = of(arm);
            Some(Point {
                arm: (*arm).to_owned(),
                tokens: mean_tokens(log, calls.iter().copied())?,
                part: lenient(calls.into_iter()),
            })
        };
        panels.push(Panel {
            title: format!("{}: {}", log.run.backend, family.name()),
            points: arms.iter().filter_map(point).collect(),
        });
    }
    (tables, panels)
}

type Of<'f, 'c> = &'f dyn Fn(&str) -> Vec<&'c Call>;

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
        "*Exact*: the answer contains only what was asked for. *Right*: the answer contains it and no other value of the same kind, with any text \
         around it. In brackets is Wilson's interval of 95 %; repeats of a question are not independent, so the true interval is wider.",
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

fn by_question(family: Family, arms: &[&str], calls: &[&Call]) -> Table {
    let mut columns = vec!["question"];
    columns.extend(arms);
    let mut table =
        Table::new(format!("{}: right answers by question", family.name()), "", &columns);
    for template in templates().filter(|template| template.family == family) {
        let of: Vec<&Call> =
            calls.iter().copied().filter(|call| call.key.question == template.id).collect();
        if of.is_empty() {
            continue;
        }
        let mut row = vec![Cell::Text(template.id.to_owned())];
        row.extend(
            arms.iter().map(|arm| {
                Cell::Of(lenient(of.iter().copied().filter(|call| call.key.arm == *arm)))
            }),
        );
        table.row(row);
    }
    table
}

/// Each arm beside the baseline, question by question.
fn pairs(family: Family, arms: &[&str], of: Of<'_, '_>, baseline: &str) -> Option<Table> {
    if !arms.contains(&baseline) || arms.len() < 2 {
        return None;
    }
    let items = |arm: &str| {
        let mut items: BTreeMap<(String, String, usize), Part> = BTreeMap::new();
        for call in of(arm) {
            if let Some((_, is_right)) = score(call) {
                let key = (call.key.dataset.clone(), call.key.question.clone(), call.key.number);
                items.entry(key).or_default().add(is_right);
            }
        }
        items
    };
    let mut table = Table::new(
        format!("{}: beside {baseline}, question by question", family.name()),
        "Each question about some data is one pair, which compares in how many of its repeats the two arms were right. The chance is that \
         of the two-sided sign test: how likely such a difference is if the arms are equally good. It is not corrected for the number of arms.",
        &["arm", "pairs", "better", "worse", "the same", "chance"],
    );
    let base = items(baseline);
    for arm in arms.iter().filter(|arm| **arm != baseline) {
        let (mut better, mut worse, mut same) = (0, 0, 0);
        for (key, ours) in items(arm) {
            let (Some(ours), Some(theirs)) =
                (ours.rate(), base.get(&key).and_then(|part| part.rate()))
            else {
                continue;
            };
            match ours.total_cmp(&theirs) {
                std::cmp::Ordering::Greater => better += 1,
                std::cmp::Ordering::Less => worse += 1,
                std::cmp::Ordering::Equal => same += 1,
            }
        }
        table.row(vec![
            Cell::Text((*arm).to_owned()),
            Cell::Count(better + worse + same),
            Cell::Count(better),
            Cell::Count(worse),
            Cell::Count(same),
            Cell::Chance(sign_test(better, worse)),
        ]);
    }
    Some(table)
}
