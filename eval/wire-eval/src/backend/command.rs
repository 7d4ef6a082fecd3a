//! A program that answers.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender};
use std::thread;
use std::time::{Duration, Instant};

use super::reply::{Backend, Problem, Reply};
use crate::failure::Failure;
use crate::prompt::Sent;

/// Stands for the prompt among the arguments.
const PROMPT: &str = "{}";
/// How often to look whether it has ended.
const LOOK: Duration = Duration::from_millis(5);

/// A program and its arguments.
pub(super) struct Program {
    name: String,
    arguments: Vec<String>,
    timeout: Duration,
    /// Bytes of each of its streams at most.
    max_output: u64,
}

impl Program {
    pub(super) fn new(command: &str, timeout: Duration, max_output: u64) -> Result<Self, Failure> {
        let words = shell_words::split(command)
            .map_err(|error| Failure::Usage(format!("--command is {command:?}: {error}")))?;
        match words.split_first() {
            Some((program, arguments)) => Ok(Program {
                name: program.clone(),
                arguments: arguments.to_vec(),
                timeout,
                max_output,
            }),
            None => Err(Failure::Usage("--command is empty, expected a program".to_owned())),
        }
    }

    fn run(&self, prompt: &str) -> io::Result<Result<String, Problem>> {
        let is_argument = self.arguments.iter().any(|argument| argument == PROMPT);
        let arguments = self
            .arguments
            .iter()
            .map(|argument| if argument == PROMPT { prompt } else { argument.as_str() });
        let mut command = Command::new(&self.name);
        command
            .args(arguments)
            .stdin(if is_argument { Stdio::null() } else { Stdio::piped() })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // What it starts can be ended with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let deadline = Instant::now() + self.timeout;
        if let Some(mut input) = child.stdin.take() {
            let prompt = prompt.to_owned();
            // Ignore a write error: the command may stop reading early.
            thread::spawn(move || input.write_all(prompt.as_bytes()));
        }
        // Until it has ended, and everything that could still write to its output, or one of them
        // is too long.
        let (send, ended) = mpsc::channel();
        reading(child.stdout.take(), self.max_output, Stream::Output, send.clone());
        reading(child.stderr.take(), self.max_output, Stream::Errors, send);
        let rest = || deadline.saturating_duration_since(Instant::now());
        let (mut output, mut errors) = (None, None);
        while output.is_none() || errors.is_none() {
            let Ok((stream, text)) = ended.recv_timeout(rest()) else {
                end(&mut child)?;
                return Ok(Err(self.too_late()));
            };
            let Some(text) = text? else {
                end(&mut child)?;
                return Ok(Err(Problem::Refused(format!(
                    "{}: {} has more than {} bytes, expected at most that many (--max-output)",
                    self.name,
                    stream.name(),
                    self.max_output
                ))));
            };
            *(if stream == Stream::Output { &mut output } else { &mut errors }) = Some(text);
        }
        let status = loop {
            match child.try_wait()? {
                Some(status) => break status,
                None if rest().is_zero() => {
                    end(&mut child)?;
                    return Ok(Err(self.too_late()));
                }
                None => thread::sleep(LOOK),
            }
        };
        if status.success() {
            return Ok(Ok(output.unwrap_or_default()));
        }
        let errors = errors.unwrap_or_default();
        let last = errors.lines().rev().find(|line| !line.trim().is_empty());
        let last = last.map(|line| format!(": {line}")).unwrap_or_default();
        Ok(Err(self.passing(&format!("{status}{last}"))))
    }

    fn too_late(&self) -> Problem {
        self.passing(&format!("no answer within {} s", self.timeout.as_secs_f64()))
    }

    fn passing(&self, message: &str) -> Problem {
        Problem::Passing { message: format!("{}: {message}", self.name), after: None }
    }
}

/// Ends a program, and the processes that it has started.
fn end(child: &mut Child) -> io::Result<()> {
    #[cfg(unix)]
    if let Ok(id) = i32::try_from(child.id()) {
        use nix::sys::signal::{Signal, killpg};
        // The group may be gone already.
        let _ = killpg(nix::unistd::Pid::from_raw(id), Signal::SIGKILL);
    }
    // It may have ended by itself in the meantime.
    let _ = child.kill();
    child.wait().map(|_| ())
}

/// The output of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stream {
    Output,
    Errors,
}

impl Stream {
    fn name(self) -> &'static str {
        match self {
            Stream::Output => "its standard output",
            Stream::Errors => "its standard error",
        }
    }
}

/// A stream, and its text; `None` if the text is longer than the limit.
type WhatWasRead = (Stream, io::Result<Option<String>>);

/// Reads a stream to its end or limit, beside everything else.
fn reading(
    stream: Option<impl Read + Send + 'static>,
    most: u64,
    which: Stream,
    ended: Sender<WhatWasRead>,
) {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream
            .map_or(Ok(0), |stream| stream.take(most.saturating_add(1)).read_to_end(&mut bytes));
        let text = read.map(|_| {
            let fits = bytes.len() as u64 <= most;
            fits.then(|| String::from_utf8_lossy(&bytes).into_owned())
        });
        // Nobody listens any more where the time was up.
        let _ = ended.send((which, text));
    });
}

impl Backend for Program {
    fn ask(&self, prompt: &Sent, _: u32) -> Result<Reply, Problem> {
        match self.run(&prompt.flat()) {
            Ok(Ok(answer)) => Ok(Reply { text: answer.trim().to_owned(), ..Reply::default() }),
            Ok(Err(problem)) => Err(problem),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied
                ) =>
            {
                Err(Problem::Hopeless(format!("{} can't be run: {error}", self.name)))
            }
            Err(error) if error.kind() == io::ErrorKind::ArgumentListTooLong => {
                Err(Problem::Refused(format!(
                    "{}: the prompt is too long for an argument, leave {PROMPT} out to have it on standard input",
                    self.name
                )))
            }
            Err(error) => Err(self.passing(&error.to_string())),
        }
    }
}
