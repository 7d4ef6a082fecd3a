//! The payload: a loop over the lines, with the state that spans them (ids, sections, counts).

use std::borrow::Cow;
use std::collections::BTreeSet;

use wire_core::{Edge, Limits, Payload};

use super::Decoder;
use super::counts::{Counts, Declared, Section};
use super::edge::{EdgeLine, edge_line, not_an_edge};
use super::fast;
use super::group::{Group, OtherLine, group_of_line, other_line, unrecognized};
use super::header::Header;
use super::ids::{Ids, duplicate_id, undeclared, unresolved};
use super::line::{most_edges, most_symbols, too_many};
use super::policy::Policy;
use super::symbol::{SymbolLine, reference_line, symbol_line};
use crate::graph::dialect::Grammar;
use crate::graph::grammar::{ID_SIGIL, USUAL_SYMBOL_LINE};
use crate::header::{fields, header_start};
use crate::lines::{Diagnosis, Line, Lines, check_length};
use crate::{Error, ErrorKind, bounded_vec};

pub(in crate::graph) struct Decoding<'a> {
    input: &'a str,
    limits: Limits,
    /// The grammar of the lines after the header.
    grammar: &'static Grammar,
    pub(in crate::graph) payload: Payload<'a>,
    ids: Ids,
    section: Section,
    pub(in crate::graph) counts: Counts,
    session: bool,
    /// `symbols=` of a session's header.
    session_symbols: Option<Declared>,
    terminated: bool,
}

impl<'a> Decoding<'a> {
    pub(in crate::graph) fn new(input: &'a str, limits: Limits) -> Self {
        Decoding {
            input,
            limits,
            grammar: Grammar::of(None),
            payload: Payload::default(),
            ids: Ids::default(),
            section: Section::Symbols { distance: 0, before: 0, declared: None },
            counts: Counts::default(),
            session: false,
            session_symbols: None,
            terminated: false,
        }
    }

    pub(in crate::graph) fn run<P: Policy>(&mut self, policy: &mut P) -> Result<(), Error> {
        let mut lines = Lines::new(self.input);
        let header = lines.next().unwrap_or_default();
        self.header(&header, policy)?;
        self.terminated = header.terminated;
        for number in 2u64.. {
            if let Some(taken) = self.plain_line(lines.rest(), policy) {
                lines.skip_bytes(taken);
                self.terminated = true;
                policy.accept(number);
                continue;
            }
            let Some(line) = lines.next() else { break };
            self.terminated = line.terminated;
            match self.line(&line, policy) {
                Ok(()) => policy.accept(number),
                Err(problem) => policy.reject(&line, number, problem)?,
            }
        }
        self.close_section();
        Ok(())
    }

    /// Processes the header. A field that is wrong is left out, if the policy allows that.
    fn header<P: Policy>(&mut self, line: &Line<'a>, policy: &mut P) -> Result<(), Error> {
        let mut header = Header::default();
        match check_length(line.text, self.limits).and_then(|()| header_start(line.text)) {
            Err(problem) => policy.reject(line, 1, problem)?,
            Ok(start) => {
                let mut seen = BTreeSet::new();
                for field in fields(line.text, start) {
                    if let Err(problem) = field.and_then(|field| header.accept(field, &mut seen)) {
                        policy.reject(line, 1, problem)?;
                    }
                }
                if let Err(problem) = header.finish(line.text) {
                    policy.reject(line, 1, problem)?;
                }
            }
        }
        policy.accept(1);
        self.grammar = policy.grammar(header.profile);
        self.payload.tool = Cow::Borrowed(header.tool.unwrap_or_default());
        self.payload.token_budget = header.budget.unwrap_or_default();
        self.payload.tokens_used = header.tokens.unwrap_or_default();
        self.payload.pack_root = header.pack_root;
        self.session = header.session;
        if let Some(declared) = header.symbols {
            let possible = (self.input.len() / USUAL_SYMBOL_LINE + 1).min(self.limits.items);
            let declared = usize::try_from(declared.count).unwrap_or(usize::MAX);
            self.payload.symbols.reserve_exact(declared.min(possible));
        }
        // In a session it counts the symbols of the result, not those of this text (ruling G9).
        if self.session {
            self.session_symbols = header.symbols;
        } else {
            self.counts.header_symbols = header.symbols;
        }
        self.counts.header_edges = header.edges;
        Ok(())
    }

