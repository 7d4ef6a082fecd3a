//! A run: frames in both directions, and how it ends.
//!
//! Each direction is a thread that holds one frame, so that a slow reader makes the other side
//! wait, and memory stays as it is.

use std::io::{self, BufReader, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use wire_mcp::Proxy;

use crate::child::{Server, exit_code};
use crate::frames::{Frames, Piece, split};
use crate::statistics::Recorder;

/// How long the server has to end once its standard input is closed, and then once it got SIGTERM.
/// Clients give the proxy 2 s for each, so that all of it ends before they end the proxy.
const CLOSE: Duration = Duration::from_millis(1500);
const TERMINATE: Duration = Duration::from_millis(1500);
/// How long it has to end after a signal that came from outside.
const SIGNALLED: Duration = Duration::from_secs(1);
/// How long what it started may go on writing once it has ended.
const DRAIN: Duration = Duration::from_secs(2);

/// Something that happened.
enum Event {
    /// The client closed its end, or reads no more.
    ClientGone,
    /// The server closed its standard output.
    ServerDone,
    /// The server ended, with this code.
    Ended(u8),
    /// A signal came.
    Signal(i32),
}

/// How far the end has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Running,
    Closing,
    Terminating,
    Killed,
}

/// The server's standard input, until it is closed.
type Input = Arc<Mutex<Option<ChildStdin>>>;

