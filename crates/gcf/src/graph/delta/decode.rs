//! Reading a delta.

use std::collections::BTreeSet;

use wire_core::text::{is_token, shown};
use wire_core::{EdgeType, Kind, Limits, PackRoot};

use super::{Delta, DeltaEdge, SymbolKey};
use crate::graph::decode::{
    Decoder, Ids, OtherLine, duplicate_id, other_line, reference_line, symbol_line, too_many,
    unresolved,
};
use crate::graph::dialect::Grammar;
use crate::graph::grammar::{DELTA_ARROW, DeltaSection, NEXT_GROUP};
use crate::graph::session::KnownSymbols;
use crate::header::{Field, decimal, fields, header_start, number};
use crate::lines::{Diagnosis, GROUP_PREFIX, Line, Lines, check_length, place};
use crate::{Error, ErrorKind, bounded_vec};

impl<'a> Delta<'a> {
    pub(in crate::graph) fn scan(
        text: &'a str,
        limits: Limits,
        session: Option<&KnownSymbols>,
    ) -> Result<Scanned<'a>, Error> {
        let mut lines = (1u64..).zip(Lines::new(text));
        let (_, first) =
            lines.next().unwrap_or((1, Line { text: "", start: 0, terminated: false }));
        let header =
            DeltaHeader::scan(&first, limits).map_err(|problem| place(&first, 1, problem))?;
        let mut reading = Reading::new(text, header, limits, session);
        let mut terminated = first.terminated;
        for (number, line) in lines {
            terminated = line.terminated;
            reading.line(&line).map_err(|problem| place(&line, number, problem))?;
        }
        if !terminated {
            let message = "the last line has no line ending, expected a line ending, since a delta declares no counts";
            let end = text.len();
            let kind = ErrorKind::MissingFinalNewline;
            return Err(Error::decode(kind, text.as_bytes(), end, message));
        }
        let Reading { delta, declared, session, .. } = reading;
        Ok(Scanned { delta, declared, in_session: session.is_some() })
    }
}

impl Decoder {
    /// Decodes a delta of any dialect, borrowing its text from `input`.
    ///
    /// Deltas declare no counts, so the last line must have a line ending.
    ///
    /// # Errors
    ///
    /// `unexpected_payload` when the text is not a delta; `missing_root`, `malformed_delta`,
    /// `invalid_utf8`, and the errors of a payload's header and symbol lines, each with its position.
    /// `unresolved_reference` for a reference of a session, which
    /// [`SessionReader::decode_delta`](super::super::SessionReader::decode_delta) resolves.
    pub fn decode_delta<'a>(
        &self,
        input: &'a (impl AsRef<[u8]> + ?Sized),
    ) -> Result<Delta<'a>, Error> {
        let text = Error::utf8(input.as_ref())?;
        Delta::scan(text, self.limits, None).map(|scanned| scanned.delta)
    }
}

/// A delta, with what a session needs to know about it.
pub(in crate::graph) struct Scanned<'a> {
    pub(in crate::graph) delta: Delta<'a>,
    /// The ids that it declares, and the indices of their symbols in `added`.
    pub(in crate::graph) declared: Vec<(u32, u32)>,
    /// `true` if its ids are those of the session.
    pub(in crate::graph) in_session: bool,
}

struct DeltaHeader<'a> {
    delta: Delta<'a>,
    grammar: &'static Grammar,
    session: bool,
}

