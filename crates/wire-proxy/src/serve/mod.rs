//! `wire-proxy serve`: an engine behind gateways of models, which ask it what to send (ruling M20).
//! It holds nothing between two requests, so that any number of them may run side by side.

mod answers;
mod metrics;
mod options;
mod refusal;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Incoming;
use hyper::header::{ALLOW, AUTHORIZATION, CONTENT_LENGTH, EXPECT, HeaderMap, HeaderValue};
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
use crate::serve::answers::{Answer, Route};
use crate::serve::metrics::Metrics;
use crate::serve::refusal::{
    BROKEN, BUSY, FAILED, NO_JSON, NOT_FOUND, Refusal, TOO_LARGE, TOO_SLOW,
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
    let settings = options::settings(serve).map_err(Failure::Usage)?;
    log::start(settings.listen.log);
    // The default would print what a text has in it.
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(place, "a conversation could not be rewritten, and passes");
    }));
    let engine = Engine {
        guard: Guard::new(&settings.listen),
        token: settings.token.map(|token| Sha256::digest(token).into()),
        options: Arc::new(settings.options),
        body_bytes: settings.body_bytes,
        requests: Arc::new(Semaphore::new(REQUESTS)),
        bytes: Arc::new(Semaphore::new(BYTES)),
        metrics: Arc::new(Metrics::default()),
    };
    listener::run(settings.listen.address, engine)
}

/// Rewrites the result of a tool on standard input; prints nothing if it stays.
pub(crate) fn result(own: &ResultOptions) -> Result<u8, Failure> {
    let (options, most) = options::result_settings(own).map_err(Failure::Usage)?;
    let result = crate::hook::input(most).map_err(|error| Failure::Io(error.to_string()))?;
    let rewritten = result.ok().and_then(|result| answers::result(&options, &result));
    rewritten.map_or(Ok(0), |result| print(format!("{result}\n").as_bytes()))
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
    metrics: Arc<Metrics>,
}

impl Service for Engine {
    fn announce(&self, address: SocketAddr) {
        say(format_args!("listening on http://{address}"));
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let (head, mut body) = request.into_parts();
        let path = head.uri.path();
        let route = match self.route(&head) {
            Ok(Asked::Page(page)) => return page,
            Ok(Asked::Route(route)) => Ok(route),
            Err(refusal) => Err(refusal),
        };
        let start = Instant::now();
        let answered = match route {
            Ok(route) => self.routed(route, &head, &mut body).await,
            Err(refusal) => Err((refusal, 0)),
        };
        let mut response = match answered {
            Ok(answer) => json(StatusCode::OK, answer),
            Err((refusal, bytes)) => {
                // With `Expect` a client reads the answer first; others send all of the body before.
                if !head.headers.contains_key(EXPECT) {
                    let _ = timeout(DRAIN, drained(body, 2 * self.body_bytes)).await;
                }
                refusal.response(bytes)
            }
        };
        if let Ok(route) = route {
            self.metrics.answered(route, response.status(), start.elapsed());
        }
        if response.status() == StatusCode::METHOD_NOT_ALLOWED {
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
        }
        // A gateway takes any body for the result.
        if Route::of(path) == Some(Route::Result) && response.status() != StatusCode::OK {
            *response.body_mut() = full("");
        }
        response
    }
}

/// What a request asks for.
enum Asked {
    Route(Route),
    /// It is answered already.
    Page(Response<Body>),
}

/// Reads the rest of a body, of which at most so many bytes.
async fn drained(mut body: Incoming, most: usize) {
    let mut bytes = 0;
    while let Some(Ok(frame)) = body.frame().await {
        bytes += frame.data_ref().map_or(0, Bytes::len);
        if bytes > most {
            return;
        }
    }
}

