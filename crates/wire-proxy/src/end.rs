//! How a run ends: what happened, and what follows.

use std::process::ChildStdin;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use wire_mcp::Proxy;

use crate::child::Server;
use crate::pipe::{Waiting, is_output_closed};

/// How long the server has to end once its standard input is closed, and then once it got SIGTERM.
/// Clients give the proxy 2 s for each, so that all of it ends before they end the proxy.
const CLOSE: Duration = Duration::from_millis(1500);
const TERMINATE: Duration = Duration::from_millis(1500);
/// How long it has to end after a signal that came from outside.
const SIGNALLED: Duration = Duration::from_secs(1);
/// How long it has to answer requests that are under way once its standard input is closed.
const ANSWER: Duration = Duration::from_secs(60);
/// How often to look whether it has, and whether the client still reads.
const LOOK: Duration = Duration::from_millis(100);
/// How long to wait for its pipe after it has ended, because processes that it started may still
/// write.
const DRAIN: Duration = Duration::from_secs(2);

/// Something that happened.
pub(crate) enum Event {
    /// The client closed its end: it sends no more.
    ClientGone,
    /// The client reads no more.
    ReaderGone,
    /// The server closed its standard output.
    ServerDone,
    /// The server ended, with this code.
    Ended(u8),
    /// A signal came.
    Signal(i32),
}

/// How far the end has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    Running,
    /// The server's standard input is closed.
    Closing,
    /// It got SIGTERM.
    Terminating,
    Killed,
}

/// The server's standard input, until it is closed.
pub(crate) type Input = Arc<Mutex<Option<ChildStdin>>>;

/// The end of a run.
#[derive(Debug)]
pub(crate) struct End<'a> {
    server: &'a Server,
    proxy: &'a Proxy,
    input: &'a Input,
    waiting: Waiting,
    stage: Stage,
    /// When something follows if nothing happens before.
    pub(crate) deadline: Option<Instant>,
    /// Until when answers that are due are waited for.
    answers: Option<Instant>,
    /// The server's exit code.
    ended: Option<u8>,
    /// Whether the client has all that the server wrote, or gets no more.
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
            is_drained: false,
            signal: None,
        }
    }

    /// Whether the server has ended, and the client has its output.
    pub(crate) fn is_over(&self) -> bool {
        self.ended.is_some() && self.is_drained
    }

    /// The exit code of the run.
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
                self.deadline = Some(Instant::now() + DRAIN);
            }
            Event::ServerDone => {
                self.is_drained = true;
                self.expect_no_answers();
            }
            Event::ClientGone => {
                if self.stage == Stage::Running {
                    self.answers = Some(Instant::now() + ANSWER);
                }
                self.enter(Stage::Closing);
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
            // A client that reads slowly still receives the output; only the pipe is not waited
            // for.
            let from = self.waiting.since().unwrap_or(now);
            let is_over = self.signal.is_some() || now >= from + DRAIN;
            self.is_drained |= is_over;
            self.deadline = Some(from + DRAIN);
            return;
        }
        if self.stage == Stage::Closing && self.answers.is_some() {
            let is_due = self.proxy.requests_under_way() > 0;
            self.answers =
                self.answers.filter(|until| is_due && now < *until && !is_output_closed());
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

/// Closes the server's standard input, unless a frame is being written to it.
pub(crate) fn close(input: &Input) {
    if let Ok(mut input) = input.try_lock() {
        input.take();
    }
}
