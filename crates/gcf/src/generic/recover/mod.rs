//! Finds a value in a model's answer, and repairs a text that is nearly valid.
//!
//! There is only one decoder, the strict one. The text is extracted from the answer. While the
//! strict decoder rejects a line, that line is repaired or left out, and the text is decoded again.

mod answer;

use std::borrow::Cow;

use serde::de::{DeserializeOwned, IgnoredAny};

use wire_core::Position;

use self::answer::{NOTHING, header_in, looks_like_one, mended_characters, undecorated};
use super::Decoder;
use super::grammar::ANY_PROFILE;
use crate::answer::{Pieces, is_fence};
use crate::graph::decode::Lines;
use crate::graph::{Repair, RepairKind};
use crate::{Error, ErrorKind};

/// The most repairs. Each decodes the text again, so their number is limited.
const MOST_MENDS: usize = 200;
/// An account of a recovery. Without repairs, the strict decoder accepts the answer, too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// Everything that was repaired or left out, in the order of the answer.
    pub repairs: Vec<Repair>,
}

impl Decoder {
    /// Finds the value in a model's answer, and decodes what can be read.
    ///
    /// A text that [`Decoder::from_str`] accepts is decoded as it is, without repairs. From any
    /// other text this removes prose and code fences around the value, restores changed lines
    /// (indentation, tabs, invisible characters, escaped line endings), treats wrong counts as
    /// unknown, and leaves out lines that it can't read, together with their contents. Every repair
    /// is reported, and nothing is invented.
    ///
    /// ```
    /// use serde_json::{Value, json};
    ///
    /// let answer = "Sure:\n```\nGCF profile=generic\n## users [3]{id,name}\n1|Alice\n2|Bob\n```\nAnything else?";
    /// let (value, recovery) = gcf::Decoder::new().recover::<Value>(answer)?;
    /// assert_eq!(value, json!({"users": [{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}]}));
    /// let repairs: Vec<_> = recovery.repairs.iter().map(|r| (r.line, r.kind.code())).collect();
    /// assert_eq!(repairs, [(1, "surrounding_text"), (2, "code_fence"), (4, "wrong_count"), (7, "code_fence"), (8, "surrounding_text")]);
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `missing_header` if no line has `GCF profile=generic`; `nothing_to_recover` if it is only
    /// mentioned; `invalid_utf8`; `invalid_value` if the value does not fit the type; and the strict decoder's
    /// error if it can't be repaired: one of the header, `too_many_items`, `too_large`, the error
    /// that remains after 200 repairs, or the first one if no line is left. Positions are those in
    /// the answer.
    pub fn recover<T: DeserializeOwned>(
        &self,
        answer: &(impl AsRef<[u8]> + ?Sized),
    ) -> Result<(T, Recovery), Error> {
        let answer = Error::utf8(answer.as_ref())?;
        if let Ok(value) = self.from_str(answer) {
            return Ok((value, Recovery::default()));
        }
        let mut found = Found::new(answer)?;
        loop {
            let text = found.text();
            match self.from_str::<IgnoredAny>(&text) {
                Ok(_) => {
                    found.check_left()?;
                    let mut repairs = found.repairs;
                    repairs
                        .sort_by_key(|repair| (repair.line, repair.offset, repair.kind as usize));
                    return Ok((self.from_str(&text)?, Recovery { repairs }));
                }
                Err(error) => found.mend(&error)?,
            }
        }
    }
}

/// A line of the text, and where it comes from.
#[derive(Debug)]
struct Line<'t> {
    text: Cow<'t, str>,
    number: u64,
    offset: usize,
}

/// The text in an answer, with the repairs so far.
#[derive(Debug)]
struct Found<'t> {
    lines: Vec<Line<'t>>,
    repairs: Vec<Repair>,
    terminated: bool,
    mends: usize,
    /// `true` if any line that was left out looks like one of the format.
    left_out_looks_like_one: bool,
    first: Option<Error>,
}

