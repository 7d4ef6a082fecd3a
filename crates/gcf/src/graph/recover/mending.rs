//! Assembles the repaired lines into a text of the format.

use std::collections::HashSet;
use std::fmt::Write as _;

use wire_core::{Limits, Position};

use super::answer::{HeaderPlace, find_header, header_in, ids_of_symbols, unescaped};
use super::mend::{
    Class, Mended, begins_with_kind, looks_like_one, mend, mend_header, straightened,
};
use super::{MendedText, Origin};
use crate::answer::{
    Account, End, PAIRS, Piece, begins_line, is_fence, is_invisible, lines, undecorated_start,
};
use crate::graph::decode::{Group, Ids, edge_line, other_line, symbol_line, too_many};
use crate::graph::dialect::Grammar;
use crate::graph::grammar::{EDGES, name_of_group};
use crate::header::TAG;
use crate::lines::GROUP_PREFIX;
use crate::repair::{Repair, RepairKind};
use crate::{Error, ErrorKind, bounded_vec};

/// The error of an answer that only mentions a header.
pub(super) const NOTHING: &str = "a header is mentioned, but nothing after it belongs to a payload, expected symbols after a header line, or `symbols=0`";

/// The text that an answer was meant to be, and the repairs.
pub(super) fn mended_text(
    answer: &str,
    limits: Limits,
) -> Result<(MendedText, Vec<Repair>), Error> {
    let header = find_header(answer);
    let mut mending = Mending::new(answer, limits, header, ids_of_symbols(answer));
    'answer: for piece in lines(answer) {
        let place = header.filter(|header| header.number == piece.number);
        let Some(HeaderPlace { at, .. }) = place else {
            if mending.take(&piece)? {
                continue;
            }
            break;
        };
        mending.account.end_of_preamble(piece.number);
        match unescaped(&piece, at) {
            None => mending.header(&piece, at),
            Some(pieces) => {
                mending.escaped_header(&piece, at);
                for (index, piece) in pieces.enumerate() {
                    if index == 0 {
                        mending.header(&piece, 0);
                    } else if !mending.take(&piece)? {
                        break 'answer;
                    }
                }
            }
        }
    }
    mending.finish()
}

/// The meaning of lines with an id at this position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Symbols,
    Edges,
    /// After the trailer, where the decoder accepts no such lines.
    Nothing,
}

/// The length of an empty comment; no line of the format is shorter.
const SHORTEST_LINE: usize = "# \n".len();

/// A repaired text under construction.
struct Mending<'t> {
    answer: &'t str,
    limits: Limits,
    grammar: &'static Grammar,
    mended: MendedText,
    account: Account<'t>,
    /// `true` if a line of the format has come.
    begun: bool,
    section: Section,
    distance: u32,
    ids: Ids,
    /// The ids that symbols state themselves.
    own_ids: HashSet<u32>,
    /// More than any of them, and than those that were given.
    next_id: u64,
    symbols: u32,
    /// `true` if a line ending follows the last accepted line.
    terminated: bool,
}

impl<'t> Mending<'t> {
    fn new(
        answer: &'t str,
        limits: Limits,
        header: Option<HeaderPlace>,
        own_ids: HashSet<u32>,
    ) -> Self {
        let mut mended = MendedText {
            text: String::with_capacity(answer.len()),
            lines: Vec::new(),
            has_header: header.is_some(),
            has_content: header.is_none(),
        };
        let mut account = Account::new(answer, limits);
        if header.is_none() {
            mended.lines.push(Origin { start: 0, number: 1, offset: 0 });
            mended.text.push_str(TAG);
            mended.text.push('\n');
            account.report(1, 0, RepairKind::MissingHeader);
        }
        Mending {
            answer,
            limits,
            grammar: Grammar::of(None),
            mended,
            account,
            begun: false,
            section: Section::Symbols,
            distance: 0,
            ids: Ids::default(),
            next_id: own_ids.iter().max().map_or(0, |id| u64::from(*id) + 1),
            own_ids,
            symbols: 0,
            terminated: true,
        }
    }

