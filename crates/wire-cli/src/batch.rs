//! Work on one file or many: in parallel, with progress, and an account of what failed.

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rayon::prelude::*;

use crate::args::BatchOptions;
use crate::diagnostic::{Diagnostics, Remark};
use crate::failure::{Failure, called, shown};
use crate::input::{Work, Works};
use crate::signals;

/// How many files are worked on before what became of them is said.
const CHUNK: usize = 1024;
/// Shorter work shows no progress.
const SHORT: Duration = Duration::from_millis(500);

/// Does `work` on each file, on several threads, and hands what comes out to `done`, in the order
/// of the files. Failures are said, counted, and make the outcome; with `--fail-fast` the first one
/// ends the work.
pub(crate) fn run<T: Send>(
    works: &Works,
    options: &BatchOptions,
    diagnostics: &Diagnostics,
    work: impl Fn(&Work) -> Result<T, Failure> + Sync,
    mut done: impl FnMut(&Work, T) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let threads = || {
        rayon::ThreadPoolBuilder::new()
            .num_threads(options.jobs.unwrap_or_default())
            .build()
            .map_err(|error| Failure::usage(format!("--jobs: {error}")))
    };
    if let ([file], true) = (&*works.files, works.is_single) {
        // Its texts in several formats are made and counted in parallel, too.
        let made =
            if options.jobs.is_some() { threads()?.install(|| work(file)) } else { work(file) };
        return done(file, made?);
    }
    let stop = signals::stop();
    let threads = threads()?;
    let progress = Progress::new(works.files.len(), diagnostics.is_quiet());
    let failed_fast = AtomicBool::new(false);
    let (mut failures, mut finished) = (Failures::default(), 0);
    for chunk in works.files.chunks(CHUNK) {
        let outcomes: Vec<Option<Result<T, Failure>>> = threads.install(|| {
            let outcome = |file| {
                if stop.load(Ordering::Relaxed) || failed_fast.load(Ordering::Relaxed) {
                    return None;
                }
                // Whole inputs of many failures would not fit into memory.
                let outcome =
                    work(file).map_err(|failure| diagnostics.rendered(failure, &file.path));
                if options.fail_fast && outcome.is_err() {
                    failed_fast.store(true, Ordering::Relaxed);
                }
                progress.step();
                Some(outcome)
            };
            chunk.par_iter().map(outcome).collect()
        });
        for (file, outcome) in chunk.iter().zip(outcomes) {
            let Some(outcome) = outcome else { continue };
            finished += 1;
            let said = match outcome {
                Ok(outcome) => match done(file, outcome) {
                    // What can't be said of this file can't be said of the others.
                    Err(failure) if failure.is_output() => {
                        progress.finish();
                        // The reader of the output is gone; earlier failures still count.
                        failures.outcome(finished)?;
                        return Err(failure);
                    }
                    said => said,
                },
                Err(failure) => Err(failure),
            };
            if let Err(failure) = said {
                progress.pause(|| diagnostics.failure(&failure));
                failures.add(&failure);
            }
        }
        if stop.load(Ordering::Relaxed) {
            progress.finish();
            return Err(Failure::interrupted(finished, works.files.len()));
        }
        if failed_fast.load(Ordering::Relaxed) {
            break;
        }
    }
    progress.finish();
    failures.outcome(finished)
}

/// Writes a file for each input. `work` returns the name of the input in messages and the remarks
/// about it, or nothing if the output exists already. For several files, equal remarks are printed
/// once with the number of files, except in JSON.
pub(crate) fn convert(
    works: &Works,
    options: &BatchOptions,
    diagnostics: &Diagnostics,
    work: impl Fn(&Work) -> Result<Option<(String, Vec<Remark>)>, Failure> + Sync,
) -> Result<(), Failure> {
    let (mut skipped, mut said) = (0, Remarks::default());
    let outcome = run(works, options, diagnostics, work, |_, outcome| {
        let Some((name, remarks)) = outcome else {
            skipped += 1;
            return Ok(());
        };
        for remark in remarks {
            if works.is_single || diagnostics.is_for_machines() {
                diagnostics.say(&name, &remark);
            } else {
                said.add(remark);
            }
        }
        Ok(())
    });
    said.say(diagnostics);
    if skipped > 0 {
        let noun = if skipped == 1 { "1 file".to_owned() } else { format!("{skipped} files") };
        diagnostics.note("skipped", &noun, "written before, and left as it is (--skip-existing)");
    }
    outcome
}

/// How many files failed, and with which exit code.
#[derive(Default)]
struct Failures {
    count: usize,
    exit_code: u8,
}

impl Failures {
    fn add(&mut self, failure: &Failure) {
        self.count += 1;
        self.exit_code = self.exit_code.max(failure.exit_code());
    }

