//! The files of sessions: found, recognized by what is in them, and read in bounded memory.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use walkdir::WalkDir;

use crate::agents::Agent;
use crate::audit::law::Law;
use crate::audit::ledger::Ledger;
use crate::audit::session::Session;
use crate::audit::shared::Shared;
use crate::audit::{read, source};
use crate::frames::{Frames, Piece};

/// The most bytes of a line, and of an element of a list.
const MOST_LINE: usize = 16 << 20;
/// The most bytes of a file that is one JSON value.
const MOST_DOCUMENT: u64 = 64 << 20;
/// The most ids of lines.
const MOST_IDS: usize = 100_000;
/// How a database of SQLite begins.
const DATABASE: &[u8] = b"SQLite format 3\0";

/// A file that may be a session.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Found {
    pub(crate) bytes: u64,
    pub(crate) path: PathBuf,
}

/// The files of a folder, or a file. Symbolic links in it are not followed.
pub(crate) fn find(folder: &Path, ledger: &mut Ledger) -> Vec<Found> {
    let mut found = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let reason = error.io_error().map_or("a loop".to_owned(), reason);
                ledger.skip(&reason, error.path().unwrap_or(folder));
                continue;
            }
        };
        let (kind, path) = (entry.file_type(), entry.path());
        let extension = path.extension().and_then(|extension| extension.to_str());
        if kind.is_dir() {
            continue;
        }
        if kind.is_symlink() && entry.depth() > 0 {
            ledger.skip("symbolic link, not followed", path);
        } else if !matches!(extension, Some("jsonl" | "json" | "db")) && entry.depth() > 0 {
            ledger.skip("neither .jsonl, .json nor .db", path);
        } else {
            match path.metadata() {
                Ok(file) if file.is_file() => {
                    found.push(Found { bytes: file.len(), path: path.to_owned() });
                }
                Ok(_) => ledger.skip("not a regular file", path),
                Err(error) => ledger.skip(&reason(&error), path),
            }
        }
    }
    found
}

fn reason(error: &io::Error) -> String {
    format!("can't be read: {}", error.kind())
}

/// Reads a file.
pub(crate) fn read(
    found: &Found,
    law: &Law,
    shared: &Shared,
    ledger: &mut Ledger,
    progress: &ProgressBar,
) {
    let path = &*found.path;
    let outcome = (|| {
        let mut file = File::open(path)?;
        let mut start = Vec::new();
        file.by_ref().take(DATABASE.len() as u64).read_to_end(&mut start)?;
        let open = || File::open(path);
        let reading = Reading { path, law, shared, progress };
        if start == DATABASE {
            return Ok(reading.database(ledger));
        }
        if path.extension().is_some_and(|extension| extension == "jsonl") {
            return reading.lines(open()?, ledger);
        }
        if found.bytes > MOST_DOCUMENT {
            return Ok(Some("one JSON value of more than 64 MiB".to_owned()));
        }
        let mut bytes = Vec::new();
        open()?.take(MOST_DOCUMENT).read_to_end(&mut bytes)?;
        Ok(reading.document(&bytes, ledger))
    })();
    match outcome {
        Ok(None) => (ledger.files, ledger.bytes) = (ledger.files + 1, ledger.bytes + found.bytes),
        Ok(Some(reason)) => ledger.skip(&reason, path),
        Err(error) => ledger.skip(&reason(&error), path),
    }
}

/// The means to read a file.
#[derive(Clone, Copy)]
struct Reading<'a> {
    path: &'a Path,
    law: &'a Law,
    shared: &'a Shared,
    progress: &'a ProgressBar,
}

