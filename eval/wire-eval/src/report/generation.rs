//! The tables of a run of requests to write.

use std::collections::BTreeSet;

use super::calls::arms;
use super::stats::Part;
use super::table::{Cell, Table};
use crate::generation::{Reading, Written};
use crate::log::{Call, Judged, Log, Outcome};

fn written(call: &Call) -> Option<Written> {
    match call.outcome {
        Outcome::Answered { judged: Judged::Written(written), .. } => Some(written),
        _ => None,
    }
}

fn same<'c>(calls: impl Iterator<Item = &'c Call>, readings: &[Reading]) -> Part {
    let mut part = Part::default();
    for written in calls.filter_map(written) {
        part.add(written.same && readings.contains(&written.reading));
    }
    part
}

const UNWRAPPED: [Reading; 2] = [Reading::Strict, Reading::Unwrapped];
const READ: [Reading; 3] = [Reading::Strict, Reading::Unwrapped, Reading::Mended];

fn of<'l>(log: &'l Log, arm: &str) -> impl Iterator<Item = &'l Call> + use<'l> {
    let arm = arm.to_owned();
    log.calls.iter().filter(move |call| call.key.arm == arm)
}

pub(super) fn tables(log: &Log) -> [Table; 2] {
    let mut table = Table::new(
        "What was written",
        "*Strict*: the strict decoder accepts the answer, except for white space around it, and it contains what was asked for and nothing \
         else. *Unwrapped*: the same, or after the sentences and fences around it are removed. *Mended*: the same, or read by a decoder \
         that repairs answers, which only GCF has, or in another dialect than that of the example. In brackets is Wilson's interval of \
         95 %. Symbols and edges are those of all answers that could be read at all.",
        &[
            "format",
            "answers",
            "failed",
            "cut off",
            "strict",
            "unwrapped",
            "mended",
            "reads, but differs",
            "unreadable",
            "symbols right",
            "symbols extra",
            "edges right",
            "edges extra",
        ],
    );
    let arms = arms(log);
    for arm in &arms {
        let all: Vec<Written> = of(log, arm).filter_map(written).collect();
        let sum = |field: fn(&Written) -> usize| all.iter().map(field).sum::<usize>();
        let read = same(of(log, arm), &READ);
        let is_cut = |call: &&Call| matches!(call.outcome, Outcome::Answered { is_cut: true, .. });
        let unreadable =
            all.iter().filter(|written| written.reading == Reading::Unreadable).count();
        table.row(vec![
            Cell::Text((*arm).to_owned()),
            Cell::Count(all.len()),
            Cell::Count(of(log, arm).count() - all.len()),
            Cell::Count(of(log, arm).filter(is_cut).count()),
            Cell::Rate(same(of(log, arm), &[Reading::Strict])),
            Cell::Rate(same(of(log, arm), &UNWRAPPED)),
            Cell::Rate(read),
            Cell::Count(all.len() - read.right - unreadable),
            Cell::Count(unreadable),
            Cell::Of(Part { right: sum(|w| w.symbols_right), of: sum(|w| w.symbols_asked) }),
            Cell::Count(sum(|w| w.symbols_extra)),
            Cell::Of(Part { right: sum(|w| w.edges_right), of: sum(|w| w.edges_asked) }),
            Cell::Count(sum(|w| w.edges_extra)),
        ]);
    }
    let sizes: BTreeSet<usize> = log.calls.iter().map(|call| call.size).collect();
    let names: Vec<String> = sizes.iter().map(|size| format!("{size} symbols")).collect();
    let mut columns = vec!["format"];
    columns.extend(names.iter().map(String::as_str));
    let mut by_size = Table::new("Unwrapped, by size", "", &columns);
    for arm in &arms {
        let mut row = vec![Cell::Text((*arm).to_owned())];
        row.extend(sizes.iter().map(|size| {
            Cell::Of(same(of(log, arm).filter(|call| call.size == *size), &UNWRAPPED))
        }));
        by_size.row(row);
    }
    [table, by_size]
}
