//! What is saved: on a server that is tried, and in a log of a run.

mod sample;
mod statistics;
mod table;
mod trial;
mod verdict;

pub(crate) use sample::run as sample;
pub(crate) use statistics::{Stats, run as statistics};
pub(crate) use trial::{Try, run as trial};