impl<'t> Found<'t> {
    fn new(answer: &'t str) -> Result<Self, Error> {
        let at = header_in(answer)?;
        let start = answer[..at].rfind('\n').map_or(0, |lf| lf + 1);
        let before = &answer[start..at];
        let mut found = Found {
            lines: Vec::new(),
            repairs: Vec::new(),
            terminated: answer.ends_with('\n'),
            mends: 0,
            left_out_looks_like_one: false,
            first: None,
        };
        // `true` after text that is no part of the value.
        let mut is_surrounded = false;
        let mut is_inside = false;
        for (number, raw) in (1u64..).zip(Lines::new(answer)) {
            let (offset, text) = (raw.start, raw.text);
            if offset == start && number > 1 && found.repairs.is_empty() {
                // Blank lines.
                found.note(1, 0, RepairKind::SurroundingText, None);
            }
            let mut note = |kind| found.note(number, offset, kind, None);
            if offset == start {
                (is_inside, is_surrounded) = (true, false);
                if undecorated(text, before).is_some() {
                    note(RepairKind::Decoration);
                } else if !before.trim().is_empty() {
                    note(RepairKind::SurroundingText);
                }
                let own = text[before.len()..].trim_end_matches('\r');
                if own.len() < text.len() - before.len() {
                    found.note(number, offset, RepairKind::WhiteSpace, None);
                }
                if own.contains("\\n") {
                    // The value of a string in JSON, say, up to the quote at its end.
                    found.note(number, offset, RepairKind::EscapedNewlines, None);
                    for piece in Pieces::new(own, number, offset, true, true) {
                        found.lines.push(Line { text: piece.text, number, offset });
                    }
                    (is_inside, found.terminated) = (false, true);
                } else {
                    found.lines.push(Line { text: own.into(), number, offset });
                }
            } else if is_fence(text) {
                note(RepairKind::CodeFence);
                found.terminated |= is_inside;
                is_inside = false;
            } else if !is_inside {
                if offset > start && text.contains(ANY_PROFILE) {
                    note(RepairKind::AnotherPayload);
                } else if looks_like_one(text.trim_start()) {
                    let reason = Some(ErrorKind::UnrecognizedLine);
                    found.note(number, offset, RepairKind::LeftOut, reason);
                    is_surrounded = false;
                } else if !text.trim().is_empty() && !std::mem::replace(&mut is_surrounded, true) {
                    note(RepairKind::SurroundingText);
                }
            } else {
                let own = undecorated(text, before);
                if own.is_some() {
                    note(RepairKind::Decoration);
                }
                let line = own.unwrap_or(text);
                let (own, invisible, white) = mended_characters(line.trim_end_matches('\r'));
                if invisible {
                    note(RepairKind::InvisibleCharacters);
                }
                if white || line.ends_with('\r') {
                    note(RepairKind::WhiteSpace);
                }
                found.lines.push(Line { text: own, number, offset });
            }
        }
        if is_inside && answer.ends_with('\r') {
            // A carriage return without a line feed after it.
            found.repair(found.lines.len() - 1, RepairKind::WhiteSpace, None);
        }
        Ok(found)
    }

    fn note(&mut self, line: u64, offset: usize, kind: RepairKind, reason: Option<ErrorKind>) {
        self.repairs.push(Repair { line, offset: offset as u64, kind, reason });
    }

    fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| &*line.text).collect();
        lines.join("\n") + if self.terminated { "\n" } else { "" }
    }

    fn repair(&mut self, at: usize, kind: RepairKind, reason: Option<ErrorKind>) {
        let Line { number, offset, .. } = self.lines[at];
        self.note(number, offset, kind, reason);
    }

    /// Mends what the decoder refuses, or gives up.
    fn mend(&mut self, error: &Error) -> Result<(), Error> {
        self.mends += 1;
        let position = error.position();
        let at = position.and_then(|position| usize::try_from(position.line).ok()).unwrap_or(0);
        let at = at.saturating_sub(1).min(self.lines.len() - 1);
        // The position of the line in the answer.
        let Line { number, offset, .. } = self.lines[at];
        let column = position.map_or(1, |position| position.column);
        let place = Position { offset: offset as u64, line: number, column };
        let cut = error.kind() == ErrorKind::MissingFinalNewline;
        if !cut {
            self.first.get_or_insert_with(|| Error::at(error.kind(), place, error.message()));
        }
        // A text that is too much would be so each time that it is read again.
        let too_much = matches!(error.kind(), ErrorKind::TooManyItems | ErrorKind::TooLarge);
        if self.mends > MOST_MENDS || (at == 0 && !cut) || too_much {
            return Err(Error::at(error.kind(), place, error.message()));
        }
        match error.kind() {
            ErrorKind::MissingFinalNewline => {
                self.terminated = true;
                self.repair(self.lines.len() - 1, RepairKind::MissingFinalNewline, None);
            }
            ErrorKind::CountMismatch if self.without_count(at) => {
                self.repair(at, RepairKind::WrongCount, None);
            }
            reason => self.leave_out(at, reason),
        }
        Ok(())
    }

    /// Refuses a text of which nothing is left.
    fn check_left(&mut self) -> Result<(), Error> {
        let is_empty =
            |text: &str| text.is_empty() || (text.starts_with('#') && !text.starts_with("##"));
        let has_more = self.lines.iter().skip(1).any(|line| !is_empty(line.text.trim()));
        let Line { number, offset, .. } = self.lines[0];
        match self.first.take() {
            _ if has_more => Ok(()),
            Some(error) if self.left_out_looks_like_one => Err(error),
            _ => {
                let place = Position { offset: offset as u64, line: number, column: 1 };
                Err(Error::at(ErrorKind::NothingToRecover, place, NOTHING))
            }
        }
    }

    /// Takes the count of a line for an unknown one; says whether it had one.
    fn without_count(&mut self, at: usize) -> bool {
        let text = &self.lines[at].text;
        let Some(end) = text.find(']') else { return false };
        let Some(start) = text[..end].rfind('[') else { return false };
        let count = text[start + 1..end].trim_end_matches(':');
        if count.is_empty() || !count.bytes().all(|byte| byte.is_ascii_digit()) {
            return false;
        }
        let unknown = format!("{}[?{}", &text[..start], &text[start + 1 + count.len()..]);
        self.lines[at].text = Cow::Owned(unknown);
        true
    }

    /// Leaves out a line, and those further in that belong to it.
    fn leave_out(&mut self, at: usize, reason: ErrorKind) {
        let indent = |line: &Line<'_>| line.text.len() - line.text.trim_start_matches(' ').len();
        let own = indent(&self.lines[at]);
        let inner = self.lines[at + 1..].iter().take_while(|line| indent(line) > own).count();
        for at in at..=at + inner {
            self.left_out_looks_like_one |= looks_like_one(&self.lines[at].text);
            self.repair(at, RepairKind::LeftOut, Some(reason));
        }
        self.lines.drain(at..=at + inner);
    }
}
