//! The end of a run: its reasons, and the steps that follow.

use std::io::PipeWriter;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use wire_mcp::Proxy;

use crate::stdio::child::Server;
use crate::stdio::pipe::{Progress, Waiting, is_output_closed};

/// The time that the server has to end once its standard input is closed, and again once it got
/// SIGTERM. Clients give the proxy 2 s for each, so that all of it ends before they end the proxy.
const CLOSE: Duration = Duration::from_millis(1500);
const TERMINATE: Duration = Duration::from_millis(1500);
/// The time that the server has to end after a signal from outside.
const SIGNALLED: Duration = Duration::from_secs(1);
/// The time that the server may write nothing while requests are open, once its standard input is
/// closed. Also the time that a client that sends no more may read nothing, once the server has
/// ended.
const ANSWER: Duration = Duration::from_secs(60);
/// The same where it is not known whether requests are under way.
const UNKNOWN: Duration = Duration::from_secs(10);
/// The interval of checks whether the server has ended, and whether the client still reads.
const LOOK: Duration = Duration::from_millis(100);
/// The total time to wait for the server's pipe after it has ended: processes that it started may
/// still write.
const DRAIN: Duration = Duration::from_secs(2);

pub(crate) enum Event {
    /// The client closed its end: it sends no more.
    ClientGone,
    /// The client reads no more.
    ReaderGone,
    /// The server closed its standard output.
    ServerDone,
    /// The server ended, with this code.
    Ended(u8),
    Signal(i32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    /// The server's standard input is closed.
    Closing,
    /// The server got SIGTERM.
    Terminating,
    Killed,
}

/// The server's standard input, until it is closed.
pub(crate) type Input = Arc<Mutex<Option<PipeWriter>>>;

pub(crate) struct End<'a> {
    server: &'a Server,
    proxy: &'a Proxy,
    input: &'a Input,
    waiting: Waiting,
    stage: Stage,
    /// When something follows if nothing happens before.
    pub(crate) deadline: Option<Instant>,
    /// Since when answers that are due are waited for.
    answers: Option<Instant>,
    ended: Option<u8>,
    drain: Drain,
    /// `true` if the client sends no more.
    is_client_gone: bool,
    /// `true` if the client has all that the server wrote, or gets no more.
    is_drained: bool,
    signal: Option<i32>,
}

impl<'a> End<'a> {
    pub(crate) fn new(
        server: &'a Server,
        proxy: &'a Proxy,
        input: &'a Input,
        waiting: Waiting,
    ) -> Self {
        End {
            server,
            proxy,
            input,
            waiting,
            stage: Stage::Running,
            deadline: None,
            answers: None,
            ended: None,
            drain: Drain::default(),
            is_client_gone: false,
            is_drained: false,
            signal: None,
        }
    }

    /// Returns `true` if the server has ended, and the client has its output.
    pub(crate) fn is_over(&self) -> bool {
        self.ended.is_some() && self.is_drained
    }

    pub(crate) fn code(&self) -> u8 {
        match self.signal {
            Some(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
            None => self.ended.unwrap_or(u8::MAX),
        }
    }

    pub(crate) fn happened(&mut self, event: &Event) {
        match event {
            Event::Ended(code) => {
                self.ended = Some(*code);
                self.deadline = Some(Instant::now() + LOOK);
            }
            Event::ServerDone => {
                self.is_drained = true;
                self.expect_no_answers();
            }
            Event::ClientGone => {
                self.is_client_gone = true;
                let is_due = self.proxy.requests_under_way() != Some(0) && !is_output_closed();
                let is_running = self.stage == Stage::Running;
                self.enter(Stage::Closing);
                if is_running && is_due && self.ended.is_none() {
                    self.answers = Some(Instant::now());
                    self.deadline = Some(Instant::now() + LOOK);
                }
            }
            Event::ReaderGone => self.expect_no_answers(),
            Event::Signal(number) if self.signal.is_none() => {
                self.signal = Some(*number);
                self.server.signal(*number);
                self.deadline = Some(Instant::now() + SIGNALLED);
                self.stage = self.stage.max(Stage::Terminating);
            }
            Event::Signal(_) => {
                self.is_drained |= self.ended.is_some();
                self.enter(Stage::Killed);
            }
        }
    }

    /// Nothing happened until the deadline.
    pub(crate) fn timed_out(&mut self) {
        let now = Instant::now();
        if self.ended.is_some() {
            self.is_drained |=
                self.drain.is_over(now, self.waiting.progress(), self.is_client_gone, self.signal);
            self.deadline = Some(now + LOOK);
            return;
        }
        if let (Stage::Closing, Some(from)) = (self.stage, self.answers) {
            let since = self.waiting.progress().since;
            // While the client reads what has come, the server is not waited for.
            let idle = since.map_or(Duration::ZERO, |since| now - since.max(from));
            let limit = match self.proxy.requests_under_way() {
                Some(0) => Duration::ZERO,
                Some(_) => ANSWER,
                None => UNKNOWN,
            };
            if idle >= limit || is_output_closed() {
                self.answers = None;
            }
            // Once the last answer went out, the server has its time to end.
            self.deadline = Some(now + if self.answers.is_some() { LOOK } else { CLOSE });
            return;
        }
        match self.stage {
            Stage::Running => self.enter(Stage::Closing),
            Stage::Closing => self.enter(Stage::Terminating),
            Stage::Terminating | Stage::Killed => {
                self.deadline = None;
                self.enter(Stage::Killed);
            }
        }
    }

    /// No answer can reach the client any more.
    fn expect_no_answers(&mut self) {
        if self.answers.take().is_some() {
            self.deadline = Some(Instant::now() + CLOSE);
        }
        self.enter(Stage::Closing);
    }

    /// Goes on to a stage that is later than this one.
    fn enter(&mut self, stage: Stage) {
        if self.ended.is_some() || stage <= self.stage {
            return;
        }
        self.stage = stage;
        match stage {
            Stage::Running => {}
            Stage::Closing => {
                close(self.input);
                self.deadline = Some(Instant::now() + CLOSE);
            }
            Stage::Terminating => {
                self.server.terminate();
                self.deadline = Some(Instant::now() + TERMINATE);
            }
            Stage::Killed => {
                self.server.kill();
                self.deadline = None;
            }
        }
    }
}

/// The waiting for the output of a server that has ended.
#[derive(Debug, Default)]
struct Drain {
    /// The times of the first and the last check.
    looked: Option<(Instant, Instant)>,
    /// The total time that its pipe was waited for, without the time in which a slow client reads.
    waited: Duration,
    /// The number of reads, and the time since the last one.
    read: Option<(u64, Instant)>,
}

impl Drain {
    /// Looks at it again, and says whether no more comes.
    fn is_over(
        &mut self,
        now: Instant,
        progress: Progress,
        is_client_gone: bool,
        signal: Option<i32>,
    ) -> bool {
        let (first, last) = self.looked.unwrap_or((now, now));
        self.looked = Some((first, now));
        if progress.since.is_some() {
            self.waited += now - last;
        }
        let since = match self.read {
            Some((reads, since)) if reads == progress.reads && progress.since.is_none() => since,
            _ => now,
        };
        self.read = Some((progress.reads, since));
        self.waited >= DRAIN
            || signal.is_some() && now - first >= DRAIN
            || is_client_gone && now - since >= ANSWER
    }
}

/// Closes the server's standard input, unless a frame is being written to it.
pub(crate) fn close(input: &Input) {
    if let Ok(mut input) = input.try_lock() {
        input.take();
    }
}
