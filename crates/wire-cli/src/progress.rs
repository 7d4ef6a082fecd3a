//! Progress of the work on one input, which is shown after a while if standard error is a terminal.

use std::io::{self, BufRead, IsTerminal, Read};
use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::failure::{called, shown};

/// Shorter work shows no progress.
const SHORT: Duration = Duration::from_secs(1);
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
