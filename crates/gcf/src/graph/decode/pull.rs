//! The pull parser: the lines of a text one by one, as they stand.

use std::collections::HashSet;

use wire_core::Limits;

use super::diagnosis::Diagnosis;
use super::group::{Group, OtherLine, other_line, unrecognized};
use super::header::{self, Header, Summary};
use super::line::{Line, Lines};
use super::{EdgeLine, SymbolLine, check_length, edge, fast, place, symbol};
use crate::graph::grammar::ID_SIGIL;
use crate::{Error, ErrorKind};

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

/// The lines of a text one by one: [`Decoder::events`](super::Decoder::events).
///
/// Each line is checked on its own, by the scanners that the payload decoder uses; ids, counts and
/// [`Limits::items`], which hold between lines, are the caller's. After an error the next call goes on with the next
/// line, and an error of the header ends it.
///
/// ```
/// use gcf::graph::{Decoder, Event};
///
/// let text = "GCF tool=t model=x7\n## targets\n@0 fn a 0.50 structural\n";
/// let mut names = Vec::new();
/// for event in Decoder::new().events(text) {
///     match event? {
///         Event::Header(header) => assert_eq!(header.extensions, [("model", "x7")]),
///         Event::Symbol(symbol) => names.push(symbol.qualified_name),
///         _ => {}
///     }
/// }
/// assert_eq!(names, ["a"]);
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Events<'a> {
    limits: Limits,
    lines: Lines<'a>,
    /// Lines taken so far.
    taken: u64,
    expects: Expects,
}

/// What a line that begins with `@` is, and whether there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expects {
    Header,
    Symbols,
    Edges,
    Nothing,
    /// The trailer was there, and only comments stand behind it.
    Comments,
    /// The header was wrong, and nothing comes any more.
    Ended,
}

impl<'a> Events<'a> {
    pub(super) fn new(input: &'a str, limits: Limits) -> Self {
        Events { limits, lines: Lines::new(input), taken: 0, expects: Expects::Header }
    }

    /// A plain symbol or edge line: see `fast`.
    fn plain_line(&mut self) -> Option<Event<'a>> {
        let rest = self.lines.rest();
        let (event, taken) = match self.expects {
            Expects::Symbols => {
                fast::symbol_line(rest).map(|(line, taken)| (Event::Symbol(line), taken))?
            }
            Expects::Edges => {
                fast::edge_line(rest).map(|(line, taken)| (Event::Edge(line), taken))?
            }
            _ => return None,
        };
        (taken <= self.limits.line_bytes).then(|| {
            self.lines.skip_bytes(taken);
            self.taken += 1;
            event
        })
    }

    fn scan(&mut self, line: &Line<'a>) -> Result<Option<Event<'a>>, Diagnosis> {
        check_length(line, self.limits)?;
        if let [ID_SIGIL, ..] = line.text.as_bytes() {
            return match self.expects {
                Expects::Edges => edge::edge_line(line.text).map(|edge| Some(Event::Edge(edge))),
                Expects::Symbols => match symbol::reference_line(line.text) {
                    Some(id) => Ok(Some(Event::Reference { id })),
                    None => {
                        symbol::symbol_line(line.text).map(|symbol| Some(Event::Symbol(symbol)))
                    }
                },
                _ => Err(unrecognized(line.text)),
            };
        }
        let other = match other_line(line.text) {
            Ok(other) => other,
            Err(problem) => {
                match problem.kind {
                    _ if self.expects == Expects::Comments => {}
                    ErrorKind::UnknownGroup => self.expects = Expects::Nothing,
                    ErrorKind::InvalidCount => self.expects = Expects::Edges,
                    ErrorKind::UnrecognizedLine if self.expects == Expects::Edges => {
                        return Err(edge::not_an_edge(line.text));
                    }
                    _ => {}
                }
                return Err(problem);
            }
        };
        Ok(match other {
            OtherLine::Blank => None,
            OtherLine::Comment(text) => Some(Event::Comment(text)),
            _ if self.expects == Expects::Comments => return Err(unrecognized(line.text)),
            OtherLine::Group(group) => {
                self.expects = match group {
                    Group::Symbols { .. } => Expects::Symbols,
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

    fn header(&mut self, line: &Line<'a>) -> Result<Event<'a>, Diagnosis> {
        check_length(line, self.limits)?;
        let start = header::header_start(line.text)?;
        let mut header = Header::default();
        let mut seen = HashSet::new();
        for field in header::fields(line.text, start) {
            header.accept(field?, &mut seen)?;
        }
        header.finish(line.text)?;
        Ok(Event::Header(header))
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Event<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.expects == Expects::Ended {
            return None;
        }
        if self.expects == Expects::Header {
            self.expects = Expects::Symbols;
            self.taken = 1;
            let line = self.lines.next().unwrap_or(Line { text: "", start: 0, terminated: false });
            return Some(self.header(&line).map_err(|problem| {
                self.expects = Expects::Ended;
                place(&line, 1, problem)
            }));
        }
        loop {
            if let Some(event) = self.plain_line() {
                return Some(Ok(event));
            }
            let line = self.lines.next()?;
            self.taken += 1;
            match self.scan(&line) {
                Ok(None) => {}
                Ok(Some(event)) => return Some(Ok(event)),
                Err(problem) => return Some(Err(place(&line, self.taken, problem))),
            }
        }
    }
}
