//! The server's standard output, with the time that the proxy has waited for it.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The progress of a reader of a pipe.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// Since when it waits for the pipe; `None` while it does something else.
    pub(crate) since: Option<Instant>,
    pub(crate) reads: u64,
}

/// The progress of a reader, for others to look at.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting(Arc<Mutex<Progress>>);

impl Waiting {
    pub(crate) fn progress(&self) -> Progress {
        *self.lock()
    }

    fn lock(&self) -> MutexGuard<'_, Progress> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A pipe that says when it is waited for.
#[derive(Debug)]
pub(crate) struct Pipe<R> {
    reader: R,
    waiting: Waiting,
}

impl<R: Read> Pipe<R> {
    pub(crate) fn new(reader: R, waiting: Waiting) -> Self {
        Pipe { reader, waiting }
    }
}

impl<R: Read> Read for Pipe<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.waiting.lock().since = Some(Instant::now());
        let bytes = self.reader.read(buffer);
        let mut progress = self.waiting.lock();
        progress.since = None;
        progress.reads += 1;
        bytes
    }
}

/// Returns `true` if nobody can read standard output any more.
pub(crate) fn is_output_closed() -> bool {
    #[cfg(unix)]
    return unix::is_output_closed(nix::poll::PollTimeout::ZERO);
    #[cfg(not(unix))]
    false
}

/// Waits until nobody can read standard output any more. If that can't be known, or standard output
/// is not a pipe, this never happens.
#[cfg(unix)]
pub(crate) fn wait_for_closed_output() -> bool {
    unix::is_output_closed(nix::poll::PollTimeout::NONE)
}

#[cfg(unix)]
mod unix {
    use std::io;
    use std::os::fd::AsFd;

    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

    pub(super) fn is_output_closed(timeout: PollTimeout) -> bool {
        let output = io::stdout();
        let mut polled = [PollFd::new(output.as_fd(), PollFlags::empty())];
        let ready = loop {
            match poll(&mut polled, timeout) {
                Err(Errno::EINTR) => {}
                ready => break ready,
            }
        };
        let closed = PollFlags::POLLERR | PollFlags::POLLHUP | PollFlags::POLLNVAL;
        ready.is_ok_and(|ready| ready > 0)
            && polled[0].revents().is_some_and(|events| events.intersects(closed))
    }
}
