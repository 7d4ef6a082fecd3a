//! The lines of a text that have a meaning, and their indentation (sections 4.1, 4.2 and 11).

use wire_core::{Limits, Position};

use crate::generic::grammar::{is_ignored, is_summary};
use crate::graph::decode::{Line as Raw, Lines as RawLines};
use crate::{Error, ErrorKind, bounded_vec};

/// The message if neither a line ending nor a count shows that the text was not cut (sections 8.4
/// and 13.2).
pub(in crate::generic) const NOT_WHOLE: &str =
    "the last line has no line ending, expected one: without it, the text may be cut off";

/// The message for a line after the trailer (section 8.4).
pub(in crate::generic) const AFTER_TRAILER: &str =
    "a line follows the trailer, expected the end of the text";

/// What the end of a text shows.
#[derive(Clone, Copy, Debug)]
pub(in crate::generic) struct End {
    /// Whether the last line has a line ending.
    pub(in crate::generic) terminated: bool,
    /// Whether a count agrees with what was found up to the last line.
    pub(in crate::generic) counted: bool,
}

impl End {
    /// Whether it shows that the text was not cut (sections 8.4 and 13.2).
    pub(in crate::generic) fn is_whole(self, final_newline_required: bool) -> bool {
        self.terminated || (self.counted && !final_newline_required)
    }
}

/// A line that is neither blank nor a comment.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    /// Where its text begins and ends, without the white space around it.
    pub(super) start: usize,
    end: usize,
    /// How many levels it is indented.
    pub(super) indent: u32,
    /// The index of the next line that is not indented further.
    pub(super) after: u32,
}

/// The lines after the header.
#[derive(Debug)]
pub(super) struct Lines<'de> {
    pub(super) text: &'de str,
    found: Vec<Line>,
    /// Where the text of the trailer begins and ends.
    pub(super) summary: Option<(usize, usize)>,
    /// Whether the last line of the text has a line ending.
    pub(super) terminated: bool,
}

/// An error at an offset of the text.
#[cold]
pub(super) fn error_at(
    text: &str,
    offset: usize,
    kind: ErrorKind,
    message: impl Into<String>,
) -> Error {
    Error::decode(kind, text.as_bytes(), offset, message.into())
}

impl<'de> Lines<'de> {
    /// Splits the text after the header line, which is the first of `rest`, into lines.
    pub(super) fn new(text: &'de str, rest: RawLines<'de>, limits: &Limits) -> Result<Self, Error> {
        let mut cut =
            Lines { text, found: Vec::new(), summary: None, terminated: text.ends_with('\n') };
        // The lines whose `after` is not known yet, each further in than the one before.
        let mut open: Vec<u32> = Vec::new();
        for raw in rest {
            check_length(text, raw, limits)?;
            let Some((start, end, indent)) = measured(text, raw)? else { continue };
            if let Some((summary, _)) = cut.summary {
                debug_assert!(summary < start);
                return Err(error_at(text, start, ErrorKind::UnrecognizedLine, AFTER_TRAILER));
            }
            if indent == 0 && is_summary(&text[start..end]) {
                cut.summary = Some((start, end));
                continue;
            }
            let index = u32::try_from(cut.found.len()).ok();
            let Some(index) = index.filter(|_| cut.found.len() < limits.items) else {
                let message = format!("the text has more lines, expected at most {}", limits.items);
                return Err(error_at(text, start, ErrorKind::TooManyItems, message));
            };
            while let Some(&last) = open.last()
                && cut.found[last as usize].indent >= indent
            {
                cut.found[last as usize].after = index;
                open.pop();
            }
            open.push(index);
            let line = Line { start, end, indent, after: 0 };
            let rest = &text[start..];
            bounded_vec::push(&mut cut.found, line, *limits, || {
                bounded_vec::lines(rest, bounded_vec::begins_line)
            });
        }
        let end = u32::try_from(cut.found.len()).unwrap_or(u32::MAX);
        for last in open {
            cut.found[last as usize].after = end;
        }
        Ok(cut)
    }

    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    pub(super) fn line(&self, at: usize) -> Line {
        self.found[at]
    }

    /// The text of a line, without the white space around it.
    pub(super) fn of(&self, at: usize) -> &'de str {
        let Line { start, end, .. } = self.found[at];
        &self.text[start..end]
    }

    /// The index of the next line that is not indented further than this one.
    pub(super) fn after(&self, at: usize) -> usize {
        self.found[at].after as usize
    }

    /// Where an offset is.
    pub(super) fn position(&self, offset: usize) -> Position {
        Position::in_text(self.text.as_bytes(), offset)
    }
}

/// Refuses a line that is too long.
pub(super) fn check_length(text: &str, raw: Raw<'_>, limits: &Limits) -> Result<(), Error> {
    if raw.text.len() <= limits.line_bytes {
        return Ok(());
    }
    let message =
        format!("a line has {} bytes, expected at most {}", raw.text.len(), limits.line_bytes);
    Err(error_at(text, raw.start, ErrorKind::LineTooLong, message))
}

/// Where the text of a line begins and ends, and its level; `None` if it is blank or a comment.
fn measured(text: &str, raw: Raw<'_>) -> Result<Option<(usize, usize, u32)>, Error> {
    if is_ignored(raw.text) {
        return Ok(None);
    }
    let inner = raw.text.trim_start_matches(' ');
    let spaces = raw.text.len() - inner.len();
    let start = raw.start + spaces;
    if inner.starts_with('\t') {
        let message = "a line is indented with a tab, expected two spaces for each level";
        return Err(error_at(text, start, ErrorKind::TabIndentation, message));
    }
    let level = u32::try_from(spaces / 2).ok().filter(|_| spaces.is_multiple_of(2));
    let Some(level) = level else {
        let message = format!("a line is indented by {spaces} spaces, expected two for each level");
        return Err(error_at(text, start, ErrorKind::InvalidIndent, message));
    };
    let length = inner.trim_end_matches([' ', '\t']).len();
    Ok(Some((start, start + length, level)))
}
