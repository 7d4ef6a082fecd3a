//! Finds a value in a model's answer, and repairs a text that is nearly valid.
//!
//! There is only one decoder, the strict one. The text is extracted from the answer. While the
//! strict decoder rejects a line, that line is repaired or left out, and the text is decoded again.

mod answer;

use std::borrow::Cow;

use serde::de::{DeserializeOwned, IgnoredAny};

use wire_core::{Limits, Position};

use self::answer::{NOTHING, header_in, looks_like_one, mended_characters, undecorated};
use super::Decoder;
use super::grammar::ANY_PROFILE;
use crate::answer::{Account, End, Piece, Pieces, is_fence, lines};
use crate::repair::{Repair, RepairKind};
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
    /// let answer = "Sure:\n```\nGCF profile=generic\n## users [3]{id,name}\n\
    ///               1|Alice\n2|Bob\n```\nAnything else?";
    /// let (value, recovery) = gcf::Decoder::new().recover::<Value>(answer)?;
    /// assert_eq!(
    ///     value,
    ///     json!({"users": [{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}]})
    /// );
    /// let repairs: Vec<_> =
    ///     recovery.repairs.iter().map(|r| (r.line, r.kind.code())).collect();
    /// assert_eq!(
    ///     repairs,
    ///     [
    ///         (1, "surrounding_text"),
    ///         (2, "code_fence"),
    ///         (4, "wrong_count"),
    ///         (7, "code_fence"),
    ///         (8, "surrounding_text")
    ///     ]
    /// );
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
        let mut found = Found::new(answer, self.limits)?;
        let is_whole = |text: &str| self.from_str::<IgnoredAny>(text).is_ok();
        if !is_whole(&found.text()) {
            found.leave_out_prose(is_whole);
        }
        loop {
            let text = found.text();
            match self.from_str::<IgnoredAny>(&text) {
                Ok(_) => {
                    found.check_left()?;
                    let mut repairs = found.account.repairs;
                    repairs
                        .sort_by_key(|repair| (repair.line, repair.offset, repair.kind as usize));
                    return Ok((self.from_str(&text)?, Recovery { repairs }));
                }
                Err(error) => found.mend(&error)?,
            }
        }
    }
}

/// The text in an answer, with the repairs so far.
#[derive(Debug)]
struct Found<'t> {
    lines: Vec<Piece<'t>>,
    account: Account<'t>,
    terminated: bool,
    mends: usize,
    /// `true` if any line that was left out looks like one of the format.
    left_out_looks_like_one: bool,
    first: Option<Error>,
}

impl<'t> Found<'t> {
    fn new(answer: &'t str, limits: Limits) -> Result<Self, Error> {
        let at = header_in(answer)?;
        let start = answer[..at].rfind('\n').map_or(0, |lf| lf + 1);
        let before = &answer[start..at];
        let mut account = Account::new(answer, limits);
        let mut found = Vec::new();
        let mut terminated = answer.ends_with('\n');
        let mut is_inside = false;
        for piece in lines(answer) {
            let (number, offset) = (piece.number, piece.offset);
            let text = &answer[offset..offset + piece.text.len()];
            if offset == start {
                account.end_of_preamble(number);
                let mut report = |kind| account.report(number, offset, kind);
                if undecorated(text, before).is_some() {
                    report(RepairKind::Decoration);
                } else if !before.trim().is_empty() {
                    report(RepairKind::SurroundingText);
                }
                let own = text[before.len()..].trim_end_matches('\r');
                if own.len() < text.len() - before.len() {
                    report(RepairKind::WhiteSpace);
                }
                is_inside = !own.contains("\\n");
                if is_inside {
                    found.push(Piece { text: own.into(), ..piece });
                } else {
                    // The value of a string in JSON, say, up to the quote at its end.
                    report(RepairKind::EscapedNewlines);
                    let pieces = Pieces::new(own, number, offset, true, true);
                    found.extend(pieces.map(|piece| Piece { offset, ..piece }));
                    terminated = true;
                }
            } else if is_fence(text) {
                account.wait(&piece, RepairKind::CodeFence, None);
                terminated |= is_inside;
                is_inside = false;
            } else if is_inside {
                let own = undecorated(text, before);
                let line = own.unwrap_or(text);
                let (mended, invisible, white) = mended_characters(line.trim_end_matches('\r'));
                for (is_repaired, kind) in [
                    (own.is_some(), RepairKind::Decoration),
                    (invisible, RepairKind::InvisibleCharacters),
                    (white || line.ends_with('\r'), RepairKind::WhiteSpace),
                ] {
                    if is_repaired {
                        account.report(number, offset, kind);
                    }
                }
                found.push(Piece { text: mended, ..piece });
            } else if offset > start && text.contains(ANY_PROFILE) {
                account.wait(&piece, RepairKind::AnotherPayload, None);
            } else if !text.trim().is_empty() {
                let looks_like_one = looks_like_one(text.trim_start());
                account.leave_out(&piece, looks_like_one, ErrorKind::UnrecognizedLine);
            }
        }
        account.settle(End::Outside);
        let last = found.last().filter(|_| is_inside && answer.ends_with('\r'));
        if let Some(last) = last {
            // A carriage return without a line feed after it.
            account.report(last.number, last.offset, RepairKind::WhiteSpace);
        }
        Ok(Found {
            lines: found,
            account,
            terminated,
            mends: 0,
            left_out_looks_like_one: false,
            first: None,
        })
    }

