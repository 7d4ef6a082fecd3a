//! A program that answers.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant};

use super::{Backend, Problem, Reply};
use crate::failure::Failure;

/// Stands for the prompt among the arguments.
const PROMPT: &str = "{}";
/// How often to look whether it has ended.
const LOOK: Duration = Duration::from_millis(5);

/// A program and its arguments.
pub(super) struct Program {
    name: String,
    arguments: Vec<String>,
    timeout: Duration,
}

impl Program {
    pub(super) fn new(command: &str, timeout: Duration) -> Result<Self, Failure> {
        let words = shell_words::split(command)
            .map_err(|error| Failure::Usage(format!("--command is {command:?}: {error}")))?;
        match words.split_first() {
            Some((program, arguments)) => {
                Ok(Program { name: program.clone(), arguments: arguments.to_vec(), timeout })
            }
            None => Err(Failure::Usage("--command is empty, expected a program".to_owned())),
        }
    }

    fn run(&self, prompt: &str) -> io::Result<Result<String, String>> {
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
            // Who does not read all of a prompt has read enough.
            thread::spawn(move || input.write_all(prompt.as_bytes()));
        }
        let (output, errors) = (reading(child.stdout.take()), reading(child.stderr.take()));
        // Until it has ended, and everything that could still write to its output.
        let rest = || deadline.saturating_duration_since(Instant::now());
        let ended = (|| {
            let output = output.recv_timeout(rest()).ok()?;
            let errors = errors.recv_timeout(rest()).ok()?;
            loop {
                match child.try_wait() {
                    Ok(None) if rest().is_zero() => return None,
                    Ok(None) => thread::sleep(LOOK),
                    Ok(Some(status)) => return Some(Ok((status, output, errors))),
                    Err(error) => return Some(Err(error)),
                }
            }
        })();
        let Some(ended) = ended else {
            end(&mut child)?;
            return Ok(Err(format!("no answer within {} s", self.timeout.as_secs_f64())));
        };
        let (status, output, errors) = ended?;
        if status.success() {
            return Ok(Ok(output?));
        }
        let errors = errors?;
        let last = errors.lines().rev().find(|line| !line.trim().is_empty());
        Ok(Err(format!("{status}{}", last.map(|line| format!(": {line}")).unwrap_or_default())))
    }
}

/// Ends a program, and what it has started.
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

/// Reads a stream to its end, beside everything else.
fn reading(stream: Option<impl Read + Send + 'static>) -> Receiver<io::Result<String>> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = stream.map_or(Ok(0), |mut stream| stream.read_to_end(&mut bytes));
        // Nobody listens any more where the time was up.
        let _ = send.send(read.map(|_| String::from_utf8_lossy(&bytes).into_owned()));
    });
    receive
}

impl Backend for Program {
    fn ask(&self, prompt: &str, _: u32) -> Result<Reply, Problem> {
        match self.run(prompt) {
            Ok(Ok(answer)) => Ok(Reply { text: answer.trim().to_owned(), ..Reply::default() }),
            Ok(Err(message)) => {
                Err(Problem::Passing { message: format!("{}: {message}", self.name), after: None })
            }
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
            Err(error) => {
                Err(Problem::Passing { message: format!("{}: {error}", self.name), after: None })
            }
        }
    }
}
