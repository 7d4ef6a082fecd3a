//! The prose, fences, bullets, invisible characters and escaped line endings that models and chat
//! windows put around and into the lines of a text, for both profiles; and the account of them.

use std::borrow::Cow;

use wire_core::Limits;

use crate::lines::Lines;
use crate::repair::{Repair, RepairKind};
use crate::{ErrorKind, bounded_vec};

/// Marks that surround a line in pairs.
pub(crate) const PAIRS: [&str; 4] = ["**", "`", "\"", "'"];

/// White space as Unicode defines it, and characters of zero width.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_whitespace() || is_invisible(c)
}

pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// The text after indentation, quotation marks, bullets and list numbers.
pub(crate) fn undecorated_start(line: &str) -> &str {
    let mut text = line.trim_start_matches(is_blank);
    loop {
        let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let behind = if let Some(rest) = text.strip_prefix('>') {
            Some(rest)
        } else if let Some(rest) = text.strip_prefix(['-', '*', '+', '•', '–', '—']) {
            Some(rest).filter(|rest| rest.starts_with(is_blank))
        } else if digits.len() < text.len() {
            digits.strip_prefix(['.', ')']).filter(|rest| rest.starts_with(is_blank))
        } else {
            None
        };
        match behind {
            Some(rest) => text = rest.trim_start_matches(is_blank),
            None => return text,
        }
    }
}

/// The part of its line before byte `at` of an answer; `None` if it is longer than any decoration, so
/// that many marks in one line take linear time. A line also ends with each of these texts.
pub(crate) fn before_in_line<'t>(answer: &'t str, at: usize, ends: &[&str]) -> Option<&'t str> {
    const LONGEST: usize = 64;
    let mut starts = at.saturating_sub(LONGEST)..at;
    let start = starts.find(|&start| answer.is_char_boundary(start)).unwrap_or(at);
    let before = &answer[start..at];
    match ends.iter().filter_map(|end| Some(before.rfind(end)? + end.len())).max() {
        Some(line) => Some(&before[line..]),
        None => (start == 0).then_some(before),
    }
}

/// The header of an answer, among the places that look like one, each with `true` if it begins its
/// line. The first of these is used:
///
/// 1. one that begins its line, and is followed by lines of the format;
/// 2. one inside a line that is followed by lines of the format;
/// 3. any that begins its line.
///
/// Any other one is only a mention (ruling G16).
pub(crate) fn header_among<P>(
    places: impl Iterator<Item = (P, bool)>,
    is_followed: impl Fn(&P, bool) -> bool,
) -> Option<P> {
    let (mut inside, mut alone) = (None, None);
    for (place, begins_line) in places {
        if !begins_line && inside.is_some() {
            continue;
        }
        match (begins_line, is_followed(&place, begins_line)) {
            (true, true) => return Some(place),
            (true, false) => alone = alone.or(Some(place)),
            (false, true) => inside = Some(place),
            (false, false) => {}
        }
    }
    // The lines after one inside a line may look like prose until they are repaired.
    inside.or(alone)
}

/// Returns `true` if there is only decoration before `at`.
pub(crate) fn begins_line(line: &str, at: usize) -> bool {
    let before = undecorated_start(&line[..at]);
    before.is_empty() || PAIRS.contains(&before)
}

/// Returns `true` if the line is a code fence: three or more backticks or tildes, and at most one
/// word.
pub(crate) fn is_fence(line: &str) -> bool {
    let line = undecorated_start(line);
    ['`', '~'].iter().any(|&mark| {
        let rest = line.trim_start_matches(mark);
        line.len() - rest.len() >= 3 && !rest.trim().contains(char::is_whitespace)
    })
}

/// A line of an answer, or a part of a line with escaped line endings.
#[derive(Clone, Debug)]
pub(crate) struct Piece<'t> {
    pub(crate) text: Cow<'t, str>,
    /// Number of its line, from 1.
    pub(crate) number: u64,
    /// Bytes before it.
    pub(crate) offset: usize,
    /// `true` if a line ending follows it.
    pub(crate) terminated: bool,
}

/// The lines of an answer.
pub(crate) fn lines(answer: &str) -> impl Iterator<Item = Piece<'_>> {
    (1u64..).zip(Lines::new(answer)).map(|(number, line)| {
        let (text, offset, terminated) = (line.text.into(), line.start, line.terminated);
        Piece { text, number, offset, terminated }
    })
}

/// The pieces of a text in which `\n` is written for line endings, one at a time.
#[derive(Clone, Debug)]
pub(crate) struct Pieces<'t> {
    /// The text that has not been read yet, and its offset in the answer.
    rest: &'t str,
    offset: usize,
    number: u64,
    /// `true` if a quotation mark ends the text.
    quoted: bool,
    /// `true` if a line ending follows the last piece.
    terminated: bool,
}

