//! `wire-eval`: whether language models read and write graph formats, and what the formats cost in tokens.
//!
//! Data goes to stdout and nothing else does. Exit codes: 0 fine, 1 the data is wrong, 2 usage, 3 input, output or provider.

mod args;
mod arm;
mod ask;
mod backend;
mod cost;
mod count;
mod failure;
mod generation;
mod log;
mod material;
mod prompt;
mod question;
mod report;
mod run;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command, say};

fn main() -> ExitCode {
    let outcome = match &Arguments::parse().command {
        Command::Comprehension(options) => ask::comprehension(options),
        Command::Generation(options) => ask::generation(options),
        Command::Report(options) => report::run(options),
        Command::Cost(options) => cost::run(options),
        Command::Count(options) => count::run(options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            say("error", &failure.to_string());
            ExitCode::from(failure.exit_code())
        }
    }
}
