//! An event stream, rewritten event by event.
//!
//! All bytes except those of rewritten data are unchanged: comments, ids, retries, line endings.
//! Lines before an event's data are passed on at once, so that keep-alives are not late. From its
//! first line of data on, an event is buffered until it is complete. The output does not depend on
//! how the stream is cut into pieces.

use memchr::{memchr, memchr2};

/// A byte order mark, which may begin a stream or a body.
pub(crate) const MARK: &[u8] = "\u{feff}".as_bytes();
/// The part of the buffer that is kept for the next event, in bytes.
const KEPT: usize = 64 << 10;
/// The bytes that are kept of the data of an event that is passed on unread.
const BEGINNING: usize = 1024;

/// Receives the data of events.
pub(crate) trait Frames {
    /// The frame instead of this one; `None` if it stays.
    fn rewritten(&mut self, frame: &[u8]) -> Option<Vec<u8>>;

    /// An event was passed on unread, because it was too large to buffer. Its data begin like this.
    fn passed(&mut self, beginning: &[u8]);
}

/// The state of a stream.
#[derive(Debug)]
pub(crate) struct Events {
    limit: usize,
    /// Lines from the first one with data on, and the beginning of the line that is read.
    held: Vec<u8>,
    /// The offset in `held` at which the current line begins.
    line: usize,
    /// `true` if a part of that line was forwarded already.
    is_line_cut: bool,
    is_first_line: bool,
    /// `true` if the last byte was a carriage return: a line feed after it belongs to it.
    was_return: bool,
    event: Event,
}

/// The state of the event that is being read.
#[derive(Debug)]
struct Event {
    has_data: bool,
    is_message: bool,
    /// `true` if it is too large to buffer.
    passes: bool,
    /// How its data begin, if it is.
    beginning: Vec<u8>,
}

impl Event {
    const NEW: Event =
        Event { has_data: false, is_message: true, passes: false, beginning: Vec::new() };
}

