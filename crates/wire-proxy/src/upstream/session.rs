//! The state of the session with a server.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use bytes::Bytes;
use hyper::header::{HeaderMap, HeaderValue};
use reqwest::Url;
use serde::Deserialize;
use serde_json::value::RawValue;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use crate::upstream::frame::Asked;
use crate::upstream::params::Tools;

pub(crate) const SESSION_ID: &str = "mcp-session-id";

/// The session, which begins with `initialize`; without that there is none.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) id: Option<HeaderValue>,
    pub(crate) version: Option<HeaderValue>,
    /// How the client began it, to begin it again where the server has forgotten it.
    pub(crate) hello: Option<Bytes>,
    pub(crate) initialized: Option<Bytes>,
    /// `true` if the client says the version in each request.
    pub(crate) is_stateless: bool,
    /// A hash of the tools as the client knows them.
    pub(crate) listed: Option<u64>,
    pub(crate) tools: Tools,
    /// Where the older transport takes requests.
    pub(crate) endpoint: Option<Url>,
    /// The requests whose answers come on that transport's stream.
    pub(crate) awaited: HashMap<String, oneshot::Sender<()>>,
    /// The requests that are under way and can be ended.
    pub(crate) under_way: HashMap<String, AbortHandle>,
    /// The stream on which the server sends frames of its own.
    pub(crate) listening: Option<AbortHandle>,
}

impl Session {
    /// Notes what an answer of the server says of the session and its tools.
    pub(crate) fn answered(&mut self, asked: &Asked, headers: &HeaderMap, answer: &[u8]) {
        #[derive(Deserialize)]
        struct Hello {
            result: Begun,
        }
        #[derive(Deserialize)]
        struct Begun {
            #[serde(rename = "protocolVersion")]
            version: String,
        }
        if asked.is("initialize") {
            self.id = headers.get(SESSION_ID).cloned();
            let begun = serde_json::from_slice::<Hello>(answer).ok();
            self.version = begun.and_then(|hello| hello.result.version.try_into().ok());
        }
        if asked.is("tools/list") {
            self.tools.learn(answer);
            if !asked.has_cursor {
                self.listed = listed(answer);
            }
        }
    }
}

/// A hash of the first tools that an answer lists, as they are written.
pub(crate) fn listed(answer: &[u8]) -> Option<u64> {
    #[derive(Deserialize)]
    struct Answer<'a> {
        #[serde(borrow)]
        result: Listed<'a>,
    }
    #[derive(Deserialize)]
    struct Listed<'a> {
        #[serde(borrow)]
        tools: &'a RawValue,
    }
    let Answer { result } = serde_json::from_slice(answer).ok()?;
    let mut hasher = DefaultHasher::new();
    result.tools.get().hash(&mut hasher);
    Some(hasher.finish())
}
