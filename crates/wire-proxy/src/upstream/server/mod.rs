//! Requests to a server over HTTP, and what comes back.

mod authorization;
mod older;
mod streams;

use std::io::{PipeWriter, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use hyper::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_ENCODING, CONTENT_TYPE, HeaderMap, HeaderName,
    HeaderValue, LOCATION,
};
use hyper::{Response, StatusCode};
use reqwest::{Client, Method, Url};
use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use crate::failure::say;
use crate::http::{Read, client, errors, essence, read, reason};
use crate::login::{self, Tokens};
use crate::upstream::frame::{Asked, answered, general_error};
use crate::upstream::params;
use crate::upstream::session::{SESSION_ID, Session, listed};
use crate::upstream::stream::Events;
use crate::upstream::target::Target;

const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");
const LAST_EVENT: HeaderName = HeaderName::from_static("last-event-id");
const JSON: HeaderValue = HeaderValue::from_static("application/json");
const STREAM: HeaderValue = HeaderValue::from_static("text/event-stream");
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");
/// The list of tools that is asked for when a session begins again.
const LIST: &[u8] = br#"{"jsonrpc":"2.0","id":"wire-proxy","method":"tools/list"}"#;
const CHANGED: &[u8] = br#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;

pub(crate) struct Server {
    url: Url,
    client: Client,
    /// The user's.
    headers: HeaderMap,
    /// The login; `None` if the user gives a token.
    tokens: Option<Tokens>,
    frame_bytes: usize,
    client_output: tokio::sync::Mutex<PipeWriter>,
    session: Mutex<Session>,
    /// Held while a session begins again.
    renewing: tokio::sync::Mutex<()>,
}

type Answer = Response<reqwest::Body>;

/// When a request may open a browser.
#[derive(Clone, Copy)]
enum MayAsk {
    Always,
    /// If there was no login before.
    First,
    Never,
}