impl Events {
    /// A stream that buffers events of up to this many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Events {
            limit,
            held: Vec::new(),
            line: 0,
            is_line_cut: false,
            is_first_line: true,
            was_return: false,
            event: Event::NEW,
        }
    }

    /// The number of buffered bytes.
    pub(crate) fn held(&self) -> usize {
        self.held.len()
    }

    /// Adds more of the stream, and appends the bytes to be forwarded to `out`.
    pub(crate) fn push(&mut self, mut bytes: &[u8], frames: &mut impl Frames, out: &mut Vec<u8>) {
        while let Some(&first) = bytes.first() {
            if self.was_return {
                self.was_return = false;
                if first == b'\n' {
                    if self.held.is_empty() {
                        out.push(first);
                    } else {
                        self.held.push(first);
                    }
                    self.line = self.held.len();
                    bytes = &bytes[1..];
                    continue;
                }
            }
            let end = memchr2(b'\r', b'\n', bytes);
            let taken = end.map_or(bytes.len(), |at| at + 1);
            self.held.extend_from_slice(&bytes[..taken]);
            self.was_return = end.is_some_and(|at| bytes[at] == b'\r');
            bytes = &bytes[taken..];
            if end.is_some() {
                self.line_ended(frames, out);
            } else if self.is_large() {
                self.is_line_cut |= self.line < self.held.len();
                self.pass();
                self.flush(out);
            }
        }
    }

    /// Returns the buffered bytes when the stream ends. They are not a complete event, and most
    /// clients ignore them.
    pub(crate) fn finish(&mut self, frames: &mut impl Frames) -> Vec<u8> {
        let is_data = !self.is_line_cut && field(&self.held[self.line..]).0 == b"data";
        if self.event.is_message && (self.event.has_data || self.event.passes || is_data) {
            self.pass();
            frames.passed(&self.event.beginning);
        }
        std::mem::take(&mut self.held)
    }

    fn is_large(&self) -> bool {
        self.held.len() > self.limit
    }

    /// The event is passed on unread.
    fn pass(&mut self) {
        self.event.passes = true;
        if self.event.beginning.is_empty() {
            let data = |line: &[u8]| match field(line) {
                (b"data", value) if !value.is_empty() => {
                    Some(value[..value.len().min(BEGINNING)].to_vec())
                }
                _ => None,
            };
            let lines = self.held.split(|byte| matches!(byte, b'\r' | b'\n'));
            self.event.beginning = lines.into_iter().find_map(data).unwrap_or_default();
        }
    }

    fn line_ended(&mut self, frames: &mut impl Frames, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_first_line) && self.held.starts_with(MARK) {
            out.extend_from_slice(MARK);
            self.held.drain(..MARK.len());
        }
        if self.is_large() {
            self.pass();
        }
        let line = &self.held[self.line..self.held.len() - 1];
        // A line that goes beyond the limit is not read, whether it came in pieces or not.
        let is_beyond = !line.is_empty() && self.held.len() - 1 > self.limit;
        let is_cut = std::mem::take(&mut self.is_line_cut) || is_beyond;
        if !is_cut && line.is_empty() {
            self.event_ended(frames, out);
            return;
        }
        match field(line) {
            _ if is_cut => {}
            (b"data", _) => self.event.has_data = true,
            (b"event", kind) => self.event.is_message = kind.is_empty() || kind == b"message",
            _ => {}
        }
        if self.event.passes || !self.event.has_data {
            self.flush(out);
        }
        self.line = self.held.len();
    }

    fn event_ended(&mut self, frames: &mut impl Frames, out: &mut Vec<u8>) {
        if self.event.passes {
            frames.passed(&self.event.beginning);
        } else if let Some(event) = self.rewritten(frames) {
            self.held = event;
        }
        self.flush(out);
        self.event = Event::NEW;
    }

    fn flush(&mut self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.held);
        self.held.clear();
        self.held.shrink_to(KEPT);
        self.line = 0;
    }

    /// The event with other data, if they are rewritten.
    fn rewritten(&self, frames: &mut impl Frames) -> Option<Vec<u8>> {
        if !self.event.has_data || !self.event.is_message {
            return None;
        }
        let mut data: Vec<&[u8]> = Vec::new();
        for line in Lines(&self.held) {
            if let (b"data", value) = field(line.text) {
                data.push(value);
            }
        }
        let joined;
        let frame = match &*data {
            [one] => *one,
            several => {
                joined = several.join(&b'\n');
                &joined
            }
        };
        if frame.is_empty() {
            return None;
        }
        // A carriage return would end a line: JSON has them in white space alone, which came in
        // lines.
        let written = frames.rewritten(frame).filter(|written| memchr(b'\r', written).is_none())?;
        let mut event = Vec::with_capacity(self.held.len());
        let mut is_written = false;
        for line in Lines(&self.held) {
            if field(line.text).0 != b"data" {
                event.extend_from_slice(line.text);
                event.extend_from_slice(line.end);
            } else if !is_written {
                is_written = true;
                for part in written.split(|byte| *byte == b'\n') {
                    event.extend_from_slice(b"data: ");
                    event.extend_from_slice(part);
                    event.extend_from_slice(line.end);
                }
            }
        }
        Some(event)
    }
}

/// The name of a field and its value.
fn field(line: &[u8]) -> (&[u8], &[u8]) {
    let Some(at) = memchr(b':', line) else { return (line, b"") };
    let value = &line[at + 1..];
    (&line[..at], value.strip_prefix(b" ").unwrap_or(value))
}

/// Lines that are whole.
struct Lines<'a>(&'a [u8]);