impl<'t> Pieces<'t> {
    /// The pieces of `text`, which is at `offset` of the answer, in the line of this `number`. If
    /// it is `quoted`, a quotation mark ends it.
    pub(crate) fn new(
        text: &'t str,
        number: u64,
        offset: usize,
        quoted: bool,
        terminated: bool,
    ) -> Self {
        Pieces { rest: text, offset, number, quoted, terminated }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        let (number, offset) = (self.number, self.offset);
        let mut text = String::new();
        while let Some(c) = self.rest.chars().next() {
            if c == '"' && self.quoted {
                self.rest = "";
                break;
            }
            let (taken, meant) =
                if c == '\\' { escape(self.rest) } else { (c.len_utf8(), Some(c)) };
            self.rest = &self.rest[taken..];
            self.offset += taken;
            match meant {
                Some('\n') => {
                    if text.ends_with('\r') {
                        text.pop();
                    }
                    return Some(Piece { text: text.into(), number, offset, terminated: true });
                }
                Some(meant) => text.push(meant),
                None => text.push('\\'),
            }
        }
        let terminated = self.terminated;
        (!text.is_empty()).then(|| Piece { text: text.into(), number, offset, terminated })
    }
}

/// The number of bytes of the JSON escape at the start of `text`, and its character; `None` when it
/// is not an escape, and the backslash is literal. A tab becomes a space, since lines can't contain
/// tabs.
fn escape(text: &str) -> (usize, Option<char>) {
    let unit = |at: usize| {
        let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
        let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u16::from_str_radix(digits, 16).ok().filter(|_| hexadecimal)
    };
    match text.as_bytes().get(1) {
        Some(b'n') => (2, Some('\n')),
        Some(b'r') => (2, Some('\r')),
        Some(b't') => (2, Some(' ')),
        Some(&mark @ (b'"' | b'\\' | b'/')) => (2, Some(char::from(mark))),
        Some(b'u') => {
            // The second unit is used only after the first half of a surrogate pair.
            let units = unit(0).into_iter().chain(unit(0).and(unit(6)));
            match char::decode_utf16(units).next() {
                Some(Ok(c)) => (6 * c.len_utf16(), Some(c)),
                _ => (1, None),
            }
        }
        _ => (1, None),
    }
}

/// The repairs of an answer, in its order.
#[derive(Debug)]
pub(crate) struct Account<'t> {
    answer: &'t str,
    limits: Limits,
    pub(crate) repairs: Vec<Repair>,
    /// The number of settled repairs. The repairs after them are of lines that were left out, until
    /// it is known whether these are in the payload: text, with the reason why it is not a line of
    /// the format, and comments, without a reason.
    settled: usize,
}

/// Where lines that were left out are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Between lines of the payload.
    Inside,
    /// Before or after it.
    Outside,
}

impl<'t> Account<'t> {
    pub(crate) fn new(answer: &'t str, limits: Limits) -> Self {
        Account { answer, limits, repairs: Vec::new(), settled: 0 }
    }

    pub(crate) fn is_full(&self) -> bool {
        self.repairs.len() >= self.limits.items
    }

    pub(crate) fn has_pending(&self) -> bool {
        self.settled < self.repairs.len()
    }

    /// The header is in this line: what came before is not part of the payload.
    pub(crate) fn end_of_preamble(&mut self, number: u64) {
        self.settle(End::Outside);
        if number > 1 && self.repairs.is_empty() {
            // Blank lines.
            self.report(1, 0, RepairKind::SurroundingText);
        }
    }

    /// Leaves out a line that can't be read: one of the format, or prose.
    pub(crate) fn leave_out(&mut self, piece: &Piece<'_>, looks_like_one: bool, reason: ErrorKind) {
        let kind = if looks_like_one { RepairKind::LeftOut } else { RepairKind::SurroundingText };
        self.wait(piece, kind, Some(reason));
    }

    /// Records a line that was left out, and waits.
    pub(crate) fn wait(&mut self, piece: &Piece<'_>, kind: RepairKind, reason: Option<ErrorKind>) {
        let Piece { number: line, offset, .. } = *piece;
        self.push(Repair { line, offset: offset as u64, kind, reason });
    }

    /// Reports a repair. No line is waiting.
    pub(crate) fn report(&mut self, line: u64, offset: usize, kind: RepairKind) {
        debug_assert!(!self.has_pending());
        self.push(Repair { line, offset: offset as u64, kind, reason: None });
        self.settled = self.repairs.len();
    }

    fn push(&mut self, repair: Repair) {
        let offset = usize::try_from(repair.offset).unwrap_or_default();
        let answer = &self.answer[offset..];
        bounded_vec::push(&mut self.repairs, repair, self.limits, || {
            bounded_vec::lines(answer, bounded_vec::begins_line)
        });
    }

    /// Reports the lines that were left out, now that it is known where they are.
    pub(crate) fn settle(&mut self, end: End) {
        let repairs = &mut self.repairs;
        let mut run = false;
        for index in self.settled..repairs.len() {
            let mut repair = repairs[index];
            if repair.kind == RepairKind::SurroundingText {
                match (repair.reason, end) {
                    // A comment of the payload.
                    (None, End::Inside) => continue,
                    (Some(_), End::Inside) => repair.kind = RepairKind::LeftOut,
                    (_, End::Outside) => repair.reason = None,
                }
            }
            let continues = run && repair.kind == RepairKind::SurroundingText;
            run = repair.kind == RepairKind::SurroundingText;
            if !continues {
                repairs[self.settled] = repair;
                self.settled += 1;
            }
        }
        repairs.truncate(self.settled);
    }
}
