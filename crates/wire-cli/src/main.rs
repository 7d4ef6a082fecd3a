//! `wirefmt`: convert and check graph payloads.
//!
//! Data goes to stdout and nothing else does; after a failed conversion nothing is there, but for
//! what a stream has had before. Exit codes: 0 fine, 1 the data is wrong, 2 usage, 3 input or
//! output, 128 and its number after a signal (130 interrupted).

mod args;
mod auto;
mod batch;
mod check;
mod convert;
mod deltas;
mod diagnostic;
mod document;
mod explain;
mod failure;
mod formats;
mod grid;
mod input;
mod measure;
mod output;
mod packed;
mod pager;
mod peer;
mod primer;
mod signals;
mod snippet;
mod source;
mod stats;
mod table;
mod tokens;
mod view;

use std::ffi::OsString;
use std::io::Write;
use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use crate::args::{Arguments, Command};
use crate::diagnostic::{Diagnostics, MessageFormat};
use crate::failure::Failure;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse_from(words()) {
        Ok(arguments) => arguments,
        Err(error) => return not_run(&error),
    };
    arguments.color.write_global();
    signals::listen();
    let diagnostics = Diagnostics::new(arguments.message_format, arguments.quiet);
    let outcome = match &arguments.command {
        Command::Convert(options) => convert::run(options, &diagnostics),
        Command::Check(options) => check::run(options, &diagnostics),
        Command::View(options) => view::run(options, &diagnostics),
        Command::Auto(options) => auto::run(options, &diagnostics),
        Command::Stats(options) => stats::run(options, &diagnostics),
        Command::Diff(options) => deltas::diff(options, &diagnostics),
        Command::Apply(options) => deltas::apply(options, &diagnostics),
        Command::Root(options) => deltas::root(options, &diagnostics),
        Command::Primer(options) => primer::run(options, arguments.message_format),
        Command::Explain { code } => explain::run(code.as_deref(), arguments.message_format),
        Command::Formats => formats::run(arguments.message_format),
        Command::Completions { shell } => completions(*shell),
        Command::Man => man(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of the output has closed it; that is not a failure.
        Err(failure) if failure.is_closed_pipe() => ExitCode::SUCCESS,
        Err(failure) => {
            diagnostics.failure(&failure);
            ExitCode::from(failure.exit_code())
        }
    }
}

/// The words of the command line. `help --help` is help, too: clap's command has no options.
fn words() -> impl Iterator<Item = OsString> {
    let is_help = std::env::args_os().nth(1).is_some_and(|word| word == "help");
    std::env::args_os().filter(move |word| !(is_help && (word == "--help" || word == "-h")))
}

/// Prints the message instead of a run: help, a version, or an error of the arguments.
fn not_run(error: &clap::Error) -> ExitCode {
    let wants_json = || {
        let arguments: Vec<String> =
            std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect();
        let named = |pair: &[String]| pair[0] == "--message-format" && pair[1] == "json";
        arguments.iter().any(|argument| argument == "--message-format=json")
            || arguments.windows(2).any(named)
    };
    if error.use_stderr() && wants_json() {
        let diagnostics = Diagnostics::new(MessageFormat::Json, false);
        let text = error.to_string();
        // What is wrong, then tips, then how the command is used.
        let mut paragraphs = text.split("\n\n").map(in_a_line);
        let first = paragraphs.next().unwrap_or_default();
        let failure = Failure::usage(first.strip_prefix("error: ").unwrap_or(&first));
        let failure =
            paragraphs.fold(failure, |failure, paragraph| match paragraph.strip_prefix("tip: ") {
                Some(tip) => failure.with_hint(&tip.replace(" tip: ", "; ")),
                None => failure,
            });
        diagnostics.failure(&failure);
    } else if error.use_stderr() && has_hidden(&error.to_string()) {
        // Contents of an argument must not move the cursor.
        let text = error.to_string();
        let lines: Vec<String> = text.lines().map(wire_core::text::escaped).collect();
        let _ = writeln!(anstream::stderr(), "{}", lines.join("\n"));
    } else if let Err(source) = error.print()
        && source.kind() != std::io::ErrorKind::BrokenPipe
    {
        let failure = Failure::output(failure::STDOUT, &source);
        Diagnostics::new(MessageFormat::Human, false).failure(&failure);
        return ExitCode::from(failure.exit_code());
    }
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

/// A paragraph as one line.
fn in_a_line(paragraph: &str) -> String {
    paragraph.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn has_hidden(text: &str) -> bool {
    text.lines().any(|line| wire_core::text::escaped(line) != line)
}

fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "wirefmt", &mut script);
    output::to_stdout(&script)
}

/// The page of the program, followed by one for each command.
fn man() -> Result<(), Failure> {
    let program = Arguments::command();
    let mut page = Vec::new();
    let commands = program.get_subcommands().map(|command| {
        let name = format!("wirefmt {}", command.get_name());
        command.clone().bin_name(name.clone()).display_name(name.replace(' ', "-"))
    });
    for command in std::iter::once(program.clone()).chain(commands) {
        clap_mangen::Man::new(command)
            .render(&mut page)
            .map_err(|source| Failure::output(failure::STDOUT, &source))?;
    }
    output::to_stdout(&page)
}
