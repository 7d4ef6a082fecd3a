//! Streams of a million symbols in memory that does not grow, and streams that break.

use std::io::{self, BufReader, Read, Write};

use gcf::ErrorKind;
use gcf::graph::{Dialect, Encoder, Event, EventReader, StreamHead};
use peak_alloc::PeakAlloc;
use wire_core::{Edge, Limits, Symbol};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const COUNT: u32 = 1_000_000;
/// More than a reader's buffer and a line, and far less than the 90 MB of the text.
const BOUND: usize = 1 << 20;

/// Counts what is written.
struct Counting(u64);

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The text of a payload of a million symbols, made as it is read.
struct Endless {
    line: io::Cursor<Vec<u8>>,
    next: u32,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.line.read(buffer)?;
        if read > 0 || self.next == COUNT {
            return Ok(read);
        }
        let line =
            format!("@{} fn pkg.internal.Symbol{} 0.50 lsp_resolved\n", self.next, self.next);
        self.line = io::Cursor::new(line.into_bytes());
        self.next += 1;
        self.line.read(buffer)
    }
}

// One test, because the peak is that of the whole process.
#[test]
fn a_million_symbols_take_no_memory() {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let encoder = Encoder::new().dialect(Dialect::V3);
    let mut stream = encoder.stream(Counting(0), &StreamHead::default()).unwrap();
    let name = "github.com/example/platform/internal/ledger/invoice.Symbol";
    for id in 0..COUNT {
        let symbol = Symbol::new("function", name).with_distance(id / 400_000);
        assert_eq!(stream.symbol(&symbol).unwrap(), id);
    }
    for id in 1..COUNT {
        stream.edge(&Edge::new(id, id - 1, "calls")).unwrap();
    }
    let written = stream.finish().unwrap().0;
    assert!(written > 90_000_000, "{written}");
    assert!(MEMORY.peak_usage() - before < BOUND, "{} bytes", MEMORY.peak_usage() - before);

    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let head = io::Cursor::new(b"GCF tool=t\n## targets\n".to_vec());
    let mut reader = EventReader::new(BufReader::new(Endless { line: head, next: 0 }));
    let mut symbols = 0;
    while let Some(event) = reader.next_event().unwrap() {
        symbols += u32::from(matches!(event, Event::Symbol(_)));
    }
    assert_eq!(symbols, COUNT);
    assert!(MEMORY.peak_usage() - before < BOUND, "{} bytes", MEMORY.peak_usage() - before);

    // A line without an end is given up at the limit, not collected.
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let limits = Limits::DEFAULT.with_line_bytes(100_000);
    let mut reader = EventReader::new(BufReader::new(io::repeat(b'x'))).limits(limits);
    assert_eq!(reader.next_event().unwrap_err().kind(), ErrorKind::LineTooLong);
    assert!(reader.next_event().unwrap().is_none());
    assert!(MEMORY.peak_usage() - before < BOUND, "{} bytes", MEMORY.peak_usage() - before);
}

#[test]
fn a_stream_says_what_it_refuses_and_goes_on() {
    let v1 = Encoder::new().stream(Vec::new(), &StreamHead { tool: "t", ..StreamHead::default() });
    assert_eq!(v1.unwrap_err().kind(), ErrorKind::NotStreamable);
    let encoder = Encoder::new().dialect(Dialect::V1_4);
    assert_eq!(
        encoder.stream(Vec::new(), &StreamHead::default()).unwrap_err().kind(),
        ErrorKind::InvalidName
    );

    let head = StreamHead { tool: "t", token_budget: 9, ..StreamHead::default() };
    let mut stream = encoder.stream(Vec::new(), &head).unwrap();
    let near = stream.symbol(&Symbol::new("function", "near").with_distance(1)).unwrap();
    let early = stream.symbol(&Symbol::new("function", "late"));
    assert_eq!(early.unwrap_err().kind(), ErrorKind::OutOfOrder);
    let spaced = stream.symbol(&Symbol::new("function", "a b").with_distance(1));
    assert_eq!(spaced.unwrap_err().kind(), ErrorKind::InvalidName);
    let dangling = stream.edge(&Edge::new(near, 1, "calls"));
    assert_eq!(dangling.unwrap_err().kind(), ErrorKind::EdgeIndexOutOfRange);
    stream.edge(&Edge::new(near, near, "calls")).unwrap();
    let behind = stream.symbol(&Symbol::new("function", "b").with_distance(1));
    assert_eq!(behind.unwrap_err().kind(), ErrorKind::OutOfOrder);
    let text = String::from_utf8(stream.finish().unwrap()).unwrap();
    assert_eq!(
        text,
        "GCF tool=t budget=9\n## related\n@0 fn near 0.00 structural\n## edges [?]\n@0<@0 calls\n\
         ## _summary symbols=1 edges=1 sections=related:1,edges:1\n"
    );
}

#[test]
fn a_stream_counts_the_names_that_it_changes() {
    let encoder = Encoder::new().dialect(Dialect::V3).replace_white_space('_');
    let head = StreamHead { tool: "my tool", ..StreamHead::default() };
    let mut stream = encoder.stream(Vec::new(), &head).unwrap();
    for name in ["operator new", "plain", "operator delete"] {
        stream.symbol(&Symbol::new("function", name)).unwrap();
    }
    assert_eq!(stream.report().names_changed, 3);
}

/// Takes some bytes, and then nothing.
#[derive(Debug)]
struct Filling(usize);

impl Write for Filling {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::ErrorKind::StorageFull.into());
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_broken_stream_stays_broken() {
    let encoder = Encoder::new().dialect(Dialect::V3);
    let mut stream = encoder.stream(Filling(60), &StreamHead::default()).unwrap();
    let symbol = Symbol::new("function", "pkg.Auth");
    stream.symbol(&symbol).unwrap();
    assert_eq!(stream.symbol(&symbol).unwrap_err().kind(), ErrorKind::Io);
    assert!(stream.symbol(&symbol).unwrap_err().to_string().contains("broken"));
    assert_eq!(stream.finish().unwrap_err().kind(), ErrorKind::Io);
}
