//! Does what a page of the documentation says.
//!
//! Blocks whose info string has `file=PATH` are written there, and the commands of `sh` blocks are
//! run, in the order of the page. A block `text,output` is what the commands above it print; a line
//! that ends in `…` says how one begins.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use xtask::tools::{Outcome, read};

/// Follows a page in a folder, with these variables in the environment of its commands.
pub(crate) fn follow(page: &Path, folder: &Path, environment: &[(&str, &str)]) -> Outcome {
    let mut printed = String::new();
    for (info, text) in blocks(&read(page)?) {
        let mut words = info.split(',').map(str::trim);
        match (words.next().unwrap_or_default(), words.next()) {
            (_, Some(word)) if word.starts_with("file=") => {
                write(&folder.join(&word["file=".len()..]), &text)?;
            }
            ("sh", None) => {
                println!("$ {}", text.trim_end().replace('\n', "\n$ "));
                printed = shell(folder, &text, environment)?;
                print!("{printed}");
            }
            ("text", Some("output")) if !is_printed(&printed, &text) => {
                return Err(format!(
                    "{}: the commands print\n{printed}and the page says\n{text}",
                    page.display()
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Whether a page says what its commands print, or has files, so that it can be followed.
pub(crate) fn can_be_followed(page: &str) -> bool {
    let infos: Vec<&str> = blocks(page).into_iter().map(|(info, _)| info).collect();
    let has = |part: &str| infos.iter().any(|info| info.contains(part));
    // What is put into files of this repository changes it.
    (has("text,output") || has(",file=")) && !has(",patch")
}

/// The fenced blocks of a page: the info string of each, and its text.
pub(crate) fn blocks(page: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if line.starts_with("```") {
            let (fence, info) = line.split_at(line.len() - line.trim_start_matches('`').len());
            let text = lines.by_ref().take_while(|line| *line != fence);
            blocks.push((info, text.flat_map(|line| [line, "\n"]).collect()));
        }
    }
    blocks
}

/// Runs commands, with their errors shown, and returns what they print.
fn shell(folder: &Path, commands: &str, environment: &[(&str, &str)]) -> Result<String, String> {
    let output = Command::new("sh")
        .args(["-eu", "-c", commands])
        .current_dir(folder)
        .envs(environment.iter().copied())
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
