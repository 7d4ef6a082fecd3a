//! Values that are ready to be written.

use std::io::{self, Write};
use std::ops::ControlFlow;

use super::Encoder;
use super::tape::Tape;
use super::write;
use crate::generic::grammar::HEADER_LINE;

/// The bytes of the pieces that are written, but for what a line or value has more.
const PIECE: usize = 64 << 10;
/// A text of so many times the bytes of minified JSON has more tokens. Spaces don't count: deep
/// values have many, and few tokens or none for them.
const MOST_TIMES: usize = 16;
/// Texts of so many bytes are made in any case.
const SMALL: usize = 64 << 10;

/// A value that is ready to be written as text. It was read completely, so from here on only a
/// writer can fail. In memory it is about as large as its text.
///
/// [`Encoder::to_writer`](crate::Encoder::to_writer) is enough if nothing has to happen
/// between the two steps, such as opening a file or dropping the value.
///
/// ```
/// use gcf::Encoder;
///
/// let prepared = Encoder::new().prepare(&[1, 2])?;
/// let mut text = Vec::new();
/// prepared.to_writer(&mut text)?;
/// assert_eq!(text, b"GCF profile=generic\n## [2]: 1,2\n");
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Debug)]
pub struct Prepared {
    pub(super) tape: Tape,
    pub(super) options: Encoder,
}

impl Prepared {
    /// Writes the text, in pieces of some 64 KiB, so that it is never in memory as a whole. The
    /// writer needs no buffer. After an error of the writer no more of the text is made, so a
    /// writer can limit it.
    ///
    /// # Errors
    ///
    /// Where the writer fails.
    pub fn to_writer<W: Write>(&self, mut writer: W) -> io::Result<()> {
        let mut text = String::with_capacity(PIECE + PIECE / 2);
        text.push_str(HEADER_LINE);
        let mut written = Ok(());
        let mut write = |text: &mut String| {
            written = writer.write_all(text.as_bytes());
            text.clear();
            if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        write::body_in_pieces(&self.tape, self.options, &mut text, PIECE, &mut write);
        written?;
        writer.write_all(text.as_bytes())
    }

    /// The text, for programs that look for the format with the fewest tokens. `None` if it is more
    /// than 16 times as large as the minified JSON, which has `json` bytes, so that it has more
    /// tokens: a table of rows without common members is as large as their number squared. Of such
    /// a text only the beginning is made.
    pub fn to_string_unless_large(&self, json: usize) -> Option<String> {
        let most = SMALL.max(json.saturating_mul(MOST_TIMES));
        let (mut counted, mut found) = (0, 0);
        let mut is_large = |text: &str| {
            found += text.as_bytes()[counted..].iter().filter(|byte| **byte != b' ').count();
            counted = text.len();
            found > most
        };
        let mut text = HEADER_LINE.to_owned();
        let mut check = |text: &mut String| {
            if is_large(text) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        write::body_in_pieces(&self.tape, self.options, &mut text, PIECE, &mut check);
        (!is_large(&text)).then_some(text)
    }

    pub(super) fn into_string(self) -> String {
        let mut text = String::with_capacity(HEADER_LINE.len() + self.tape.size());
        text.push_str(HEADER_LINE);
        write::body(&self.tape, self.options, &mut text);
        text
    }
}
