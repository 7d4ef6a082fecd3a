//! `wire-proxy`: in front of any MCP server, results with fewer tokens and the same values.
//!
//! Standard output is the client's; messages go to standard error.

mod agents;
mod args;
mod audit;
mod failure;
mod frames;
mod gateway;
mod hook;
mod http;
mod init;
mod log;
mod login;
mod options;
mod saved;
mod serve;
mod shells;
mod stdio;
mod text;
mod upstream;

use std::process::ExitCode;

use clap::CommandFactory;
use wire_mcp::Proxy;

use crate::args::{Arguments, Command};

use crate::failure::{Failure, say};
use crate::log::Recorder;
use crate::options::file;
use crate::stdio::{Server, Start};

fn main() -> ExitCode {
    let arguments = Arguments::read();
    let outcome = match &arguments.command {
        Some(Command::Try(options)) => saved::trial(options),
        Some(Command::Stats(options)) => saved::statistics(options),
        Some(Command::Config(options)) => options
            .path()
            .map_err(Failure::Usage)
            .and_then(|path| failure::print(format!("{}\n", path.display()).as_bytes())),
        Some(Command::Schema) => failure::print(file::schema().as_bytes()),
        Some(Command::Completions { shell }) => shells::completions(Arguments::command(), *shell),
        Some(Command::Man) => shells::man(&Arguments::command()),
        Some(Command::Sample) => saved::sample(),
        Some(Command::Init(options)) => init::run(options),
        Some(Command::Audit(options)) => audit::run(options),
        Some(Command::Hook(options)) => hook::run(options),
        Some(Command::Serve(options)) => serve::run(options),
        Some(Command::Result(options)) => serve::result(options),
        Some(Command::Login(options)) => login::log_in(options),
        Some(Command::Logout(options)) => login::log_out(options),
        Some(Command::Logins) => login::list(),
        None if arguments.server.is_empty() && !arguments.remote.is_given() => listen(&arguments),
        None => relay(&arguments),
    };
    let (code, message) = match outcome {
        Ok(code) => return ExitCode::from(code),
        Err(Failure::Usage(message)) => (2, message),
        Err(Failure::Io(message)) => (3, message),
        Err(Failure::NotStarted(message)) => (127, message),
    };
    say(message);
    ExitCode::from(code)
}

fn relay(arguments: &Arguments) -> Result<u8, Failure> {
    let settings = file::settings(&arguments.options).map_err(Failure::Usage)?;
    let recorder =
        settings.stats.as_deref().map(Recorder::open).transpose().map_err(Failure::Io)?;
    let start = Start::of(&arguments.server, &arguments.remote, settings.frame_bytes)
        .map_err(Failure::Usage)?;
    let started = Server::start(&start)?;
    Ok(stdio::run(started, Proxy::new(settings.options), settings.frame_bytes, recorder))
}

fn listen(arguments: &Arguments) -> Result<u8, Failure> {
    let settings = gateway::settings(&arguments.options, &arguments.http);
    let Some(settings) = settings.map_err(Failure::Usage)? else {
        return Err(Failure::Usage("expected `-- COMMAND`, which starts the server, or `--listen ADDRESS:PORT --upstream URL`; --help shows both".to_owned()));
    };
    gateway::run(settings)
}