    fn outcome(self, files: usize) -> Result<(), Failure> {
        match self.count {
            0 => Ok(()),
            failed => Err(Failure::several(failed, files, self.exit_code)),
        }
    }
}

/// A bar with the rate and the remaining time, which appears after a while if standard error is a
/// terminal.
struct Progress {
    bar: ProgressBar,
    start: Instant,
    steps: AtomicUsize,
    is_shown: AtomicBool,
    is_quiet: bool,
}

impl Progress {
    fn new(files: usize, is_quiet: bool) -> Self {
        let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden());
        bar.set_style(style("{wide_bar} {human_pos}/{human_len} files, {per_sec}, {eta} left"));
        let start = Instant::now();
        let (steps, is_shown) = (AtomicUsize::new(0), AtomicBool::new(false));
        Progress { bar, start, steps, is_shown, is_quiet }
    }

    fn step(&self) {
        let steps = self.steps.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_shown.load(Ordering::Relaxed) {
            self.bar.inc(1);
        } else if !self.is_quiet
            && self.start.elapsed() > SHORT
            && !self.is_shown.swap(true, Ordering::Relaxed)
        {
            // It draws nothing if standard error is not a terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.set_position(steps as u64);
        }
    }

    fn pause(&self, say: impl FnOnce()) {
        self.bar.suspend(say);
    }

    fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// A remark that is printed once for many files, with their number; only numbers in it may differ.
#[derive(Default)]
pub(crate) struct Remarks(BTreeMap<(&'static str, String), (usize, Option<Remark>)>);

impl Remarks {
    pub(crate) fn add(&mut self, remark: Remark) {
        // `signatures are dropped (3 symbols)`.
        let kind = match remark.message.rsplit_once(" (") {
            Some((kind, count)) if count.ends_with(')') => kind.to_owned(),
            _ => remark.message.clone(),
        };
        let (files, first) = self.0.entry((remark.code, kind)).or_insert((0, None));
        *files += 1;
        first.get_or_insert(remark);
    }

    /// Prints each, in the order of their codes and messages.
    pub(crate) fn say(self, diagnostics: &Diagnostics) {
        for ((_, message), (files, remark)) in self.0 {
            let remark = remark.expect("because it was put there with the count");
            let noun = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
            diagnostics.say(&noun, &Remark { message, ..remark });
        }
    }
}

const TICK: Duration = Duration::from_millis(100);

/// Work on an input. Until it is dropped, it shows the elapsed time, and how much was read if the
/// input is read in pieces.
pub(crate) struct Working {
    bar: ProgressBar,
    /// The thread that waits for a while before it shows progress, and the sender that tells it
    /// that the work is done.
    waiting: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Working {
    /// Work on a file, or on standard input for `-`. Nothing is shown of it where messages are not
    /// wanted, or where the output goes to the same terminal.
    pub(crate) fn on(path: &Path, is_quiet: bool, to_stdout: bool) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        if is_quiet || !io::stderr().is_terminal() || (to_stdout && io::stdout().is_terminal()) {
            return Working { bar, waiting: None };
        }
        bar.set_style(style("{spinner} {msg}, {elapsed}"));
        bar.set_message(shown(&called(path, "standard input")));
        let (done, is_done) = channel::<()>();
        let shown = bar.clone();
        let thread = std::thread::spawn(move || {
            if is_done.recv_timeout(SHORT) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(TICK);
            }
        });
        Working { bar, waiting: Some((done, thread)) }
    }

    /// A reader that counts the bytes that were read. `size` is `None` if the size is not known.
    pub(crate) fn counted<R: BufRead>(&self, reader: R, size: Option<u64>) -> Counted<R> {
        if let Some(size) = size {
            self.bar.set_length(size);
            let template =
                "{msg}: {wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
            self.bar.set_style(style(template));
        } else {
            self.bar.set_style(style("{spinner} {msg}: {bytes}, {bytes_per_sec}, {elapsed}"));
        }
        Counted { reader, bar: self.bar.clone() }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        if let Some((done, thread)) = self.waiting.take() {
            drop(done);
            let _ = thread.join();
        }
        self.bar.finish_and_clear();
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("because the template is a constant")
}

/// A reader of whose bytes the progress is shown.
pub(crate) struct Counted<R> {
    reader: R,
    bar: ProgressBar,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buffer)?;
        self.bar.inc(read as u64);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.reader.consume(amount);
        self.bar.inc(amount as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_that_differ_in_numbers_are_one() {
        let mut remarks = Remarks::default();
        for message in [
            "in gcf signatures are dropped (3 symbols)",
            "other",
            "in gcf signatures are dropped (1 symbol)",
        ] {
            remarks.add(Remark::loss(message.to_owned()));
        }
        let said: Vec<_> =
            remarks.0.iter().map(|((_, kind), (files, _))| (&**kind, *files)).collect();
        assert_eq!(said, [("in gcf signatures are dropped", 2), ("other", 1)]);
    }
}
