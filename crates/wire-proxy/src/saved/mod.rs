//! What is saved: on a server that is tried, and in a log of a run.

mod options;
mod sample;
mod statistics;
mod table;
mod trial;
mod verdict;

pub(crate) use options::{Stats, Try};
pub(crate) use sample::run as sample;
pub(crate) use statistics::run as statistics;
pub(crate) use trial::run as trial;
