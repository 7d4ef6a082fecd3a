//! What the tasks share.

use std::env;
use std::fs;
use std::path::{self, Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, bail};
use xshell::{Shell, cmd};

/// The outcome of a task; an error says how to mend what is wrong.
pub type Outcome = Result<()>;

/// Prints what is wrong, and says whether something is.
pub fn end_with(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem:#}");
            ExitCode::FAILURE
        }
    }
}

/// A shell in the folder of the repository.
pub fn shell() -> Result<Shell> {
    let sh = Shell::new()?;
    sh.change_dir(root());
    Ok(sh)
}

/// Runs a command of `measure`, which links the product, in the folder of the caller, to which its
/// paths may be relative.
pub fn measure(arguments: &[&str]) -> Outcome {
    let [measure] = of_the_tests(["measure"])?;
    let sh = Shell::new()?;
    Ok(cmd!(sh, "{measure} {arguments...}").quiet().run()?)
}

/// Programs of the workspace with the features that the tests have, so that `./test` and all
/// checks build them once.
pub fn of_the_tests<const N: usize>(names: [&str; N]) -> Result<[PathBuf; N]> {
    let target = target();
    let programs = names.iter().flat_map(|name| ["--bin", name]);
    let build = ["build", "--quiet", "--workspace", "--all-features", "--locked"];
    let sh = shell()?;
    cmd!(sh, "cargo {build...} --target-dir {target} {programs...}").quiet().run()?;
    Ok(names.map(|name| target.join("debug").join(name)))
}

/// What the scorecards print, which are built with the evaluation. Cargo finds no setting of the
/// workspace there, so that it is told the target.
pub fn scorecards(arguments: &[&str]) -> Result<String> {
    let (sh, target) = (shell()?, target());
    let run = ["run", "--quiet", "--locked", "--package", "wire-scorecards"];
    let run = [&run[..], &["--manifest-path", "eval/Cargo.toml", "--target-dir"]].concat();
    Ok(cmd!(sh, "cargo {run...} {target} -- {arguments...}").quiet().read()? + "\n")
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
pub fn read(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}

/// Makes a folder in which nothing is.
pub fn emptied(sh: &Shell, folder: &Path) -> Outcome {
    sh.remove_path(folder)?;
    sh.create_dir(folder)?;
    Ok(())
}

/// A page with `text` between the two lines that mark its place; an error where it has none.
pub fn between(page: &str, begin: &str, end: &str, text: &str) -> Result<String> {
    let parts = page.split_once(begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some((before, after))
    });
    let (before, after) = parts.with_context(|| {
        format!("the page has no place for the text, expected `{begin}` and `{end}`")
    })?;
    Ok(format!("{before}{begin}{text}{end}{after}"))
}

/// What git prints in the repository; `None` where it fails, as outside of a clone.
pub fn git(arguments: &[&str]) -> Option<String> {
    let sh = shell().ok()?;
    cmd!(sh, "git {arguments...}").quiet().ignore_stderr().read().ok()
}

/// The programs, built as `./try` builds them, so that they are built once: the folder that they
/// are in.
pub fn programs() -> Result<PathBuf> {
    let target = target();
    let packages = ["-p", "wire-cli", "-p", "wire-proxy"];
    let build = ["build", "--release", "--locked", "--quiet"];
    let sh = shell()?;
    cmd!(sh, "cargo {build...} {packages...} --target-dir {target}").quiet().run()?;
    Ok(target.join("release"))
}

/// The variable `PATH` with a folder in front.
pub fn path_with(folder: &Path) -> Result<String> {
    let paths = env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(folder.to_owned()).chain(env::split_paths(&paths));
    Ok(env::join_paths(paths)?.to_string_lossy().into_owned())
}

/// Whether a program can be run, by its option that prints the version.
pub fn is_installed(program: &str) -> bool {
    let mut command = Command::new(program);
    let command = command.arg("--version").stdin(Stdio::null());
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

/// Installs packages of Python and of Node into the folders `python` and `node` in a folder, unless
/// they are there.
pub fn install(folder: &Path, python: &[&str], node: &[&str]) -> Outcome {
    let sh = shell()?;
    let done = folder.join("installed");
    let wanted = [python, node].concat().join("\n");
    if sh.read_file(&done).is_ok_and(|installed| installed == wanted) {
        return Ok(());
    }
    let [of_python, of_node] = ["python", "node"].map(|name| folder.join(name));
    sh.create_dir(&of_node)?;
    let pip = ["install", "--quiet", "--no-compile", "--upgrade", "--target"];
    for (command, packages) in [
        (cmd!(sh, "python3 -m pip {pip...} {of_python} {python...}"), python),
        (cmd!(sh, "npm install --silent --prefix {of_node} {node...}"), node),
    ] {
        if packages.is_empty() {
            continue;
        }
        let output = command.quiet().ignore_status().output()?;
        if !output.status.success() {
            let log = String::from_utf8_lossy(&output.stderr).into_owned();
            bail!("{} can't be installed:\n{}", packages.join(", "), end(&log));
        }
    }
    Ok(sh.write_file(&done, wanted)?)
}

/// The last lines of a log.
pub fn end(log: &str) -> String {
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(20)..].join("\n")
}

/// Runs a script of the JavaScript package or the site, which need Node only.
pub fn node(script: &str, arguments: &[&str]) -> Outcome {
    let sh = shell()?;
    Ok(cmd!(sh, "node {script} {arguments...}").run()?)
}
