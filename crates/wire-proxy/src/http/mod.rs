//! Streamable HTTP: clients on one side, servers with URLs on the other.

mod answer;
mod body;
mod events;
mod exchange;
mod gateway;
mod guard;
mod headers;
mod log;
mod metrics;
mod server;
mod sessions;
mod sign_in;

pub(crate) use answer::errors;
pub(crate) use body::{Read, read};
pub(crate) use exchange::essence;
pub(crate) use gateway::run;
pub(crate) use server::{client, install_tls, reason};
