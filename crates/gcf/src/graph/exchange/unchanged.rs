//! The answer that nothing has changed: `unchanged pack_root=… symbols=…`, or a header with
//! `unchanged=true`.

use std::collections::BTreeSet;

use wire_core::{Limits, PackRoot, Payload};

use crate::graph::encode::Encoder;
use crate::graph::grammar::UNCHANGED;
use crate::header::{fields, header_start, number};
use crate::lines::{Diagnosis, Line, Lines, check_length, place};
use crate::{Error, ErrorKind};

impl Encoder {
    /// The answer that the consumer has this payload, whose root is `root`.
    pub(super) fn unchanged(
        self,
        payload: &Payload<'_>,
        root: &PackRoot<'_>,
    ) -> Result<String, Error> {
        let rules = self.written_dialect().rules();
        self.string_of(0, |writer| {
            if rules.unchanged_is_header {
                writer.begin(&payload.tool, rules)?;
                writer.text(" unchanged=true");
            } else {
                writer.text(UNCHANGED);
            }
            writer.text(" pack_root=");
            writer.text(root.as_str());
            writer.text(" symbols=");
            writer.number(payload.symbols.len());
            writer.text("\n");
            Ok(())
        })
    }
}

/// The kind of an answer, by its first line.
pub(super) enum AnswerText<'a> {
    /// Nothing has changed since the payload with this root and this number of symbols.
    Unchanged {
        root: PackRoot<'a>,
        symbols: Option<u64>,
    },
    Delta,
    Full,
}

impl<'a> AnswerText<'a> {
    /// The errors of payloads and deltas are reported by their decoders.
    pub(super) fn of(text: &'a str, limits: Limits) -> Result<Self, Error> {
        let mut lines = Lines::new(text);
        let first = lines.next().unwrap_or_default();
        let answer = Self::of_line(&first, limits).map_err(|problem| place(&first, 1, problem))?;
        let behind = (2u64..).zip(lines).find(|(_, line)| !line.text.is_empty());
        if let (AnswerText::Unchanged { .. }, Some((number, line))) = (&answer, behind) {
            let message = "a line follows the answer that nothing has changed, expected the end";
            let problem = Diagnosis::new(ErrorKind::UnrecognizedLine, 0, message);
            return Err(place(&line, number, problem));
        }
        Ok(answer)
    }

    fn of_line(line: &Line<'a>, limits: Limits) -> Result<Self, Diagnosis> {
        check_length(line.text, limits)?;
        let bare = line.text.strip_prefix(UNCHANGED).is_some_and(|rest| rest.starts_with(' '));
        let start = if bare { UNCHANGED.len() } else { header_start(line.text)? };
        let says = |key: &str| {
            let mut known = fields(line.text, start).filter_map(Result::ok);
            known.any(|field| field.key == key && field.value == "true")
        };
        if !bare && !says("unchanged") {
            // The decoders of payloads and deltas check the rest.
            return Ok(if says("delta") { AnswerText::Delta } else { AnswerText::Full });
        }
        let (mut root, mut symbols) = (None, None);
        let mut seen = BTreeSet::new();
        for field in fields(line.text, start) {
            let field = field?;
            field.check_unique(&mut seen)?;
            match field.key {
                "profile" => {
                    field.profile(seen.len())?;
                }
                "pack_root" => root = Some(field.root()?),
                "symbols" => symbols = Some(number(field)?),
                _ => {}
            }
        }
        let end = line.text.len();
        let message = "the answer that nothing has changed has no `pack_root`, expected the root of the payload";
        let missing = || Diagnosis::new(ErrorKind::MissingRoot, end, message);
        Ok(AnswerText::Unchanged { root: root.ok_or_else(missing)?, symbols })
    }
}
