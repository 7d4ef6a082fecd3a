//! What the tasks share.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// The outcome of a task; the text says how to mend what is wrong.
pub type Outcome = Result<(), String>;

/// Prints what is wrong, and says whether something is.
pub fn end_with(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a command of `measure`, which links the product.
///
/// # Errors
///
/// If the command fails.
pub fn measure(arguments: &[&str]) -> Outcome {
    let [measure] = of_the_tests(["measure"])?;
    run(Command::new(measure).args(arguments))
}

/// Programs of the workspace with the features that the tests have, so that `./test` and all
/// checks build them once.
///
/// # Errors
///
/// If they don't compile.
pub fn of_the_tests<const N: usize>(names: [&str; N]) -> Result<[PathBuf; N], String> {
    let target = target();
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--quiet", "--workspace", "--all-features", "--locked"]);
    cargo.args(["--target-dir".as_ref(), target.as_os_str()]).current_dir(root());
    cargo.args(names.iter().flat_map(|name| ["--bin", name]));
    run(&mut cargo)?;
    Ok(names.map(|name| target.join("debug").join(name)))
}

/// The program of the scorecards, built with the evaluation and run from the folder of the caller,
/// whose paths may be relative to it. Cargo finds no setting of the workspace there, so that it is
/// told the target.
pub fn scorecards() -> Command {
    let mut cargo = Command::new("cargo");
    cargo.args(["run", "--quiet", "--locked", "--package", "wire-scorecards", "--manifest-path"]);
    cargo.arg(root().join("eval/Cargo.toml")).arg("--target-dir").arg(target());
    cargo.arg("--");
    cargo
}

/// The folder of the repository.
pub fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("because xtask is a folder of the repository").to_owned()
}

/// The folder that builds go to.
pub fn target() -> PathBuf {
    // Cargo takes a relative path from where it is called.
    let target = env::var_os("CARGO_TARGET_DIR").and_then(|folder| path::absolute(folder).ok());
    target.unwrap_or_else(|| root().join("target"))
}

/// The text of a file.
pub fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// Runs a command in a folder of the repository, with its output shown.
pub fn run_in(
    folder: &Path,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Outcome {
    let mut command = Command::new(program);
    command.args(arguments).envs(environment.iter().copied()).current_dir(folder);
    run(&mut command).map_err(|problem| format!("{problem} in {}", folder.display()))
}

/// Runs a command with its output shown.
pub fn run(command: &mut Command) -> Outcome {
    let program = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| format!("`{program}` can't be run: {error}"))?;
    if status.success() {
        return Ok(());
    }
    let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    Err(format!("`{program} {}` failed", arguments.join(" ")))
}

/// A page with `text` between the two lines that mark its place; an error where it has none.
pub fn between(page: &str, begin: &str, end: &str, text: &str) -> Result<String, String> {
    let parts = page.split_once(begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some((before, after))
    });
    let (before, after) = parts.ok_or_else(|| {
        format!("the page has no place for the text, expected `{begin}` and `{end}`")
    })?;
    Ok(format!("{before}{begin}{text}{end}{after}"))
}

/// The same for a page of the repository, which is written again.
pub fn write_between(document: &str, begin: &str, end: &str, text: &str) -> Outcome {
    let path = root().join(document);
    let failed = |error: std::io::Error| format!("{document}: {error}");
    let page = between(&read(&path)?, begin, end, text)
        .map_err(|problem| format!("{document}: {problem}"))?;
    fs::write(&path, page).map_err(failed)
}

/// What git prints; `None` where it fails, as outside of a clone.
pub fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = Command::new("git");
    let output = git.args(arguments).current_dir(folder).stderr(Stdio::null()).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The programs, built as `./try` builds them, so that they are built once: the folder that they
/// are in.
pub fn programs() -> Result<PathBuf, String> {
    let build = ["build", "--release", "--locked", "--quiet", "-p", "wire-cli", "-p", "wire-proxy"];
    let target = target();
    let to = ["--target-dir", &*target.to_string_lossy()];
    run_in(&root(), "cargo", &[&build[..], &to].concat(), &[])?;
    Ok(target.join("release"))
}

/// The variable `PATH` with a folder in front.
pub fn path_with(folder: &Path) -> Result<String, String> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder.to_owned()).chain(env::split_paths(&paths));
    let joined = env::join_paths(paths).map_err(|error| error.to_string())?;
    Ok(joined.to_string_lossy().into_owned())
}

/// Whether a command can be run, without its output.
pub fn works(command: &mut Command) -> bool {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Installs packages of Python and of Node into the folders `python` and `node` in a folder, unless
/// they are there.
pub fn install(folder: &Path, python: &[&str], node: &[&str]) -> Outcome {
    let done = folder.join("installed");
    let wanted = [python, node].concat().join("\n");
    if fs::read_to_string(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    fs::create_dir_all(folder.join("node")).map_err(failed)?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-compile", "--upgrade", "--target"]);
    pip.arg(folder.join("python")).args(python);
    let mut npm = Command::new("npm");
    npm.args(["install", "--silent", "--prefix"]).arg(folder.join("node")).args(node);
    for (mut command, packages) in [(pip, python), (npm, node)] {
        if packages.is_empty() {
            continue;
        }
        let program = command.get_program().to_string_lossy().into_owned();
        let output = command.stdin(Stdio::null()).output();
        let output = output.map_err(|_| format!("`{program}` is not installed"))?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!(
                "`{program}` can't install {}:\n{}",
                packages.join(", "),
                end(&log)
            ));
        }
    }
    fs::write(&done, wanted).map_err(failed)
}

/// The last lines of a log.
pub fn end(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}
