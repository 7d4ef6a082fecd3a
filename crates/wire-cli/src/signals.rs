//! Signals that interrupt or end the program: unfinished files are removed, and work on many files
//! ends between two files.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};

/// The signal that ended the work; SIGINT until another one does.
static SIGNAL: AtomicU8 = AtomicU8::new(2);

/// `true` if many files are worked on.
static IS_BATCH: AtomicBool = AtomicBool::new(false);
/// Set once someone wants the work to end.
static STOP: AtomicBool = AtomicBool::new(false);
/// The temporary files that are being written.
static TEMPORARY: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Listens to SIGINT, SIGTERM and SIGHUP. The first one lets those of many files that are being
/// written be finished; any other one, and a second one, ends the program.
pub(crate) fn listen() {
    // Where it can't listen, a signal ends the program as it ends others.
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        // Under `nohup` the end of the terminal does not concern the program.
        let hang_up = (!ignores(SIGHUP)).then_some(SIGHUP);
        let signals = [SIGINT, SIGTERM].into_iter().chain(hang_up);
        if let Ok(mut signals) = signal_hook::iterator::Signals::new(signals) {
            std::thread::spawn(move || {
                signals.forever().for_each(|signal| take(u8::try_from(signal).unwrap_or(2)));
            });
        }
    }
    #[cfg(not(unix))]
    let _ = ctrlc::set_handler(|| take(2));
}

/// The effect of a signal.
fn take(signal: u8) {
    SIGNAL.store(signal, Ordering::Relaxed);
    if IS_BATCH.load(Ordering::Relaxed) && !STOP.swap(true, Ordering::Relaxed) {
        return;
    }
    for path in temporary().iter() {
        let _ = std::fs::remove_file(path);
    }
    std::process::exit(i32::from(exit_code()));
}

/// As of programs that a signal ends: 128 and its number.
pub(crate) fn exit_code() -> u8 {
    128 + SIGNAL.load(Ordering::Relaxed)
}

/// Returns `true` if whoever started the program wants it to ignore a signal.
#[cfg(unix)]
fn ignores(signal: i32) -> bool {
    use std::io::IsTerminal;
    match std::fs::read_to_string("/proc/self/status") {
        Ok(status) => {
            let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
            let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
            mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
        }
        // Elsewhere only unsafe code could ask; `nohup` leaves no output in a terminal.
        Err(_) => !std::io::stdout().is_terminal() && !std::io::stderr().is_terminal(),
    }
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