    /// Processes a piece other than the header; `false` when everything after it is to be ignored.
    fn take(&mut self, piece: &Piece<'_>) -> Result<bool, Error> {
        if piece.text.trim().is_empty() {
            // For the strict decoder, a line of white space is not blank, nor is a carriage return
            // without a line feed.
            let is_blank = piece.text.is_empty() && piece.terminated;
            if !is_blank && self.begun && !self.account.has_pending() {
                self.account.report(piece.number, piece.offset, RepairKind::WhiteSpace);
            }
            return Ok(true);
        }
        if self.account.is_full() {
            let problem = too_many("lines to report", self.limits);
            let position = Position { offset: piece.offset as u64, line: piece.number, column: 1 };
            return Err(Error::at(problem.kind, position, problem.into_message()));
        }
        if is_fence(&piece.text) {
            self.account.wait(piece, RepairKind::CodeFence, None);
            return Ok(true);
        }
        // Before the header nothing is accepted.
        if self.mended.has_header && !self.begun {
            let looks_like_one = looks_like_one(undecorated_start(&piece.text));
            self.account.leave_out(piece, looks_like_one, ErrorKind::UnrecognizedLine);
            return Ok(true);
        }
        if header_in(&piece.text).is_some_and(|at| begins_line(&piece.text, at)) {
            self.account.settle(End::Outside);
            self.account.report(piece.number, piece.offset, RepairKind::AnotherPayload);
            return Ok(false);
        }
        match mend(&piece.text, self.grammar) {
            Some(Mended { class: Class::Comment, .. }) if self.account.has_pending() => {
                self.account.wait(piece, RepairKind::SurroundingText, None);
            }
            Some(mended) => self.line(piece, mended),
            None => {
                let text = undecorated_start(&piece.text);
                let reason = self.reason(text);
                if self.section == Section::Symbols && begins_with_kind(text) {
                    // A symbol without an id gets its position as its id, so every symbol counts.
                    self.symbols += 1;
                }
                let of_the_format = looks_like_one(text);
                self.mended.has_content |= of_the_format;
                let marked = text.starts_with('@') || text.starts_with("##");
                self.account.leave_out(piece, of_the_format || marked, reason);
            }
        }
        Ok(true)
    }

    /// Why the strict decoder would reject the line at this position.
    fn reason(&self, line: &str) -> ErrorKind {
        let refused = match (line.starts_with('@'), self.section) {
            (true, Section::Symbols) => symbol_line(line, self.grammar).err(),
            (true, Section::Edges) => edge_line(line).err(),
            (true, Section::Nothing) => None,
            (false, _) => other_line(line, self.grammar).err(),
        };
        match refused.map(|problem| problem.kind) {
            Some(ErrorKind::UnrecognizedLine) if self.section == Section::Edges => {
                ErrorKind::InvalidEdgeSyntax
            }
            reason => reason.unwrap_or(ErrorKind::UnrecognizedLine),
        }
    }

    /// Processes the text before a header with escaped line endings.
    fn escaped_header(&mut self, line: &Piece<'_>, at: usize) {
        if at > 0 {
            let decorated = begins_line(&line.text, at);
            let kind = if decorated { RepairKind::Decoration } else { RepairKind::SurroundingText };
            self.account.report(line.number, line.offset, kind);
        }
        self.account.report(line.number, line.offset + at, RepairKind::EscapedNewlines);
    }

    /// Processes the header, which begins at byte `at` of the piece.
    fn header(&mut self, piece: &Piece<'_>, at: usize) {
        let (whole, mut repairs) = straightened(&piece.text);
        let at = if repairs.is_empty() { at } else { header_in(&whole).unwrap_or(at) };
        let (before, mut text) = whole.split_at(at);
        if at > 0 {
            let kind = if !begins_line(&whole, at) {
                RepairKind::SurroundingText
            } else if before.chars().all(is_invisible) {
                RepairKind::InvisibleCharacters
            } else {
                RepairKind::Decoration
            };
            repairs.push(kind);
            for mark in PAIRS {
                if before.ends_with(mark) {
                    text = text.trim_end().strip_suffix(mark).unwrap_or(text);
                }
            }
        }
        let line = mend_header(text, &mut repairs);
        for kind in repairs {
            self.account.report(piece.number, piece.offset, kind);
        }
        let profile = line.split(' ').any(|field| field.starts_with("profile="));
        self.grammar = Grammar::of(profile.then_some("graph"));
        self.mended.has_content = line.split(' ').any(|field| field == "symbols=0");
        self.begun = true;
        self.push(piece.number, piece.offset, &line);
        self.terminated = piece.terminated;
    }

