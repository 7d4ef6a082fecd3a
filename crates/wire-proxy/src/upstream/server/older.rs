//! The transport of 2024-11-05, HTTP with SSE: requests go to an endpoint, and all answers come on one
//! stream.

use std::sync::Arc;

use tokio::sync::oneshot;

use crate::upstream::frame::{Asked, answered};
use crate::upstream::server::{Answer, MayAsk, Server, is_stream};
use crate::upstream::stream::{Events, Place};

impl Server {
    /// Opens the stream of the older transport, HTTP with SSE (2024-11-05), if the server has it.
    pub(super) async fn opens_older_transport(self: &Arc<Self>) -> Result<bool, String> {
        let answer = self.get(None, MayAsk::Always).await?;
        if !is_stream(&answer) {
            return Ok(false);
        }
        let mut events = Events::new(answer.into_body(), self.frame_bytes);
        let endpoint = loop {
            match events.next().await {
                Ok(event) if event.event.as_deref() == Some("endpoint") => {
                    break event.data.and_then(|path| self.url.join(path.trim()).ok());
                }
                Ok(_) => {}
                Err(_) => return Ok(false),
            }
        };
        // Headers of the user go to no other host.
        let Some(endpoint) = endpoint.filter(|url| url.origin() == self.url.origin()) else {
            return Ok(false);
        };
        self.session().endpoint = Some(endpoint);
        let server = Arc::clone(self);
        tokio::spawn(async move {
            let mut place = Place::default();
            while let Ok(event) = events.next().await {
                let Some(frame) = place.after(event) else { continue };
                server.to_client(frame.as_bytes()).await;
                if let Some(id) = answered(frame.as_bytes()) {
                    server.session().awaited.remove(&id).map(|waits| waits.send(()));
                }
            }
            // Who waits is told.
            let mut session = server.session();
            session.endpoint = None;
            session.awaited.clear();
        });
        Ok(true)
    }

    /// Waits for the answer of a request on the stream of the older transport.
    pub(crate) fn awaited(&self, asked: &Asked) -> Option<oneshot::Receiver<()>> {
        let mut session = self.session();
        session.endpoint.as_ref()?;
        let id = asked.id.clone().filter(|_| asked.method.is_some())?;
        let (sender, receiver) = oneshot::channel();
        session.awaited.insert(id, sender);
        Some(receiver)
    }

    pub(super) async fn accepted(
        &self,
        answer: Answer,
        awaited: Option<oneshot::Receiver<()>>,
    ) -> Result<(), String> {
        if !answer.status().is_success() {
            return Err(self.problem(answer.status(), answer.headers()));
        }
        match awaited {
            Some(answer) => answer.await.map_err(|_| "the server's stream ended".to_owned()),
            None => Ok(()),
        }
    }
}
