//! The server that is spoken to.

use reqwest::Url;

/// A server with a URL, and how it is spoken to.
#[derive(Clone, PartialEq, Eq)] // and no `Debug`, which would show secrets
pub(crate) struct Target {
    pub(crate) url: Url,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) frame_bytes: usize,
    pub(crate) may_log_in: bool,
}
