//! How likely the right answers are to the model.

use std::collections::{BTreeMap, BTreeSet};

use super::comprehension::{Item, Of, item, score};
use super::stats::{Part, bootstrap, mean_and_median, number};
use super::table::{Cell, Table};
use crate::dataset::Family;
use crate::log::{Call, Outcome, Token};

const COLUMNS: [&str; 6] = ["arm", "answers", "likeliest", "as answered", "mean", "difference"];

/// The likelihood of the right answer in each arm, and the same by kind of question if there are
/// several; nothing if it was not measured.
pub(super) fn tables(family: Family, arms: &[&str], of: Of<'_, '_>, baseline: &str) -> Vec<Table> {
    let measured = || arms.iter().flat_map(|arm| of(arm)).filter(|call| tokens(call).is_some());
    let kinds: BTreeSet<&str> = measured().map(|call| call.key.question.as_str()).collect();
    if kinds.is_empty() {
        return Vec::new();
    }
    let mut table = Table::new(
        format!("{}: how likely the right answer is", family.name()),
        "The model is given the right answer token by token. *Likeliest*: no other token is likelier at any of them, with Wilson's \
         interval of 95 %. *As answered*: so many of its own answers agree with that. The mean is that of the answers' \
         log-probabilities: −0.7 is one in two, −2.3 one in ten. The difference is that to the baseline on the same questions, with \
         an interval of 95 % by a bootstrap over the tables.",
        &COLUMNS,
    );
    for arm in arms {
        table.row(row(arm, &of(arm), &of(baseline), baseline));
    }
    let mut tables = vec![table];
    if kinds.len() > 1 {
        let mut columns = COLUMNS.to_vec();
        columns.insert(1, "question");
        let mut table = Table::new(
            format!("{}: how likely the right answer is, by question", family.name()),
            "",
            &columns,
        );
        for kind in kinds {
            let of_kind = |arm: &str| -> Vec<&Call> {
                of(arm).into_iter().filter(|call| call.key.question == kind).collect()
            };
            for arm in arms {
                let mut row = row(arm, &of_kind(arm), &of_kind(baseline), baseline);
                row.insert(1, Cell::Text(kind.to_owned()));
                table.row(row);
            }
        }
        tables.push(table);
    }
    tables
}

fn row(arm: &str, calls: &[&Call], base: &[&Call], baseline: &str) -> Vec<Cell> {
    let (mut likeliest, mut agrees) = (Part::default(), Part::default());
    for call in calls {
        if let (Some(tokens), Some((_, is_right))) = (tokens(call), score(call)) {
            let is_likeliest = tokens.iter().all(|token| token.likeliest);
            likeliest.add(is_likeliest);
            agrees.add(is_likeliest == is_right);
        }
    }
    let (logs, base) = (logs(calls), logs(base));
    let mean = mean_and_median(logs.values().map(|log| log.1 / number(log.0)).collect());
    // By table: the number of pairs, and the sum of their differences.
    let mut tables: BTreeMap<&str, (usize, f64)> = BTreeMap::new();
    for (item, (count, log)) in &logs {
        if let Some((other, base)) = base.get(item) {
            let table = tables.entry(item.0).or_default();
            table.0 += 1;
            table.1 += log / number(*count) - base / number(*other);
        }
    }
    let tables: Vec<(usize, f64)> = tables.into_values().collect();
    let pairs: usize = tables.iter().map(|(count, _)| count).sum();
    let sum: f64 = tables.iter().map(|(_, sum)| sum).sum();
    vec![
        Cell::Text(arm.to_owned()),
        Cell::Count(likeliest.of),
        Cell::Rate(likeliest),
        Cell::Of(agrees),
        mean.map_or(Cell::Nothing, |(mean, _)| Cell::Log(mean, None)),
        if arm == baseline || pairs == 0 {
            Cell::Nothing
        } else {
            Cell::Log(sum / number(pairs), bootstrap(&tables))
        },
    ]
}

fn tokens(call: &Call) -> Option<&[Token]> {
    match &call.outcome {
        Outcome::Answered { likelihood, .. } if !likelihood.is_empty() => Some(likelihood),
        _ => None,
    }
}

/// For each question the number of its calls, and the sum of their answers' log-probabilities.
fn logs<'c>(calls: &[&'c Call]) -> BTreeMap<Item<'c>, (usize, f64)> {
    let mut logs = BTreeMap::<_, (usize, f64)>::new();
    for call in calls {
        if let Some(tokens) = tokens(call) {
            let of = logs.entry(item(call)).or_default();
            of.0 += 1;
            of.1 += tokens.iter().map(|token| token.log).sum::<f64>();
        }
    }
    logs
}
