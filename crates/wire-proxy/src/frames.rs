//! Frames over a stream: one a line.

use std::io::{self, BufRead, ErrorKind};

/// The part of a buffer that is kept for the next frame, in bytes.
const KEPT: usize = 64 << 10;

/// The result of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// A complete line with its line ending; the last one of a stream may have no ending.
    Frame,
    /// The beginning of a line that is longer than the limit, or a later part of it.
    Part,
    /// The end of such a line.
    LastPart,
    /// The stream ended.
    End,
}

/// Reads lines, and those of more than `limit` bytes in pieces. Only that many bytes and the
/// reader's buffer are in memory.
#[derive(Debug)]
pub(crate) struct Frames<R> {
    reader: R,
    limit: usize,
    buffer: Vec<u8>,
    is_inside: bool,
}

impl<R: BufRead> Frames<R> {
    pub(crate) fn new(reader: R, limit: usize) -> Self {
        Frames { reader, limit, buffer: Vec::new(), is_inside: false }
    }

    /// The next piece, and its bytes.
    pub(crate) fn next(&mut self) -> io::Result<(Piece, &[u8])> {
        self.buffer.clear();
        self.buffer.shrink_to(KEPT);
        loop {
            let available = match self.reader.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                available => available?,
            };
            if available.is_empty() {
                let piece = if self.is_inside {
                    Piece::LastPart
                } else if self.buffer.is_empty() {
                    Piece::End
                } else {
                    Piece::Frame
                };
                self.is_inside = false;
                return Ok((piece, &self.buffer));
            }
            let end = memchr::memchr(b'\n', available).map(|at| at + 1);
            let bytes = end.unwrap_or(available.len());
            self.buffer.extend_from_slice(&available[..bytes]);
            self.reader.consume(bytes);
            let was_inside = self.is_inside;
            // The line ending does not count.
            let is_long = self.buffer.len() > self.limit + 2;
            self.is_inside = end.is_none() && (was_inside || is_long);
            match (end, was_inside) {
                (Some(_), false) if is_long => return Ok((Piece::LastPart, &self.buffer)),
                (Some(_), false) => return Ok((Piece::Frame, &self.buffer)),
                (Some(_), true) => return Ok((Piece::LastPart, &self.buffer)),
                (None, _) if self.is_inside => return Ok((Piece::Part, &self.buffer)),
                (None, _) => {}
            }
        }
    }
}

/// A line without its end, and the end.
pub(crate) fn split(line: &[u8]) -> (&[u8], &[u8]) {
    let length = match line {
        [.., b'\r', b'\n'] => line.len() - 2,
        [.., b'\n'] => line.len() - 1,
        _ => line.len(),
    };
    line.split_at(length)
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn pieces(text: &str, capacity: usize, limit: usize) -> Vec<(Piece, String)> {
        let mut frames = Frames::new(BufReader::with_capacity(capacity, text.as_bytes()), limit);
        let mut pieces = Vec::new();
        loop {
            match frames.next().unwrap() {
                (Piece::End, bytes) => {
                    assert!(bytes.is_empty());
                    return pieces;
                }
                (piece, bytes) => pieces.push((piece, String::from_utf8(bytes.to_vec()).unwrap())),
            }
        }
    }

    #[test]
    fn lines_are_frames() {
        let text = "a\r\n\nlonger\nend";
        for capacity in [1, 2, 3, 100] {
            let pieces = pieces(text, capacity, 100);
            assert!(pieces.iter().all(|(piece, _)| *piece == Piece::Frame), "{pieces:?}");
            let lines: Vec<&str> = pieces.iter().map(|(_, line)| &**line).collect();
            assert_eq!(lines, ["a\r\n", "\n", "longer\n", "end"]);
        }
        assert_eq!(split(b"a\r\n"), (&b"a"[..], &b"\r\n"[..]));
        assert_eq!(split(b"a"), (&b"a"[..], &b""[..]));
    }

    #[test]
    fn long_lines_come_in_pieces() {
        let text = format!("{}\nshort\n{}", "x".repeat(50), "y".repeat(20));
        for capacity in [1, 4, 7, 100] {
            let pieces = pieces(&text, capacity, 10);
            let all: String = pieces.iter().map(|(_, bytes)| &**bytes).collect();
            assert_eq!(all, text);
            assert!(pieces.contains(&(Piece::Frame, "short\n".into())), "{pieces:?}");
            assert!(pieces.iter().all(|(_, bytes)| bytes.len() <= 12 + capacity), "{pieces:?}");
            let frames = pieces.iter().filter(|(piece, _)| *piece == Piece::Frame).count();
            assert!(frames == 1 || capacity == 100, "{pieces:?}");
        }
        assert_eq!(pieces("0123456789\n", 3, 10), [(Piece::Frame, "0123456789\n".into())]);
    }
}
