//! A run: frames in both directions.
//!
//! Each direction is a thread that buffers one frame, so a slow reader makes the other side wait,
//! and memory does not grow.

use std::io::{self, BufReader, PipeReader, PipeWriter, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use wire_mcp::Proxy;

use crate::failure::say;
use crate::frames::{Frames, Piece, split};
use crate::log::Recorder;
use crate::stdio::child::Server;
use crate::stdio::end::{End, Event, Input, close};
#[cfg(unix)]
use crate::stdio::pipe::wait_for_closed_output;
use crate::stdio::pipe::{Pipe, Waiting};

/// Runs until the server has ended, and returns the exit code.
pub(crate) fn run(
    (server, input, output): (Server, PipeWriter, PipeReader),
    proxy: Proxy,
    frame_bytes: usize,
    recorder: Option<Recorder>,
) -> u8 {
    let input: Input = Arc::new(Mutex::new(Some(input)));
    let proxy = Arc::new(proxy);
    let waiting = Waiting::default();
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
        let (proxy, events) = (Arc::clone(&proxy), events.clone());
        let output = Pipe::new(output, waiting.clone());
        thread::spawn(move || {
            // Also if this thread panics: the run must end.
            let events = Done(events);
            let outcome = to_client(&proxy, frame_bytes, output, recorder);
            if outcome.is_err() {
                let _ = events.0.send(Event::ReaderGone);
            }
        });
    }
    #[cfg(unix)]
    {
        // A server that reads no more blocks what would notice that the client is gone.
        let events = events.clone();
        thread::spawn(move || {
            if wait_for_closed_output() {
                let _ = events.send(Event::ReaderGone);
            }
        });
    }
    {
        let server = server.clone();
        thread::spawn(move || {
            let _ = events.send(Event::Ended(server.wait()));
        });
    }

    let mut end = End::new(&server, &proxy, &input, waiting);
    while !end.is_over() {
        let event = match end.deadline {
            None => happened.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some(at) => happened.recv_timeout(at.saturating_duration_since(Instant::now())),
        };
        match event {
            Ok(event) => end.happened(&event),
            Err(RecvTimeoutError::Timeout) => end.timed_out(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    // Processes that the server started and left running end, too.
    server.kill();
    end.code()
}

/// Says that the server is done when it is dropped.
struct Done(Sender<Event>);

impl Drop for Done {
    fn drop(&mut self) {
        let _ = self.0.send(Event::ServerDone);
    }
}

/// Passes on frames of the client until there are no more.
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

/// Passes on frames of the server until there are no more, or the client stops reading.
fn to_client(
    proxy: &Proxy,
    frame_bytes: usize,
    output: Pipe<PipeReader>,
    mut recorder: Option<Recorder>,
) -> io::Result<()> {
    let mut frames = Frames::new(BufReader::new(output), frame_bytes);
    let mut client = io::stdout().lock();
    let mut is_noted = false;
    let mut is_inside = false;
    loop {
        // A pipe that can't be read has ended.
        let Ok((piece, bytes)) = frames.next() else { return Ok(()) };
        match piece {
            Piece::End => return Ok(()),
            Piece::Part | Piece::LastPart => {
                if !is_inside {
                    proxy.server_passed(bytes);
                }
                is_inside = piece == Piece::Part;
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
                    say(format_args!(
                        "the server writes lines that are not JSON to standard output; they are passed on"
                    ));
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
