//! `wire-proxy serve`: an engine behind gateways of models, which ask it what to send (ruling M20).
//! It holds nothing between two requests, so that any number of them may run side by side.

mod answers;
mod metrics;
mod options;
mod refusal;

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use futures_util::TryStreamExt;
use http_body_util::{BodyDataStream, BodyExt, Limited};
use hyper::body::{Body as HttpBody, Incoming};
use hyper::header::{AUTHORIZATION, EXPECT, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Request, Response, StatusCode};
use sha2::{Digest, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::{timeout, timeout_at};

use crate::failure::{Failure, print, say};
use crate::http::answer::{json, text};
use crate::http::body::{Body, full};
use crate::http::guard::Guard;
use crate::http::listener::{self, Service};
use crate::http::log;
use crate::serve::answers::{RESULT, ROUTES, Route};
use crate::serve::metrics::Totals;
use crate::serve::refusal::{
    BROKEN, BUSY, FAILED, NO_JSON, NO_POST, NO_TOKEN, NOT_FOUND, Refusal, TOO_LARGE, TOO_SLOW,
};

pub(crate) use options::{ResultOptions, Serve};

/// The most requests under way. More are refused, so that a gateway sends its own conversation at
/// once.
const REQUESTS: usize = 64;
/// The most bytes of bodies under way.
const BYTES: usize = 256 << 20;
/// The time that a body has to arrive.
const BODY: Duration = Duration::from_secs(60);
/// The time that the rest of a refused body has.
const DRAIN: Duration = Duration::from_secs(10);

/// Serves until a signal comes, and returns the exit code.
pub(crate) fn run(serve: &Serve) -> Result<u8, Failure> {
    let (listen, token, settings) = serve.settings().map_err(Failure::Usage)?;
    log::start(listen.log);
    // The default would print what a text has in it.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a conversation could not be rewritten, and passes");
    }));
    let engine = Engine {
        guard: Guard::new(&listen),
        token: token.map(|token| Sha256::digest(token).into()),
        options: Arc::new(settings.options),
        body_bytes: settings.frame_bytes,
        requests: Arc::new(Semaphore::new(REQUESTS)),
        bytes: Arc::new(Semaphore::new(BYTES)),
        totals: Arc::default(),
    };
    listener::run(listen.address, engine)
}

/// Rewrites the result of a tool on standard input; prints nothing if it stays.
pub(crate) fn result(own: &ResultOptions) -> Result<u8, Failure> {
    let (settings, _) = own.settings().map_err(Failure::Usage)?;
    let result = crate::hook::input(settings.frame_bytes);
    let result = result.map_err(|error| Failure::Io(error.to_string()))?.unwrap_or_default();
    let (rewritten, _) = answers::result(&settings.options, &result);
    if rewritten.is_empty() { Ok(0) } else { print(format!("{rewritten}\n").as_bytes()) }
}

#[derive(Debug)]
struct Engine {
    guard: Guard,
    /// The SHA-256 of the token, if one is asked for: comparing those tells nothing of it by the
    /// time it takes.
    token: Option<[u8; 32]>,
    options: Arc<wire_mcp::Options>,
    body_bytes: usize,
    requests: Arc<Semaphore>,
    bytes: Arc<Semaphore>,
    totals: Arc<Mutex<Totals>>,
}

impl Service for Engine {
    fn announce(&self, address: SocketAddr) {
        say(format_args!("listening on http://{address}"));
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let start = Instant::now();
        let (head, mut body) = request.into_parts();
        let path = head.uri.path();
        if matches!(path, "/health" | "/healthz") {
            return json(StatusCode::OK, "{\"status\":\"ok\"}".to_owned());
        }
        let allowed = self.allowed(&head);
        if path == "/metrics" && allowed.is_ok() {
            // Before the counters: what is not under way is in them.
            let requests = REQUESTS - self.requests.available_permits();
            let bytes = BYTES - self.bytes.available_permits();
            return text(StatusCode::OK, locked(&self.totals).page(requests, bytes));
        }
        let route = allowed.and_then(|()| route(&head));
        let mut response = match self.answered(route, &mut body).await {
            Ok(answer) => json(StatusCode::OK, answer),
            Err((refusal, bytes)) => {
                // With `Expect` a client reads the answer first; others send all of the body before.
                if !head.headers.contains_key(EXPECT) {
                    let mut rest = Limited::new(body, 2 * self.body_bytes);
                    let drained = async { while let Some(Ok(_)) = rest.frame().await {} };
                    let _ = timeout(DRAIN, drained).await;
                }
                refusal.response(bytes)
            }
        };
        if let Ok(route) = route {
            let mut totals = locked(&self.totals);
            let answer = (route.name, response.status().as_u16() / 100);
            *totals.answers.entry(answer).or_default() += 1;
            totals.answering += start.elapsed();
        }
        // A gateway takes any body for the result.
        if path == RESULT && response.status() != StatusCode::OK {
            *response.body_mut() = full("");
        }
        response
    }
}

fn locked(totals: &Mutex<Totals>) -> MutexGuard<'_, Totals> {
    totals.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the head of a request asks for.
fn route(head: &Parts) -> Result<&'static Route, Refusal> {
    let route = ROUTES.iter().find(|route| route.path == head.uri.path()).ok_or(NOT_FOUND)?;
    if head.method == Method::POST { Ok(route) } else { Err(NO_POST) }
}

