//! Finding a payload in a model's answer, and mending what models and chat windows do to it.
//!
//! [`Decoder::recover`] turns an answer into the text that was meant, a line of the format a line, and gives
//! that to the lenient decoder. So there is one decoder, and this module knows of text only: `answer` cuts an
//! answer into pieces and finds the header, `mend` makes a line of the format out of a line that is nearly one,
//! `text` puts the mended lines together.

mod answer;
mod mend;
mod text;

use wire_core::{Payload, Position, error_kinds};

use self::text::{MendedText, NOTHING};
use super::Decoder;
use super::decode::{Decoding, Recovering};
use crate::{Error, ErrorKind};

error_kinds! {
    /// What [`Decoder::recover`] mends, in the order in which the repairs of a line are reported.
    RepairKind {
        MissingHeader = "missing_header", "there is no header line, and the payload has no tool and no numbers";
        SurroundingText = "surrounding_text", "text before or behind the payload was passed over";
        CodeFence = "code_fence", "a line of backticks or tildes was passed over";
        AnotherPayload = "another_payload", "a second payload begins here, and it and what follows was left out";
        EscapedNewlines = "escaped_newlines", "`\\n` stood for line endings";
        InvisibleCharacters = "invisible_characters", "zero-width characters were removed";
        WhiteSpace = "white_space", "other white space than single spaces was replaced";
        Quotes = "quotes", "typographic quotes were made straight";
        HtmlEntities = "html_entities", "entities of HTML were replaced by their characters";
        Decoration = "decoration", "indentation, a bullet, a number, a mark of quotation, or a pair of marks around the line was removed";
        GroupLine = "group_line", "the line of a group was spelled in another way";
        MissingEdgesGroup = "missing_edges_group", "an edge stood outside of the group of edges";
        MissingSymbolsGroup = "missing_symbols_group", "a symbol stood in the group of edges";
        MissingId = "missing_id", "a symbol had no id, and got the next one";
        DuplicateId = "duplicate_id", "a symbol had the id of another one, and got the next free one";
        Score = "score", "a score did not have two decimals";
        HeaderField = "header_field", "a field of the header was left out, or is missing";
        WrongCount = "wrong_count", "a declared count is not what was found, or no number";
        LeftOut = "left_out", "a line could not be taken in";
        MissingFinalNewline = "missing_final_newline", "the text may have been cut in this line";
    }
}

impl RepairKind {
    /// Whether something that the text says, or said, is not in the payload.
    pub const fn is_loss(self) -> bool {
        matches!(
            self,
            RepairKind::MissingHeader
                | RepairKind::AnotherPayload
                | RepairKind::HeaderField
                | RepairKind::WrongCount
                | RepairKind::LeftOut
                | RepairKind::MissingFinalNewline
        )
    }
}

/// An account of a recovery: what the text declares, what was found, and every repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Recovery {
    /// The number of symbols that the header or the trailer declares.
    pub declared_symbols: Option<u64>,
    /// The number of symbols in the payload that was returned.
    pub found_symbols: u64,
    /// The number of edges that the header, the group line or the trailer declares.
    pub declared_edges: Option<u64>,
    /// The number of edges in the payload that was returned.
    pub found_edges: u64,
    /// The number of the last line of the answer that was taken in, from 1; 0 when there is none.
    pub last_good_line: u64,
    /// Everything that was mended or left out, in the order of the answer.
    pub repairs: Vec<Repair>,
}

impl Recovery {
    /// Whether the answer was a payload as it stands, which the strict decoder takes, too.
    pub fn is_empty(&self) -> bool {
        self.repairs.is_empty()
    }
}

/// One thing that was mended or left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repair {
    /// The number of the line in the answer, from 1.
    pub line: u64,
    /// Bytes before the line in the answer; where line endings were escaped, before its part of the line.
    pub offset: u64,
    /// What was done.
    pub kind: RepairKind,
    /// Why a line was left out; none for other repairs.
    pub reason: Option<ErrorKind>,
}

