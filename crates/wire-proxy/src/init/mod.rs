//! The configurations of clients: where they are, and putting the proxy before the servers in them.

mod edit;
mod entry;
mod found;
mod hook;
pub(crate) mod json;
mod options;
mod remote;
mod saving;
mod server;
mod setup;
pub(crate) mod toml;

pub(crate) use edit::{Change, Direction, is_proxy};
pub(crate) use found::{Found, servers};
pub(crate) use options::Init;
pub(crate) use saving::{OTHER, saving};
pub(crate) use server::quoted;
pub(crate) use setup::run;