impl Server {
    pub(crate) fn new(target: &Target, output: PipeWriter) -> Result<Self, String> {
        let url = target.url.clone();
        let mut headers = HeaderMap::new();
        for (name, value) in &target.headers {
            let (Ok(name), Ok(mut value)) =
                (name.parse::<HeaderName>(), value.parse::<HeaderValue>())
            else {
                return Err("a header is not valid".to_owned());
            };
            value.set_sensitive(true);
            headers.append(name, value);
        }
        let client = client(&url).map_err(reason)?;
        let tokens =
            (!headers.contains_key(AUTHORIZATION)).then(|| Tokens::new(&url, target.may_log_in));
        Ok(Server {
            url,
            client,
            headers,
            tokens,
            frame_bytes: target.frame_bytes,
            client_output: tokio::sync::Mutex::new(output),
            session: Mutex::default(),
            renewing: tokio::sync::Mutex::default(),
        })
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends a request, which a server notices by the end of its stream (2026-07-28). `false` if it
    /// has to be told.
    pub(crate) fn cancel(&self, id: &str) -> bool {
        let mut session = self.session();
        session.under_way.remove(id).inspect(AbortHandle::abort);
        // On the older transport nothing else ends it.
        session.awaited.remove(id).map(|waits| waits.send(()));
        session.is_stateless
    }

    pub(crate) fn under_way(&self, id: String, request: AbortHandle) {
        let mut session = self.session();
        session.under_way.retain(|_, request| !request.is_finished());
        session.under_way.insert(id, request);
    }

    /// Answers the requests of a frame by an error.
    pub(crate) async fn refuse(&self, frame: &[u8], why: &str) {
        match errors(why, frame) {
            Some(errors) => self.to_client(errors.as_bytes()).await,
            None => say(format_args!("{why}")),
        }
    }

    /// Sends a frame of the client, and passes on what the server answers.
    pub(crate) async fn exchange(
        self: &Arc<Self>,
        frame: Bytes,
        asked: Asked,
        awaited: Option<oneshot::Receiver<()>>,
    ) {
        if asked.is("initialize") {
            let mut session = self.session();
            (session.id, session.version) = (None, None);
            session.hello = Some(frame.clone());
        }
        if asked.id.is_some() {
            self.session().is_stateless = asked.version.is_some();
        }
        if let Err(why) = self.sent(&frame, &asked, awaited).await {
            self.refuse(&frame, &why).await;
        } else if asked.is("notifications/initialized") {
            self.session().initialized = Some(frame);
            self.listen();
        }
    }

    async fn sent(
        self: &Arc<Self>,
        frame: &Bytes,
        asked: &Asked,
        awaited: Option<oneshot::Receiver<()>>,
    ) -> Result<(), String> {
        let (id, uses_older_transport) = {
            let session = self.session();
            (session.id.clone(), session.endpoint.is_some())
        };
        let mut answer = self.post(frame, asked).await?;
        if answer.status() == StatusCode::NOT_FOUND && id.is_some() && !asked.is("initialize") {
            self.begin_again(id.as_ref()).await?;
            answer = self.post(frame, asked).await?;
        }
        let is_older = matches!(
            answer.status(),
            StatusCode::BAD_REQUEST | StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED
        );
        if is_older && asked.is("initialize") && self.opens_older_transport().await? {
            let awaited = self.awaited(asked);
            answer = self.post(frame, asked).await?;
            return self.accepted(answer, awaited).await;
        }
        if uses_older_transport {
            return self.accepted(answer, awaited).await;
        }
        self.pass(answer, asked).await
    }

    /// Passes on the frames of an answer.
    async fn pass(self: &Arc<Self>, answer: Answer, asked: &Asked) -> Result<(), String> {
        let frame = self.answer(answer, asked).await?;
        if let Some(frame) = frame {
            self.to_client(&frame).await;
        }
        Ok(())
    }

    /// The frame that answers; frames before it are passed on. `None` where nothing was asked.
    async fn answer(
        self: &Arc<Self>,
        answer: Answer,
        asked: &Asked,
    ) -> Result<Option<Bytes>, String> {
        let (head, body) = answer.into_parts();
        let kind = head.headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).map(essence);
        let expects = asked.id.is_some() && asked.method.is_some();
        let frame = match kind.as_deref() {
            Some("text/event-stream") if head.status.is_success() => {
                self.streamed(Events::new(body, self.frame_bytes), asked).await?
            }
            _ => match read(body, self.frame_bytes).await {
                Read::Whole(frame) => Some(frame).filter(|frame| !frame.trim_ascii().is_empty()),
                Read::Part(_) => {
                    return Err(format!(
                        "the answer broke off, or has more than {} bytes",
                        self.frame_bytes
                    ));
                }
            },
        };
        let is_frame = frame.as_deref().is_some_and(|frame| {
            if expects { answered(frame) == asked.id } else { frame.starts_with(b"[") }
        });
        let reason = frame.as_deref().filter(|_| expects && !is_frame).and_then(general_error);
        if let Some(reason) = reason.filter(|_| head.status != StatusCode::UNAUTHORIZED) {
            return Err(format!("the server answers {}: {reason}", head.status));
        }
        if head.status.is_success() {
            if expects && !is_frame {
                let coding = head.headers.get(CONTENT_ENCODING).map_or(String::new(), |coding| {
                    let coding = String::from_utf8_lossy(coding.as_bytes());
                    format!(": it is in the coding {coding}, which was not asked for")
                });
                return Err(format!(
                    "the server answers {} without an answer to the request{coding}",
                    head.status
                ));
            }
        } else if !is_frame || head.status == StatusCode::UNAUTHORIZED {
            // Errors of JSON-RPC are passed on, whatever the status is.
            return Err(self.problem(head.status, &head.headers));
        }
        if let Some(frame) = frame.as_ref().filter(|_| is_frame) {
            self.session().answered(asked, &head.headers, frame);
        }
        Ok(frame.filter(|_| is_frame))
    }

    /// Begins the session again, which the server has forgotten, as the client began it.
    async fn begin_again(self: &Arc<Self>, forgotten: Option<&HeaderValue>) -> Result<(), String> {
        let _renewing = self.renewing.lock().await;
        let (hello, initialized, before) = {
            let mut session = self.session();
            if session.id.as_ref() != forgotten {
                return Ok(());
            }
            (session.id, session.version) = (None, None);
            (session.hello.clone(), session.initialized.clone(), session.listed)
        };
        let hello = hello.ok_or("the server has forgotten the session")?;
        let asked = Asked::of(&hello);
        let begun = match self.post(&hello, &asked).await {
            Ok(answer) => self.answer(answer, &asked).await,
            Err(why) => Err(why),
        };
        if let Err(why) = begun {
            // The next request finds it forgotten, and tries again.
            self.session().id = forgotten.cloned();
            return Err(why);
        }
        let Some(initialized) = initialized else { return Ok(()) };
        self.post(&initialized, &Asked::of(&initialized)).await?;
        self.listen();
        if before.is_some() {
            let asked = Asked::of(LIST);
            let answer = self.post(&Bytes::from_static(LIST), &asked).await?;
            let list = self.answer(answer, &asked).await?;
            if list.is_some_and(|list| listed(&list) != before) {
                self.to_client(CHANGED).await;
            }
        }
        Ok(())
    }

