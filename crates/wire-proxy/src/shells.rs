//! Completions for shells and the manual page, for the archives of a release.

use std::io;

use clap::Command;

use crate::failure::{Failure, print};

pub(crate) fn completions(
    mut program: Command,
    shell: clap_complete::Shell,
) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut program, "wire-proxy", &mut script);
    print(&script)
}

pub(crate) fn man(program: &Command) -> Result<u8, Failure> {
    print(&pages(program).map_err(|error| Failure::Io(error.to_string()))?)
}

/// The page of the program, followed by one for each command.
fn pages(program: &Command) -> io::Result<Vec<u8>> {
    let commands = program.get_subcommands().filter(|command| !command.is_hide_set());
    let commands = commands.map(|command| {
        let name = format!("wire-proxy {}", command.get_name());
        command.clone().bin_name(name.clone()).display_name(name.replace(' ', "-"))
    });
    let mut pages = Vec::new();
    for command in std::iter::once(program.clone()).chain(commands) {
        clap_mangen::Man::new(command).render(&mut pages)?;
    }
    Ok(pages)
}
