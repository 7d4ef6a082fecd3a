//! `wire-eval`: measures whether language models read graph formats, and the tokens of each format.
//!
//! Only data goes to standard output. Exit codes: 0 success, 1 invalid data, 2 usage error, 3
//! input, output or provider error.

mod args;
mod arm;
mod ask;
mod backend;
mod conversation;
mod cost;
mod dataset;
mod failure;
mod given;
mod log;
mod prompt;
mod question;
mod report;
mod run;
mod verify;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Arguments, Command};
use crate::failure::{Failure, say};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(words()) {
        Ok(arguments) => arguments,
        Err(error) => return not_run(&error),
    };
    let outcome = match &arguments.command {
        Command::Comprehension(options) => ask::comprehension(options),
        Command::Conversation(options) => conversation::conversations(options),
        Command::Report(options) => report::run(options),
        Command::Cost(options) => cost::run(options),
        Command::Verify(options) => verify::run(options),
        Command::Completions { shell } => completions(*shell),
        Command::Man => man(),
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

/// The words of the command line. `help --help` is help, too: clap's command has no options.
fn words() -> impl Iterator<Item = OsString> {
    let is_help = std::env::args_os().nth(1).is_some_and(|word| word == "help");
    std::env::args_os().filter(move |word| !(is_help && (word == "--help" || word == "-h")))
}

fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "wire-eval", &mut script);
    to_stdout(&script)
}

/// The page of the program, followed by one for each command.
fn man() -> Result<(), Failure> {
    let program = Arguments::command();
    let commands = program.get_subcommands().map(|command| {
        let name = format!("wire-eval {}", command.get_name());
        command.clone().bin_name(name.clone()).display_name(name.replace(' ', "-"))
    });
    let mut page = Vec::new();
    for command in std::iter::once(program.clone()).chain(commands) {
        let rendered = clap_mangen::Man::new(command).render(&mut page);
        rendered
            .map_err(|source| Failure::Output { file: "standard output".to_owned(), source })?;
    }
    to_stdout(&page)
}

/// Writes what a program reads, as it is.
fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let written = io::stdout().lock().write_all(bytes);
    written.map_err(|source| Failure::Output { file: "standard output".to_owned(), source })
}

/// Prints the message instead of a run: help, a version, or an error of the arguments.
fn not_run(error: &clap::Error) -> ExitCode {
    let is_escaped = |line: &str| wire_core::text::escaped(line) == line;
    let text = error.to_string();
    if !text.lines().all(is_escaped) {
        // Contents of an argument must not move the cursor.
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
