//! The files of sessions: found, recognized by what is in them, and read in bounded memory.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Deserialize;
use serde_json::Value;
use walkdir::WalkDir;

use crate::agents::Agent;
use crate::audit::cache::Cache;
use crate::audit::read::{self, Document, READERS, Reader};
use crate::audit::session::Session;
use crate::audit::simulate::Simulator;
use crate::audit::totals::Totals;
use crate::frames::{Frames, Piece};

/// The most bytes of a line, and of an element of a list.
const MOST_LINE: usize = 16 << 20;
/// The most members and elements of a line, and of an element of a list: each needs up to 500 bytes
/// of memory, though two in the text.
const MOST_VALUES: usize = 500_000;
const LONG: &str = "lines of more than 16 MiB or 500,000 values";
/// The most bytes of a file that is one JSON value.
const MOST_DOCUMENT: u64 = 64 << 20;
/// The most ids of lines.
const MOST_IDS: usize = 100_000;
const UNKNOWN: &str = "JSON of an unknown shape";
/// How a database of SQLite begins.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// A line, or an element of a list.
enum Parsed {
    Value(Value),
    /// It is not JSON.
    Broken,
    /// It needs more memory than one may.
    Long,
}

fn parse(text: &[u8]) -> Parsed {
    if text.len() > MOST_LINE || text.len() / 2 > MOST_VALUES && values(text) > MOST_VALUES {
        return Parsed::Long;
    }
    serde_json::from_slice(text).map_or(Parsed::Broken, Parsed::Value)
}

/// The members and elements of a JSON text, by the commas and colons outside of its strings.
fn values(text: &[u8]) -> usize {
    let (mut is_string, mut is_escaped) = (false, false);
    text.iter()
        .filter(|&&byte| {
            is_string ^= byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            !is_string && matches!(byte, b',' | b':')
        })
        .count()
}

/// A file that may be a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) bytes: u64,
    pub(crate) path: PathBuf,
}

/// The files of a folder, or a file. Symbolic links in it are not followed.
pub(crate) fn find(folder: &Path, totals: &mut Totals) -> Vec<Found> {
    let mut found = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let reason = error.io_error().map_or("a loop".to_owned(), reason);
                totals.skip(&reason, error.path().unwrap_or(folder));
                continue;
            }
        };
        let (kind, path) = (entry.file_type(), entry.path());
        let extension = path.extension().and_then(|extension| extension.to_str());
        if kind.is_dir() {
            continue;
        }
        if kind.is_symlink() && entry.depth() > 0 {
            totals.skip("symbolic link, not followed", path);
        } else if !matches!(extension, Some("jsonl" | "json" | "db")) && entry.depth() > 0 {
            totals.skip("neither .jsonl, .json nor .db", path);
        } else {
            match path.metadata() {
                Ok(file) if file.is_file() => {
                    found.push(Found { bytes: file.len(), path: path.to_owned() });
                }
                Ok(_) => totals.skip("not a regular file", path),
                Err(error) => totals.skip(&reason(&error), path),
            }
        }
    }
    found
}

fn reason(error: &io::Error) -> String {
    format!("can't be read: {}", error.kind())
}

pub(crate) fn read(
    found: &Found,
    simulator: &Simulator,
    cache: &Cache,
    totals: &mut Totals,
    progress: &ProgressBar,
) {
    let path = &*found.path;
    let outcome = (|| {
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        file.by_ref().take(DATABASE.len() as u64).read_to_end(&mut start)?;
        let open = || File::open(path);
        let reading = Reading { path, simulator, cache, progress };
        if start == DATABASE {
            return Ok(reading.database(totals));
        }
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            return reading.lines(open()?, totals);
        }
        if found.bytes > MOST_DOCUMENT {
            return Ok(Some("one JSON value of more than 64 MiB".to_owned()));
        }
        let mut bytes = Vec::new();
        open()?.take(MOST_DOCUMENT).read_to_end(&mut bytes)?;
        Ok(reading.document(&bytes, totals))
    })();
    match outcome {
        Ok(None) => (totals.files, totals.bytes) = (totals.files + 1, totals.bytes + found.bytes),
        Ok(Some(reason)) => totals.skip(&reason, path),
        Err(error) => totals.skip(&reason(&error), path),
    }
}

/// The means to read a file.
#[derive(Clone, Copy)]
struct Reading<'a> {
    path: &'a Path,
    simulator: &'a Simulator,
    cache: &'a Cache,
    progress: &'a ProgressBar,
}

