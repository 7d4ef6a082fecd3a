//! Event streams of a server.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use http_body_util::BodyDataStream;
use sse_stream::{Sse, SseByteStream};

/// The time before a stream is opened again, unless the server says another one.
const RETRY: Duration = Duration::from_secs(1);
/// The shortest that a server can say: it would be asked in a circle.
const LEAST_RETRY: Duration = Duration::from_millis(500);
/// The longest that a server can say.
const MOST_RETRY: Duration = Duration::from_secs(60);

/// The events of a stream, each of at most so many bytes.
pub(crate) struct Events {
    events: Pin<Box<dyn Stream<Item = Result<Sse, sse_stream::Error>> + Send>>,
    /// The bytes since the last event.
    held: Arc<AtomicUsize>,
}

impl Events {
    pub(crate) fn new(body: reqwest::Body, most: usize) -> Self {
        let held = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&held);
        let pieces = BodyDataStream::new(body).map(move |piece| {
            let piece = piece.map_err(|error| io::Error::other(error.without_url()))?;
            if counter.fetch_add(piece.len(), Ordering::Relaxed) > most {
                return Err(io::Error::other(format!("an event has more than {most} bytes")));
            }
            Ok(piece)
        });
        Events { events: Box::pin(SseByteStream::new(pieces)), held }
    }

    /// The next event, or why there is no other.
    pub(crate) async fn next(&mut self) -> Result<Sse, String> {
        let event = self.events.next().await;
        self.held.store(0, Ordering::Relaxed);
        match event {
            Some(Ok(event)) => Ok(event),
            Some(Err(error)) => Err(format!("the server's stream broke off: {error}")),
            None => Err("the server's stream ended before the answer".to_owned()),
        }
    }
}

/// The place in a stream from which it can go on.
#[derive(Debug, Default)]
pub(crate) struct Place {
    pub(crate) last_id: Option<String>,
    retry: Option<Duration>,
}

impl Place {
    /// Notes what an event says, and returns its frame, if it has one.
    pub(crate) fn after(&mut self, event: Sse) -> Option<String> {
        if let Some(id) = event.id {
            self.last_id = Some(id).filter(|id| !id.is_empty());
        }
        if let Some(milliseconds) = event.retry {
            self.retry = Some(Duration::from_millis(milliseconds).clamp(LEAST_RETRY, MOST_RETRY));
        }
        let is_message = event.event.is_none_or(|name| name.is_empty() || name == "message");
        event.data.filter(|data| is_message && !data.trim().is_empty())
    }

    /// How long to wait before the stream is opened again.
    pub(crate) fn retry(&self) -> Duration {
        self.retry.unwrap_or(RETRY)
    }
}
