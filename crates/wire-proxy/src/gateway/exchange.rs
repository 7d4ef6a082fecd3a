//! One request to a server, and its answer.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::stream;
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};
use hyper::header::{
    AUTHORIZATION, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, HeaderMap,
    HeaderValue, LOCATION,
};
use hyper::{Method, Request, Response, StatusCode};
use tokio::time::timeout;
use wire_mcp::Proxy;

use crate::gateway::server::{Exchange, Server};
use crate::gateway::sign_in;
use crate::http::answer::{self, refused, refused_frame};
use crate::http::body::{Body, BoxError, Read, full, read};
use crate::http::events::{Events, Frames, MARK};
use crate::http::headers;
use crate::http::{essence, reason};

const SESSION: &str = "mcp-session-id";
/// From how many bytes on frames are worked on apart from what waits for the network.
const LARGE: usize = 32 << 10;
/// The time that the body of a request has to arrive.
const BODY: Duration = Duration::from_secs(30);

/// The answer of a server to a request.
pub(crate) async fn run(server: Arc<Server>, request: Request<Incoming>) -> Response<Body> {
    let start = Instant::now();
    server.metrics.began();
    let under_way = UnderWay(Arc::clone(&server));
    let method = request.method().clone();
    let response = exchanged(&server, request).await;
    tracing::info!(
        server = server.name,
        %method,
        status = response.status().as_u16(),
        milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
        "answered"
    );
    response.map(|body| Guarded { body, _under_way: under_way }.boxed_unsync())
}

async fn exchanged(server: &Arc<Server>, request: Request<Incoming>) -> Response<Body> {
    let (head, body) = request.into_parts();
    let session = session(&head.headers);
    let known = session.as_deref().and_then(|id| server.sessions.get(id));
    let is_known = known.is_some();
    let proxy = known.unwrap_or_else(|| {
        // Unknown session (for example after a restart): start without the client's tool list.
        let proxy = Proxy::with_catalog(Arc::clone(&server.options), &server.catalog);
        Arc::new(if session.is_some() { proxy } else { proxy.for_one_exchange() })
    });
    let mut exchange = Exchange { server: Arc::clone(server), proxy, sent: Bytes::new() };

    let mut asked = server
        .client
        .request(head.method.clone(), server.target(head.uri.query()))
        .headers(headers::to_server(&head.headers));
    let Ok(body) = timeout(BODY, read(body, server.frame_bytes)).await else {
        let mut response =
            refused(StatusCode::REQUEST_TIMEOUT, "the body of the request did not end");
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
        return response;
    };
    match body {
        Read::Whole(frame) if frame.is_empty() => {}
        Read::Whole(frame) => {
            asked = asked.body(exchange.to_server(frame.clone()).await);
            exchange.sent = frame;
        }
        // Too long to be looked at.
        Read::Part(body) => asked = asked.body(reqwest::Body::wrap(body)),
    }
    let response: Response<reqwest::Body> = match asked.send().await {
        Ok(response) => response.into(),
        Err(error) => {
            server.metrics.unreachable();
            exchange.proxy.not_sent(&exchange.sent);
            let reason = reason(error);
            tracing::warn!(server = server.name, reason, "the server can't be reached");
            let message = format!("the server can't be reached: {reason}");
            return refused_frame(StatusCode::BAD_GATEWAY, &message, &exchange.sent);
        }
    };
    server.metrics.answered(response.status().as_u16());
    let is_success = response.status().is_success();
    if !is_success {
        exchange.proxy.not_sent(&exchange.sent);
    }
    let given = self::session(response.headers());
    let begun = given.as_deref().or(session.as_deref().filter(|_| !is_known));
    if let Some(id) = begun.filter(|_| is_success) {
        exchange.proxy.begin_session();
        server.sessions.begin(id, &exchange.proxy);
    }
    let is_over =
        response.status() == StatusCode::NOT_FOUND || (head.method == Method::DELETE && is_success);
    if let Some(id) = session.as_deref().filter(|_| is_over) {
        server.sessions.end(id);
    }
    let has_token = head.headers.contains_key(AUTHORIZATION);
    exchange.answer(&head.method, response, has_token).await
}

impl Exchange {
    /// A frame of the client, for the server.
    async fn to_server(&self, frame: Bytes) -> Bytes {
        let proxy = Arc::clone(&self.proxy);
        apart(frame.len(), move || match proxy.from_client(&frame).frame {
            std::borrow::Cow::Borrowed(_) => frame.clone(),
            std::borrow::Cow::Owned(written) => written.into(),
        })
        .await
        .expect("because frames are read without a panic")
    }

