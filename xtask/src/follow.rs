//! `cargo xtask follow PAGE`: does what a page of the documentation says.
//!
//! Blocks whose info string has `file=PATH` are written there, the lines of `patch` blocks are put
//! into files, and the commands of `sh` blocks are run, in the order of the page. A block
//! `text,output` is what the commands above it print; a line that ends in `…` says how one begins.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;

use crate::tools::Outcome;

#[derive(Args)]
pub(crate) struct Options {
    /// A page in Markdown.
    page: PathBuf,
    /// Where files are written and commands are run.
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let page = fs::read_to_string(&options.page)
        .map_err(|error| format!("{}: {error}", options.page.display()))?;
    let (mut steps, mut printed) = (0, String::new());
    for (info, text) in blocks(&page) {
        let mut words = info.split(',').map(str::trim);
        let language = words.next().unwrap_or_default();
        let mut words = words.peekable();
        match (language, words.peek().copied()) {
            (_, Some("patch")) => patch(&options.folder, &text)?,
            (_, Some(word)) if word.starts_with("file=") => {
                write(&options.folder.join(&word["file=".len()..]), &text)?;
            }
            ("sh", None) => {
                println!("$ {}", text.trim_end().replace('\n', "\n$ "));
                printed = shell(&options.folder, &text)?;
                print!("{printed}");
            }
            ("text", Some("output")) if !is_printed(&printed, &text) => {
                return Err(format!(
                    "{}: the commands print\n{printed}and the page says\n{text}",
                    options.page.display()
                ));
            }
            ("text", Some("output")) => {}
            _ => continue,
        }
        steps += 1;
    }
    if steps == 0 {
        return Err(format!("{} says nothing to do", options.page.display()));
    }
    println!("{}: {steps} steps", options.page.display());
    Ok(())
}

/// The fenced blocks of a page: the info string of each, and its text.
pub(crate) fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let text = lines.by_ref().take_while(|line| *line != "```");
            blocks.push((info, text.flat_map(|line| [line, "\n"]).collect()));
        }
    }
    blocks
}

/// Runs commands, with their errors shown, and returns what they print.
fn shell(folder: &Path, commands: &str) -> Result<String, String> {
    let output = Command::new("sh")
        .args(["-eu", "-c", commands])
        .current_dir(folder)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("`sh` can't be run: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    if output.status.success() {
        return Ok(printed);
    }
    Err(format!("`{}` failed in {}:\n{printed}", commands.trim_end(), folder.display()))
}

/// Whether these are the lines that a page shows.
fn is_printed(printed: &str, shown: &str) -> bool {
    printed.lines().count() == shown.lines().count()
        && printed.lines().zip(shown.lines()).all(|(printed, shown)| {
            match shown.strip_suffix('…') {
                Some(beginning) => printed.starts_with(beginning),
                None => printed == shown,
            }
        })
}

fn write(path: &Path, text: &str) -> Outcome {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))?;
    println!("wrote {}", path.display());
    Ok(())
}

/// Puts lines into files: each that begins with `+` behind the one before it, which has to be there
/// once.
fn patch(folder: &Path, text: &str) -> Outcome {
    let (mut file, mut place): (Option<(PathBuf, Vec<String>)>, _) = (None, 0);
    let save = |file: &Option<(PathBuf, Vec<String>)>| match file {
        Some((path, lines)) => write(path, &(lines.join("\n") + "\n")),
        None => Ok(()),
    };
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("+++ b/") {
            save(&file)?;
            let path = folder.join(name);
            let text = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
            file = Some((path, text.lines().map(str::to_owned).collect()));
        } else if line.starts_with("---") || line == "@@" {
            // The head of a file, or of a place in it.
        } else if let Some((path, lines)) = &mut file {
            if let Some(new) = line.strip_prefix('+') {
                lines.insert(place, new.to_owned());
                place += 1;
            } else {
                let wanted = line.strip_prefix(' ').unwrap_or(line);
                let mut found = (0..).zip(lines.iter()).filter(|(_, line)| *line == wanted);
                let (Some((at, _)), None) = (found.next(), found.next()) else {
                    return Err(format!(
                        "{}: expected one line {wanted:?}, to put others behind it",
                        path.display()
                    ));
                };
                place = at + 1;
            }
        }
    }
    save(&file)
}

#[cfg(test)]
mod tests {
    use super::is_printed;

    #[test]
    fn a_line_may_be_shown_by_its_beginning() {
        assert!(is_printed("a\nbcd\n", "a\nbcd\n") && is_printed("a\nbcd\n", "a\nb…\n"));
        for shown in ["a\nbcde\n", "a\n", "a\nbcd\ne\n", "a\nc…\n"] {
            assert!(!is_printed("a\nbcd\n", shown), "{shown}");
        }
    }
}
