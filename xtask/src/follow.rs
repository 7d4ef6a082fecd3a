//! Does what a page of the documentation says.
//!
//! Blocks whose info string has `file=PATH` are written there, and the commands of `sh` blocks are
//! run, in the order of the page. A block `text,output` is what the commands above it print; a line
//! that ends in `…` says how one begins.

use std::path::Path;

use anyhow::ensure;
use xshell::{Shell, cmd};
use xtask::tools::Outcome;

/// Follows a page in a folder.
pub(crate) fn follow(sh: &Shell, page: &Path, folder: &Path) -> Outcome {
    let text = sh.read_file(page)?;
    let _folder = sh.push_dir(folder);
    let mut printed = String::new();
    for (info, text) in blocks(&text) {
        let mut words = info.split(',').map(str::trim);
        match (words.next().unwrap_or_default(), words.next()) {
            (_, Some(word)) if word.starts_with("file=") => {
                sh.write_file(&word["file=".len()..], &text)?;
            }
            ("sh", None) => {
                println!("$ {}", text.trim_end().replace('\n', "\n$ "));
                printed = cmd!(sh, "sh -eu -c {text}").quiet().read()?;
                println!("{printed}");
            }
            ("text", Some("output")) => ensure!(
                is_printed(&printed, &text),
                "{}: the commands print\n{printed}and the page says\n{text}",
                page.display()
            ),
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
