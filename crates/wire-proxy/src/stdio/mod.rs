//! A run over standard input and output.

mod child;
mod end;
mod pipe;
mod relay;
mod start;

pub(crate) use child::Server;
pub(crate) use relay::run;
pub(crate) use start::Start;
