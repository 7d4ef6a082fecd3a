//! Listening: who is served, and which server a path is.

mod exchange;
mod metrics;
mod server;
mod sessions;
mod settings;
mod sign_in;

pub(crate) use settings::{Settings, settings};

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use hyper::body::Incoming;
use hyper::header::{ALLOW, HeaderValue};
use hyper::{Method, Request, Response, StatusCode};

use crate::failure::{Failure, say};
use crate::gateway::metrics::Row;
use crate::gateway::server::Server;
use crate::http::answer::{json, refused, text};
use crate::http::body::Body;
use crate::http::guard::Guard;
use crate::http::listener::{self, Service};
use crate::http::{is_loopback, log};
use crate::log::Recorder;

/// The methods that clients may use.
const METHODS: [Method; 5] =
    [Method::DELETE, Method::GET, Method::HEAD, Method::OPTIONS, Method::POST];

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
    let gateway = Gateway { guard: Guard::new(&settings.listen), servers };
    listener::run(settings.listen.address, gateway)
}

/// All servers, and whom they are for.
#[derive(Debug)]
struct Gateway {
    guard: Guard,
    servers: BTreeMap<String, Arc<Server>>,
}

impl Service for Gateway {
    fn announce(&self, address: SocketAddr) {
        for name in self.servers.keys() {
            say(format_args!("listening on http://{address}/{name}"));
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
}

impl Gateway {
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
