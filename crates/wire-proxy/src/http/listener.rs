//! A listener: connections of clients, each with its requests, until a signal comes.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use crate::failure::Failure;
use crate::http::body::Body;

/// The maximum number of open connections of clients. Others wait.
const MAX_CONNECTIONS: usize = 1024;
/// The number of threads that work on large frames.
const MAX_WORKERS: usize = 4;
/// The time that the head of a request has to arrive, from the end of the request before it.
const HEAD: Duration = Duration::from_secs(10);
/// The time that exchanges have to end after a signal. Streams end at the signal.
const END: Duration = Duration::from_secs(1);
/// The time to wait if no connection can be accepted, for example if there are no free file
/// descriptors.
const AGAIN: Duration = Duration::from_millis(50);

/// What answers requests.
pub(crate) trait Service: Send + Sync + 'static {
    /// Says where it listens.
    fn announce(&self, address: SocketAddr);

    /// The answer to a request.
    fn answer(&self, request: Request<Incoming>) -> impl Future<Output = Response<Body>> + Send;
}

/// Serves until a signal comes, and returns the exit code.
pub(crate) fn run(address: SocketAddr, service: impl Service) -> Result<u8, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(
            std::thread::available_parallelism().map_or(1, usize::from).min(MAX_WORKERS),
        )
        .max_blocking_threads(MAX_WORKERS)
        .enable_all()
        .build()
        .map_err(|error| Failure::Io(error.to_string()))?;
    let outcome = runtime.block_on(async {
        let listener = TcpListener::bind(address).await;
        let listener = listener.map_err(|error| Failure::Io(format!("{address}: {error}")))?;
        service.announce(listener.local_addr().unwrap_or(address));
        Ok(serve(listener, Arc::new(service)).await)
    });
    // Do not wait for frames in progress.
    runtime.shutdown_background();
    outcome
}

async fn serve(listener: TcpListener, service: Arc<impl Service>) -> u8 {
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
                    let service = Arc::clone(&service);
                    connections.spawn(connected(service, stream, permit, ending.subscribe()));
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
        tokio::time::timeout(END, async { while connections.join_next().await.is_some() {} }).await;
    code
}

/// A connection of a client. It ends with its client: exchanges in progress are dropped, and so
/// is the request to the server.
async fn connected(
    service: Arc<impl Service>,
    stream: TcpStream,
    _permit: Option<OwnedSemaphorePermit>,
    mut ending: watch::Receiver<()>,
) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let service = Arc::clone(&service);
        async move { Ok::<_, Infallible>(service.answer(request).await) }
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