    /// The answer of the server, for the client.
    async fn answer(
        self,
        method: &Method,
        response: Response<reqwest::Body>,
        has_token: bool,
    ) -> Response<Body> {
        let (mut head, body) = response.into_parts();
        let mut headers = headers::to_client(&head.headers);
        if head.status.is_redirection() && headers.contains_key(LOCATION) {
            return elsewhere(&headers, &self.sent);
        }
        let body = headers::decoded(&mut headers, method, head.status, body);
        if headers::take_sign_in(&mut headers) && head.status == StatusCode::UNAUTHORIZED {
            tracing::warn!(server = self.server.name, "{}", sign_in::sentence(&self.server));
            if !has_token {
                let body = sign_in::body(&sign_in::sentence(&self.server));
                let mut response = answer::json(head.status, body);
                headers.remove(CONTENT_LENGTH);
                headers.insert(CONTENT_TYPE, answer::JSON);
                *response.headers_mut() = headers;
                return response;
            }
        }
        let is_readable = head.status.is_success()
            && method != Method::HEAD
            && !headers.contains_key(CONTENT_ENCODING);
        let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).map(essence);
        let body = match kind.as_deref() {
            Some("application/json") if is_readable => self.json(body, &mut headers).await,
            Some("text/event-stream") if is_readable => {
                headers.remove(CONTENT_LENGTH);
                let events = Events::new(self.server.frame_bytes);
                let stream = Stream { body, events: Some((events, self)), broken: None };
                StreamBody::new(stream::unfold(stream, Stream::next)).boxed_unsync()
            }
            _ => {
                if method == Method::POST && head.status == StatusCode::OK {
                    // The answer may have been a list of tools.
                    self.answer_passed();
                }
                body
            }
        };
        head.headers = headers;
        head.extensions.clear();
        head.version = hyper::Version::HTTP_11;
        Response::from_parts(head, body)
    }

    /// A JSON answer.
    async fn json(mut self, body: Body, headers: &mut HeaderMap) -> Body {
        let frame = match read(body, self.server.frame_bytes).await {
            Read::Whole(frame) => frame,
            Read::Part(part) => {
                self.answer_passed();
                return part.boxed_unsync();
            }
        };
        let came = frame.clone();
        let mark = if frame.starts_with(MARK) { MARK } else { &[] };
        let looked_at = frame.slice(mark.len()..);
        let written = apart(frame.len(), move || self.rewritten(&looked_at)).await.ok().flatten();
        headers.remove(CONTENT_LENGTH);
        match written {
            None => full(came),
            Some(written) => {
                headers::forget_bytes(headers);
                full([mark, &written].concat())
            }
        }
    }
}

/// An event stream on its way.
struct Stream {
    body: Body,
    /// `None` once the stream has ended.
    events: Option<(Events, Exchange)>,
    /// Why it broke off, until that is said.
    broken: Option<BoxError>,
}

impl Stream {
    async fn next(mut self) -> Option<(Result<Frame<Bytes>, BoxError>, Self)> {
        if let Some(error) = self.broken.take() {
            // The written bytes are sent first, because an error ends the connection at once.
            tokio::task::yield_now().await;
            return Some((Err(error), self));
        }
        loop {
            let (mut events, mut exchange) = self.events.take()?;
            let frame = match self.body.frame().await {
                Some(Ok(frame)) => frame,
                ended => {
                    // The buffered bytes are not a complete event. Clients receive them anyway, as
                    // without the proxy.
                    let rest = events.finish(&mut exchange);
                    if let Some(Err(error)) = ended {
                        exchange.server.metrics.broke();
                        self.broken = Some(error);
                    }
                    if rest.is_empty() {
                        let error = self.broken.take()?;
                        tokio::task::yield_now().await;
                        return Some((Err(error), self));
                    }
                    return Some((Ok(Frame::data(rest.into())), self));
                }
            };
            let Ok(data) = frame.into_data() else {
                self.events = Some((events, exchange));
                continue;
            };
            let size = events.held() + data.len();
            let worked = apart(size, move || {
                let mut out = Vec::with_capacity(data.len());
                events.push(&data, &mut exchange, &mut out);
                (events, exchange, out)
            });
            match worked.await {
                Err(error) => return Some((Err(error), self)),
                Ok((events, exchange, out)) => {
                    self.events = Some((events, exchange));
                    if !out.is_empty() {
                        return Some((Ok(Frame::data(out.into())), self));
                    }
                }
            }
        }
    }
}

/// Works on this many bytes; if they are many, in a thread apart from those that wait for the
/// network.
async fn apart<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, BoxError> {
    if bytes < LARGE {
        return Ok(work());
    }
    tokio::task::spawn_blocking(work).await.map_err(BoxError::from)
}

fn session(headers: &HeaderMap) -> Option<String> {
    let id = headers.get(SESSION).and_then(|id: &HeaderValue| id.to_str().ok())?;
    Some(id.to_owned())
}

/// A redirect that was not followed.
fn elsewhere(headers: &HeaderMap, sent: &[u8]) -> Response<Body> {
    let location = headers.get(LOCATION).and_then(|location| location.to_str().ok());
    let origin = location.and_then(|location| location.parse::<reqwest::Url>().ok());
    let to = origin
        .map_or_else(|| "another address".to_owned(), |url| url.origin().ascii_serialization());
    let message = format!(
        "the server redirects to {to}, and redirections are not followed; configure the URL that it redirects to"
    );
    refused_frame(StatusCode::BAD_GATEWAY, &message, sent)
}

/// Counts a request as under way until its answer is dropped.
struct UnderWay(Arc<Server>);

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.metrics.ended();
    }
}

/// A body of an exchange that is under way.
struct Guarded {
    body: Body,
    _under_way: UnderWay,
}

impl HttpBody for Guarded {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
