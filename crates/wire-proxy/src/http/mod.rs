//! Streamable HTTP: the listener for clients, servers with URLs, and what both use.

mod answer;
mod body;
mod client;
mod events;
mod gateway;
mod headers;
pub(crate) mod upstream;

pub(crate) use answer::errors;
pub(crate) use body::{Read, read};
pub(crate) use client::{client, essence, install_tls, reason};
pub(crate) use gateway::{run, settings};
