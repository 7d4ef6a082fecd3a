//! `cargo xtask comments`: comments of Rust files that are wider than 100 columns.
//!
//! `cargo fmt` keeps code to this width, and leaves comments alone.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::tools::{Outcome, root};

/// There is nothing to choose.
#[derive(Args)]
pub(crate) struct Options {}

/// Folders with Rust files of this repository.
const FOLDERS: [&str; 5] = ["benches", "conformance", "crates", "fuzz", "xtask"];
/// The widest line, in characters.
const WIDTH: usize = 100;

/// Fails with every line of a comment that is too wide.
pub(crate) fn run(_: &Options) -> Outcome {
    let mut files = Vec::new();
    for folder in FOLDERS {
        add_files(&root().join(folder), &mut files)?;
    }
    files.sort();
    let mut wide = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
        let name = file.strip_prefix(root()).unwrap_or(file).display();
        wide.extend(too_wide(&text).into_iter().map(|line| format!("{name}:{line}")));
    }
    if wide.is_empty() {
        println!("{} files, no comment wider than {WIDTH} columns", files.len());
        return Ok(());
    }
    Err(format!(
        "{} lines of comments are wider than {WIDTH} columns: wrap them\n{}",
        wide.len(),
        wide.join("\n")
    ))
}

/// Adds the Rust files below a folder, without those of builds.
fn add_files(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() {
                if path.file_name().is_some_and(|name| name != "target") {
                    folders.push(path);
                }
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    Ok(())
}

/// The numbers of lines, from 1, that are comments and too wide. Three things may be wider, because
/// a line break would change them: code between fences, rows of tables, and a single long word.
fn too_wide(text: &str) -> Vec<usize> {
    let mut wide = Vec::new();
    let mut is_code = false;
    for (line, number) in text.lines().zip(1..) {
        let Some(comment) = line.trim_start().strip_prefix("//") else {
            is_code = false;
            continue;
        };
        let comment = comment.trim_start_matches(['/', '!']).trim();
        if comment.starts_with("```") {
            is_code = !is_code;
            continue;
        }
        let is_fixed = is_code || comment.starts_with('|') || !comment.contains(' ');
        if !is_fixed && line.chars().count() > WIDTH {
            wide.push(number);
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_comment_is_too_wide() {
        run(&Options {}).unwrap_or_else(|problem| panic!("{problem}"));
    }

    #[test]
    fn what_can_be_wrapped_is_found() {
        let prose = "word ".repeat(20);
        let word = "x".repeat(WIDTH);
        let text = format!(
            "//! {prose}\n/// ```\n/// {prose}\n/// ```\n    // {prose}\n/// | {prose} |\n\
             /// {word}\nlet code = 1; {prose}\n/// ```\ncode\n/// {prose}\n"
        );
        assert_eq!(too_wide(&text), [1, 5, 11]);
        assert_eq!(too_wide(&format!("// {}é", "a ".repeat(48))), [] as [usize; 0]);
    }
}
