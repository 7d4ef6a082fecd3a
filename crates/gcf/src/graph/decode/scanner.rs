//! Scans one line at a time, for the payload's decoder and the pull parser.

use std::collections::BTreeSet;

use wire_core::Limits;

use super::bounds::check_length;
use super::edge::{self, EdgeLine};
use super::group::{Group, OtherLine, distance_of_line, other_line, unrecognized};
use super::header::{self, Header, Summary};
use super::line::Diagnosis;
use super::symbol::{self, SymbolLine};
use crate::ErrorKind;
use crate::graph::dialect::Grammar;
use crate::graph::grammar::ID_SIGIL;

/// One line of a payload.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The header, with the fields that the format does not define (ruling A4).
    Header(Header<'a>),
    /// A group begins.
    Group(Group),
    /// A symbol, in the group before it.
    Symbol(SymbolLine<'a>),
    /// A reference to a symbol of an earlier payload of the session.
    Reference {
        /// The symbol's id.
        id: u32,
    },
    /// An edge.
    Edge(EdgeLine<'a>),
    /// A comment, without its `# `.
    Comment(&'a str),
    /// The trailer of a streamed payload.
    Summary(Summary<'a>),
}

/// Turns lines into events. Earlier lines decide which lines are allowed.
#[derive(Clone, Debug)]
pub(crate) struct LineScanner {
    limits: Limits,
    grammar: &'static Grammar,
    expects: Expects,
}

/// How a line that begins with `@` is read, and whether it is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expects {
    /// Symbols at this distance, or references to symbols.
    Symbols {
        distance: u32,
    },
    Edges,
    Nothing,
    /// The trailer was read; only comments may follow.
    Comments,
}

impl LineScanner {
    pub(crate) fn new(limits: Limits) -> Self {
        LineScanner {
            limits,
            grammar: Grammar::of(None),
            expects: Expects::Symbols { distance: 0 },
        }
    }

    /// The state of the scanner.
    pub(super) fn expects(&self) -> Expects {
        self.expects
    }

    /// Reads the lines after the header by this grammar, whatever the header's profile is.
    pub(super) fn read_by(&mut self, grammar: &'static Grammar) {
        self.grammar = grammar;
    }

    /// The header, which is the first line. `refuse` is told what is wrong; if it allows that, a
    /// wrong field is left out.
    pub(crate) fn header<'a, E>(
        &mut self,
        line: &'a str,
        mut refuse: impl FnMut(Diagnosis) -> Result<(), E>,
    ) -> Result<Header<'a>, E> {
        let mut header = Header::default();
        let start = check_length(line, self.limits).and_then(|()| header::header_start(line));
        let start = match start {
            Ok(start) => start,
            Err(problem) => {
                refuse(problem)?;
                return Ok(header);
            }
        };
        let mut seen = BTreeSet::new();
        for field in header::fields(line, start) {
            if let Err(problem) = field.and_then(|field| header.accept(field, line, &mut seen)) {
                refuse(problem)?;
            }
        }
        if let Err(problem) = header.finish(line) {
            refuse(problem)?;
        }
        self.grammar = Grammar::of(header.profile);
        Ok(header)
    }

    /// The event of a line after the header; `None` for a blank line.
    ///
    /// After the error of a group's name or count, lines that begin with `@` are read as lines of
    /// that group.
    pub(crate) fn line<'a>(&mut self, line: &'a str) -> Result<Option<Event<'a>>, Diagnosis> {
        check_length(line, self.limits)?;
        if let [ID_SIGIL, ..] = line.as_bytes() {
            return match self.expects {
                Expects::Edges => edge::edge_line(line).map(|edge| Some(Event::Edge(edge))),
                Expects::Symbols { .. } => match symbol::reference_line(line) {
                    Some(id) => Ok(Some(Event::Reference { id })),
                    None => symbol::symbol_line(line, self.grammar)
                        .map(|symbol| Some(Event::Symbol(symbol))),
                },
                Expects::Nothing | Expects::Comments => Err(unrecognized(line)),
            };
        }
        let other = match other_line(line, self.grammar) {
            Ok(other) => other,
            Err(problem) => {
                match problem.kind {
                    _ if self.expects == Expects::Comments => {}
                    ErrorKind::UnknownGroup => self.expects = Expects::Nothing,
                    ErrorKind::InvalidCount => {
                        self.expects = match distance_of_line(line) {
                            None => Expects::Edges,
                            Some(distance) => Expects::Symbols { distance },
                        };
                    }
                    ErrorKind::UnrecognizedLine if self.expects == Expects::Edges => {
                        return Err(edge::not_an_edge(line));
                    }
                    _ => {}
                }
                return Err(problem);
            }
        };
        Ok(match other {
            OtherLine::Blank => None,
            OtherLine::Comment(text) => Some(Event::Comment(text)),
            _ if self.expects == Expects::Comments => return Err(unrecognized(line)),
            OtherLine::Group(group) => {
                self.expects = match group {
                    Group::Symbols { distance, .. } => Expects::Symbols { distance },
                    Group::Edges { .. } => Expects::Edges,
                };
                Some(Event::Group(group))
            }
            OtherLine::Summary(summary) => {
                self.expects = Expects::Comments;
                Some(Event::Summary(summary))
            }
        })
    }
}
