//! The lines of a text that have a meaning, and their indentation (sections 4.1, 4.2 and 11).

use wire_core::Limits;

use crate::generic::grammar::{is_ignored, is_summary};
use crate::generic::problem::Problem;
use crate::lines::{Line as Raw, Lines as RawLines};
use crate::{ErrorKind, bounded_vec};

/// The message if neither a line ending nor a count shows that the text was not cut (sections 8.4
/// and 13.2).
pub(in crate::generic) const NOT_WHOLE: &str =
    "the last line has no line ending, expected one: without it, the text may be cut off";

/// The message for a line after the trailer (section 8.4).
pub(in crate::generic) const AFTER_TRAILER: &str =
    "a line follows the trailer, expected the end of the text";

#[derive(Clone, Copy, Debug)]
pub(in crate::generic) struct End {
    /// `true` if the last line has a line ending.
    pub(in crate::generic) terminated: bool,
    /// `true` if a count agrees with what was found up to the last line.
    pub(in crate::generic) counted: bool,
}

impl End {
    /// Returns `true` if it shows that the text was not cut (sections 8.4 and 13.2).
    pub(in crate::generic) fn is_whole(self, final_newline_required: bool) -> bool {
        self.terminated || (self.counted && !final_newline_required)
    }
}

/// A line that is neither blank nor a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Where its text begins and ends, without the white space around it.
    start: u32,
    end: u32,
    /// How many levels it is indented.
    pub(super) indent: u32,
}

/// The lines after the header.
#[derive(Debug)]
pub(super) struct Lines<'de> {
    pub(super) text: &'de str,
    found: Vec<Line>,
    /// Where the text of the trailer begins and ends.
    pub(super) summary: Option<(usize, usize)>,
    /// `true` if the last line of the text has a line ending.
    pub(super) terminated: bool,
}

impl<'de> Lines<'de> {
    /// Splits the text after the header line, which is the first of `rest`, into lines.
    pub(super) fn new(
        text: &'de str,
        rest: RawLines<'de>,
        limits: &Limits,
    ) -> Result<Self, Problem> {
        let mut cut =
            Lines { text, found: Vec::new(), summary: None, terminated: text.ends_with('\n') };
        if u32::try_from(text.len()).is_err() {
            let message = "the text has 4 GiB or more, expected less; read it row by row";
            return Err(Problem::new(ErrorKind::TooLarge, text, message));
        }
        for raw in rest {
            check_length(raw, limits)?;
            let Some((start, end, indent)) = measured(raw)? else { continue };
            let line = &text[start..end];
            if let Some((summary, _)) = cut.summary {
                debug_assert!(summary < start);
                return Err(Problem::new(ErrorKind::UnrecognizedLine, line, AFTER_TRAILER));
            }
            if indent == 0 && is_summary(line) {
                cut.summary = Some((start, end));
                continue;
            }
            if cut.found.len() >= limits.items {
                let message = format!("the text has more lines, expected at most {}", limits.items);
                return Err(Problem::new(ErrorKind::TooManyItems, line, message));
            }
            #[expect(clippy::cast_possible_truncation, reason = "the text has less than 4 GiB")]
            let line = Line { start: start as u32, end: end as u32, indent };
            let rest = &text[start..];
            bounded_vec::push(&mut cut.found, line, *limits, || {
                bounded_vec::lines(rest, bounded_vec::begins_line)
            });
        }
        Ok(cut)
    }

    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    #[inline]
    pub(super) fn get(&self, line: usize) -> Option<Line> {
        self.found.get(line).copied()
    }

    #[inline]
    pub(super) fn of(&self, line: usize) -> &'de str {
        let Line { start, end, .. } = self.found[line];
        &self.text[start as usize..end as usize]
    }

    /// Where a line begins; for the index after the last line, where the text ends.
    pub(super) fn offset(&self, line: usize) -> usize {
        self.found.get(line).map_or(self.text.len(), |line| line.start as usize)
    }
}

pub(super) fn check_length(raw: Raw<'_>, limits: &Limits) -> Result<(), Problem> {
    if raw.text.len() <= limits.line_bytes {
        return Ok(());
    }
    let message =
        format!("a line has {} bytes, expected at most {}", raw.text.len(), limits.line_bytes);
    Err(Problem::new(ErrorKind::LineTooLong, raw.text, message))
}

/// Where the text of a line begins and ends, and its level; `None` if it is blank or a comment.
fn measured(raw: Raw<'_>) -> Result<Option<(usize, usize, u32)>, Problem> {
    if is_ignored(raw.text) {
        return Ok(None);
    }
    let inner = raw.text.trim_start_matches(' ');
    let spaces = raw.text.len() - inner.len();
    let start = raw.start + spaces;
    if inner.starts_with('\t') {
        let message = "a line is indented with a tab, expected two spaces for each level";
        return Err(Problem::new(ErrorKind::TabIndentation, inner, message));
    }
    let level = u32::try_from(spaces / 2).ok().filter(|_| spaces.is_multiple_of(2));
    let Some(level) = level else {
        let message = format!("a line is indented by {spaces} spaces, expected two for each level");
        return Err(Problem::new(ErrorKind::InvalidIndent, inner, message));
    };
    let length = inner.trim_end_matches([' ', '\t']).len();
    Ok(Some((start, start + length, level)))
}
