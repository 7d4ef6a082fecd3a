//! `wirefmt` as people and pipelines see it, by commands.

mod check;
#[path = "../common/mod.rs"]
mod common;
mod convert;
mod deltas;
mod documents;
mod explain;
mod inputs;
mod json;
mod messages;
mod output;
mod primer;
mod queries;
mod responses;
mod streams;
mod values;

/// Every command that the help lists.
#[test]
fn each_command_has_help() {
    let program = env!("CARGO_BIN_EXE_wirefmt");
    let help = |arguments: &[&str]| {
        let output = std::process::Command::new(program).args(arguments).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{arguments:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
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
