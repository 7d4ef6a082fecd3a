//! What the listener and the upstream use of HTTP.

pub(crate) mod answer;
pub(crate) mod body;
mod client;
pub(crate) mod events;
pub(crate) mod guard;
pub(crate) mod headers;
pub(crate) mod listener;
pub(crate) mod log;
pub(crate) mod metrics;

pub(crate) use answer::errors;
pub(crate) use body::{Read, read};
pub(crate) use client::{address, client, essence, install_tls, is_loopback, reason};