impl Decoder {
    /// Finds the payload in a model's answer, and decodes what is there.
    ///
    /// Text that [`Decoder::from_str`] takes comes back as it is, with an empty account. From other text this takes out
    /// what stands around the payload (prose, code fences), undoes what was done to its lines (bullets,
    /// indentation, non-breaking spaces, typographic quotes, escaped line endings, …), and leaves out what it can't
    /// read. Every repair is reported; nothing is invented but ids and groups that symbols and edges lack.
    ///
    /// ```
    /// let answer = "Here is the graph:\n\n```gcf\n\
    ///     GCF tool=t symbols=2 edges=1\n## targets\n- @0 fn pkg.Auth 0.78 lsp_resolved\n\
    ///     - @1 fn pkg.Server 0.5";
    /// let (payload, recovery) = gcf::graph::Decoder::new().recover(answer)?;
    /// assert_eq!(payload.symbols.len(), 1);
    /// let repairs: Vec<_> = recovery.repairs.iter().map(|r| (r.line, r.kind.code())).collect();
    /// assert_eq!(repairs, [
    ///     (1, "surrounding_text"), (3, "code_fence"),
    ///     (4, "wrong_count"), (6, "decoration"), (7, "left_out"),
    /// ]);
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `missing_header` when there is neither a header nor a symbol, `nothing_to_recover` when a header is only mentioned; otherwise as [`Decoder::from_str_lenient`].
    pub fn recover(&self, answer: &str) -> Result<(Payload<'static>, Recovery), Error> {
        if let Ok((payload, report)) = self.from_str_lenient(answer)
            && report.is_clean()
        {
            let recovery = Recovery {
                declared_symbols: report.declared_symbols,
                found_symbols: report.found_symbols,
                declared_edges: report.declared_edges,
                found_edges: report.found_edges,
                last_good_line: report.last_good_line,
                repairs: Vec::new(),
            };
            return Ok((payload.into_owned(), recovery));
        }
        let mended = MendedText::new(answer, self.limits)?;
        self.decode_mended(answer, mended)
    }

    /// Finds the payload in bytes: [`Decoder::recover`].
    ///
    /// # Errors
    ///
    /// As [`Decoder::recover`], and `invalid_utf8`.
    pub fn recover_slice(&self, answer: &[u8]) -> Result<(Payload<'static>, Recovery), Error> {
        self.recover(super::decode::utf8(answer)?)
    }

    fn decode_mended(
        &self,
        answer: &str,
        mut mended: MendedText,
    ) -> Result<(Payload<'static>, Recovery), Error> {
        let mut policy = Recovering::new(&mended.text, self.limits);
        let mut decoding = Decoding::new(&mended.text, self.limits);
        decoding.run(&mut policy).map_err(|error| {
            let offset = error.position().map_or(0, |position| mended.offset_of(position));
            Error::at(error.kind(), Position::in_text(answer.as_bytes(), offset), error.message())
        })?;
        if !mended.has_content {
            let place = Position::in_text(answer.as_bytes(), mended.lines[0].offset());
            return Err(Error::at(ErrorKind::NothingToRecover, place, NOTHING.to_owned()));
        }
        let report = policy.into_report();

        let mut repairs = std::mem::take(&mut mended.repairs);
        let lines = &mended.lines;
        // Of the fields of a header there may be many, and they are one.
        repairs.reserve_exact(report.skipped.iter().filter(|skipped| skipped.line > 1).count() + 1);
        for skipped in &report.skipped {
            let line = &lines[usize::try_from(skipped.line - 1).unwrap_or(usize::MAX)];
            let (kind, reason) = match skipped.line {
                // The header that was put there has no fields.
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
        // What is equal in these is equal, and a stable sort would need as much memory again.
        repairs.sort_unstable_by_key(|repair| (repair.offset, repair.kind as u8));
        repairs.dedup_by_key(|repair| (repair.offset, repair.kind));

        let recovery = Recovery {
            declared_symbols: decoding.counts.declared_symbols(),
            found_symbols: decoding.payload.symbols.len() as u64,
            declared_edges: decoding.counts.declared_edges(),
            found_edges: decoding.payload.edges.len() as u64,
            last_good_line: match report.last_good_line {
                0 => 0,
                1 if !mended.has_header => 0,
                number => lines[usize::try_from(number - 1).unwrap_or(usize::MAX)].number,
            },
            repairs,
        };
        Ok((decoding.payload.into_owned(), recovery))
    }
}
