//! `wire-proxy URL`: a thread between the proxy, which speaks stdio to it as to any server, and a
//! server over HTTP (rulings M9 and M15). Frames are not changed here.
//!
//! Up to 2025-11-25 a server may give a session, and may send frames of its own on a stream that a
//! GET opens. Clients of 2026-07-28 say the version in each request; then there is neither.

mod frame;
mod params;
mod server;
mod session;
mod stream;
mod target;

use std::io::{BufReader, PipeReader, PipeWriter};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName,
    TRANSFER_ENCODING,
};
use tokio::sync::{Notify, mpsc};
use tokio::task::JoinSet;

use self::frame::Asked;
use self::server::Server;
pub(crate) use target::Target;

use crate::failure::say;
use crate::frames::{Frames, Piece, split};

/// The most requests that are under way.
const MOST_REQUESTS: usize = 1024;
/// The time that other frames wait for `notifications/initialized`.
const FIRST: Duration = Duration::from_secs(1);
/// The time that the server has to end a session.
const FAREWELL: Duration = Duration::from_secs(1);

/// The thread that speaks to a server.
pub(crate) struct Upstream {
    ended: Arc<Notify>,
    thread: Mutex<Option<JoinHandle<u8>>>,
}

/// Returns `true` if a header is of the connection or of the protocol.
pub(crate) fn is_own(name: &HeaderName) -> bool {
    let of_http = [
        ACCEPT,
        ACCEPT_ENCODING,
        CONNECTION,
        CONTENT_LENGTH,
        CONTENT_TYPE,
        HOST,
        TRANSFER_ENCODING,
    ];
    of_http.contains(name) || name.as_str().starts_with("mcp-") || name == "last-event-id"
}

impl Upstream {
    /// Starts the thread, which runs until its input ends.
    pub(crate) fn start(
        target: &Target,
        input: PipeReader,
        output: PipeWriter,
    ) -> Result<Self, String> {
        let server = Arc::new(Server::new(target, output)?);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| error.to_string())?;
        let (ended, frame_bytes) = (Arc::new(Notify::new()), target.frame_bytes);
        let told = Arc::clone(&ended);
        let thread = thread::spawn(move || {
            let code = runtime.block_on(async {
                tokio::select! {
                    () = exchange(&server, input, frame_bytes, &told) => 0,
                    code = interrupted() => code,
                }
            });
            runtime.block_on(async {
                server.settle().await;
                farewell(&server).await;
            });
            // The thread that reads the input may still wait for it.
            runtime.shutdown_background();
            code
        });
        Ok(Upstream { ended, thread: Mutex::new(Some(thread)) })
    }

    /// Tells the server that it ends, and ends.
    pub(crate) fn end(&self) {
        self.ended.notify_one();
    }

    /// Waits until it ended, and returns the exit code.
    pub(crate) fn wait(&self) -> u8 {
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        thread.map_or(0, |thread| thread.join().unwrap_or(u8::MAX))
    }
}

/// Waits for Ctrl-C where no signal is passed on to a server, and returns the exit code for it.
async fn interrupted() -> u8 {
    if cfg!(unix) {
        return std::future::pending().await;
    }
    let _ = tokio::signal::ctrl_c().await;
    128 + 2
}

/// Passes frames on until there are no more, or the end is told.
async fn exchange(server: &Arc<Server>, input: PipeReader, frame_bytes: usize, ended: &Notify) {
    let (sender, mut frames) = mpsc::channel(1);
    thread::spawn(move || read(input, frame_bytes, &sender));
    let mut requests = JoinSet::new();
    let mut ended = std::pin::pin!(ended.notified());
    loop {
        let frame = tokio::select! {
            frame = frames.recv() => frame,
            () = &mut ended => return,
            Some(_) = requests.join_next(), if !requests.is_empty() => continue,
        };
        let Some(frame) = frame else { break };
        from_client(server, frame, &mut requests).await;
    }
    // Answers that are due still come.
    tokio::select! {
        () = async { while requests.join_next().await.is_some() {} } => {}
        () = &mut ended => {}
    }
}

/// Sends a frame of the client. Only what has to arrive before the next frame is waited for.
async fn from_client(server: &Arc<Server>, frame: Bytes, requests: &mut JoinSet<()>) {
    let asked = Asked::of(&frame);
    if let Some(id) = asked.cancelled_request()
        && server.cancel(id)
    {
        return;
    }
    if requests.len() >= MOST_REQUESTS {
        server.refuse(&frame, "too many requests are under way").await;
        return;
    }
    let id = asked.id.clone().filter(|_| asked.method.is_some());
    let may_be_cancelled = asked.version.is_some();
    let is_first = asked.is("notifications/initialized");
    let exchange = {
        let server = Arc::clone(server);
        // Before a frame that may cancel it.
        let awaited = server.awaited(&asked);
        async move { server.exchange(frame, asked, awaited).await }
    };
    if is_first {
        // It mostly arrives before the next frame, but a server need not answer.
        let _ = tokio::time::timeout(FIRST, tokio::spawn(exchange)).await;
    } else {
        let handle = requests.spawn(exchange);
        if let Some(id) = id.filter(|_| may_be_cancelled) {
            server.under_way(id, handle);
        }
    }
}

fn read(input: PipeReader, frame_bytes: usize, frames: &mpsc::Sender<Bytes>) {
    let mut lines = Frames::new(BufReader::new(input), frame_bytes);
    loop {
        match lines.next() {
            Err(_) | Ok((Piece::End, _)) => return,
            Ok((Piece::Frame, line)) => {
                let (frame, _) = split(line);
                let is_blank = frame.trim_ascii().is_empty();
                if !is_blank && frames.blocking_send(Bytes::copy_from_slice(frame)).is_err() {
                    return;
                }
            }
            Ok((Piece::Part, _)) => {}
            Ok((Piece::LastPart, _)) => {
                say(format_args!(
                    "a frame of the client has more than {frame_bytes} bytes, and is not sent"
                ));
            }
        }
    }
}

async fn farewell(server: &Server) {
    let _ = tokio::time::timeout(FAREWELL, server.end_session()).await;
}
