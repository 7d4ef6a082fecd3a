//! `wire-eval`: whether language models read and write graph formats, and what the formats cost in tokens.
//!
//! Data goes to stdout and nothing else does. Exit codes: 0 fine, 1 the data is wrong, 2 usage, 3 input, output or provider.

mod args;
mod arm;
mod ask;
mod backend;
mod conversation;
mod cost;
mod count;
mod dataset;
mod failure;
mod generation;
mod log;
mod prompt;
mod question;
mod report;
mod run;
mod verify;

use std::process::ExitCode;

use clap::Parser;

use crate::args::{Arguments, Command};
use crate::failure::{Failure, say};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return not_run(&error),
    };
    let outcome = match &arguments.command {
        Command::Comprehension(options) => ask::comprehension(options),
        Command::Conversation(options) => conversation::conversations(options),
        Command::Generation(options) => ask::generation(options),
        Command::Report(options) => report::run(options),
        Command::Cost(options) => cost::run(options),
        Command::Count(options) => count::run(options),
        Command::Verify(options) => verify::run(options),
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

/// What is said instead of running: help, a version, or what is wrong with the arguments.
fn not_run(error: &clap::Error) -> ExitCode {
    let is_escaped = |line: &str| wire_core::text::escaped(line) == line;
    let text = error.to_string();
    if !text.lines().all(is_escaped) {
        // What an argument holds must not move the cursor.
        let message: Vec<&str> = text.lines().take_while(|line| !line.is_empty()).collect();
        let message = message.join(" ");
        say("error", message.strip_prefix("error: ").unwrap_or(&message));
    } else if let Err(source) = error.print()
        && source.kind() != std::io::ErrorKind::BrokenPipe
    {
        let failure = Failure::Output { file: "standard output".to_owned(), source };
        say("error", &failure.to_string());
        return ExitCode::from(failure.exit_code());
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}