/// Runs until the server has ended, and returns the exit code.
pub(crate) fn run(
    server: &Server,
    proxy: Proxy,
    frame_bytes: usize,
    recorder: Option<Recorder>,
) -> u8 {
    let (input, output) = server.pipes();
    let input: Input = Arc::new(Mutex::new(Some(input)));
    let proxy = Arc::new(proxy);
    let (events, happened) = mpsc::channel();
    listen(&events);
    {
        let (proxy, input, events) = (Arc::clone(&proxy), Arc::clone(&input), events.clone());
        thread::spawn(move || {
            to_server(&proxy, frame_bytes, &input);
            close(&input);
            let _ = events.send(Event::ClientGone);
        });
    }
    {
        let events = events.clone();
        thread::spawn(move || {
            let outcome = to_client(&proxy, frame_bytes, output, recorder);
            let _ =
                events.send(if outcome.is_ok() { Event::ServerDone } else { Event::ClientGone });
            if outcome.is_err() {
                let _ = events.send(Event::ServerDone);
            }
        });
    }
    {
        let server = server.clone();
        thread::spawn(move || {
            let code = server.wait().map_or(u8::MAX, exit_code);
            let _ = events.send(Event::Ended(code));
        });
    }

    let mut stage = Stage::Running;
    let mut deadline: Option<Instant> = None;
    let (mut ended, mut is_drained, mut signal) = (None, false, None);
    while ended.is_none() || !is_drained {
        let event = match deadline {
            None => happened.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => happened.recv_timeout(at.saturating_duration_since(Instant::now())),
        };
        let before = stage;
        match event {
            Ok(Event::Ended(code)) => {
                ended = Some(code);
                deadline = Some(Instant::now() + DRAIN);
            }
            Ok(Event::ServerDone | Event::ClientGone) if ended.is_some() => {
                is_drained |= matches!(event, Ok(Event::ServerDone));
            }
            Ok(Event::ServerDone) => {
                is_drained = true;
                stage = stage.max_of(Stage::Closing);
            }
            Ok(Event::ClientGone) => stage = stage.max_of(Stage::Closing),
            Ok(Event::Signal(number)) if signal.is_none() => {
                signal = Some(number);
                server.signal(number);
                deadline = Some(Instant::now() + SIGNALLED);
                stage = Stage::Terminating;
                continue;
            }
            Ok(Event::Signal(_)) => stage = Stage::Killed,
            Err(RecvTimeoutError::Timeout) if ended.is_some() => break,
            Err(RecvTimeoutError::Timeout) => stage = stage.next(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
        if stage == before || ended.is_some() {
            continue;
        }
        match stage {
            Stage::Running => {}
            Stage::Closing => {
                close(&input);
                deadline = Some(Instant::now() + CLOSE);
            }
            Stage::Terminating => {
                server.terminate();
                deadline = Some(Instant::now() + TERMINATE);
            }
            Stage::Killed => {
                server.kill();
                deadline = None;
            }
        }
    }
    // What the server started and left behind ends, too.
    server.kill();
    match signal {
        Some(signal) => u8::try_from(128 + signal).unwrap_or(u8::MAX),
        None => ended.unwrap_or(u8::MAX),
    }
}

impl Stage {
    fn next(self) -> Self {
        match self {
            Stage::Running => Stage::Closing,
            Stage::Closing => Stage::Terminating,
            Stage::Terminating | Stage::Killed => Stage::Killed,
        }
    }

    /// This stage, or the other one if it is later. Only running comes before closing.
    fn max_of(self, other: Stage) -> Self {
        if self == Stage::Running { other } else { self }
    }
}

/// Closes the server's standard input, if nobody waits for it to take a frame.
fn close(input: &Input) {
    if let Ok(mut input) = input.try_lock() {
        input.take();
    }
}

/// Hands frames of the client on until there are no more.
fn to_server(proxy: &Proxy, frame_bytes: usize, input: &Input) {
    let mut frames = Frames::new(BufReader::new(io::stdin()), frame_bytes);
    loop {
        let Ok((piece, bytes)) = frames.next() else { return };
        let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
        // A server that reads no more does not end the run: it may still answer.
        let Some(server) = input.as_mut() else {
            if piece == Piece::End {
                return;
            }
            continue;
        };
        let written = match piece {
            Piece::End => return,
            Piece::Part | Piece::LastPart => server.write_all(bytes),
            Piece::Frame => {
                let (frame, end) = split(bytes);
                write_frame(server, &proxy.from_client(frame).frame, end)
            }
        };
        if written.is_err() {
            input.take();
        }
    }
}

/// Hands frames of the server on until there are no more, or the client reads no more.
fn to_client(
    proxy: &Proxy,
    frame_bytes: usize,
    output: ChildStdout,
    mut recorder: Option<Recorder>,
) -> io::Result<()> {
    let mut frames = Frames::new(BufReader::new(output), frame_bytes);
    let mut client = io::stdout().lock();
    let mut is_noted = false;
    loop {
        // A pipe that can't be read has ended.
        let Ok((piece, bytes)) = frames.next() else { return Ok(()) };
        match piece {
            Piece::End => return Ok(()),
            Piece::Part => client.write_all(bytes)?,
            Piece::LastPart => {
                proxy.server_passed();
                client.write_all(bytes)?;
            }
            Piece::Frame => {
                let (frame, end) = split(bytes);
                let start = Instant::now();
                let actions = proxy.from_server(frame);
                let elapsed = start.elapsed();
                write_frame(&mut client, &actions.frame, end)?;
                if actions.is_not_json && !is_noted && !frame.is_empty() {
                    is_noted = true;
                    eprintln!(
                        "wire-proxy: the server writes lines that are not JSON to standard output; they are passed on"
                    );
                }
                if let Some(recorder) = &mut recorder {
                    recorder.write(&actions, elapsed);
                }
            }
        }
        client.flush()?;
    }
}

/// One write for small frames, so that a reader never sees half of one.
fn write_frame(writer: &mut impl Write, frame: &[u8], end: &[u8]) -> io::Result<()> {
    const SMALL: usize = 64 << 10;
    if frame.len() <= SMALL {
        writer.write_all(&[frame, end].concat())?;
    } else {
        writer.write_all(frame)?;
        writer.write_all(end)?;
    }
    writer.flush()
}

/// Sends an event for each signal that ends programs.
fn listen(events: &Sender<Event>) {
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let events = events.clone();
        if let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            thread::spawn(move || {
                signals.forever().for_each(|signal| {
                    let _ = events.send(Event::Signal(signal));
                });
            });
        }
    }
    #[cfg(not(unix))]
    let _ = events;
}
