//! The tests of the command, as one program: linking many takes longer than building them.

mod batch;
mod cli;
mod common;
mod costs;
mod damaged;
mod memory;
mod offers;
mod terminal;
