//! The commands that pages and helps show, for programs that parse each with their own parser.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The examples of a program: lines in the fences of the README and of the pages in `docs/`, and in
/// these helps, that begin with its name, and what follows a pipe.
///
/// # Panics
///
/// A page can't be read.
pub fn examples(program: &str, helps: &[String]) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let after =
        |help: &String| help.split_once("Examples:").map(|(_, examples)| examples.to_owned());
    let mut texts: Vec<String> = helps.iter().filter_map(after).collect();
    fences(&root.join("docs"), &mut texts);
    fences(&root.join("README.md"), &mut texts);
    let begins = |line: &&str| line.strip_prefix(program).is_some_and(|rest| rest.starts_with(' '));
    let lines = texts.iter().flat_map(|text| text.lines());
    let commands = lines.flat_map(|line| line.trim_start_matches(['$', ' ']).split("| "));
    // A help has its comments after several spaces.
    let commands = commands.filter(begins).filter_map(|line| line.split("    ").next());
    commands.map(str::to_owned).collect()
}

/// Adds the fences of a page, or of those in a folder, but for outputs.
fn fences(path: &Path, texts: &mut Vec<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("because it is a folder of the repository") {
            fences(&entry.expect("because it was listed").path(), texts);
        }
    } else if path.extension().is_some_and(|extension| extension == "md") {
        let page = fs::read_to_string(path).expect("because it is a page of the repository");
        let inside = page.split("\n```").skip(1).step_by(2);
        texts.extend(inside.filter(|block| !block.starts_with("text")).map(str::to_owned));
    }
}

/// The words of a command, as a shell splits them, up to a comment, a pipe or a redirection.
pub fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(mark), c) if c == mark => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '|' | '<' | '>' | '#' | ';' | '\\') => break,
            (None, ' ') => words.extend(word.take()),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// Runs a program for its help, and for that of every command that it lists, in both lengths.
///
/// # Panics
///
/// A help is missing, is an error, or says something on standard error.
pub fn check_help(program: &str) {
    let help = |arguments: &[&str]| {
        let output = Command::new(program).args(arguments).output().expect("it is built");
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).expect("a help is UTF-8")
    };
    let all = help(&["--help"]);
    let listed = all.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    let mut commands: Vec<&str> = listed
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    assert!(commands.len() > 5 && commands.contains(&"help"), "{commands:?}");
    commands.extend(["completions", "man"]);
    for command in commands {
        for option in ["--help", "-h"] {
            assert!(help(&[command, option]).contains("Usage: "), "{command} {option}");
        }
    }
    assert_eq!(help(&["-h"]).lines().next(), all.lines().next());
}
