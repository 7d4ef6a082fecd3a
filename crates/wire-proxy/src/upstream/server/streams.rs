//! Event streams of the server: that of an answer, and the one on which it sends frames of its own.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use hyper::StatusCode;

use crate::upstream::frame::{Asked, answered};
use crate::upstream::server::{MayAsk, Server, is_stream};
use crate::upstream::stream::{Events, Place};

/// How often a stream is opened again without a new event.
const MOST_RETRIES: u32 = 5;
/// The longest time between two tries to open the server's own stream.
const MOST_PAUSE: Duration = Duration::from_secs(60);

impl Server {
    /// The frame of a stream that answers. A stream that breaks off before is opened again where
    /// its events have ids; with 2026-07-28 they have none.
    pub(super) async fn streamed(
        self: &Arc<Self>,
        mut events: Events,
        asked: &Asked,
    ) -> Result<Option<Bytes>, String> {
        let expects = asked.id.is_some() && asked.method.is_some();
        let (mut place, mut tries) = (Place::default(), 0);
        loop {
            let why = match events.next().await {
                Ok(event) => {
                    tries = 0;
                    let Some(frame) = place.after(event) else { continue };
                    if expects && answered(frame.as_bytes()) == asked.id {
                        return Ok(Some(frame.into()));
                    }
                    self.to_client(frame.as_bytes()).await;
                    continue;
                }
                Err(_) if !expects => return Ok(None),
                Err(why) => why,
            };
            let last = place.last_id.clone().filter(|_| asked.version.is_none());
            let Some(last) = last.filter(|_| tries < MOST_RETRIES) else { return Err(why) };
            tries += 1;
            tokio::time::sleep(place.retry()).await;
            match self.get(Some(&last), MayAsk::Never).await {
                Ok(answer) if is_stream(&answer) => {
                    events = Events::new(answer.into_body(), self.frame_bytes);
                }
                Ok(answer) => return Err(self.problem(answer.status(), answer.headers())),
                Err(_) => {}
            }
        }
    }

    /// Opens the stream on which the server sends frames of its own, and opens it again when it
    /// ends. A server need not have one.
    pub(super) fn listen(self: &Arc<Self>) {
        if self.session().endpoint.is_some() {
            return;
        }
        let server = Arc::clone(self);
        let task = tokio::spawn(async move {
            let (mut place, mut pause) = (Place::default(), Duration::ZERO);
            loop {
                match server.get(place.last_id.as_deref(), MayAsk::Never).await {
                    Ok(answer) if is_stream(&answer) => {
                        let mut events = Events::new(answer.into_body(), server.frame_bytes);
                        while let Ok(event) = events.next().await {
                            pause = Duration::ZERO;
                            if let Some(frame) = place.after(event) {
                                server.to_client(frame.as_bytes()).await;
                            }
                        }
                    }
                    // It may be there again later.
                    Ok(answer)
                        if answer.status().is_server_error()
                            || answer.status() == StatusCode::TOO_MANY_REQUESTS => {}
                    Ok(_) => return,
                    Err(_) => {}
                }
                pause = (2 * pause).max(place.retry()).min(MOST_PAUSE);
                tokio::time::sleep(pause).await;
            }
        });
        if let Some(before) = self.session().listening.replace(task.abort_handle()) {
            before.abort();
        }
    }
}