impl Engine {
    /// Whether a request comes from somebody who is served, and has the token, if one is asked for.
    fn allowed(&self, head: &Parts) -> Result<(), Refusal> {
        let headers = &head.headers;
        if let Some(message) = self.guard.refused(&head.uri, headers) {
            tracing::warn!(message, "a request was refused");
            return Err(Refusal(403, "refused", message));
        }
        let Some(token) = self.token else { return Ok(()) };
        let bearer = headers.get_all(AUTHORIZATION).iter().filter_map(|value| {
            let (scheme, rest) = value.as_bytes().split_at_checked(7)?;
            scheme.eq_ignore_ascii_case(b"bearer ").then_some(rest)
        });
        let others = ["x-api-key", "x-headroom-proxy-token"];
        let others = others.iter().flat_map(|name| headers.get_all(*name));
        let mut given = bearer.chain(others.map(HeaderValue::as_bytes));
        let is_known = given.any(|given| <[u8; 32]>::from(Sha256::digest(given)) == token);
        if is_known { Ok(()) } else { Err(NO_TOKEN) }
    }

    /// The body of an answer, which is counted; or why there is none, and the bytes that came.
    async fn answered(
        &self,
        route: Result<&'static Route, Refusal>,
        body: &mut Incoming,
    ) -> Result<String, (Refusal, usize)> {
        let route = route.map_err(|refusal| (refusal, 0))?;
        let room = Arc::clone(&self.requests).try_acquire_owned().map_err(|_| (BUSY, 0))?;
        let (body, rooms) = read(body, self.body_bytes, &self.bytes).await?;
        let length = body.len();
        let (options, totals) = (Arc::clone(&self.options), Arc::clone(&self.totals));
        let (sender, answer) = oneshot::channel();
        tokio::task::spawn_blocking(move || {
            // The room of a request that nobody waits for is free when its work has ended.
            let _held = (room, rooms);
            if sender.is_closed() {
                return;
            }
            let start = Instant::now();
            let text = std::str::from_utf8(&body).map_err(|_| NO_JSON);
            let answer = text.and_then(|text| (route.answer)(&options, text));
            let _ = sender.send(answer.map(|(answer, chat)| {
                let elapsed = start.elapsed();
                locked(&totals).rewrote(&chat, length, elapsed);
                tracing::info!(
                    route = route.name,
                    results = chat.results,
                    changed = chat.changed,
                    came = chat.tokens.came,
                    went = chat.tokens.went,
                    microseconds = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
                    "a request was answered"
                );
                answer
            }));
        });
        // The answer is lost only by a panic beside the rewriting.
        answer.await.unwrap_or(Err(FAILED)).map_err(|refusal| (refusal, length))
    }
}

/// A body of up to `most` bytes, and its part of the bytes under way; or why it is not read, and how
/// many bytes came.
async fn read(
    body: &mut (impl HttpBody<Data = Bytes> + Unpin),
    most: usize,
    bytes: &Arc<Semaphore>,
) -> Result<(Bytes, OwnedSemaphorePermit), (Refusal, usize)> {
    let room = |count: usize| {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Arc::clone(bytes).try_acquire_many_owned(count).map_err(|_| BUSY)
    };
    if body.size_hint().lower() > most as u64 {
        return Err((TOO_LARGE, 0));
    }
    let end = tokio::time::Instant::now() + BODY;
    // One permit, however small the pieces are in which the body comes.
    let (mut held, mut permit) = (BytesMut::new(), room(0).map_err(|busy| (busy, 0))?);
    let mut body = BodyDataStream::new(body);
    loop {
        let came = held.len();
        let data = timeout_at(end, body.try_next()).await.map_err(|_| (TOO_SLOW, came))?;
        let Some(data) = data.map_err(|_| (BROKEN, came))? else {
            return Ok((held.freeze(), permit));
        };
        permit.merge(room(data.len()).map_err(|busy| (busy, came))?);
        held.extend_from_slice(&data);
        if held.len() > most {
            return Err((TOO_LARGE, held.len()));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use futures_util::stream;
    use http_body_util::StreamBody;
    use hyper::body::Frame;

    use super::*;

    #[tokio::test]
    async fn a_body_of_single_bytes_takes_as_much_as_one_of_one_piece() {
        const LENGTH: usize = 100_000;
        let bytes = Arc::new(Semaphore::new(BYTES));
        let body = || {
            let piece = || Ok::<_, Infallible>(Frame::data(Bytes::from_static(b"x")));
            StreamBody::new(stream::iter((0..LENGTH).map(move |_| piece())))
        };
        let (held, permit) = read(&mut body(), LENGTH, &bytes).await.unwrap();
        // A permit, and room in memory, of the bytes alone.
        assert_eq!((held.len(), permit.num_permits()), (LENGTH, LENGTH));
        assert!(held.try_into_mut().unwrap().capacity() <= 2 * LENGTH);
        assert_eq!(bytes.available_permits(), BYTES - LENGTH);
        drop(permit);
        let (refusal, came) = read(&mut body(), LENGTH - 1, &bytes).await.unwrap_err();
        assert_eq!((refusal.1, came), ("too_large", LENGTH));
        // No more room is taken than there is.
        let full = Arc::new(Semaphore::new(LENGTH / 2));
        let (refusal, came) = read(&mut body(), LENGTH, &full).await.unwrap_err();
        assert_eq!((refusal.1, came), ("busy", LENGTH / 2));
        assert_eq!((bytes.available_permits(), full.available_permits()), (BYTES, LENGTH / 2));
    }
}
