//! `wire-graph --listen ADDRESS`: the tools over streamable HTTP, without sessions.

use std::convert::Infallible;
use std::io::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use bytes::Bytes;
use clap::Args;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::http::uri::Authority;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::signal;
use tokio::sync::Semaphore;

use crate::answer::Tree;
use crate::server::Server;

#[derive(Debug, Args)]
pub(crate) struct Listen {
    /// Listen for streamable HTTP on this address, at `/mcp`, instead of standard input.
    #[arg(long = "listen", id = "listen", value_name = "ADDRESS:PORT")]
    pub(crate) address: Option<String>,

    /// Where packs are kept for deltas: `memory:`, `folder:PATH`, `redis://HOST` or `rediss://HOST`
    /// [default: memory:].
    #[arg(long, value_name = "URL", requires = "listen")]
    pub(crate) store: Option<String>,

    /// The header that names the tenant, which a gateway in front sets and no client can.
    #[arg(long, value_name = "NAME", requires = "listen", conflicts_with = "single_tenant")]
    pub(crate) tenant_header: Option<HeaderName>,

    /// All clients are one tenant. A store other than `memory:` needs this or --tenant-header.
    #[arg(long, requires = "listen")]
    pub(crate) single_tenant: bool,

    /// Serve requests with this host name, beside those of the loopback.
    #[arg(long, value_name = "NAME", requires = "listen")]
    allow_host: Vec<String>,

    /// Serve pages of this origin, beside those of the loopback.
    #[arg(long, value_name = "ORIGIN", requires = "listen")]
    allow_origin: Vec<String>,
}

type Body = BoxBody<Bytes, Infallible>;

/// The time that requests have to end after a signal.
const END: Duration = Duration::from_secs(5);
/// The time of a request with its answer.
const LONGEST: Duration = Duration::from_secs(60);
/// The most connections; others wait.
const CONNECTIONS: usize = 512;

/// Serves until SIGINT or SIGTERM.
///
/// # Errors
///
/// The address can't be listened on.
pub(crate) async fn serve(tree: Arc<Tree>, address: &str, options: Listen) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    let address = listener.local_addr()?;
    let _ = writeln!(std::io::stderr(), "wire-graph: listening on http://{address}/mcp");
    let mut hosts: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into();
    if !address.ip().is_unspecified() {
        hosts.push(address.ip().to_string());
    }
    hosts.extend(options.allow_host);
    let allowed = Arc::new(hosts.clone());
    let origins = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
    let origins = origins.map(str::to_owned).into_iter().chain(options.allow_origin);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let header = options.tenant_header;
    let server = Server { tree: Arc::clone(&tree), tenant_header: header.clone() };
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    let answer = move |request: Request<Incoming>| {
        let (service, tree, header) = (service.clone(), Arc::clone(&tree), header.clone());
        let allowed = Arc::clone(&allowed);
        async move {
            Ok::<_, Infallible>(match request.uri().path() {
                _ if is_of_a_page(request.headers()) => {
                    text(StatusCode::FORBIDDEN, "pages of other sites are not served")
                }
                "/mcp" => match header.map(|header| tenant(request.headers(), &header)) {
                    Some(None) => text(
                        StatusCode::UNAUTHORIZED,
                        "the header that names the tenant is missing",
                    ),
                    _ => match tokio::time::timeout(LONGEST, service.handle(request)).await {
                        Ok(answer) => answer,
                        Err(_) => {
                            text(StatusCode::REQUEST_TIMEOUT, "the request took over a minute")
                        }
                    },
                },
                // For the machine that collects them, by address.
                "/metrics"
                    if request.headers().contains_key(ORIGIN)
                        || !is_host(request.headers(), &allowed) =>
                {
                    text(
                        StatusCode::FORBIDDEN,
                        "the host name of the request is not allowed: --allow-host NAME allows it",
                    )
                }
                "/metrics" => text(StatusCode::OK, &metrics(&tree)),
                _ => text(StatusCode::NOT_FOUND, "expected /mcp or /metrics"),
            })
        }
    };
    let mut ended = std::pin::pin!(ended());
    let connections = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        tokio::select! {
            accepted = async { (Arc::clone(&room).acquire_owned().await, listener.accept().await) } => {
                // A connection that is gone, or no more files: others may come.
                let (permit, Ok((stream, _))) = accepted else { tokio::time::sleep(Duration::from_millis(50)).await; continue };
                let connection = hyper::server::conn::http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(Duration::from_secs(10))
                    .serve_connection(TokioIo::new(stream), service_fn(answer.clone()));
                let connection = connections.watch(connection);
                tokio::spawn(async move {
                    let _ = connection.await;
                    drop(permit);
                });
            }
            ended = &mut ended => break ended?,
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(END, connections.shutdown()).await;
    Ok(())
}

/// SIGINT or SIGTERM.
async fn ended() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let mut terminated = signal::unix::signal(signal::unix::SignalKind::terminate())?;
        tokio::select! {
            interrupted = signal::ctrl_c() => interrupted,
            _ = terminated.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    signal::ctrl_c().await
}

/// The tenant that a gateway names. A header that is there twice names none: readers disagree.
pub(crate) fn tenant<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok().filter(|value| !value.is_empty())
}

/// Browsers send no origin with images and links, but say that a page of another site asks.
fn is_of_a_page(headers: &HeaderMap) -> bool {
    let sites = headers.get_all("sec-fetch-site");
    let is_other = sites.iter().any(|site| !matches!(site.as_bytes(), b"none" | b"same-origin"));
    is_other && !headers.contains_key(ORIGIN)
}

/// Whether the one host of a request is allowed, whatever its port.
fn is_host(headers: &HeaderMap, allowed: &[String]) -> bool {
    let mut hosts = headers.get_all(HOST).iter();
    let host = hosts.next().filter(|_| hosts.next().is_none()).and_then(|host| host.to_str().ok());
    let host = host.and_then(|host| host.parse::<Authority>().ok());
    host.is_some_and(|host| {
        let name = host.host().trim_matches(['[', ']']);
        allowed.iter().any(|allowed| allowed.eq_ignore_ascii_case(name))
    })
}

fn metrics(tree: &Tree) -> String {
    let mut text = tree.store.metrics();
    text += "# HELP wire_graph_answers_total Answers in GCF, by what was sent.\n";
    text += "# TYPE wire_graph_answers_total counter\n";
    for (name, count) in ["unchanged", "delta", "full"].iter().zip(&tree.answers) {
        let count = count.load(Ordering::Relaxed);
        text += &format!("wire_graph_answers_total{{sent=\"{name}\"}} {count}\n");
    }
    text
}

fn text(status: StatusCode, text: &str) -> Response<Body> {
    let body = Full::new(Bytes::from(text.to_owned())).boxed();
    let response =
        Response::builder().status(status).header(CONTENT_TYPE, "text/plain; charset=utf-8");
    response.body(body).expect("the head is valid")
}
