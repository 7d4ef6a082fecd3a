//! Statistics (ruling M8): a JSON line for each call, and the table of them. No contents, no
//! arguments.

#![allow(clippy::cast_precision_loss)] // counts are far below 2^52

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use wire_mcp::CallRecord;

use crate::args;
use crate::call::Line;
use crate::failure::Failure;
use crate::table::Table;

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

    /// Writes the calls of one frame, which took this long together. A file that can't be written
    /// does not end the run.
    pub(crate) fn write(&mut self, calls: &[CallRecord], elapsed: Duration) {
        for call in calls {
            let milliseconds = elapsed.as_secs_f64() * 1000.0 / calls.len() as f64;
            let line = Line::new(call, milliseconds);
            let text = serde_json::to_string(&line).expect("because numbers and names are JSON");
            if let Err(error) = self.file.write_all(format!("{text}\n").as_bytes()) {
                if !self.has_failed {
                    eprintln!(
                        "wire-proxy: {}: {error}; calls are missing there",
                        self.path.display()
                    );
                }
                self.has_failed = true;
            }
        }
    }
}

/// `wire-proxy stats FILE`.
pub(crate) fn run(options: &args::Stats) -> Result<u8, Failure> {
    let name = options.file.display();
    let reader: Box<dyn BufRead> = if options.file.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(&options.file);
        Box::new(BufReader::new(file.map_err(|error| Failure::Io(format!("{name}: {error}")))?))
    };
    let mut table = Table::default();
    for (at, line) in reader.lines().enumerate() {
        let line = line.map_err(|error| Failure::Io(format!("{name}: {error}")))?;
        if line.trim().is_empty() {
            continue;
        }
        let line: Line = serde_json::from_str(&line).map_err(|error| {
            Failure::Io(format!("{name}: line {}: {error}; expected a line of `--stats`", at + 1))
        })?;
        table.add(&line);
    }
    print!("{}", table.shown(options.format));
    Ok(0)
}