struct Line<'a> {
    text: &'a [u8],
    end: &'a [u8],
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let at = memchr2(b'\r', b'\n', self.0)?;
        let end = if self.0[at..].starts_with(b"\r\n") { 2 } else { 1 };
        let line = Line { text: &self.0[..at], end: &self.0[at..at + end] };
        self.0 = &self.0[at + end..];
        Some(line)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Turns `x` into `yy`, and counts what it did not see.
    #[derive(Default)]
    struct Doubled {
        passed: usize,
        beginning: Vec<u8>,
        seen: Vec<String>,
    }

    impl Frames for Doubled {
        fn rewritten(&mut self, frame: &[u8]) -> Option<Vec<u8>> {
            let text = String::from_utf8_lossy(frame).into_owned();
            self.seen.push(text.clone());
            text.contains('x').then(|| text.replace('x', "yy").into_bytes())
        }

        fn passed(&mut self, beginning: &[u8]) {
            self.passed += 1;
            self.beginning = beginning.to_vec();
        }
    }

    const LIMIT: usize = 60;

    /// The output for a stream in pieces, and the outcome of its events.
    fn passed_on<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<u8>, Doubled) {
        let (mut events, mut frames, mut out) =
            (Events::new(LIMIT), Doubled::default(), Vec::new());
        for piece in pieces {
            events.push(piece, &mut frames, &mut out);
            assert!(events.held() <= LIMIT + piece.len(), "{} bytes are held", events.held());
        }
        out.extend(events.finish(&mut frames));
        (out, frames)
    }

    fn text(stream: &str) -> String {
        String::from_utf8(passed_on([stream.as_bytes()]).0).unwrap()
    }

    #[test]
    fn all_but_the_data_stays() {
        for (came, went) in [
            (
                ": hello\nid: 7\nretry:5\ndata:x\nodd\n\n",
                ": hello\nid: 7\nretry:5\ndata: yy\nodd\n\n",
            ),
            ("data:a\n\ndata: b \n\n", "data:a\n\ndata: b \n\n"),
            ("data: x\r\nid: 1\r\n\r\n", "data: yy\r\nid: 1\r\n\r\n"),
            ("data: x\rid: 1\r\r", "data: yy\rid: 1\r\r"),
            (
                "data: 1\ndata: x\n: c\ndata\ndata:  2\n\n",
                "data: 1\ndata: yy\ndata: \ndata:  2\n: c\n\n",
            ),
            ("event: message\ndata: x\n\n", "event: message\ndata: yy\n\n"),
            ("data: x\nevent: other\n\ndata: x\n\n", "data: x\nevent: other\n\ndata: yy\n\n"),
            ("event: endpoint\ndata: x\n\n", "event: endpoint\ndata: x\n\n"),
            ("\u{feff}data: x\n\n", "\u{feff}data: yy\n\n"),
            ("\u{feff}\n\u{feff}data: x\n\n", "\u{feff}\n\u{feff}data: x\n\n"),
            ("dataset: x\n\nid: 3\ndata:\n\n", "dataset: x\n\nid: 3\ndata:\n\n"),
            ("data: x\n", "data: x\n"),
            ("data: \u{1F600}x\n\n", "data: \u{1F600}yy\n\n"),
        ] {
            assert_eq!(text(came), went, "{came:?}");
        }
    }

    #[test]
    fn what_is_no_data_goes_on_at_once() {
        let (mut events, mut frames, mut out) =
            (Events::new(LIMIT), Doubled::default(), Vec::new());
        events.push(b": ping\r\nid: 1\n: pi", &mut frames, &mut out);
        assert_eq!(out, b": ping\r\nid: 1\n");
        events.push(b"ng\ndata: x\n: later\n", &mut frames, &mut out);
        assert_eq!(out, b": ping\r\nid: 1\n: ping\n");
        events.push(b"\r", &mut frames, &mut out);
        assert_eq!(out, b": ping\r\nid: 1\n: ping\ndata: yy\n: later\n\r");
    }

    #[test]
    fn long_events_pass_and_are_noticed() {
        let long = format!("id: 1\ndata: {}\ndata: x\nevent: x\n\ndata: x\n\n", "x".repeat(LIMIT));
        let (out, frames) = passed_on([long.as_bytes()]);
        assert_eq!(String::from_utf8(out).unwrap(), long.replace("data: x\n\n", "data: yy\n\n"));
        assert_eq!((frames.passed, &*frames.seen), (1, &["x".to_owned()][..]));
        assert_eq!(frames.beginning, "x".repeat(LIMIT).as_bytes());
        let comment = format!(":{}\n\n", "c".repeat(3 * LIMIT));
        assert_eq!(text(&comment), comment);
    }

    #[test]
    fn an_event_that_is_not_ended_was_not_seen() {
        for (stream, passed) in [
            ("data: x", 1),
            ("dat", 0),
            ("data: x\n", 1),
            ("id: 1\ndata: x\nid", 1),
            ("data: x\n\n", 0),
            ("id: 1\n", 0),
            ("data: x\nevent: other\n", 0),
        ] {
            assert_eq!(passed_on([stream.as_bytes()]).1.passed, passed, "{stream:?}");
        }
        let long = format!("data: {}\n", "x".repeat(LIMIT));
        assert_eq!(passed_on([long.as_bytes()]).1.passed, 1);
        // The name of the event goes beyond the limit.
        let late = format!("data: {}\nevent: other\n", "x".repeat(LIMIT - 12));
        assert_eq!(passed_on([late.as_bytes()]).1.passed, 1);
        assert_eq!(passed_on(late.as_bytes().chunks(1)).1.passed, 1);
    }

    #[test]
    fn a_stream_that_is_cut_is_the_beginning_of_the_whole_one() {
        let stream = "\u{feff}: c\r\nid: 1\r\ndata: {\"x\":\r\ndata: 1}\r\n\r\ndata: \u{e9}x\n\nevent: o\ndata: x\r\rdata: z";
        let whole = text(stream);
        for at in 0..=stream.len() {
            let (out, _) = passed_on([&stream.as_bytes()[..at]]);
            // All complete events are as in the full stream, and the rest is unchanged.
            let same =
                out.iter().zip(whole.as_bytes()).take_while(|(one, other)| one == other).count();
            let rest = &out[same..];
            assert!(stream.as_bytes()[..at].ends_with(rest), "cut at {at}: {out:?}");
            assert!(!rest.windows(2).any(|two| two == b"\n\n"), "cut at {at}: {rest:?}");
        }
    }

    fn streams() -> impl Strategy<Value = String> {
        let line = prop_oneof![
            4 => Just("data: x".to_owned()),
            2 => "(data|data:|data: )[ax:\u{e9}\u{1F600} ]{0,9}",
            1 => "(id|event|retry|:|)[: ]{0,2}[ax]{0,9}",
            1 => Just("event: message".to_owned()),
            1 => Just(format!("data: {}", "x".repeat(LIMIT))),
            3 => Just(String::new()),
        ];
        let end = prop_oneof![3 => Just("\n"), 1 => Just("\r"), 2 => Just("\r\n"), 1 => Just("\n\n"), 1 => Just("\r\n\r\n")];
        let lines = prop::collection::vec((line, end), 0..24);
        (prop::bool::weighted(0.2), lines).prop_map(|(has_mark, lines)| {
            let mark = if has_mark { "\u{feff}" } else { "" };
            let lines: String = lines.into_iter().map(|(line, end)| line + end).collect();
            format!("{mark}{lines}")
        })
    }

    proptest! {
        #[test]
        fn however_a_stream_is_cut_the_output_is_the_same(
            stream in streams(),
            sizes in prop::collection::vec(1usize..9, 1..9),
        ) {
            let bytes = stream.as_bytes();
            let (whole, seen) = passed_on([bytes]);
            let mut pieces = Vec::new();
            let mut rest = bytes;
            for size in sizes.iter().cycle() {
                if rest.is_empty() { break }
                let (piece, after) = rest.split_at((*size).min(rest.len()));
                pieces.push(piece);
                rest = after;
            }
            let (out, again) = passed_on(pieces);
            prop_assert_eq!(&out, &whole);
            prop_assert_eq!(again.seen, seen.seen);
            prop_assert_eq!(again.passed, seen.passed);
            let (single, _) = passed_on(bytes.chunks(1));
            prop_assert_eq!(single, whole);
        }
    }
}
