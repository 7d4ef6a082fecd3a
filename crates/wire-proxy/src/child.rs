//! The server as a child process, in a process group of its own where there are such.

use std::ffi::OsString;
use std::process::{ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;

use shared_child::SharedChild;

/// A server that runs.
#[derive(Clone, Debug)]
pub(crate) struct Server {
    child: Arc<SharedChild>,
}

impl Server {
    /// Starts the server. What it writes to standard error goes to ours.
    pub(crate) fn start(
        command: &[OsString],
        environment: &[(String, String)],
    ) -> Result<Self, String> {
        let (program, arguments) = command.split_first().ok_or("expected a command")?;
        // On Windows many commands are scripts (`npx.cmd`), which are not found by their names alone.
        #[cfg(windows)]
        let program = &which::which(program).map_or_else(|_| program.clone(), OsString::from);
        let mut command = Command::new(program);
        command
            .args(arguments)
            .envs(environment.iter().cloned())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        // An interrupt in the terminal comes to us, and goes on from here; and what the server
        // started ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let child = SharedChild::spawn(&mut command).map_err(|error| {
            let program = program.to_string_lossy();
            let hint = if arguments.is_empty() && program.contains(' ') {
                "; pass the command and its arguments separately, without quotes around all of them"
            } else {
                ""
            };
            format!("the server can't be started: {program}: {error}; expected `wire-proxy -- COMMAND ARGUMENTS`{hint}")
        })?;
        Ok(Server { child: Arc::new(child) })
    }

    /// Its standard input and output, once.
    pub(crate) fn pipes(&self) -> (ChildStdin, ChildStdout) {
        const PIPED: &str = "because it was started with a pipe, which is taken once";
        (self.child.take_stdin().expect(PIPED), self.child.take_stdout().expect(PIPED))
    }

    /// Waits until it ended.
    pub(crate) fn wait(&self) -> Option<ExitStatus> {
        self.child.wait().ok()
    }

    /// Sends a signal to it and to the processes that it started.
    #[cfg(unix)]
    pub(crate) fn signal(&self, signal: i32) {
        use nix::sys::signal::{Signal, killpg};
        let group = i32::try_from(self.child.id()).map(nix::unistd::Pid::from_raw);
        if let (Ok(group), Ok(signal)) = (group, Signal::try_from(signal)) {
            // A group without processes has ended already.
            let _ = killpg(group, signal);
        }
    }

    /// Asks it to end.
    pub(crate) fn terminate(&self) {
        #[cfg(unix)]
        self.signal(signal_hook::consts::SIGTERM);
    }

    /// Ends it, and the processes that it started.
    pub(crate) fn kill(&self) {
        #[cfg(unix)]
        self.signal(signal_hook::consts::SIGKILL);
        // The process may have ended by itself.
        let _ = self.child.kill();
    }
}

/// The exit code for a status: its own, or 128 plus the number of the signal that ended it.
pub(crate) fn exit_code(status: ExitStatus) -> u8 {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return u8::try_from(128 + signal).unwrap_or(u8::MAX);
    }
    status.code().map_or(u8::MAX, |code| u8::try_from(code & 0xff).unwrap_or(u8::MAX))
}
