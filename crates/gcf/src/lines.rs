//! The lines of a text of either profile, what begins them, limits on them, and errors in them.

use wire_core::Limits;

use crate::{Error, ErrorKind};

/// Begins a group line.
pub(crate) const GROUP_PREFIX: &str = "## ";
pub(crate) const COMMENT_PREFIX: &str = "# ";
/// Begins the trailer of a streamed text in 3.x.
pub(crate) const SUMMARY: &str = "##! summary";

/// Returns `true` if a line is a comment, which spaces may precede.
pub(crate) fn is_indented_comment(line: &str) -> bool {
    line.trim_start_matches(' ').starts_with(COMMENT_PREFIX)
}

/// One line, without its line ending.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Line<'a> {
    pub(crate) text: &'a str,
    /// Offset of its first byte in the input.
    pub(crate) start: usize,
    /// `true` if a line ending follows it.
    pub(crate) terminated: bool,
}

/// The lines of an input. A CR before the LF is part of the line ending (ruling A2).
#[derive(Clone, Debug)]
pub(crate) struct Lines<'a> {
    input: &'a str,
    at: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(input: &'a str) -> Self {
        Lines { input, at: 0 }
    }

    #[inline]
    pub(crate) fn rest(&self) -> &'a str {
        &self.input[self.at..]
    }

    #[inline]
    pub(crate) fn skip_bytes(&mut self, bytes: usize) {
        self.at += bytes;
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest();
        if rest.is_empty() {
            return None;
        }
        let start = self.at;
        let (text, terminated) = match memchr::memchr(b'\n', rest.as_bytes()) {
            Some(end) => {
                self.at += end + 1;
                (&rest[..end], true)
            }
            None => {
                self.at = self.input.len();
                (rest, false)
            }
        };
        let text = text.strip_suffix('\r').unwrap_or(text);
        Some(Line { text, start, terminated })
    }
}

/// The problem of a line, and at which byte of it.
pub(crate) type Diagnosis = wire_core::text::Diagnosis<ErrorKind>;

/// The error of a problem in the first line of a text.
#[cold]
pub(crate) fn in_header(text: &str, problem: Diagnosis) -> Error {
    Error::decode(problem.kind, text.as_bytes(), problem.at, problem.into_message())
}

#[cold]
pub(crate) fn place(line: &Line<'_>, number: u64, problem: Diagnosis) -> Error {
    let position = problem.position(line.text.as_bytes(), number, line.start as u64);
    Error::at(problem.kind, position, problem.into_message())
}

#[inline]
pub(crate) fn check_length(line: &str, limits: Limits) -> Result<(), Diagnosis> {
    if line.len() <= limits.line_bytes {
        return Ok(());
    }
    let message =
        format!("the line has {} bytes, expected at most {}", line.len(), limits.line_bytes);
    Err(Diagnosis::new(ErrorKind::LineTooLong, 0, message))
}