impl<'a> DeltaHeader<'a> {
    fn scan(line: &Line<'a>, limits: Limits) -> Result<Self, Diagnosis> {
        check_length(line.text, limits)?;
        let start = header_start(line.text)?;
        let mut seen = BTreeSet::new();
        let (mut profile, mut tool, mut is_delta, mut session) = (None, None, false, false);
        let (mut base_root, mut new_root, mut tokens, mut savings) = (None, None, None, None);
        for field in fields(line.text, start) {
            let field = field?;
            field.check_unique(&mut seen)?;
            let Field { key, value, .. } = field;
            match key {
                "profile" => profile = Some(field.profile(seen.len())?),
                "tool" => tool = Some(field.tool()?),
                "delta" => is_delta = field.boolean()?,
                "session" => session = field.boolean()?,
                "base_root" => base_root = Some(field.root()?),
                "new_root" => new_root = Some(field.root()?),
                "tokens" => tokens = Some(number(field)?),
                "savings" => {
                    savings = value.strip_suffix('%').and_then(percentage);
                    if savings.is_none() {
                        let found = shown(value);
                        let message = format!(
                            "`savings` is {found}, expected a whole percentage such as `85%`"
                        );
                        let at = field.value_at();
                        return Err(Diagnosis::new(ErrorKind::MalformedDelta, at, message));
                    }
                }
                _ => {}
            }
        }
        if !is_delta {
            let message = "the header has no `delta=true`, expected a delta";
            return Err(Diagnosis::new(ErrorKind::UnexpectedPayload, 0, message));
        }
        let end = line.text.len();
        if tool.is_none() && profile.is_none() {
            let message = "the header has no `tool=…`, expected `GCF tool=… delta=true …`";
            return Err(Diagnosis::new(ErrorKind::MissingTool, end, message));
        }
        let root = |root: Option<PackRoot<'a>>, key: &str| {
            root.ok_or_else(|| {
                let message = format!("the header has no `{key}`, expected the root of a payload");
                Diagnosis::new(ErrorKind::MissingRoot, end, message)
            })
        };
        let mut delta = Delta::new(
            tool.unwrap_or_default(),
            root(base_root, "base_root")?,
            root(new_root, "new_root")?,
        );
        (delta.tokens, delta.savings) = (tokens, savings);
        Ok(DeltaHeader { delta, grammar: Grammar::of(profile), session })
    }
}

/// A whole number with or without a minus.
fn percentage(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    decimal(unsigned).and_then(|_| text.parse().ok())
}

struct Reading<'a, 'k> {
    text: &'a str,
    delta: Delta<'a>,
    grammar: &'static Grammar,
    limits: Limits,
    /// The symbols that references resolve to; `None` outside a session.
    session: Option<&'k KnownSymbols>,
    section: Option<DeltaSection>,
    begun: [bool; DeltaSection::ALL.len()],
    ids: Ids,
    declared: Vec<(u32, u32)>,
}

impl<'a, 'k> Reading<'a, 'k> {
    fn new(
        text: &'a str,
        header: DeltaHeader<'a>,
        limits: Limits,
        session: Option<&'k KnownSymbols>,
    ) -> Self {
        let DeltaHeader { delta, grammar, session: in_session } = header;
        // From 3 on, a delta does not depend on the session (3.5.3, section 10.6).
        let resolves = in_session && !grammar.needs_added_distance;
        Reading {
            text,
            delta,
            grammar,
            limits,
            session: session.filter(|_| resolves),
            section: None,
            begun: [false; DeltaSection::ALL.len()],
            ids: Ids::default(),
            declared: Vec::new(),
        }
    }

    fn line(&mut self, line: &Line<'a>) -> Result<(), Diagnosis> {
        let text = line.text;
        check_length(text, self.limits)?;
        if let Some(name) = text.strip_prefix(GROUP_PREFIX) {
            return self.begin(name);
        }
        // No line of a section looks like a comment, since none begins with `#` and a space.
        if let Ok(OtherLine::Blank | OtherLine::Comment) = other_line(text, self.grammar) {
            return Ok(());
        }
        let Some(section) = self.section else {
            let message = format!("the line is {}, expected a section before it", shown(text));
            return Err(Diagnosis::new(ErrorKind::MalformedDelta, 0, message));
        };
        let rest = &self.text[line.start..];
        let edges = match section {
            DeltaSection::Removed => return self.removed(text, rest),
            DeltaSection::Added => return self.added(text, rest),
            DeltaSection::EdgesRemoved => &mut self.delta.edges_removed,
            DeltaSection::EdgesAdded => &mut self.delta.edges_added,
        };
        push(edges, edge(text, section)?, section, rest, self.limits)
    }

    fn begin(&mut self, name: &str) -> Result<(), Diagnosis> {
        let wrong = |problem: &str| {
            let name = shown(name);
            let message = format!(
                "the section {name} {problem}, expected `removed`, `added`, `edges_removed` or `edges_added`, each at most once"
            );
            Err(Diagnosis::new(ErrorKind::MalformedDelta, 0, message))
        };
        let Some(section) = DeltaSection::from_name(name) else { return wrong("is unknown") };
        if std::mem::replace(&mut self.begun[section as usize], true) {
            return wrong("appears twice");
        }
        self.section = Some(section);
        Ok(())
    }

    fn removed(&mut self, line: &'a str, rest: &str) -> Result<(), Diagnosis> {
        let section = DeltaSection::Removed;
        let mut words = line.split(' ');
        let (Some(kind), Some(name), None) = (words.next(), words.next(), words.next()) else {
            return Err(wrong_shape(line, section));
        };
        word(line, kind, 0, section)?;
        word(line, name, kind.len() + 1, section)?;
        let key = SymbolKey::new(Kind::from_abbreviation(kind), name);
        push(&mut self.delta.removed, key, section, rest, self.limits)
    }

