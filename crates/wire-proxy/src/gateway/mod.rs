//! Listening: who is served, and which server a path is.

mod exchange;
mod guard;
mod log;
mod metrics;
mod server;
mod sessions;
mod settings;
mod sign_in;

pub(crate) use settings::{Settings, settings};

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hyper::body::Incoming;
use hyper::header::{ALLOW, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use crate::failure::{Failure, say};
use crate::gateway::guard::Guard;
use crate::gateway::metrics::Row;
use crate::gateway::server::Server;
use crate::http::answer::{json, refused, text};
use crate::http::body::Body;
use crate::http::is_loopback;
use crate::log::Recorder;

/// The maximum number of open connections of clients. Others wait.
const MAX_CONNECTIONS: usize = 1024;
/// The methods that clients may use.
const METHODS: [Method; 5] =
    [Method::DELETE, Method::GET, Method::HEAD, Method::OPTIONS, Method::POST];
/// The number of threads that work on large frames.
const MAX_WORKERS: usize = 4;
/// The time that the head of a request has to arrive, from the end of the request before it.
const HEAD: Duration = Duration::from_secs(10);
/// The time that exchanges have to end after a signal. Streams end at the signal.
const END: Duration = Duration::from_secs(1);
/// The time to wait if no connection can be accepted, for example if there are no free file
/// descriptors.
const AGAIN: Duration = Duration::from_millis(50);

/// Serves until a signal comes, and returns the exit code.
pub(crate) fn run(settings: Settings) -> Result<u8, Failure> {
    log::start(settings.listen.log);
    let recorder =
        settings.stats.as_deref().map(Recorder::open).transpose().map_err(Failure::Io)?;
    let recorder = recorder.map(|recorder| Arc::new(Mutex::new(recorder)));
    let mut servers = BTreeMap::new();
    for (name, url, options) in settings.servers {
        let server =
            Server::new(name.clone(), url, options, settings.frame_bytes, recorder.clone());
        servers.insert(name, Arc::new(server.map_err(Failure::Io)?));
    }
    let gateway = Arc::new(Gateway { guard: Guard::new(&settings.listen), servers });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(
            std::thread::available_parallelism().map_or(1, usize::from).min(MAX_WORKERS),
        )
        .max_blocking_threads(MAX_WORKERS)
        .enable_all()
        .build()
        .map_err(|error| Failure::Io(error.to_string()))?;
    let outcome = runtime.block_on(async {
        let address = settings.listen.address;
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| Failure::Io(format!("{address}: {error}")))?;
        gateway.announce(&listener);
        Ok(gateway.serve(listener).await)
    });
    // Do not wait for frames in progress.
    runtime.shutdown_background();
    outcome
}

/// All servers, and whom they are for.
#[derive(Debug)]
struct Gateway {
    guard: Guard,
    servers: BTreeMap<String, Arc<Server>>,
}

impl Gateway {
    fn announce(&self, listener: &TcpListener) {
        if let Ok(address) = listener.local_addr() {
            for name in self.servers.keys() {
                say(format_args!("listening on http://{address}/{name}"));
            }
        }
        for server in self.servers.values() {
            let is_here = server.url.host_str().is_some_and(is_loopback);
            if server.url.scheme() == "http" && !is_here {
                say(format_args!(
                    "{}: tokens go to the server without TLS; expected an https URL",
                    server.name
                ));
            }
        }
    }

    async fn serve(self: Arc<Self>, listener: TcpListener) -> u8 {
        let room = Arc::new(Semaphore::new(MAX_CONNECTIONS));
        let (ending, _) = watch::channel(());
        let mut connections = JoinSet::new();
        let mut signals = std::pin::pin!(signal());
        let code = loop {
            let accepted = async {
                let permit = Arc::clone(&room).acquire_owned().await;
                (permit.ok(), listener.accept().await)
            };
            tokio::select! {
                code = &mut signals => break code,
                (permit, connection) = accepted => match connection {
                    Ok((stream, _)) => {
                        let gateway = Arc::clone(&self);
                        connections.spawn(gateway.connected(stream, permit, ending.subscribe()));
                    }
                    Err(error) => {
                        tracing::error!(%error, "no connection can be accepted");
                        tokio::time::sleep(AGAIN).await;
                    }
                },
                Some(_) = connections.join_next() => {}
            }
        };
        drop(listener);
        let _ = ending.send(());
        let _ =
            tokio::time::timeout(END, async { while connections.join_next().await.is_some() {} })
                .await;
        code
    }

