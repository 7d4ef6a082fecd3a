//! The report of a recovery.

use crate::graph::decode::Report;
use crate::repair::Repair;

/// The report of a recovery: the declared counts, the found counts, and every repair. Without
/// repairs, the strict decoder accepts the answer, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// The number of symbols that the header or the trailer declares.
    pub declared_symbols: Option<u64>,
    /// The number of symbols in the payload that was returned.
    pub found_symbols: u64,
    /// The number of edges that the header, the group line or the trailer declares.
    pub declared_edges: Option<u64>,
    /// The number of edges in the payload that was returned.
    pub found_edges: u64,
    /// The number of the last accepted line of the answer, from 1; 0 when there is none.
    pub last_good_line: u64,
    /// Everything that was repaired or left out, in the order of the answer.
    pub repairs: Vec<Repair>,
}

impl Recovery {
    pub(super) fn of(report: &Report, repairs: Vec<Repair>) -> Self {
        Recovery {
            declared_symbols: report.declared_symbols,
            found_symbols: report.found_symbols,
            declared_edges: report.declared_edges,
            found_edges: report.found_edges,
            last_good_line: report.last_good_line,
            repairs,
        }
    }
}
