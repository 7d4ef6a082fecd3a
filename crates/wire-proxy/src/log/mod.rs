//! The log of a run (ruling M8): a JSON line for each call. No contents, no arguments.

mod call;

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Serialize;
use wire_mcp::{Actions, CallRecord};

use crate::failure::say;
use crate::options::file::data_folder;
pub(crate) use call::Line;

/// The file of `init --stats`, which `wire-proxy stats` reads.
pub(crate) fn own_path() -> Result<PathBuf, String> {
    Ok(data_folder()?.join("calls.jsonl"))
}

#[derive(Debug)]
pub(crate) struct Recorder {
    file: File,
    path: PathBuf,
    has_failed: bool,
}

impl Recorder {
    pub(crate) fn open(path: &Path) -> Result<Self, String> {
        if own_path().is_ok_and(|own| own == path)
            && let Some(folder) = path.parent()
        {
            // An error is that of the file.
            let _ = std::fs::create_dir_all(folder);
        }
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
