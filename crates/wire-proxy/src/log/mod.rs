//! The log of a run (ruling M8): a JSON line for each call. No contents, no arguments.

mod call;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use wire_mcp::{Actions, CallRecord};

use crate::failure::say;
pub(crate) use call::Line;

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
    }

    pub(crate) fn call(&mut self, call: &CallRecord, elapsed: Duration) {
        self.line(&Line::new(call, elapsed.as_secs_f64() * 1000.0));
    }

    fn line(&mut self, line: &impl Serialize) {
        let text = serde_json::to_string(line).expect("because numbers and names are JSON");
        if let Err(error) = self.file.write_all(format!("{text}\n").as_bytes()) {
            if !self.has_failed {
                say(format_args!("{}: {error}; calls are missing there", self.path.display()));
            }
            self.has_failed = true;
        }
    }
}
