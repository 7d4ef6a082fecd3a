//! `wire-proxy URL`: a process between the proxy, which speaks stdio to it as to any server, and a
//! server over HTTP (rulings M9 and M15). Frames are not changed here.
//!
//! Up to 2025-11-25 a server may give a session, and may send frames of its own on a stream that a
//! GET opens. Clients of 2026-07-28 say the version in each request; then there is neither.

mod frame;
mod params;
mod server;
mod session;
mod stream;

use std::env;
use std::io::{self, BufReader};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use bytes::Bytes;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, HOST, HeaderName,
    TRANSFER_ENCODING,
};
use reqwest::Url;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio::task::JoinSet;

use self::frame::Asked;
use self::server::Server;
use crate::failure::Failure;
use crate::frames::{Frames, Piece, split};

/// The hidden command that this process is started with.
pub(crate) const COMMAND: &str = "bridge";
/// The variable with its settings: arguments can be read by everybody on a machine.
const VARIABLE: &str = "WIRE_PROXY_BRIDGE";
/// The most requests that are under way.
const MOST_REQUESTS: usize = 1024;
/// The time that the server has to end a session.
const FAREWELL: Duration = Duration::from_secs(1);

#[derive(Serialize, Deserialize)]
struct Settings {
    url: String,
    headers: Vec<(String, String)>,
    frame_bytes: usize,
    may_log_in: bool,
}

/// The variable of the environment for a server.
pub(crate) fn variable(
    url: &Url,
    headers: &[(String, String)],
    frame_bytes: usize,
    may_log_in: bool,
) -> (String, String) {
    let (url, headers) = (url.to_string(), headers.to_vec());
    let settings = Settings { url, headers, frame_bytes, may_log_in };
    let text = serde_json::to_string(&settings).expect("because texts are JSON");
    (VARIABLE.to_owned(), text)
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

/// Runs until standard input ends, or a signal comes.
pub(crate) fn run() -> Result<u8, Failure> {
    let settings = env::var(VARIABLE).ok().and_then(|text| serde_json::from_str(&text).ok());
    let settings: Settings = settings.ok_or_else(|| {
        Failure::Usage("`bridge` is for wire-proxy itself; expected `wire-proxy URL`".to_owned())
    })?;
    let server = Server::new(&settings).map_err(Failure::Usage)?;
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    let runtime = runtime.map_err(|error| Failure::Io(error.to_string()))?;
    runtime.block_on(bridge(Arc::new(server), settings.frame_bytes));
    // The thread that reads standard input may still wait for it.
    runtime.shutdown_background();
    Ok(0)
}

async fn bridge(server: Arc<Server>, frame_bytes: usize) {
    let (sender, mut frames) = mpsc::channel(1);
    thread::spawn(move || read(frame_bytes, &sender));
    let mut requests = JoinSet::new();
    let mut ended = std::pin::pin!(signalled());
    loop {
        let frame = tokio::select! {
            frame = frames.recv() => frame,
            () = &mut ended => return farewell(&server).await,
            Some(_) = requests.join_next(), if !requests.is_empty() => continue,
        };
        let Some(frame) = frame else { break };
        from_client(&server, frame, &mut requests).await;
    }
    // Answers that are due still come.
    tokio::select! {
        () = async { while requests.join_next().await.is_some() {} } => {}
        () = &mut ended => {}
    }
    farewell(&server).await;
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
        async move { server.exchange(frame, asked).await }
    };
    if is_first {
        exchange.await;
    } else {
        let handle = requests.spawn(exchange);
        if let Some(id) = id.filter(|_| may_be_cancelled) {
            server.under_way(id, handle);
        }
    }
}

/// Reads the client's frames.
fn read(frame_bytes: usize, frames: &mpsc::Sender<Bytes>) {
    let mut lines = Frames::new(BufReader::new(io::stdin()), frame_bytes);
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
                eprintln!(
                    "wire-proxy: a frame of the client has more than {frame_bytes} bytes, and is not sent"
                );
            }
        }
    }
}

async fn farewell(server: &Server) {
    let _ = tokio::time::timeout(FAREWELL, server.end_session()).await;
}

/// Waits for a signal that ends programs.
async fn signalled() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let signals = [SignalKind::terminate(), SignalKind::interrupt(), SignalKind::hangup()];
        let mut signals: Vec<_> =
            signals.into_iter().filter_map(|kind| signal(kind).ok()).collect();
        let any = signals.iter_mut().map(|signal| Box::pin(signal.recv()));
        let _ = futures_util::future::select_all(any).await;
    }
    #[cfg(not(unix))]
    let _ = tokio::signal::ctrl_c().await;
}
