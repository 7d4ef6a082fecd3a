//! The pull parser: the lines of a text, one by one and unchanged.

use wire_core::Limits;

use super::diagnosis::place;
use super::line::{Line, Lines};
use super::scanner::{Event, LineScanner};
use crate::Error;

/// The lines of a text, one by one: see [`Decoder::events`](super::Decoder::events).
///
/// Each line is checked on its own, by the scanners of the payload decoder. The caller has to check
/// whatever spans lines: ids, counts and [`Limits::items`]. After the error of a line, the next
/// call continues with the next line; after an error of the header, there are no more events.
///
/// ```
/// use gcf::graph::{Decoder, Event};
///
/// let text = "GCF tool=t model=x7\n## targets\n@0 fn a 0.50 structural\n";
/// let mut names = Vec::new();
/// for event in Decoder::new().events(text) {
///     match event? {
///         Event::Header(header) => assert_eq!(header.extensions, [("model", "x7")]),
///         Event::Symbol(symbol) => names.push(symbol.qualified_name),
///         _ => {}
///     }
/// }
/// assert_eq!(names, ["a"]);
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Events<'a> {
    lines: Lines<'a>,
    scanner: LineScanner,
    /// The number of lines read so far.
    taken: u64,
    /// The header was wrong, and nothing comes any more.
    ended: bool,
}

impl<'a> Events<'a> {
    pub(super) fn new(input: &'a str, limits: Limits) -> Self {
        Events {
            lines: Lines::new(input),
            scanner: LineScanner::new(limits),
            taken: 0,
            ended: false,
        }
    }
}

impl<'a> Iterator for Events<'a> {
    type Item = Result<Event<'a>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        if self.taken == 0 {
            self.taken = 1;
            let line = self.lines.next().unwrap_or(Line { text: "", start: 0, terminated: false });
            return Some(self.scanner.header(line.text).map_err(|problem| {
                self.ended = true;
                place(&line, 1, problem)
            }));
        }
        loop {
            if let Some((event, taken)) = self.scanner.plain_line(self.lines.rest()) {
                self.lines.skip_bytes(taken);
                self.taken += 1;
                return Some(Ok(event));
            }
            let line = self.lines.next()?;
            self.taken += 1;
            match self.scanner.line(line.text) {
                Ok(None) => {}
                Ok(Some(event)) => return Some(Ok(event)),
                Err(problem) => return Some(Err(place(&line, self.taken, problem))),
            }
        }
    }
}
