//! The origins of wrong answers about one value of an entry.

use std::collections::{BTreeMap, BTreeSet};

use super::BASELINE;
use super::comprehension::{Item, item, score};
use super::stats::Part;
use super::table::{Cell, Table};
use crate::dataset::Family;
use crate::log::{Call, Log, Outcome};
use crate::prompt;
use crate::question::{Slip, slip};

/// The wrong answers of each arm, by the value that they are instead. `None` without wrong answers
/// to such questions.
pub(super) fn table(log: &Log, family: Family, arms: &[&str], calls: &[&Call]) -> Option<Table> {
    let is_wrong = |call: &&Call| score(call).is_some_and(|(_, is_right)| !is_right);
    let wrong: Vec<&Call> = calls.iter().copied().filter(is_wrong).collect();
    let items: BTreeSet<Item<'_>> = wrong.iter().map(|call| item(call)).collect();
    // The baseline's text first: it has the members' own names.
    let (first, rest): (Vec<&Call>, Vec<&Call>) =
        calls.iter().copied().partition(|call| call.key.arm == BASELINE);
    let mut asked = BTreeMap::new();
    for call in first.into_iter().chain(rest) {
        let item = item(call);
        if items.contains(&item)
            && !asked.contains_key(&item)
            && let Some(parts) =
                log.prompts.get(&call.prompt_sha256).and_then(|sent| prompt::parts(sent))
        {
            asked.insert(item, parts);
        }
    }
    let mut slips: BTreeMap<&str, BTreeMap<Slip, usize>> = BTreeMap::new();
    for call in wrong {
        if let Outcome::Answered { answer, .. } = &call.outcome
            && let Some((dataset, question)) = asked.get(&item(call))
            && let Some(slip) = slip(dataset, question, answer)
        {
            *slips.entry(&call.key.arm).or_default().entry(slip).or_default() += 1;
        }
    }
    if slips.is_empty() {
        return None;
    }
    let mut columns = vec!["arm"];
    columns.extend(Slip::ALL.map(Slip::name));
    let mut table = Table::new(
        format!("{}: where wrong answers about a value come from", family.name()),
        "An answer that is another value of the data, as it is written there; the first column that fits counts.",
        &columns,
    );
    for arm in arms {
        let Some(slips) = slips.get(arm) else { continue };
        let of = slips.values().sum();
        let mut row = vec![Cell::Text((*arm).to_owned())];
        row.extend(Slip::ALL.map(|slip| {
            Cell::Of(Part { of, right: slips.get(&slip).copied().unwrap_or_default() })
        }));
        table.row(row);
    }
    Some(table)
}
