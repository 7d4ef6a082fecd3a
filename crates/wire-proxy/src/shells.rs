//! Completions for shells and the manual page, for the archives of a release.

use std::io::{self, Write};

use clap::CommandFactory;

use crate::args::Arguments;
use crate::failure::Failure;

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "wire-proxy", &mut script);
    print(&script)
}

pub(crate) fn man() -> Result<u8, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Arguments::command()).render(&mut page).map_err(failed)?;
    print(&page)
}

fn print(bytes: &[u8]) -> Result<u8, Failure> {
    io::stdout().lock().write_all(bytes).map_err(failed).map(|()| 0)
}

#[allow(clippy::needless_pass_by_value)] // as `map_err` wants it
fn failed(error: io::Error) -> Failure {
    Failure::Io(format!("standard output can't be written: {error}"))
}