impl<'a> Reading<'a> {
    fn session<'l>(self, reader: &Reader, totals: &'l mut Totals) -> Session<'l>
    where
        'a: 'l,
    {
        Session::new(Agent::known(reader.agent), self.simulator, self.cache, totals)
    }

    /// Reads lines. Returns why nothing was read.
    fn lines(self, file: File, totals: &mut Totals) -> io::Result<Option<String>> {
        let mut frames = Frames::new(BufReader::with_capacity(1 << 16, file), MOST_LINE);
        // Before a line is recognized.
        let (mut broken, mut unknown, mut long) = (0_u64, 0_u64, 0_u64);
        let mut at = 0;
        let found = loop {
            at += 1;
            let (piece, bytes) = frames.next()?;
            self.progress.inc(bytes.len() as u64);
            match (piece, parse(bytes)) {
                (Piece::End, _) => break None,
                (Piece::Part, _) => {}
                (Piece::Frame, _) if bytes.trim_ascii().is_empty() => {}
                (Piece::LastPart, _) | (Piece::Frame, Parsed::Long) => long += 1,
                (Piece::Frame, Parsed::Broken) => broken += 1,
                (Piece::Frame, Parsed::Value(line)) => match read::of_line(&line) {
                    Some(reader) => break Some((reader, line)),
                    None => unknown += 1,
                },
            }
        };
        let Some((reader, first)) = found else {
            return Ok(Some(match (unknown, broken, long) {
                (1.., ..) => "lines of an unknown shape".to_owned(),
                (_, 1.., _) => "no line is JSON".to_owned(),
                (_, _, 1..) => LONG.to_owned(),
                _ => "empty".to_owned(),
            }));
        };
        let last = if reader.repeats_lines { self.last_lines()? } else { HashMap::new() };
        let counts = |line: &Value, at| {
            line["id"].as_str().and_then(|id| last.get(id)).is_none_or(|last| *last == at)
        };
        let mut session = self.session(reader, totals);
        if counts(&first, at) {
            (reader.read)(&first, &mut session);
        }
        for _ in 0..broken {
            session.broken();
        }
        loop {
            let (piece, bytes) = frames.next()?;
            self.progress.inc(bytes.len() as u64);
            at += 1;
            match piece {
                Piece::End => break,
                Piece::Part => {}
                Piece::LastPart => long += 1,
                Piece::Frame if bytes.trim_ascii().is_empty() => {}
                Piece::Frame => match parse(bytes) {
                    Parsed::Long => long += 1,
                    Parsed::Broken => {
                        broken += 1;
                        session.broken();
                    }
                    Parsed::Value(line) if counts(&line, at) => (reader.read)(&line, &mut session),
                    // A later line replaces it.
                    Parsed::Value(_) => {}
                },
            }
        }
        session.end();
        if broken > 0 {
            totals.skip("read, but for broken lines", self.path);
        }
        if long > 0 {
            totals.skip(&format!("read, but for {LONG}"), self.path);
        }
        Ok(None)
    }

    /// The piece in which the last line with each id is.
    fn last_lines(self) -> io::Result<HashMap<String, u64>> {
        #[derive(Deserialize)]
        struct Line {
            id: String,
        }
        let mut frames = Frames::new(BufReader::new(File::open(self.path)?), MOST_LINE);
        let (mut last, mut at) = (HashMap::new(), 0);
        loop {
            at += 1;
            let (piece, bytes) = frames.next()?;
            if piece == Piece::End {
                return Ok(last);
            }
            if let Ok(Line { id }) = serde_json::from_slice(bytes)
                && (last.len() < MOST_IDS || last.contains_key(&id))
            {
                last.insert(id, at);
            }
        }
    }

    /// Reads a file that is one JSON value. Returns why nothing was read.
    fn document(self, bytes: &[u8], totals: &mut Totals) -> Option<String> {
        self.progress.inc(bytes.len() as u64);
        let text = bytes.trim_ascii_start();
        if text.is_empty() {
            return Some("empty".to_owned());
        }
        let document = match Document::parse(text) {
            Ok(document) => document,
            Err(error) if error.is_data() => return Some(UNKNOWN.to_owned()),
            Err(_) => return Some("broken JSON".to_owned()),
        };
        let found = READERS.iter().find_map(|reader| Some((reader, (reader.records)(&document)?)));
        let Some((reader, records)) = found else { return Some(UNKNOWN.to_owned()) };
        let mut session = self.session(reader, totals);
        for raw in records {
            match parse(raw.get().as_bytes()) {
                Parsed::Value(value) => (reader.read)(&value, &mut session),
                Parsed::Long | Parsed::Broken => session.broken(),
            }
        }
        session.end();
        None
    }

    /// Reads a database. Returns why not all of it was read.
    fn database(self, totals: &mut Totals) -> Option<String> {
        let mut session = self.session(read::DATABASE, totals);
        let outcome = read::database(self.path, &mut session, |bytes| {
            self.progress.inc(bytes as u64);
        });
        session.end();
        outcome.err()
    }
}
