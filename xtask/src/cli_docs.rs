//! docs/cli-reference.md, made from what the commands say of themselves. docs/cli.md is written by
//! hand.

use std::fmt::Write as _;
use std::process::Command;

use crate::tools::root;

/// The page of the options.
pub(crate) fn page() -> Result<String, String> {
    let program = help(&[])?;
    let commands: Vec<&str> = program
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| line.starts_with("  "))
        // What goes on in a second line is further to the right.
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
        .collect();
    if commands.is_empty() {
        return Err("`wirefmt --help` lists no commands".to_owned());
    }
    let mut page = String::from(
        "# Every option of the command line\n\n\
         What `wirefmt --help` and `wirefmt COMMAND --help` print, for those who look up an option. [The command line](cli.md)\n\
         shows each command on an example. This page is written by `cargo xtask generate cli`.\n\n",
    );
    for command in &commands {
        let _ = writeln!(page, "- [`wirefmt {command}`](#wirefmt-{command})");
    }
    let _ = write!(page, "\n## wirefmt\n\n```text\n{program}```\n");
    for command in commands {
        let _ = write!(page, "\n## wirefmt {command}\n\n```text\n{}```\n", help(&[command])?);
    }
    Ok(page)
}

/// What a command says of itself, as wide as it is where there is no terminal.
fn help(command: &[&str]) -> Result<String, String> {
    let arguments = ["run", "--quiet", "--locked", "--package", "wire-cli", "--"];
    let output = Command::new("cargo")
        .args(arguments)
        .args(command)
        .arg("--help")
        .env_remove("COLUMNS")
        .current_dir(root())
        .output()
        .map_err(|error| format!("`wirefmt` can't be run: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "`wirefmt {} --help` failed: {}",
            command.join(" "),
            String::from_utf8_lossy(&output.stderr)
        ));
    }
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().flat_map(|line| [line.trim_end(), "\n"]).collect())
}