    fn line(&mut self, piece: &Piece<'_>, mended: Mended<'_>) {
        self.account.settle(if self.begun { End::Inside } else { End::Outside });
        self.begun = true;
        self.mended.has_content |= !matches!(mended.class, Class::Comment);
        let Piece { number, offset, .. } = *piece;
        for kind in mended.repairs {
            self.account.report(number, offset, kind);
        }
        let line = &*mended.line;
        match mended.class {
            Class::Group(group) => {
                match group {
                    // No group may begin after a trailer; the decoder reports that.
                    _ if self.section == Section::Nothing => {}
                    Group::Edges { .. } => self.section = Section::Edges,
                    Group::Symbols { distance, .. } => {
                        self.section = Section::Symbols;
                        self.distance = distance;
                    }
                }
                let count_is_wrong = self.account.repairs.last().is_some_and(|repair| {
                    repair.kind == RepairKind::WrongCount && repair.offset == offset as u64
                });
                let name_end = line.match_indices(' ').nth(1).map_or(line.len(), |(at, _)| at);
                let without_count = &line[..name_end];
                self.push(number, offset, if count_is_wrong { without_count } else { line });
            }
            Class::Edge => {
                if self.section == Section::Symbols {
                    self.section = Section::Edges;
                    self.account.report(number, offset, RepairKind::MissingEdgesGroup);
                    self.push(number, offset, &format!("{GROUP_PREFIX}{EDGES}"));
                }
                self.push(number, offset, line);
            }
            Class::Symbol { id, kind_at } => {
                self.symbols_group(number, offset);
                self.symbol(number, offset, id, line, kind_at);
            }
            Class::Reference => {
                self.symbols_group(number, offset);
                self.push(number, offset, line);
            }
            Class::Comment => self.push(number, offset, line.trim_start()),
            Class::Summary => {
                self.section = Section::Nothing;
                self.push(number, offset, line);
            }
        }
        self.terminated = piece.terminated;
    }

    fn symbols_group(&mut self, number: u64, offset: usize) {
        if self.section == Section::Edges {
            self.section = Section::Symbols;
            self.account.report(number, offset, RepairKind::MissingSymbolsGroup);
            let group = format!("{GROUP_PREFIX}{}", name_of_group(self.distance));
            self.push(number, offset, &group);
        }
    }

    /// Processes a symbol line, and gives it an id when it has none.
    fn symbol(&mut self, number: u64, offset: usize, id: Option<u32>, line: &str, kind_at: usize) {
        let candidate = match id {
            Some(id) => Some(id),
            // Its position, unless another symbol states that as its id.
            None => Some(self.symbols).filter(|place| !self.own_ids.contains(place)),
        };
        let free = candidate.filter(|id| self.ids.resolve(*id).is_none());
        let given = free.or_else(|| u32::try_from(self.next_id).ok());
        let kind = if id.is_some() { RepairKind::DuplicateId } else { RepairKind::MissingId };
        match given {
            // Every id is in use; the decoder reports that.
            None => self.push(number, offset, line),
            Some(given) => {
                self.ids.declare(given);
                self.symbols += 1;
                self.next_id = self.next_id.max(u64::from(given) + 1);
                if id == Some(given) {
                    self.push(number, offset, line);
                } else {
                    self.account.report(number, offset, kind);
                    self.push(number, offset, &format!("@{given} {}", &line[kind_at..]));
                }
            }
        }
    }

    fn push(&mut self, number: u64, offset: usize, line: &str) {
        let origin = Origin { start: self.mended.text.len(), number, offset };
        let answer = &self.answer[offset..];
        bounded_vec::push(&mut self.mended.lines, origin, self.limits, || {
            bounded_vec::lines(answer, bounded_vec::begins_line)
                .min(answer.len().div_ceil(SHORTEST_LINE))
        });
        let _ = writeln!(self.mended.text, "{line}");
    }

    fn finish(mut self) -> Result<(MendedText, Vec<Repair>), Error> {
        if !self.mended.has_header && self.symbols == 0 {
            let position = Position::in_text(self.answer.as_bytes(), 0);
            if lines(self.answer).any(|line| header_in(&line.text).is_some()) {
                return Err(Error::at(ErrorKind::NothingToRecover, position, NOTHING));
            }
            let message =
                "there is no header line and no symbol line, expected a header line `GCF tool=…`";
            return Err(Error::at(ErrorKind::MissingHeader, position, message));
        }
        self.account.settle(End::Outside);
        if !self.terminated {
            self.mended.text.pop();
        }
        // They stay while the text is decoded.
        self.mended.text.shrink_to_fit();
        self.mended.lines.shrink_to_fit();
        Ok((self.mended, self.account.repairs))
    }
}
