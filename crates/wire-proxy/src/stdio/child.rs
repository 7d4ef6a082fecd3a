//! The server of a run: a child process, in a process group of its own where there are such, or a URL
//! that a thread speaks to. Both have a pipe in each direction.

use std::ffi::OsString;
use std::io::{self, PipeReader, PipeWriter};
use std::process::{Command, ExitStatus};
use std::sync::Arc;

use shared_child::SharedChild;

use crate::failure::Failure;
use crate::stdio::Start;
use crate::upstream::Upstream;

#[derive(Clone)]
pub(crate) enum Server {
    Child(Arc<SharedChild>),
    Url(Arc<Upstream>),
}

impl Server {
    /// Starts the server, and returns the other ends of its input and output. What it writes to
    /// standard error goes to ours.
    pub(crate) fn start(start: &Start) -> Result<(Self, PipeWriter, PipeReader), Failure> {
        let pipe = || io::pipe().map_err(|error| Failure::Io(error.to_string()));
        let ((received, input), (output, sent)) = (pipe()?, pipe()?);
        let server = match start {
            Start::Command { command, environment } => {
                let child = spawn(command, environment, received, sent);
                Server::Child(Arc::new(child.map_err(Failure::NotStarted)?))
            }
            Start::Url(target) => {
                let upstream = Upstream::start(target, received, sent);
                Server::Url(Arc::new(upstream.map_err(Failure::Usage)?))
            }
        };
        Ok((server, input, output))
    }

    /// Waits until it ended, and returns the exit code.
    pub(crate) fn wait(&self) -> u8 {
        match self {
            Server::Child(child) => child.wait().map_or(u8::MAX, exit_code),
            Server::Url(upstream) => upstream.wait(),
        }
    }

    /// Sends a signal to it and to the processes that it started.
    #[cfg_attr(not(unix), expect(unused_variables))]
    pub(crate) fn signal(&self, signal: i32) {
        match self {
            #[cfg(unix)]
            Server::Child(child) => {
                use nix::sys::signal::{Signal, killpg};
                let group = i32::try_from(child.id()).map(nix::unistd::Pid::from_raw);
                if let (Ok(group), Ok(signal)) = (group, Signal::try_from(signal)) {
                    // A group without processes has ended already.
                    let _ = killpg(group, signal);
                }
            }
            #[cfg(not(unix))]
            Server::Child(_) => {}
            Server::Url(upstream) => upstream.end(),
        }
    }

    pub(crate) fn terminate(&self) {
        self.signal(15);
    }

    /// Ends it, and the processes that it started.
    pub(crate) fn kill(&self) {
        self.signal(9);
        if let Server::Child(child) = self {
            // The process may have ended by itself.
            let _ = child.kill();
        }
    }
}

fn spawn(
    command: &[OsString],
    environment: &[(String, String)],
    input: PipeReader,
    output: PipeWriter,
) -> Result<SharedChild, String> {
    let (program, arguments) = command.split_first().ok_or("expected a command")?;
    // On Windows many commands are scripts (`npx.cmd`), which are not found by their names alone.
    #[cfg(windows)]
    let program = &which::which(program).map_or_else(|_| program.clone(), OsString::from);
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().cloned()).stdin(input).stdout(output);
    // An interrupt in the terminal comes to us, and goes on from here; and what the server
    // started ends with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    SharedChild::spawn(&mut command).map_err(|error| {
        let program = program.to_string_lossy();
        let hint = if arguments.is_empty() && program.contains(' ') {
            "; pass the command and its arguments separately, without quotes around all of them"
        } else {
            ""
        };
        format!("the server can't be started: {program}: {error}; expected `wire-proxy -- COMMAND ARGUMENTS`{hint}")
    })
}

/// The exit code for a status: its own, or 128 plus the number of the signal that ended it.
fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    status.code().map_or(u8::MAX, |code| u8::try_from(code & 0xff).unwrap_or(u8::MAX))
}