impl<'a> Reading<'a> {
    fn session<'l>(self, source: Agent, ledger: &'l mut Ledger) -> Session<'l>
    where
        'a: 'l,
    {
        Session::new(source, self.law, self.shared, ledger)
    }

    /// Reads lines. Returns why nothing was read.
    fn lines(self, file: File, ledger: &mut Ledger) -> io::Result<Option<String>> {
        let mut frames = Frames::new(BufReader::with_capacity(1 << 16, file), MOST_LINE);
        // Before a line is recognized.
        let (mut broken, mut unknown, mut long) = (0_u64, 0_u64, 0_u64);
        let mut at = 0;
        let source = loop {
            at += 1;
            let (piece, bytes) = frames.next()?;
            self.progress.inc(bytes.len() as u64);
            match (piece, serde_json::from_slice::<Value>(bytes)) {
                (Piece::End, _) => break None,
                (Piece::Part, _) => {}
                (Piece::LastPart, _) => long += 1,
                (Piece::Frame, _) if bytes.trim_ascii().is_empty() => {}
                (Piece::Frame, Err(_)) => broken += 1,
                (Piece::Frame, Ok(line)) => match source::of_line(&line) {
                    Some(source) => break Some((source, line)),
                    None => unknown += 1,
                },
            }
        };
        let Some((source, first)) = source else {
            return Ok(Some(match (unknown, broken, long) {
                (1.., ..) => "lines of an unknown shape".to_owned(),
                (_, 1.., _) => "no line is JSON".to_owned(),
                (_, _, 1..) => "lines of more than 16 MiB".to_owned(),
                _ => "empty".to_owned(),
            }));
        };
        let last = if source.is("gemini") { self.last_lines()? } else { HashMap::new() };
        let counts = |line: &Value, at| {
            read::gemini_id(line).and_then(|id| last.get(id)).is_none_or(|last| *last == at)
        };
        let mut session = self.session(source, ledger);
        if counts(&first, at) {
            read::record(source, &first, &mut session);
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
                Piece::Frame => match serde_json::from_slice::<Value>(bytes) {
                    Err(_) => {
                        broken += 1;
                        session.broken();
                    }
                    Ok(line) if counts(&line, at) => read::record(source, &line, &mut session),
                    // A later line replaces it.
                    Ok(_) => {}
                },
            }
        }
        session.end();
        if broken > 0 {
            ledger.skip("read, but for broken lines", self.path);
        }
        if long > 0 {
            ledger.skip("read, but for lines of more than 16 MiB", self.path);
        }
        Ok(None)
    }

    /// The piece in which the last line with each id is, for a client that writes a line again when
    /// it changes.
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
    fn document(self, bytes: &[u8], ledger: &mut Ledger) -> Option<String> {
        self.progress.inc(bytes.len() as u64);
        let text = bytes.trim_ascii_start();
        if text.is_empty() {
            return Some("empty".to_owned());
        }
        let parsed = if text.starts_with(b"[") {
            serde_json::from_slice(text)
                .map(|list| Document { messages: Some(list), ..Document::default() })
        } else {
            serde_json::from_slice(text)
        };
        let unknown = || Some("JSON of an unknown shape".to_owned());
        let document: Document<'_> = match parsed {
            Ok(document) => document,
            Err(error) if error.is_data() => return unknown(),
            Err(_) => return Some("broken JSON".to_owned()),
        };
        let (source, records) = match document {
            Document { history: Some(history), .. } => (Agent::known("continue"), history),
            Document { messages: Some(messages), .. } => {
                let has_role = |raw: &&RawValue| {
                    serde_json::from_str::<Marks<'_>>(raw.get())
                        .is_ok_and(|marks| marks.role.is_some())
                };
                let is_cline = messages.iter().any(has_role);
                let is_gemini = document.project_hash.is_some();
                match (is_cline, is_gemini) {
                    (true, _) => (Agent::known("cline"), messages),
                    (_, true) => (Agent::known("gemini"), messages),
                    _ => return unknown(),
                }
            }
            Document { opencode: Some(_), message_id: Some(_), .. } => {
                let mut session = self.session(Agent::known("opencode"), ledger);
                session.is_part = true;
                match serde_json::from_slice(text) {
                    Ok(part) => read::record(Agent::known("opencode"), &part, &mut session),
                    Err(_) => session.broken(),
                }
                session.end();
                return None;
            }
            // Its messages have no results.
            Document { opencode: Some(_), .. } => return None,
            _ => return unknown(),
        };
        let mut session = self.session(source, ledger);
        for raw in records {
            match Some(raw.get()).filter(|text| text.len() <= MOST_LINE).map(serde_json::from_str) {
                Some(Ok(value)) => read::record(source, &value, &mut session),
                _ => session.broken(),
            }
        }
        session.end();
        None
    }

    /// Reads a database. Returns why not all of it was read.
    fn database(self, ledger: &mut Ledger) -> Option<String> {
        let mut session = self.session(Agent::known("opencode"), ledger);
        if let Some(version) = read::version(self.path) {
            session.version(&version.into());
        }
        let read = read::parts(self.path, |conversation, data| {
            self.progress.inc(data.len() as u64);
            match serde_json::from_slice(data) {
                Ok(part) => read::part(conversation, &part, &mut session),
                Err(_) => session.broken(),
            }
        });
        session.end();
        read.err().map(|error| match error.sqlite_error_code() {
            Some(code) => format!("a database that can't be read: {code:?}"),
            None => "a database of an unknown shape".to_owned(),
        })
    }
}

/// What tells the clients of files that are one JSON value.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Document<'a> {
    #[serde(borrow)]
    messages: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    history: Option<Vec<&'a RawValue>>,
    #[serde(rename = "projectHash")]
    project_hash: Option<IgnoredAny>,
    #[serde(rename = "sessionID")]
    opencode: Option<IgnoredAny>,
    #[serde(rename = "messageID")]
    message_id: Option<IgnoredAny>,
}

/// What tells messages of Cline from those of Gemini CLI.
#[derive(Deserialize)]
struct Marks<'a> {
    #[serde(borrow)]
    role: Option<&'a RawValue>,
}
