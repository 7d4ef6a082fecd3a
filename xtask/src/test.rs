//! `cargo xtask test`: the tests of the workspace, and the corpus.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Result, ensure};
use serde_json::Value;
use xshell::cmd;
use xtask::steps::Steps;
use xtask::tools::{Outcome, measure, of_the_tests, root, shell};

/// What every part of the tests is built with, as [`of_the_tests`].
const BUILD: [&str; 3] = ["--workspace", "--all-features", "--locked"];

/// How many tests of a program run at the same time. Many wait for a process, so that there are
/// more than processors.
const TESTS_AT_A_TIME: &str = "8";

/// The cases of GCX1's workspace shapes.
const GOLDENS: &str = "gcx/responses/envelopes.json";

pub(crate) fn run() -> Outcome {
    let mut steps = Steps::default();
    let mut built = Built::default();
    steps.run("build", || {
        built = build()?;
        of_the_tests(["measure"]).map(|_| ())
    })?;
    // The format's description wants these before anything else.
    steps.run("goldens of GCX1's workspace shapes", || {
        measure(&["conformance", "--filter", GOLDENS])
    })?;
    steps.run("tests, and examples in the documentation", || {
        thread::scope(|scope| {
            let documentation = scope.spawn(documentation);
            run_all(built.tests).and(documentation.join().expect("because it returns its errors"))
        })
    })?;
    steps.run("examples", || run_all(built.examples))?;
    steps.run("conformance", || measure(&["conformance", "--coverage"]))?;
    steps.finish();
    Ok(())
}

/// Builds and runs the examples of all libraries, one library after the other.
fn documentation() -> Outcome {
    let sh = shell()?;
    let output = cmd!(sh, "cargo test --doc --quiet {BUILD...}").ignore_status().output()?;
    let printed = [output.stdout, output.stderr].concat();
    println!(
        "\n     Running examples in the documentation\n{}",
        String::from_utf8_lossy(&printed).trim_end()
    );
    ensure!(output.status.success(), "examples in the documentation failed: `cargo test --doc`");
    Ok(())
}

/// What cargo has built.
#[derive(Debug, Default, PartialEq)]
struct Built {
    tests: Vec<Program>,
    examples: Vec<Program>,
}

/// A program of tests, or an example.
#[derive(Debug, PartialEq)]
struct Program {
    executable: PathBuf,
    /// The folder of its package, in which it runs.
    folder: PathBuf,
    /// What people know it by: the package's folder, and the file in it.
    name: String,
}

/// Builds all tests and examples.
fn build() -> Result<Built> {
    let format = ["--message-format", "json-render-diagnostics"];
    let sh = shell()?;
    let messages = cmd!(sh, "cargo test --no-run {format...} {BUILD...}").quiet().read()?;
    let mut built = built(&messages, &root());
    // The largest mostly takes longest, and is run first.
    built.tests.sort_by_key(|program| {
        Reverse(fs::metadata(&program.executable).map_or(0, |file| file.len()))
    });
    ensure!(
        !built.tests.is_empty() && !built.examples.is_empty(),
        "cargo names no program of tests, or no example"
    );
    Ok(built)
}

/// The programs among the artifacts that cargo names.
fn built(messages: &str, root: &Path) -> Built {
    let mut built = Built::default();
    for line in messages.lines() {
        let message: Value = serde_json::from_str(line).unwrap_or_default();
        let path = |value: &Value| value.as_str().map(PathBuf::from);
        let (Some(executable), Some(manifest), Some(source)) = (
            path(&message["executable"]),
            path(&message["manifest_path"]),
            path(&message["target"]["src_path"]),
        ) else {
            continue;
        };
        let name = source.strip_prefix(root).unwrap_or(&source).display().to_string();
        let folder = manifest.parent().unwrap_or(root).to_owned();
        let program = Program { executable, folder, name };
        if message["profile"]["test"] == true {
            built.tests.push(program);
        } else if message["target"]["kind"][0] == "example" {
            built.examples.push(program);
        }
    }
    built
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
    ensure!(failed.is_empty(), "{}", failed.join("; "));
    Ok(())
}

fn run_one(program: &Program) -> Result<(), String> {
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
    fn the_programs_are_tests_and_examples() {
        let artifact = |test: bool, kind: &str, executable: &str| {
            format!(
                r#"{{"reason":"compiler-artifact","manifest_path":"/r/crates/a/Cargo.toml","profile":{{"test":{test}}},"target":{{"kind":["{kind}"],"src_path":"/r/crates/a/b.rs"}},"executable":{executable}}}"#
            )
        };
        let messages = [
            artifact(true, "test", r#""/t/b-1""#),
            artifact(false, "bin", r#""/t/b""#),
            artifact(false, "example", r#""/t/c""#),
            artifact(true, "test", "null"),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let program = |executable: &str| Program {
            executable: executable.into(),
            folder: "/r/crates/a".into(),
            name: "crates/a/b.rs".to_owned(),
        };
        let (tests, examples) = (vec![program("/t/b-1")], vec![program("/t/c")]);
        assert_eq!(built(&messages.join("\n"), Path::new("/r")), Built { tests, examples });
    }

    #[test]
    fn a_program_that_fails_is_named() {
        let program =
            |name: &str| Program { executable: name.into(), folder: root(), name: name.to_owned() };
        run_all(vec![program("true")]).unwrap();
        let problem = run_all(vec![program("false"), program("true")]).unwrap_err();
        assert!(problem.to_string().starts_with("false failed"), "{problem}");
    }
}
