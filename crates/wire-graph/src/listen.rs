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
use hyper::header::{CONTENT_TYPE, HeaderMap, HeaderName, ORIGIN};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tokio::signal;
use tokio::sync::Semaphore;

use crate::answer::Tree;
use crate::server::{Server, Tenant};

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
    let mut ended = std::pin::pin!(ended()?);
    let _ = writeln!(std::io::stderr(), "wire-graph: listening on http://{address}/mcp");
    let hosts = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).into_iter();
    let own = Some(address.ip()).filter(|ip| !ip.is_unspecified()).map(|ip| ip.to_string());
    let hosts = hosts.chain(own).chain(options.allow_host);
    let origins = ["http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*"];
    let origins = origins.map(str::to_owned).into_iter().chain(options.allow_origin);
    let config = StreamableHttpServerConfig::default()
        .with_allowed_hosts(hosts)
        .with_allowed_origins(origins)
        .with_legacy_session_mode(false)
        .with_json_response(true);
    let server = Server(Arc::clone(&tree));
    let sessions = Arc::new(NeverSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
    let endpoint = Arc::new(Endpoint { service, tree, tenant_header: options.tenant_header });
    let answer = service_fn(move |request| {
        let endpoint = Arc::clone(&endpoint);
        async move { Ok::<_, Infallible>(endpoint.answer(request).await) }
    });
    let connections = GracefulShutdown::new();
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let accepted = async {
            let permit = Arc::clone(&room).acquire_owned().await;
            (permit, listener.accept().await)
        };
        let (permit, accepted) = tokio::select! {
            accepted = accepted => accepted,
            () = &mut ended => break,
        };
        let Ok((stream, _)) = accepted else {
            // A connection that is gone, or no more files: others may come.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let connection = hyper::server::conn::http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(Duration::from_secs(10))
            .serve_connection(TokioIo::new(stream), answer.clone());
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            let _ = connection.await;
            drop(permit);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(END, connections.shutdown()).await;
    Ok(())
}

/// SIGINT or SIGTERM, from the call on and not from the first poll.
fn ended() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        let mut interrupted = signal::unix::signal(signal::unix::SignalKind::interrupt())?;
        let mut terminated = signal::unix::signal(signal::unix::SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupted.recv() => {}
                _ = terminated.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        let _ = signal::ctrl_c().await;
    })
}

struct Endpoint {
    service: StreamableHttpService<Server, NeverSessionManager>,
    tree: Arc<Tree>,
    tenant_header: Option<HeaderName>,
}

impl Endpoint {
    async fn answer(&self, mut request: Request<Incoming>) -> Response<Body> {
        if is_of_a_page(&request) {
            return text(StatusCode::FORBIDDEN, "pages of other sites are not served");
        }
        match request.uri().path() {
            "/mcp" => {
                if let Some(header) = &self.tenant_header {
                    let Some(tenant) = tenant(request.headers(), header) else {
                        let problem = "the header that names the tenant is missing";
                        return text(StatusCode::UNAUTHORIZED, problem);
                    };
                    let tenant = Tenant(tenant.to_owned());
                    request.extensions_mut().insert(tenant);
                }
                let answer = tokio::time::timeout(LONGEST, self.service.handle(request)).await;
                answer.unwrap_or_else(|_| {
                    text(StatusCode::REQUEST_TIMEOUT, "the request took over a minute")
                })
            }
            // The service refuses hosts, and then this method.
            "/metrics" => {
                *request.method_mut() = Method::GET;
                let refused = self.service.handle(request).await;
                let is_allowed = refused.status() == StatusCode::METHOD_NOT_ALLOWED;
                if is_allowed { text(StatusCode::OK, &metrics(&self.tree)) } else { refused }
            }
            _ => text(StatusCode::NOT_FOUND, "expected /mcp or /metrics"),
        }
    }
}

/// The tenant that a gateway names. A header that is there twice names none: readers disagree.
fn tenant<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next().filter(|_| values.next().is_none())?;
    value.to_str().ok().filter(|value| !value.is_empty())
}

/// Whether a page asks that is not served. The service decides about origins; browsers send none with
/// images and links, but say that a page of another site asks. The counters are for no page at all.
fn is_of_a_page(request: &Request<Incoming>) -> bool {
    let sites = request.headers().get_all("sec-fetch-site");
    if request.headers().contains_key(ORIGIN) {
        request.uri().path() == "/metrics"
    } else {
        sites.iter().any(|site| !matches!(site.as_bytes(), b"none" | b"same-origin"))
    }
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