    fn text(&self) -> String {
        let lines: Vec<&str> = self.lines.iter().map(|line| &*line.text).collect();
        lines.join("\n") + if self.terminated { "\n" } else { "" }
    }

    /// Prose behind a blank line and a whole value with all its counts is no part of it: it begins with
    /// a line of several words. Anything else might be a row too many.
    fn leave_out_prose(&mut self, is_whole: impl Fn(&str) -> bool) {
        const MOST_TRIES: usize = 8;
        let is_of_value = |line: &Piece<'_>| looks_like_one(line.text.trim_start());
        let is_blank = |line: &Piece<'_>| line.text.trim().is_empty();
        let first = self.lines.iter().rposition(is_of_value).unwrap_or(0) + 1;
        let last = self.lines.iter().rposition(|line| !is_blank(line)).unwrap_or(0);
        let begins_prose = |at: &usize| {
            let line = self.lines[at + 1].text.trim();
            is_blank(&self.lines[*at]) && line.contains(char::is_whitespace)
        };
        let mut ends = (first..last).filter(begins_prose).take(MOST_TRIES);
        let Some(end) = ends.find(|end| {
            let lines: Vec<&str> = self.lines[..*end].iter().map(|line| &*line.text).collect();
            let text = lines.join("\n") + "\n";
            !text.contains("[?") && is_whole(&text)
        }) else {
            return;
        };
        for line in self.lines.drain(end..).filter(|line| !is_blank(line)) {
            self.account.leave_out(&line, false, ErrorKind::UnrecognizedLine);
        }
        self.account.settle(End::Outside);
        self.terminated = true;
    }

    fn repair(&mut self, at: usize, kind: RepairKind) {
        let Piece { number, offset, .. } = self.lines[at];
        self.account.report(number, offset, kind);
    }

    /// Mends what the decoder refuses, or gives up.
    fn mend(&mut self, error: &Error) -> Result<(), Error> {
        self.mends += 1;
        let position = error.position();
        let at = position.and_then(|position| usize::try_from(position.line).ok()).unwrap_or(0);
        let at = at.saturating_sub(1).min(self.lines.len() - 1);
        // The position of the line in the answer.
        let Piece { number, offset, .. } = self.lines[at];
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
                self.repair(self.lines.len() - 1, RepairKind::MissingFinalNewline);
            }
            ErrorKind::CountMismatch if self.without_count(at) => {
                self.repair(at, RepairKind::WrongCount);
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
        let Piece { number, offset, .. } = self.lines[0];
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
        let indent = |line: &Piece<'_>| line.text.len() - line.text.trim_start_matches(' ').len();
        let own = indent(&self.lines[at]);
        let inner = self.lines[at + 1..].iter().take_while(|line| indent(line) > own).count();
        for at in at..=at + inner {
            self.left_out_looks_like_one |= looks_like_one(&self.lines[at].text);
            self.account.wait(&self.lines[at], RepairKind::LeftOut, Some(reason));
        }
        self.account.settle(End::Inside);
        self.lines.drain(at..=at + inner);
    }
}
