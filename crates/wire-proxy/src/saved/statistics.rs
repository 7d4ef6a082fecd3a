//! Statistics (ruling M8): a JSON line for each call, and the table of them. No contents, no
//! arguments.

use clap::Args;
use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::iter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use wire_mcp::{Actions, CallRecord};

use crate::failure::{Failure, print};
use crate::saved::call::{Line, PrimerLine};
use crate::saved::table::TableFormat;
use crate::saved::table::{Against, Table};

/// Appends calls to a file.
#[derive(Debug)]
pub(crate) struct Recorder {
    file: File,
    path: PathBuf,
    has_failed: bool,
}

impl Recorder {
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(Recorder { file, path: path.to_owned(), has_failed: false })
    }

    /// Writes the counts of one frame, and the time that it needed. A file that can't be written
    /// does not end the run.
    pub(crate) fn write(&mut self, actions: &Actions<'_>, elapsed: Duration) {
        let elapsed = elapsed / u32::try_from(actions.calls.len()).unwrap_or(u32::MAX).max(1);
        for call in &actions.calls {
            self.call(call, elapsed);
        }
        for primer in &actions.primers {
            self.line(&PrimerLine::new(primer));
        }
    }

    /// Writes the counts of one call.
    pub(crate) fn call(&mut self, call: &CallRecord, elapsed: Duration) {
        self.line(&Line::new(call, elapsed.as_secs_f64() * 1000.0));
    }

    fn line(&mut self, line: &impl Serialize) {
        let text = serde_json::to_string(line).expect("because numbers and names are JSON");
        if let Err(error) = self.file.write_all(format!("{text}\n").as_bytes()) {
            if !self.has_failed {
                eprintln!("wire-proxy: {}: {error}; calls are missing there", self.path.display());
            }
            self.has_failed = true;
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct Stats {
    /// The file; `-` for standard input.
    pub(crate) file: PathBuf,

    /// The format of the table.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = TableFormat::Text)]
    pub(crate) format: TableFormat,
}

/// `wire-proxy stats FILE`.
pub(crate) fn run(options: &Stats) -> Result<u8, Failure> {
    let name = options.file.display();
    let reader: Box<dyn BufRead> = if options.file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&options.file);
        Box::new(BufReader::new(file.map_err(|error| Failure::Io(format!("{name}: {error}")))?))
    };
    let mut table = Table::default();
    let mut lines = read_lines(reader).enumerate().peekable();
    let mut calls = 0;
    while let Some((at, line)) = lines.next() {
        let line = line.map_err(|error| Failure::Io(format!("{name}: {error}")))?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Ok(primer) = serde_json::from_slice::<PrimerLine>(&line) {
            table.add_primer(primer.primer.tokens);
            continue;
        }
        match serde_json::from_slice::<Line>(&line) {
            Ok(line) => table.add(&line),
            // A run that was killed may have written a part of its last line.
            Err(_) if lines.peek().is_none() && !line.ends_with(b"\n") => {
                eprintln!("wire-proxy: {name}: line {} is cut, and is left out", at + 1);
                continue;
            }
            Err(error) => {
                return Err(Failure::Io(format!(
                    "{name}: line {}: {error}; expected a line of `--stats`",
                    at + 1
                )));
            }
        }
        calls += 1;
    }
    if calls == 0 {
        eprintln!("wire-proxy: {name}: no calls; `wire-proxy --stats FILE -- COMMAND` writes them");
    }
    print(table.shown(options.format, Against::Minified).as_bytes())
}

/// Lines with their line endings.
fn read_lines(mut reader: impl BufRead) -> impl Iterator<Item = io::Result<Vec<u8>>> {
    iter::from_fn(move || {
        let mut line = Vec::new();
        match reader.read_until(b'\n', &mut line) {
            Ok(0) => None,
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error)),
        }
    })
}
