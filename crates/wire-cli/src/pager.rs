//! Showing a text that may be longer than the terminal.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use crate::failure::Failure;
use crate::output;

/// Shows a text: with a pager where standard output is a terminal that it does not fit, else as it
/// is.
pub(crate) fn show(text: &str) -> Result<(), Failure> {
    let fits = match terminal_size::terminal_size_of(io::stdout()) {
        Some((_, height)) => text.lines().count() < usize::from(height.0),
        None => true,
    };
    if fits || !io::stdout().is_terminal() || page(text).is_err() {
        return output::to_stdout(text.as_bytes());
    }
    Ok(())
}

/// Passes a text to the program that PAGER names, or to less; an error if there is no such program,
/// or PAGER is empty.
fn page(text: &str) -> io::Result<()> {
    let line = env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
    let words = shell_words::split(&line).unwrap_or_default();
    let (program, arguments) = words.split_first().ok_or(io::ErrorKind::NotFound)?;
    let mut pager = Command::new(program);
    pager.args(arguments).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        // Lines are cut and not wrapped, styles are shown, and the text stays in the terminal.
        pager.env("LESS", "RSX");
    }
    let mut pager = pager.spawn()?;
    if let Some(mut stdin) = pager.stdin.take() {
        // Who leaves the pager has seen enough.
        let _ = stdin.write_all(text.as_bytes());
    }
    pager.wait().map(drop)
}
