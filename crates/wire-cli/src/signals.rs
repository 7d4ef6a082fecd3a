//! Being interrupted: what is being written goes, and work on many files ends between two of them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// As programs that a signal ends: 128 and SIGINT.
pub(crate) const INTERRUPTED: u8 = 130;

/// Whether many files are worked on.
static IS_BATCH: AtomicBool = AtomicBool::new(false);
/// Set once someone wants the work to end.
static STOP: AtomicBool = AtomicBool::new(false);
/// What is being written, and has no name of its own yet.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Listens. The first interruption of work on many files lets those that are being written be finished; any other one, and a
/// second one, ends the program.
pub(crate) fn listen() {
    // Where it can't listen, an interruption ends the program as it ends others.
    let _ = ctrlc::set_handler(|| {
        if IS_BATCH.load(Ordering::Relaxed) && !STOP.swap(true, Ordering::Relaxed) {
            return;
        }
        for path in temporary().iter() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(i32::from(INTERRUPTED));
    });
}

/// From now on many files are worked on; set once they are not to be.
pub(crate) fn stop() -> &'static AtomicBool {
    IS_BATCH.store(true, Ordering::Relaxed);
    &STOP
}

/// A file that is being written, until this is dropped.
pub(crate) struct Writing(PathBuf);

impl Writing {
    pub(crate) fn new(path: PathBuf) -> Self {
        temporary().insert(path.clone());
        Writing(path)
    }
}

impl Drop for Writing {
    fn drop(&mut self) {
        temporary().remove(&self.0);
    }
}

fn temporary() -> std::sync::MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}
