//! A server with a URL, and its state.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bytes::Bytes;
use reqwest::{Client, Url};
use wire_mcp::{Catalog, Limits, Options, Proxy};

use crate::gateway::metrics::Metrics;
use crate::gateway::sessions::Sessions;
use crate::http::events::Frames;
use crate::http::{client, reason};
use crate::log::Recorder;

/// A server.
#[derive(Debug)]
pub(crate) struct Server {
    pub(crate) name: String,
    pub(crate) url: Url,
    pub(crate) client: Client,
    pub(crate) options: Arc<Options>,
    /// Its tools as it described them, to any client.
    pub(crate) catalog: Catalog,
    pub(crate) sessions: Sessions,
    pub(crate) metrics: Metrics,
    pub(crate) frame_bytes: usize,
    pub(crate) recorder: Option<Arc<Mutex<Recorder>>>,
}

impl Server {
    pub(crate) fn new(
        name: String,
        url: Url,
        options: Options,
        frame_bytes: usize,
        recorder: Option<Arc<Mutex<Recorder>>>,
    ) -> Result<Self, String> {
        let client = client(&url).map_err(|error| {
            format!(
                "{name}: {}; SSL_CERT_FILE or SSL_CERT_DIR name the certificates of authorities",
                reason(error)
            )
        })?;
        Ok(Server {
            name,
            url,
            client,
            options: Arc::new(options),
            catalog: Catalog::new(&Limits::DEFAULT),
            sessions: Sessions::new(),
            metrics: Metrics::default(),
            frame_bytes,
            recorder,
        })
    }

    /// The URL for a request with this query, which the server's own URL then has not.
    pub(crate) fn target(&self, query: Option<&str>) -> Url {
        let mut url = self.url.clone();
        if query.is_some() {
            url.set_query(query);
        }
        url
    }
}

/// The frames of one exchange.
#[derive(Clone, Debug)]
pub(crate) struct Exchange {
    pub(crate) server: Arc<Server>,
    pub(crate) proxy: Arc<Proxy>,
    /// The client's frame; empty if there is none, or if it was too large.
    pub(crate) sent: Bytes,
}

impl Exchange {
    /// The answer went to the client unread. It is the only one to the client's frame.
    pub(crate) fn answer_passed(&self) {
        self.proxy.server_passed(&[]);
        self.proxy.not_sent(&self.sent);
    }
}

impl Frames for Exchange {
    fn rewritten(&mut self, frame: &[u8]) -> Option<Vec<u8>> {
        let start = Instant::now();
        let actions = self.proxy.from_server(frame);
        let elapsed = start.elapsed();
        let server = &self.server;
        let is_rewritten = matches!(actions.frame, std::borrow::Cow::Owned(_));
        server.metrics.looked(&actions, is_rewritten, elapsed);
        let is_counted = !actions.calls.is_empty();
        if let Some(recorder) = server.recorder.as_ref().filter(|_| is_counted) {
            let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
            recorder.write(&actions, elapsed);
        }
        if is_rewritten {
            tracing::debug!(
                server = server.name,
                came = frame.len(),
                went = actions.frame.len(),
                microseconds = u64::try_from(elapsed.as_micros()).unwrap_or(u64::MAX),
                "a frame was rewritten"
            );
        }
        is_rewritten.then(|| actions.frame.into_owned())
    }

    fn passed(&mut self, beginning: &[u8]) {
        self.proxy.server_passed(beginning);
    }
}