    fn added(&mut self, line: &'a str, rest: &str) -> Result<(), Diagnosis> {
        let section = DeltaSection::Added;
        if let Some(id) = reference_line(line) {
            return self.reference(line, id, rest);
        }
        if !line.starts_with('@') {
            return Err(wrong_shape(line, section));
        }
        let spaces = line.bytes().filter(|&byte| byte == b' ').count();
        let (fields, distance) = match (spaces, self.grammar.needs_added_distance) {
            (4, false) => (line, 0),
            (5, _) => {
                let (fields, distance) = line.rsplit_once(' ').expect("because it has five spaces");
                let distance = decimal(distance).and_then(|distance| u32::try_from(distance).ok());
                (fields, distance.ok_or_else(|| wrong_shape(line, section))?)
            }
            _ => return Err(wrong_shape(line, section)),
        };
        let symbol = symbol_line(fields, self.grammar).map_err(|problem| match problem.kind {
            ErrorKind::InvalidNodeLine => wrong_shape(line, section),
            _ => problem,
        })?;
        if !self.ids.is_free(symbol.id) {
            return Err(duplicate_id(symbol.id));
        }
        if let Some(known) = self.session {
            known.check(symbol.id, symbol.kind.as_str(), symbol.qualified_name)?;
            self.declared.push((symbol.id, self.ids.count()));
        }
        self.ids.declare(symbol.id);
        push(&mut self.delta.added, symbol.into_symbol(distance), section, rest, self.limits)
    }

    fn reference(&mut self, line: &str, id: u32, rest: &str) -> Result<(), Diagnosis> {
        if self.grammar.needs_added_distance {
            return Err(wrong_shape(line, DeltaSection::Added));
        }
        let Some(symbol) = self.session.and_then(|known| known.get(id)) else {
            return Err(unresolved(id));
        };
        if !self.ids.declare(id) {
            return Err(duplicate_id(id));
        }
        push(&mut self.delta.added, symbol, DeltaSection::Added, rest, self.limits)
    }
}

fn push<T>(
    list: &mut Vec<T>,
    item: T,
    section: DeltaSection,
    rest: &str,
    limits: Limits,
) -> Result<(), Diagnosis> {
    if list.len() >= limits.items {
        return Err(too_many(&format!("lines in `{}`", section.name()), limits));
    }
    bounded_vec::push(list, item, limits, || {
        // Each section appears once, so the capacity is for the lines of this section only.
        let end = memchr::memmem::find(rest.as_bytes(), NEXT_GROUP.as_bytes());
        let lines = &rest[..end.unwrap_or(rest.len())];
        bounded_vec::lines(lines, bounded_vec::begins_line)
            .min(lines.len().div_ceil(section.shortest_line()))
    });
    Ok(())
}

/// `source -> target type`.
fn edge(line: &str, section: DeltaSection) -> Result<DeltaEdge<'_>, Diagnosis> {
    let mut words = line.split(' ');
    let (Some(source), Some(arrow), Some(target), Some(edge_type), None) =
        (words.next(), words.next(), words.next(), words.next(), words.next())
    else {
        return Err(wrong_shape(line, section));
    };
    if arrow != DELTA_ARROW.trim() {
        return Err(wrong_shape(line, section));
    }
    let target_at = source.len() + DELTA_ARROW.len();
    word(line, source, 0, section)?;
    word(line, target, target_at, section)?;
    word(line, edge_type, target_at + target.len() + 1, section)?;
    Ok(DeltaEdge::new(source, EdgeType::from(edge_type), target))
}

fn word(line: &str, word: &str, at: usize, section: DeltaSection) -> Result<(), Diagnosis> {
    if word.is_empty() {
        return Err(wrong_shape(line, section));
    }
    if is_token(word) {
        return Ok(());
    }
    let message =
        format!("a name is {}, expected no white space and no control character", shown(word));
    Err(Diagnosis::new(ErrorKind::InvalidName, at, message))
}

#[cold]
fn wrong_shape(line: &str, section: DeltaSection) -> Diagnosis {
    let (name, found, shape) = (section.name(), shown(line), section.shape());
    let message = format!("a line of `## {name}` is {found}, expected {shape}");
    Diagnosis::new(ErrorKind::MalformedDelta, 0, message)
}