    /// Processes the line at the start of `rest` when it is a valid plain symbol or edge line, and
    /// returns its length in bytes. Otherwise nothing changes.
    #[inline]
    fn plain_line<P: Policy>(&mut self, rest: &'a str, policy: &mut P) -> Option<usize> {
        let taken = match self.section {
            Section::Symbols { .. } => {
                let (symbol, taken) = fast::symbol_line(rest)?;
                // A line near the limit is measured without its line ending by `line`.
                if taken > self.limits.line_bytes {
                    return None;
                }
                self.push_symbol(symbol, rest, policy).ok()?;
                taken
            }
            Section::Edges { .. } => {
                let (edge, taken) = fast::edge_line(rest)?;
                if taken > self.limits.line_bytes {
                    return None;
                }
                self.push_edge(edge, rest).ok()?;
                taken
            }
            Section::Unknown | Section::End => return None,
        };
        Some(taken)
    }

    fn line<P: Policy>(&mut self, line: &Line<'a>, policy: &mut P) -> Result<(), Diagnosis> {
        check_length(line.text, self.limits)?;
        let rest = &self.input[line.start..];
        if let [ID_SIGIL, ..] = line.text.as_bytes() {
            return match self.section {
                Section::Edges { .. } => self.push_edge(edge_line(line.text)?, rest),
                Section::Symbols { .. } => match reference_line(line.text) {
                    Some(id) => self.push_reference(id, rest, policy),
                    None => self.push_symbol(symbol_line(line.text, self.grammar)?, rest, policy),
                },
                Section::Unknown | Section::End => Err(unrecognized(line.text)),
            };
        }
        let is_over = matches!(self.section, Section::End);
        match other_line(line.text, self.grammar) {
            Ok(OtherLine::Blank | OtherLine::Comment) => {}
            Ok(_) if is_over => return Err(unrecognized(line.text)),
            Ok(OtherLine::Group(group)) => self.begin_group(group, line),
            Ok(OtherLine::Summary(summary)) => {
                self.begin_section(Section::End);
                self.counts.has_trailer = true;
                let in_input = |Declared { count, at }| Declared { count, at: line.start + at };
                if !self.session {
                    self.counts.trailer_symbols = summary.symbols.map(in_input);
                }
                self.counts.trailer_edges = summary.edges.map(in_input);
            }
            Err(problem) => {
                match problem.kind {
                    _ if is_over => {}
                    // The wrong line of a group begins one all the same.
                    ErrorKind::UnknownGroup => self.begin_section(Section::Unknown),
                    ErrorKind::InvalidCount => self.begin_group(group_of_line(line.text), line),
                    ErrorKind::UnrecognizedLine
                        if matches!(self.section, Section::Edges { .. }) =>
                    {
                        return Err(not_an_edge(line.text));
                    }
                    _ => {}
                }
                return Err(problem);
            }
        }
        Ok(())
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // as the scanners of plain lines
    fn push_symbol<P: Policy>(
        &mut self,
        symbol: SymbolLine<'a>,
        rest: &str,
        policy: &mut P,
    ) -> Result<(), Diagnosis> {
        if self.payload.symbols.len() >= self.limits.items {
            return Err(too_many("symbols", self.limits));
        }
        if !self.ids.is_free(symbol.id) {
            return Err(duplicate_id(symbol.id));
        }
        if self.session {
            policy.declare(&symbol, self.ids.count())?;
        }
        self.ids.declare(symbol.id);
        let symbol = symbol.into_symbol(self.distance());
        bounded_vec::push(&mut self.payload.symbols, symbol, self.limits, || most_symbols(rest));
        Ok(())
    }

    /// Adds a symbol of an earlier payload, at its distance in this payload (ruling G9).
    fn push_reference<P: Policy>(
        &mut self,
        id: u32,
        rest: &str,
        policy: &P,
    ) -> Result<(), Diagnosis> {
        if !self.ids.is_free(id) {
            return Err(duplicate_id(id));
        }
        let known = if self.session { policy.resolve(id) } else { None };
        let Some(known) = known else { return Err(unresolved(id)) };
        if self.payload.symbols.len() >= self.limits.items {
            return Err(too_many("symbols", self.limits));
        }
        self.ids.declare(id);
        let symbol = known.with_distance(self.distance());
        bounded_vec::push(&mut self.payload.symbols, symbol, self.limits, || most_symbols(rest));
        Ok(())
    }

    #[inline(always)]
    #[allow(clippy::inline_always)] // as the scanners of plain lines
    fn push_edge(&mut self, edge: EdgeLine<'a>, rest: &str) -> Result<(), Diagnosis> {
        if self.payload.edges.len() >= self.limits.items {
            return Err(too_many("edges", self.limits));
        }
        let Some(target) = self.ids.resolve(edge.target) else {
            return Err(undeclared(edge.target, 1));
        };
        let Some(source) = self.ids.resolve(edge.source) else {
            return Err(undeclared(edge.source, edge.source_at));
        };
        let edge = Edge::new(source, target, edge.edge_type).with_status(edge.status);
        bounded_vec::push(&mut self.payload.edges, edge, self.limits, || most_edges(rest));
        Ok(())
    }

    fn distance(&self) -> u32 {
        match self.section {
            Section::Symbols { distance, .. } => distance,
            Section::Edges { .. } | Section::Unknown | Section::End => 0,
        }
    }

    /// Begins the section of a group, whose count is in this line.
    fn begin_group(&mut self, group: Group, line: &Line<'_>) {
        let at = line.start + line.text.find('[').unwrap_or_default();
        let of = |count: Option<u64>| count.map(|count| Declared { count, at });
        self.begin_section(match group {
            Group::Symbols { distance, declared } => {
                let before = self.payload.symbols.len();
                Section::Symbols { distance, before, declared: of(declared) }
            }
            Group::Edges { declared } => {
                Section::Edges { before: self.payload.edges.len(), declared: of(declared) }
            }
        });
    }

    fn begin_section(&mut self, section: Section) {
        self.close_section();
        self.section = section;
    }

    fn close_section(&mut self) {
        match self.section {
            Section::Edges { before, declared: Some(declared) } => {
                self.counts.end_of_edges(declared, self.payload.edges.len() - before);
            }
            Section::Symbols { before, declared: Some(declared), .. } => {
                let found = self.payload.symbols.len() - before;
                self.counts.end_of_group("symbols", declared, found);
            }
            _ => {}
        }
    }

    /// Checks the counts, and the end of the input for a decoder with these options (rulings A2 and
    /// G8).
    pub(in crate::graph) fn check(&self, decoder: &Decoder) -> Result<(), Error> {
        let input = self.input.as_bytes();
        self.check_counts(&self.counts)?;
        if self.ends_whole(decoder) {
            return Ok(());
        }
        let message = if decoder.final_newline_required {
            "the last line has no line ending, expected one"
        } else {
            "the last line has no line ending, expected a line ending, or a count that shows that the payload is complete"
        };
        Err(Error::decode(ErrorKind::MissingFinalNewline, input, input.len(), message))
    }

    /// Checks `symbols=` of a session's header against the lines.
    pub(in crate::graph) fn check_session_symbols(&self) -> Result<(), Error> {
        let mut counts = Counts::default();
        counts.header_symbols = self.session_symbols;
        self.check_counts(&counts)
    }

    fn check_counts(&self, counts: &Counts) -> Result<(), Error> {
        match self.mismatches(counts).next() {
            None => Ok(()),
            Some((at, message)) => {
                Err(Error::decode(ErrorKind::CountMismatch, self.input.as_bytes(), at, message))
            }
        }
    }

    pub(in crate::graph) fn is_session(&self) -> bool {
        self.session
    }

    /// Returns `true` if the end of the text is the end of the payload for a decoder with these
    /// options (ruling A2).
    pub(in crate::graph) fn ends_whole(&self, decoder: &Decoder) -> bool {
        let counted = || {
            self.mismatches(&self.counts).next().is_none() && self.counts.show_the_end(self.section)
        };
        self.terminated || (!decoder.final_newline_required && counted())
    }

    pub(in crate::graph) fn wrong_counts(&self) -> Vec<usize> {
        self.mismatches(&self.counts).map(|(at, _)| at).collect()
    }

    fn mismatches<'c>(&self, counts: &'c Counts) -> impl Iterator<Item = (usize, String)> + 'c {
        counts.mismatches(self.payload.symbols.len(), self.payload.edges.len())
    }
}
