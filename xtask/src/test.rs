//! `cargo xtask test`: the tests of the workspace, and the corpus.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use serde::Deserialize;

use crate::conformance;
use crate::steps::{Options, Steps};
use crate::tools::{Outcome, root, run_in};

/// What every part of the tests is built with.
const BUILD: [&str; 3] = ["--workspace", "--all-features", "--locked"];

/// How many tests of a program run at the same time. Many wait for a process, so that there are
/// more than processors.
const TESTS_AT_A_TIME: &str = "8";

pub(crate) fn run(options: &Options) -> Outcome {
    let mut steps = Steps::with_options("test", options);
    // The format's description wants these before anything else.
    steps.run("the goldens of GCX1's workspace shapes", || {
        conformance::run(&conformance::Options::filtered("gcx/responses/envelopes.json"))
    })?;
    let mut programs = Vec::new();
    steps.run("build of the tests", || {
        programs = build()?;
        Ok(())
    })?;
    steps.run("tests of the workspace", || run_all(programs))?;
    steps.run("examples in the documentation", || {
        run_in(&root(), "cargo", &[&["test", "--doc"], &BUILD[..]].concat(), &[])
    })?;
    steps.run("conformance", || conformance::run(&conformance::Options::with_coverage()))?;
    steps.finish(options)
}

/// A program of tests.
#[derive(Debug, PartialEq)]
struct Program {
    executable: PathBuf,
    /// The folder of its package, in which it runs.
    folder: PathBuf,
    /// What people know it by: the package's folder, and the file in it.
    name: String,
}

/// A message of cargo; those that are about no artifact have none of the members.
#[derive(Deserialize)]
struct Message {
    executable: Option<PathBuf>,
    manifest_path: Option<PathBuf>,
    profile: Option<Profile>,
    target: Option<Target>,
}

#[derive(Deserialize)]
struct Profile {
    test: bool,
}

#[derive(Deserialize)]
struct Target {
    src_path: PathBuf,
}

/// Builds the programs of all tests.
fn build() -> Result<Vec<Program>, String> {
    let output = Command::new("cargo")
        .args(["test", "--no-run", "--message-format", "json-render-diagnostics"])
        .args(BUILD)
        .current_dir(root())
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("`cargo test` can't be run: {error}"))?;
    if !output.status.success() {
        return Err("the tests don't compile".to_owned());
    }
    let programs = programs(&String::from_utf8_lossy(&output.stdout), &root());
    if programs.is_empty() {
        return Err("cargo names no program of tests".to_owned());
    }
    Ok(programs)
}

/// The programs of tests among the artifacts that cargo names.
fn programs(messages: &str, root: &Path) -> Vec<Program> {
    let program = |line: &str| {
        let Message { executable, manifest_path, profile, target } =
            serde_json::from_str(line).ok()?;
        let folder = manifest_path?.parent()?.to_owned();
        let source = target?.src_path;
        let name = source.strip_prefix(root).unwrap_or(&source).display().to_string();
        let executable = executable.filter(|_| profile.is_some_and(|profile| profile.test))?;
        Some(Program { executable, folder, name })
    };
    messages.lines().filter_map(program).collect()
}

/// Runs all programs, as many at a time as there are processors: some mostly wait, and cargo would
/// run one after the other. What each prints comes as a whole, when it has ended.
fn run_all(programs: Vec<Program>) -> Outcome {
    let queue = Mutex::new(VecDeque::from(programs));
    let failed = Mutex::new(Vec::new());
    let workers = thread::available_parallelism().map_or(2, usize::from);
    let work = || {
        loop {
            let program = queue.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
            let Some(program) = program else { return };
            if let Err(problem) = run_one(&program) {
                failed.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(work);
        }
    });
    let mut failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    failed.sort_unstable();
    if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
}

fn run_one(program: &Program) -> Outcome {
    let Program { executable, folder, name } = program;
    let output = Command::new(executable)
        .current_dir(folder)
        // As cargo does; that of this program is about xtask.
        .env("CARGO_MANIFEST_DIR", folder)
        .env("RUST_TEST_THREADS", TESTS_AT_A_TIME)
        .stdin(Stdio::null())
        .output()
        .map_err(|error| format!("{name} can't be run: {error}"))?;
    let printed = [output.stdout, output.stderr].concat();
    println!("\n     Running {name}\n{}", String::from_utf8_lossy(&printed).trim_end());
    if output.status.success() {
        return Ok(());
    }
    Err(format!("{name} failed, {}: run it with `{}`", output.status, executable.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_are_those_of_tests() {
        let artifact = |test: bool, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/r/crates/a/Cargo.toml","profile":{{"test":{test}}},"target":{{"src_path":"/r/crates/a/tests/b.rs"}},"executable":{executable}}}"#
            )
        };
        let messages = [
            artifact(true, r#""/t/b-1""#),
            artifact(false, r#""/t/b""#),
            artifact(true, "null"),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let expected = Program {
            executable: "/t/b-1".into(),
            folder: "/r/crates/a".into(),
            name: "crates/a/tests/b.rs".to_owned(),
        };
        assert_eq!(programs(&messages.join("\n"), Path::new("/r")), [expected]);
    }

    #[test]
    fn a_program_that_fails_is_named() {
        let program =
            |name: &str| Program { executable: name.into(), folder: root(), name: name.to_owned() };
        assert_eq!(run_all(vec![program("true")]), Ok(()));
        let problem = run_all(vec![program("false"), program("true")]).unwrap_err();
        assert!(problem.starts_with("false failed"), "{problem}");
    }
}
