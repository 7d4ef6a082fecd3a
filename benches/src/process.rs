//! Another implementation in a process of its own: a line of JSON for each request, and one for
//! each answer.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A process that answers.
pub struct Process {
    pipes: RefCell<(ChildStdin, BufReader<ChildStdout>)>,
    child: Child,
}

impl Process {
    /// Starts a command.
    ///
    /// # Panics
    ///
    /// Where it can't be started.
    pub fn start(command: &mut Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?}: {error}"));
        let input = child.stdin.take().expect("because it is piped");
        let output = child.stdout.take().expect("because it is piped");
        Process { pipes: RefCell::new((input, BufReader::new(output))), child }
    }

    /// Asks, and waits for the answer.
    ///
    /// # Errors
    ///
    /// What the other one says is wrong.
    ///
    /// # Panics
    ///
    /// Where it says nothing.
    pub fn ask(&self, what: &str, argument: &Value) -> Result<Value, String> {
        let (input, output) = &mut *self.pipes.borrow_mut();
        let mut line = json!([what, argument]).to_string();
        line.push('\n');
        input.write_all(line.as_bytes()).expect("because it reads");
        let mut answer = String::new();
        output.read_line(&mut answer).expect("because it writes");
        let mut answer: Value = serde_json::from_str(&answer)
            .unwrap_or_else(|error| panic!("{what}: {error}: {answer:?}"));
        match answer.get_mut("ok") {
            Some(answer) => Ok(answer.take()),
            None => Err(answer["error"].to_string()),
        }
    }

    /// As [`Process::ask`], for an answer that is text.
    ///
    /// # Errors
    ///
    /// As [`Process::ask`].
    pub fn ask_text(&self, what: &str, argument: &Value) -> Result<String, String> {
        Ok(self.ask(what, argument)?.as_str().expect("because it is text").to_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
