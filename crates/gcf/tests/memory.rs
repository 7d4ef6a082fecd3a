//! Streams of many symbols in memory that does not grow. A file, and so a process, of its own:
//! the peak that is measured is that of the whole process.

use std::io::{self, Read, Write};

use gcf::ErrorKind;
use gcf::graph::{Dialect, Encoder, StreamHead};
use peak_alloc::PeakAlloc;
use wire_core::{Edge, Limits, Symbol};

/// The measured peak is that of the whole process, so the tests take turns.
static TURN: std::sync::Mutex<()> = std::sync::Mutex::new(());

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const COUNT: u32 = 40_000;
const ROWS: u32 = 30_000;
/// So many that their text is far more than what is bounded.
const WRITTEN_ROWS: u32 = 200_000;
/// More than a reader's buffer and a line, and far less than the 3 MB of the text.
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

#[test]
fn many_symbols_take_no_memory() {
    let _turn = TURN.lock();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let encoder = Encoder::new().dialect(Dialect::V3);
    let mut stream = encoder.writer(Counting(0), &StreamHead::default()).unwrap();
    let name = "github.com/example/platform/internal/ledger/invoice.Symbol";
    for id in 0..COUNT {
        let symbol = Symbol::new("function", name).with_distance(id / 16_000);
        assert_eq!(stream.symbol(&symbol).unwrap(), id);
    }
    for id in 1..COUNT {
        stream.edge(&Edge::new(id, id - 1, "calls")).unwrap();
    }
    let written = stream.finish().unwrap().0;
    assert!(written > 3_000_000, "{written}");
    assert!(MEMORY.peak_usage() - before < BOUND, "{} bytes", MEMORY.peak_usage() - before);
}

#[test]
fn a_line_without_an_end_is_given_up_at_the_limit() {
    let _turn = TURN.lock();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let limits = Limits::DEFAULT.with_line_bytes(100_000);
    let error = gcf::Decoder::new().limits(limits).reader(io::repeat(b'x')).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LineTooLong);
    assert!(MEMORY.peak_usage() - before < BOUND, "{} bytes", MEMORY.peak_usage() - before);
}

/// The text of a table of many rows, made as it is read.
struct Rows {
    line: io::Cursor<Vec<u8>>,
    next: u32,
}

impl Read for Rows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.line.read(buffer)?;
        if read > 0 || self.next == ROWS {
            return Ok(read);
        }
        let (at, next) = (self.next, self.next + 1);
        let row = if at % 2 == 0 {
            // A schema of its own, which is valid until the next one.
            format!("@{at} {at}|^{{a_key_of_its_own_{at},b}}\n1|2\n")
        } else if at % 10 == 1 {
            format!("@{at} {at}|^\n.tags [2]: a,b\n")
        } else {
            format!("{at}|Name{at}\n")
        };
        self.line = io::Cursor::new(row.into_bytes());
        self.next = next;
        self.line.read(buffer)
    }
}

#[test]
fn many_rows_take_no_memory() {
    let _turn = TURN.lock();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut writer = gcf::Writer::new(Counting(0)).unwrap();
    writer.begin(&gcf::TableHead::rows(["id", "name"]).with_name("rows")).unwrap();
    for id in 0..ROWS {
        writer.row(&Row { id, name: Some("Name") }).unwrap();
    }
    assert!(writer.finish().unwrap().0 > 250_000);

    let header = b"GCF profile=generic\n## rows [?]{id,tags}\n".to_vec();
    let text = Rows { line: io::Cursor::new(header), next: 0 };
    let mut reader = gcf::Reader::new(text).unwrap();
    assert!(reader.next_table().unwrap().is_some());
    let mut rows = 0;
    while reader.next_row::<serde::de::IgnoredAny>().unwrap().is_some() {
        rows += 1;
    }
    assert_eq!(rows, ROWS);
    let peak = MEMORY.peak_usage() - before;
    assert!(peak < BOUND, "{peak} bytes");
}

/// docs/limits.md says so.
#[test]
fn a_decoded_text_takes_so_many_bytes_for_each_of_its_bytes() {
    const MANY: usize = 1 << 17;
    let _turn = TURN.lock();
    // With the list of the lines, which takes 7 bytes for each byte of rows of two bytes.
    for (most, text) in [
        (17, format!("## [{}]: {}\n", MANY + 1, ",".repeat(MANY))),
        (9, format!("## [{MANY}]: {}1\n", "1,".repeat(MANY - 1))),
        (23, format!("## [{MANY}]{{a}}\n{}", "1\n".repeat(MANY))),
        (31, format!("## [{MANY}]{{a,b}}\n{}", "|\n".repeat(MANY))),
        (
            26,
            format!("a=1\nb=\"{}\"\n## c [{MANY}]{{a}}\n{}", "x".repeat(MANY), "1\n".repeat(MANY)),
        ),
        (21, format!("## a [{MANY}]{{a}}\n{}# {}\n", "1\n".repeat(MANY), "x".repeat(MANY))),
    ] {
        let text = format!("GCF profile=generic\n{text}");
        let before = MEMORY.current_usage();
        MEMORY.reset_peak_usage();
        gcf::from_str::<serde::de::IgnoredAny>(&text).unwrap();
        let peak = MEMORY.peak_usage() - before;
        assert!(peak <= most * text.len(), "{peak} bytes for {}", text.len());
    }
}

#[test]
fn a_text_is_written_without_being_in_memory() {
    use std::fmt::Write as _;

    let _turn = TURN.lock();
    let mut json = String::from("[");
    for id in 0..WRITTEN_ROWS {
        let comma = if id > 0 { "," } else { "" };
        write!(
            json,
            "{comma}{{\"id\":{id},\"of\":{{\"name\":\"Name{id}\"}},\"tags\":[\"a\",{id}]}}"
        )
        .unwrap();
    }
    json.push(']');
    let prepared = gcf::Encoder::new()
        .prepare(&serde_json::from_str::<serde_json::Value>(&json).unwrap())
        .unwrap();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let mut written = Counting(0);
    prepared.to_writer(&mut written).unwrap();
    let peak = MEMORY.peak_usage() - before;
    // A list of the rows, since each has an attachment, and it grows by doubling.
    let bound = BOUND + WRITTEN_ROWS as usize * 16;
    assert!(peak < bound && written.0 > 2 * bound as u64, "{peak} bytes for {}", written.0);
}

#[derive(serde::Serialize)]
struct Row<'a> {
    id: u32,
    name: Option<&'a str>,
}