    /// A connection of a client. It ends with its client: exchanges in progress are dropped, and so
    /// is the request to the server.
    async fn connected(
        self: Arc<Self>,
        stream: TcpStream,
        _permit: Option<OwnedSemaphorePermit>,
        mut ending: watch::Receiver<()>,
    ) {
        let _ = stream.set_nodelay(true);
        let service = service_fn(move |request| {
            let gateway = Arc::clone(&self);
            async move { Ok::<_, Infallible>(gateway.answer(request).await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD)
            .serve_connection(TokioIo::new(stream), service);
        let mut connection = std::pin::pin!(connection);
        // A connection that breaks is the client's.
        let _ = tokio::select! {
            outcome = connection.as_mut() => outcome,
            _ = ending.changed() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Body> {
        let path = request.uri().path();
        if path == "/healthz" {
            return text(StatusCode::OK, "ok\n".to_owned());
        }
        if let Some(reason) = self.guard.refused(request.uri(), request.headers()) {
            tracing::warn!(reason, "a request was refused");
            return refused(StatusCode::FORBIDDEN, reason);
        }
        if path == "/metrics" {
            return text(StatusCode::OK, self.metrics());
        }
        let name = path.trim_matches('/');
        let Some(server) = self.servers.get(name) else {
            if sign_in::is_asked(path) {
                return json(StatusCode::NOT_FOUND, self.sign_in(path));
            }
            let paths: Vec<String> = self.servers.keys().map(|name| format!("/{name}")).collect();
            let message = format!("no server is at this path; expected {}", paths.join(", "));
            return refused(StatusCode::NOT_FOUND, &message);
        };
        if !METHODS.contains(request.method()) {
            let message = "expected POST, GET, DELETE, HEAD or OPTIONS";
            let mut response = refused(StatusCode::METHOD_NOT_ALLOWED, message);
            let allowed = HeaderValue::from_static("DELETE, GET, HEAD, OPTIONS, POST");
            response.headers_mut().insert(ALLOW, allowed);
            return response;
        }
        if request.uri().query().is_some() && server.url.query().is_some() {
            let message = "the server's URL has a query of its own, to which no request can add one; send the request without";
            return refused(StatusCode::BAD_REQUEST, message);
        }
        exchange::run(Arc::clone(server), request).await
    }

    fn sign_in(&self, path: &str) -> String {
        let named = path.rsplit('/').next().and_then(|name| self.servers.get(name));
        let only = self.servers.values().next().filter(|_| self.servers.len() == 1);
        let server = named.or(only);
        sign_in::body(
            &server
                .map_or_else(|| sign_in::SENTENCE.to_owned(), |server| sign_in::sentence(server)),
        )
    }

    fn metrics(&self) -> String {
        let rows = self.servers.values().map(|server| Row {
            server: &server.name,
            metrics: &server.metrics,
            sessions: server.sessions.count(),
        });
        metrics::page(&rows.collect::<Vec<_>>())
    }
}

/// Waits for a signal that ends programs, and returns the exit code of it.
async fn signal() -> u8 {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
        let mut signals: Vec<_> =
            kinds.into_iter().filter_map(|kind| Some((kind, signal(kind).ok()?))).collect();
        let first = std::future::poll_fn(|context| {
            for (kind, signal) in &mut signals {
                if signal.poll_recv(context).is_ready() {
                    return std::task::Poll::Ready(kind.as_raw_value());
                }
            }
            std::task::Poll::Pending
        });
        u8::try_from(128 + first.await).unwrap_or(u8::MAX)
    }
    #[cfg(not(unix))]
    {
        let _ = tokio::signal::ctrl_c().await;
        128 + 2
    }
}
