//! Completions for shells and the manual page, for the archives of a release.

use std::io;

use clap::CommandFactory;

use crate::args::Arguments;
use crate::failure::{Failure, print};

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<u8, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "wire-proxy", &mut script);
    print(&script)
}

pub(crate) fn man() -> Result<u8, Failure> {
    print(&pages().map_err(|error| Failure::Io(error.to_string()))?)
}

/// The page of the program, followed by one for each command.
fn pages() -> io::Result<Vec<u8>> {
    // The help begins with what is never touched; an index of pages has one line for each.
    let program = Arguments::command()
        .about("In front of any MCP server: results with fewer tokens and the same values");
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_have_a_line_for_an_index_and_the_options_of_commands() {
        let pages = String::from_utf8(pages().unwrap()).unwrap();
        let name = pages.lines().skip_while(|line| *line != ".SH NAME").nth(1).unwrap();
        assert_eq!(
            name,
            "wire\\-proxy \\- In front of any MCP server: results with fewer tokens and the same values"
        );
        assert!(pages.contains("Never touched, and passed on byte for byte"), "{pages}");
        for command in ["init", "try", "stats"] {
            assert!(pages.contains(&format!("wire\\-proxy\\-{command}")), "{command}");
        }
        assert!(pages.contains("\\-\\-write"), "{pages}");
    }
}