    /// Waits a short time until no token is being renewed: the server has forgotten the old one.
    pub(crate) async fn settle(&self) {
        if let Some(tokens) = &self.tokens {
            tokens.settle().await;
        }
    }

    pub(crate) async fn end_session(&self) {
        let listening = self.session().listening.take();
        listening.inspect(AbortHandle::abort);
        if self.session().id.is_some() {
            let request = self.client.request(Method::DELETE, self.url.clone());
            let _ = self.sent_to_server(request.headers(self.of_session()), MayAsk::Never).await;
        }
    }

    async fn post(&self, frame: &Bytes, asked: &Asked) -> Result<Answer, String> {
        let mut headers = self.of_session();
        headers.insert(ACCEPT, BOTH);
        headers.insert(CONTENT_TYPE, JSON);
        let version = asked.version.as_deref();
        if let Some(version) = version.and_then(|version| HeaderValue::from_str(version).ok()) {
            headers.insert(VERSION, version);
            headers.remove(SESSION_ID);
            let method = asked.method.as_deref().and_then(params::header);
            let name = asked.name.as_deref().and_then(params::header);
            headers.extend([(METHOD, method), (NAME, name)].into_iter().filter_map(present));
            if let (Some(name), Some(arguments)) = (&asked.name, &asked.arguments)
                && asked.is("tools/call")
            {
                self.session().tools.headers(name, arguments, &mut headers);
            }
        }
        let url = self.session().endpoint.clone().unwrap_or_else(|| self.url.clone());
        let request = self.client.post(url).headers(headers).body(frame.clone());
        // Open a browser only when a session begins: later, no user may be at the screen.
        let may_ask = match &asked.id {
            _ if asked.is("initialize") || asked.version.is_some() => MayAsk::Always,
            Some(_) if asked.method.is_some() => MayAsk::First,
            _ => MayAsk::Never,
        };
        self.sent_to_server(request, may_ask).await
    }

    async fn get(&self, last_event: Option<&str>, may_ask: MayAsk) -> Result<Answer, String> {
        let mut headers = self.of_session();
        headers.insert(ACCEPT, STREAM);
        if let Some(last) = last_event.and_then(|id| HeaderValue::from_str(id).ok()) {
            headers.insert(LAST_EVENT, last);
        }
        self.sent_to_server(self.client.get(self.url.clone()).headers(headers), may_ask).await
    }

    /// The message for an HTTP response without a JSON-RPC answer.
    fn problem(&self, status: StatusCode, headers: &HeaderMap) -> String {
        if status == StatusCode::UNAUTHORIZED {
            let login = match &self.tokens {
                Some(_) => format!("run `wire-proxy login {}`, or ", login::shown(&self.url)),
                None => String::new(),
            };
            return format!(
                "the server asks for a login (401): {login}give a token that it accepts by --header-env Authorization=VARIABLE, where the variable is `Bearer` and the token"
            );
        }
        let location = headers.get(LOCATION).and_then(|location| location.to_str().ok());
        if let Some(location) = location.filter(|_| status.is_redirection()) {
            let origin = location.parse::<Url>().map(|url| url.origin().ascii_serialization());
            let to = origin.unwrap_or_else(|_| "another address".to_owned());
            return format!(
                "the server redirects to {to}, and redirections are not followed; use the URL that it redirects to"
            );
        }
        format!("the server answers {status}")
    }

    /// The user's headers, and those of the session.
    fn of_session(&self) -> HeaderMap {
        let mut headers = self.headers.clone();
        // Nothing here decompresses, and without this a server may.
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let session = self.session();
        let id = (HeaderName::from_static(SESSION_ID), session.id.clone());
        headers.extend([id, (VERSION, session.version.clone())].into_iter().filter_map(present));
        headers
    }

    /// Writes a frame, which is one line: line ends in JSON are white space.
    async fn to_client(&self, frame: &[u8]) {
        let mut line = frame.strip_prefix("\u{feff}".as_bytes()).unwrap_or(frame).to_vec();
        for byte in &mut line {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
        line.push(b'\n');
        let mut client = self.client_output.lock().await;
        // A proxy that is gone closes the other pipe, too.
        let _ = tokio::task::block_in_place(|| client.write_all(&line));
    }
}

fn present<N>((name, value): (N, Option<HeaderValue>)) -> Option<(N, HeaderValue)> {
    Some((name, value?))
}

fn is_stream(answer: &Answer) -> bool {
    let kind = answer.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    answer.status().is_success() && kind.is_some_and(|kind| essence(kind) == "text/event-stream")
}
