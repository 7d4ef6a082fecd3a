//! The configurations of clients: where they are, and putting the proxy before the servers in them.

mod client;
mod edit;
mod file;
pub(crate) mod json;
mod server;
pub(crate) mod toml;

pub(crate) use client::{Client, Syntax, file};
pub(crate) use edit::{Change, Direction, is_proxy};
pub(crate) use file::replace;