impl Engine {
    /// Returns `true` if a request has the token, or none is asked for.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        let Some(token) = self.token else { return true };
        let is_token = |given: &[u8]| <[u8; 32]>::from(Sha256::digest(given)) == token;
        let bearer = headers.get_all(AUTHORIZATION).iter().filter_map(|value| {
            let (scheme, rest) = value.as_bytes().split_at_checked(7)?;
            scheme.eq_ignore_ascii_case(b"bearer ").then_some(rest)
        });
        let others = ["x-api-key", "x-headroom-proxy-token"];
        let others = others.iter().flat_map(|name| headers.get_all(*name));
        bearer.chain(others.map(HeaderValue::as_bytes)).any(is_token)
    }

    /// What the head of a request asks for.
    fn route(&self, head: &Parts) -> Result<Asked, Refusal> {
        let path = head.uri.path();
        if matches!(path, "/health" | "/healthz") {
            let body = "{\"status\":\"ok\"}".to_owned();
            return Ok(Asked::Page(json(StatusCode::OK, body)));
        }
        if let Some(message) = self.guard.refused(&head.uri, &head.headers) {
            tracing::warn!(message, "a request was refused");
            return Err(Refusal::new(StatusCode::FORBIDDEN, "refused", message));
        }
        if !self.is_known(&head.headers) {
            const MESSAGE: &str = "expected the token, in `Authorization: Bearer`, `x-api-key` or `X-Headroom-Proxy-Token`";
            return Err(Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", MESSAGE));
        }
        if path == "/metrics" {
            // Before the counters: what is not under way is in them.
            let requests = REQUESTS - self.requests.available_permits();
            let bytes = BYTES - self.bytes.available_permits();
            return Ok(Asked::Page(text(StatusCode::OK, self.metrics.page(requests, bytes))));
        }
        let route = Route::of(path).ok_or(NOT_FOUND)?;
        if head.method != Method::POST {
            const STATUS: StatusCode = StatusCode::METHOD_NOT_ALLOWED;
            return Err(Refusal::new(STATUS, "method_not_allowed", "expected POST"));
        }
        Ok(Asked::Route(route))
    }

    /// The body of an answer; or why there is none, and the bytes that came.
    async fn routed(
        &self,
        route: Route,
        head: &Parts,
        body: &mut Incoming,
    ) -> Result<String, (Refusal, usize)> {
        let room = Arc::clone(&self.requests).try_acquire_owned().map_err(|_| (BUSY, 0))?;
        let (body, bytes) = self.read(&head.headers, body).await?;
        let length = body.len();
        let (options, metrics) = (Arc::clone(&self.options), Arc::clone(&self.metrics));
        let (sender, answer) = oneshot::channel();
        tokio::task::spawn_blocking(move || {
            // The room of a request that nobody waits for is free when its work has ended.
            let _held = (room, bytes);
            if !sender.is_closed() {
                let _ = sender.send(answered(route, &options, &metrics, &body));
            }
        });
        // The answer is lost only by a panic beside the rewriting.
        let answer = answer.await.unwrap_or(Err(FAILED));
        answer.map_err(|refusal| (refusal, length))
    }

    /// A body, and its part of the bytes under way; or why it is not read, and how many bytes came.
    async fn read(
        &self,
        headers: &HeaderMap,
        body: &mut Incoming,
    ) -> Result<(Bytes, OwnedSemaphorePermit), (Refusal, usize)> {
        let length =
            headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        if length.is_some_and(|length: usize| length > self.body_bytes) {
            return Err((TOO_LARGE, 0));
        }
        let room = |bytes: usize, more: usize| {
            let more = u32::try_from(more).map_err(|_| (BUSY, bytes))?;
            Arc::clone(&self.bytes).try_acquire_many_owned(more).map_err(|_| (BUSY, bytes))
        };
        let end = tokio::time::Instant::now() + BODY;
        let mut held = BytesMut::new();
        let mut permit = room(0, 0)?;
        loop {
            let frame = timeout_at(end, body.frame()).await.map_err(|_| (TOO_SLOW, held.len()))?;
            let Some(frame) = frame else { return Ok((held.freeze(), permit)) };
            let frame = frame.map_err(|_| (BROKEN, held.len()))?;
            let Ok(data) = frame.into_data() else { continue };
            permit.merge(room(held.len(), data.len())?);
            held.extend_from_slice(&data);
            if held.len() > self.body_bytes {
                return Err((TOO_LARGE, held.len()));
            }
        }
    }
}

/// The body of an answer, which is counted.
fn answered(
    route: Route,
    options: &wire_mcp::Options,
    metrics: &Metrics,
    body: &[u8],
) -> Result<String, Refusal> {
    let start = Instant::now();
    let text = std::str::from_utf8(body).map_err(|_| NO_JSON)?;
    let Answer { body: answer, counts } = route.answer(options, text)?;
    let elapsed = start.elapsed();
    metrics.rewrote(&counts, body.len(), elapsed);
    tracing::info!(
        route = route.name(),
        results = counts.results,
        changed = counts.changed,
        came = counts.came,
        went = counts.went,
        microseconds = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
        "a request was answered"
    );
    Ok(answer)
}
