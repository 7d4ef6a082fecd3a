//! Strict or lenient.

use wire_core::{Limits, Symbol};

use super::line::too_many;
use super::symbol::SymbolLine;
use crate::graph::dialect::Grammar;
use crate::lines::{Diagnosis, Line, place};
use crate::{Error, ErrorKind, bounded_vec};

/// How wrong lines are handled. This is the only difference between strict and lenient decoding.
pub(in crate::graph) trait Policy {
    /// By default, the first wrong line or field of the header is the error.
    #[cold]
    fn reject(&mut self, line: &Line<'_>, number: u64, problem: Diagnosis) -> Result<(), Error> {
        Err(place(line, number, problem))
    }

    #[inline]
    fn accept(&mut self, _number: u64) {}

    /// The symbol of an earlier payload of the session.
    fn resolve(&self, _id: u32) -> Option<Symbol<'static>> {
        None
    }

    /// A payload of a session declares a symbol, at this index.
    fn declare(&mut self, _symbol: &SymbolLine<'_>, _index: u32) -> Result<(), Diagnosis> {
        Ok(())
    }

    /// The grammar of the text, by the `profile` of its header.
    fn grammar(&self, profile: Option<&str>) -> &'static Grammar {
        Grammar::of(profile)
    }
}

/// The first wrong line is the error.
pub(in crate::graph) struct Strict;

impl Policy for Strict {}

/// A wrong line is left out and reported.
pub(in crate::graph) struct Lenient<'a> {
    input: &'a str,
    limits: Limits,
    /// `true` if the text was repaired. Then deviations from stricter versions have been reported
    /// before.
    is_repaired: bool,
    report: Report,
}

impl<'a> Lenient<'a> {
    pub(in crate::graph) fn new(input: &'a str, limits: Limits, is_repaired: bool) -> Self {
        Lenient { input, limits, is_repaired, report: Report::default() }
    }

    pub(in crate::graph) fn into_report(mut self) -> Report {
        let skipped = &mut self.report.skipped;
        if skipped.len() < skipped.capacity() / 2 {
            skipped.shrink_to_fit();
        }
        self.report
    }
}

impl Policy for Lenient<'_> {
    fn reject(&mut self, line: &Line<'_>, number: u64, problem: Diagnosis) -> Result<(), Error> {
        if let ErrorKind::LineTooLong
        | ErrorKind::TooManyItems
        | ErrorKind::MissingHeader
        | ErrorKind::UnsupportedVersion
        | ErrorKind::UnknownProfile
        | ErrorKind::UnexpectedDelta = problem.kind
        {
            return Err(place(line, number, problem));
        }
        if self.report.skipped.len() >= self.limits.items {
            return Err(place(line, number, too_many("lines to report", self.limits)));
        }
        let skipped = Skipped { line: number, offset: line.start as u64, reason: problem.kind };
        bounded_vec::push(&mut self.report.skipped, skipped, self.limits, || {
            // Of the first line each field may be left out.
            let fields = if number == 1 { line.text.matches(' ').count() } else { 0 };
            fields + bounded_vec::lines(&self.input[line.start..], bounded_vec::begins_line)
        });
        Ok(())
    }

    #[inline]
    fn accept(&mut self, number: u64) {
        self.report.last_good_line = number;
    }

    fn grammar(&self, profile: Option<&str>) -> &'static Grammar {
        if self.is_repaired { Grammar::WIDEST } else { Grammar::of(profile) }
    }
}

/// The report of a lenient decode: the declared counts, the found counts, and every line that was
/// left out (ruling G8).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The number of symbols that the header or the trailer declares.
    pub declared_symbols: Option<u64>,
    /// The number of symbols in the payload that was returned.
    pub found_symbols: u64,
    /// The number of edges that the header, the group line or the trailer declares.
    pub declared_edges: Option<u64>,
    /// The number of edges in the payload that was returned.
    pub found_edges: u64,
    /// The number of the last accepted line, from 1; the header is line 1.
    pub last_good_line: u64,
    /// `true` if the text ends with a line ending.
    pub ends_in_newline: bool,
    /// Every line or header field that was left out, in order.
    pub skipped: Vec<Skipped>,
    /// The result of [`Report::is_clean`].
    pub(crate) strictly_valid: bool,
}

/// A line, or a field of the header, that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The number of the line, from 1.
    pub line: u64,
    /// Bytes before the line in the input.
    pub offset: u64,
    /// Why.
    pub reason: ErrorKind,
}

impl Report {
    /// Returns `true` if the strict decoder accepts the same text: nothing was left out, every
    /// declared count is right, and the end is complete.
    pub fn is_clean(&self) -> bool {
        self.strictly_valid
    }
}
