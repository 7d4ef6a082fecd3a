//! The program as a whole: against a server on this machine, programs and mocks.

mod common;
mod conversations;
mod documented;
mod likelihood;
mod mean;
mod providers;
mod questions;
mod runs;
