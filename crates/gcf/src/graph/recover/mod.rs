//! Finds a payload in a model's answer, and repairs what models and chat windows do to it.
//!
//! [`Decoder::recover`] converts an answer to the text that was meant, one line of the format for
//! each line, and decodes that with the lenient decoder. So there is only one decoder, and this
//! module works on text: `answer` cuts an answer into pieces and finds the header; `mend` repairs
//! single lines; `mending` assembles the repaired lines into a `text`, which records where its
//! lines come from.

mod answer;
mod mend;
mod mending;
mod repair;

use wire_core::{Payload, Position};

use self::mending::{NOTHING, mended_text};
pub use self::repair::Recovery;
use super::decode::Decoder;
use crate::repair::{Repair, RepairKind};
use crate::{Error, ErrorKind};

impl Decoder {
    /// Finds the payload in a model's answer, and decodes what can be read.
    ///
    /// Text that [`Decoder::from_str`] accepts is decoded unchanged, with an empty report. From
    /// other text this removes what surrounds the payload (prose, code fences), undoes changes to
    /// its lines (bullets, indentation, non-breaking spaces, typographic quotes, escaped line
    /// endings, …), and leaves out what it can't read. Every repair is reported. Nothing is
    /// invented except missing ids of symbols and missing group lines.
    ///
    /// ```
    /// let answer = "Here is the graph:\n\n```gcf\n\
    ///     GCF tool=t symbols=2 edges=1\n## targets\n\
    ///     - @0 fn pkg.Auth 0.78 lsp_resolved\n\
    ///     - @1 fn pkg.Server 0.5";
    /// let (payload, recovery) = gcf::graph::Decoder::new().recover(answer)?;
    /// assert_eq!(payload.symbols.len(), 1);
    /// let repairs: Vec<_> =
    ///     recovery.repairs.iter().map(|r| (r.line, r.kind.code())).collect();
    /// assert_eq!(
    ///     repairs,
    ///     [
    ///         (1, "surrounding_text"),
    ///         (3, "code_fence"),
    ///         (4, "wrong_count"),
    ///         (6, "decoration"),
    ///         (7, "left_out"),
    ///     ]
    /// );
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `missing_header` when there is neither a header nor a symbol; `nothing_to_recover` when a
    /// header is only mentioned; `invalid_utf8`; otherwise as [`Decoder::decode_lenient`].
    pub fn recover(
        &self,
        answer: &(impl AsRef<[u8]> + ?Sized),
    ) -> Result<(Payload<'static>, Recovery), Error> {
        let answer = Error::utf8(answer.as_ref())?;
        if let Ok((payload, report)) = self.decode_lenient(answer)
            && report.is_clean()
        {
            return Ok((payload.into_owned(), Recovery::of(&report, Vec::new())));
        }
        let (mended, repairs) = mended_text(answer, self.limits)?;
        self.decode_mended(answer, &mended, repairs)
    }

    fn decode_mended(
        &self,
        answer: &str,
        mended: &MendedText,
        mut repairs: Vec<Repair>,
    ) -> Result<(Payload<'static>, Recovery), Error> {
        let (decoding, report) = self.lenient(&mended.text, true).map_err(|error| {
            let offset = error.position().map_or(0, |position| mended.offset_of(position));
            Error::at(error.kind(), Position::in_text(answer.as_bytes(), offset), error.message())
        })?;
        if !mended.has_content {
            let place = Position::in_text(answer.as_bytes(), mended.lines[0].offset);
            return Err(Error::at(ErrorKind::NothingToRecover, place, NOTHING));
        }
        let lines = &mended.lines;
        // Of the fields of a header there may be many, and they are one.
        repairs.reserve_exact(report.skipped.iter().filter(|skipped| skipped.line > 1).count() + 1);
        for skipped in &report.skipped {
            let line = &lines[usize::try_from(skipped.line - 1).unwrap_or(usize::MAX)];
            let (kind, reason) = match skipped.line {
                // The inserted header has no fields.
                1 if !mended.has_header => continue,
                1 => (RepairKind::HeaderField, None),
                _ => (RepairKind::LeftOut, Some(skipped.reason)),
            };
            let repair = line.repair(kind, reason);
            if repairs.last() != Some(&repair) {
                repairs.push(repair);
            }
        }
        for at in decoding.wrong_counts() {
            let line = mended.line_at(at);
            repairs.push(line.repair(RepairKind::WrongCount, None));
        }
        if !decoding.ends_whole(self) {
            let last = lines.last().expect("because there is a header");
            repairs.push(last.repair(RepairKind::MissingFinalNewline, None));
        }
        // Repairs with equal keys are identical, and a stable sort would need as much memory again.
        repairs.sort_unstable_by_key(|repair| (repair.offset, repair.kind as u8));
        repairs.dedup_by_key(|repair| (repair.offset, repair.kind));

        let last_good_line = match report.last_good_line {
            0 => 0,
            1 if !mended.has_header => 0,
            number => lines[usize::try_from(number - 1).unwrap_or(usize::MAX)].number,
        };
        let recovery = Recovery { last_good_line, ..Recovery::of(&report, repairs) };
        Ok((decoding.payload.into_owned(), recovery))
    }
}

/// The text of a payload, made from an answer, and the origins of its lines.
#[derive(Debug)]
struct MendedText {
    text: String,
    lines: Vec<Origin>,
    /// `true` if the answer has a header line; otherwise a bare `GCF` replaces it.
    has_header: bool,
    /// `true` if the header counts no symbols, or is followed by a line of a payload.
    has_content: bool,
}

/// The origin of a line of the repaired text.
#[derive(Clone, Copy, Debug)]
struct Origin {
    /// Offset in the repaired text.
    start: usize,
    /// Number of the line in the answer.
    number: u64,
    /// Offset in the answer.
    offset: usize,
}

impl Origin {
    fn repair(&self, kind: RepairKind, reason: Option<ErrorKind>) -> Repair {
        Repair { line: self.number, offset: self.offset as u64, kind, reason }
    }
}

impl MendedText {
    /// The line that contains this byte of the repaired text.
    fn line_at(&self, at: usize) -> &Origin {
        let behind = self.lines.partition_point(|line| line.start <= at);
        &self.lines[behind.saturating_sub(1)]
    }

    /// The offset in the answer for a position in the repaired text; approximate where the line was
    /// repaired.
    fn offset_of(&self, position: Position) -> usize {
        let at = usize::try_from(position.offset).unwrap_or(usize::MAX);
        let line = self.line_at(at);
        line.offset + (at - line.start)
    }
}
