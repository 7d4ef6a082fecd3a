//! docs/cli.md, made from what the commands say of themselves.

use std::fmt::Write as _;
use std::process::Command;

use crate::tools::root;

/// The page of the command line.
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
        "# The command line\n\n\
         What `wirefmt --help`, and `--help` of each command, print: this page is written by `cargo xtask generate cli`.\n\
         What a format is for and what it loses, `wirefmt formats` says; what it costs, [the scorecards](scorecards).\n\n",
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
