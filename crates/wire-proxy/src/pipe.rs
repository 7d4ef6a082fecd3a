//! The server's standard output, and how long it has been waited for.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Since when a reader waits for a pipe; `None` while it does something else.
#[derive(Clone, Debug, Default)]
pub(crate) struct Waiting(Arc<Mutex<Option<Instant>>>);

impl Waiting {
    pub(crate) fn since(&self) -> Option<Instant> {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, since: Option<Instant>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = since;
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
        self.waiting.set(Some(Instant::now()));
        let bytes = self.reader.read(buffer);
        self.waiting.set(None);
        bytes
    }
}

/// Whether nobody can read standard output any more.
pub(crate) fn is_output_closed() -> bool {
    #[cfg(unix)]
    {
        use std::os::fd::AsFd;

        use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
        let output = io::stdout();
        let mut polled = [PollFd::new(output.as_fd(), PollFlags::empty())];
        let is_ready = poll(&mut polled, PollTimeout::ZERO).is_ok_and(|ready| ready > 0);
        let closed = PollFlags::POLLERR | PollFlags::POLLHUP | PollFlags::POLLNVAL;
        is_ready && polled[0].revents().is_some_and(|events| events.intersects(closed))
    }
    #[cfg(not(unix))]
    false
}
