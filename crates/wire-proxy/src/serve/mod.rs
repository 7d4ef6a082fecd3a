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
use hyper::header::{ALLOW, AUTHORIZATION, HeaderMap, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};
use sha2::{Digest, Sha256};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::failure::{Failure, print, say};
use crate::http::answer::{json, text};
use crate::http::body::Body;
use crate::http::guard::Guard;
use crate::http::listener::{self, Service};
use crate::http::log;
use crate::serve::answers::{Answer, Route};
use crate::serve::metrics::Metrics;
use crate::serve::refusal::{BUSY, NO_JSON, Refusal};

pub(crate) use options::{ResultOptions, Serve};

/// The most requests under way. More are refused, so that a gateway sends its own conversation at
/// once.
const REQUESTS: usize = 64;
/// The most bytes of bodies under way.
const BYTES: usize = 256 << 20;
/// The time that a body has to arrive.
const BODY: Duration = Duration::from_secs(60);

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
        requests: Semaphore::new(REQUESTS),
        bytes: Arc::new(Semaphore::new(BYTES)),
        metrics: Metrics::default(),
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
    requests: Semaphore,
    bytes: Arc<Semaphore>,
    metrics: Metrics,
}

impl Service for Engine {
    fn announce(&self, address: SocketAddr) {
        say(format_args!("listening on http://{address}"));
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let path = request.uri().path();
        if matches!(path, "/health" | "/healthz") {
            return json(StatusCode::OK, "{\"status\":\"ok\"}".to_owned());
        }
        if let Some(message) = self.guard.refused(request.uri(), request.headers()) {
            tracing::warn!(message, "a request was refused");
            return Refusal::new(StatusCode::FORBIDDEN, "refused", message).response(0);
        }
        if !self.is_known(request.headers()) {
            const MESSAGE: &str = "expected the token, in `Authorization: Bearer`, `x-api-key` or `X-Headroom-Proxy-Token`";
            return Refusal::new(StatusCode::UNAUTHORIZED, "unauthorized", MESSAGE).response(0);
        }
        if path == "/metrics" {
            return text(StatusCode::OK, self.metrics.page());
        }
        let Some(route) = Route::of(path) else {
            const MESSAGE: &str = "expected /v1/compress, /beta/litellm_basic_guardrail_api, /v1/result, /health or /metrics";
            return Refusal::new(StatusCode::NOT_FOUND, "not_found", MESSAGE).response(0);
        };
        if request.method() != Method::POST {
            let refusal =
                Refusal::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", "expected POST");
            let mut response = refusal.response(0);
            response.headers_mut().insert(ALLOW, HeaderValue::from_static("POST"));
            return response;
        }
        let start = Instant::now();
        let response = self.routed(route, request.into_body()).await;
        self.metrics.answered(route, response.status(), start.elapsed());
        response
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

    async fn routed(&self, route: Route, body: Incoming) -> Response<Body> {
        let Ok(_permit) = self.requests.try_acquire() else { return BUSY.response(0) };
        let (body, _bytes) = match timeout(BODY, self.read(body)).await {
            Ok(Ok(read)) => read,
            Ok(Err((refusal, bytes))) => return refusal.response(bytes),
            Err(_) => {
                const MESSAGE: &str = "the body took over a minute";
                return Refusal::new(StatusCode::REQUEST_TIMEOUT, "too_slow", MESSAGE).response(0);
            }
        };
        let bytes = body.len();
        let options = Arc::clone(&self.options);
        let start = Instant::now();
        let answer = tokio::task::spawn_blocking(move || {
            let body = std::str::from_utf8(&body).map_err(|_| NO_JSON)?;
            route.answer(&options, body)
        });
        let answered = answer.await.unwrap_or(Err(Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "failed",
            "a bug of wire-proxy; send the conversation as it is",
        )));
        match answered {
            Err(refusal) => refusal.response(bytes),
            Ok(Answer { body, counts }) => {
                let elapsed = start.elapsed();
                self.metrics.rewrote(&counts, bytes, elapsed);
                tracing::info!(
                    route = route.name(),
                    results = counts.results,
                    changed = counts.changed,
                    came = counts.came,
                    went = counts.went,
                    microseconds = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
                    "a request was answered"
                );
                json(StatusCode::OK, body)
            }
        }
    }

    /// A body, and its part of the bytes under way; or how many of it came.
    async fn read(
        &self,
        mut body: Incoming,
    ) -> Result<(Bytes, OwnedSemaphorePermit), (Refusal, usize)> {
        let room = |bytes: usize, more: usize| {
            let more = u32::try_from(more).map_err(|_| (BUSY, bytes))?;
            Arc::clone(&self.bytes).try_acquire_many_owned(more).map_err(|_| (BUSY, bytes))
        };
        let mut held = BytesMut::new();
        let mut permit = room(0, 0)?;
        while let Some(frame) = body.frame().await {
            const BROKEN: Refusal =
                Refusal::new(StatusCode::BAD_REQUEST, "broken", "the body broke off");
            let frame = frame.map_err(|_| (BROKEN, held.len()))?;
            let Ok(data) = frame.into_data() else { continue };
            permit.merge(room(held.len(), data.len())?);
            held.extend_from_slice(&data);
            if held.len() > self.body_bytes {
                const TOO_LARGE: Refusal = Refusal::new(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    "too_large",
                    "the body is larger than --frame-bytes; send the conversation as it is",
                );
                return Err((TOO_LARGE, held.len()));
            }
        }
        Ok((held.freeze(), permit))
    }
}
