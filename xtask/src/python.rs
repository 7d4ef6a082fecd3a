//! `cargo xtask python`: builds the Python package, installs it into a bare virtual environment,
//! and tests it there.
//!
//! The package is a workspace of its own, so that nothing else needs an interpreter.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use serde_json::Value;
use xshell::{Shell, cmd};
use xtask::steps::Steps;
use xtask::tools::{Outcome, emptied, path_with, root, shell};

/// The oldest version that the package is for.
const OLDEST: (u32, u32) = (3, 10);
/// How large the wheel without vocabularies may be, in bytes.
const LARGEST_WHEEL: u64 = 2_250_000;
const PACKAGE: &str = "crates/wire-python";
/// What a module for a framework is called, which has types where that is installed.
const OF_FRAMEWORKS: [&str; 6] =
    ["fastmcp", "langchain", "litellm", "mcp", "openai_agents", "pydantic_ai"];
/// The profile of what is built to be tested.
const TESTED: &str = "test-wheel";

#[derive(Args, Default)]
pub(crate) struct Options {
    /// Build as for a release: slower, and the fastest package.
    #[arg(long)]
    release: bool,
    /// Measure the speed beside other packages in place of the tests, write it into the
    /// documentation, and fail where a bar is missed.
    #[arg(long)]
    bench: bool,
}

/// Where everything is made.
fn made() -> PathBuf {
    root().join("target/python")
}

pub(crate) fn run(options: &Options) -> Outcome {
    let (sh, made) = (shell()?, made());
    sh.change_dir(PACKAGE);
    let profile = if options.release || options.bench { "dist" } else { TESTED };
    let mut steps = Steps::default();
    if options.bench {
        steps.run("wheels and source distribution", || build(&sh, profile))?;
        let python = steps.run("the packages that are compared", || {
            with_wheels(&sh, &made.join("bench"), "requirements-bench.txt")
        })?;
        // What the speeds are written into.
        let page = root().join("docs/python.md");
        steps.run("speed", || Ok(cmd!(sh, "{python} bench/speed.py --page {page}").run()?))?;
        steps.finish();
        return Ok(());
    }
    steps.run("format and clippy of the binding", || lint(&sh))?;
    steps.run("wheels and source distribution", || build(&sh, profile))?;
    let python = steps.run("a bare environment with the wheels", || {
        with_wheels(&sh, &made.join("test"), "requirements-test.txt")
    })?;
    steps.run("tests", || Ok(cmd!(sh, "{python} -m pytest tests").run()?))?;
    // Outside of the folder, so that what is installed is checked, and not what is beside the
    // sources.
    let package = sh.current_dir();
    sh.change_dir(&made);
    let config = package.join("pyproject.toml");
    steps.run("types by mypy", || {
        let mypy = cmd!(sh, "{python} -m mypy --strict --config-file {config} -p wire_formats");
        Ok(mypy.run()?)
    })?;
    steps.run("stubs and the module agree", || {
        let allowed = package.join("tests/stubtest-allowlist.txt");
        let options = ["--mypy-config-file".as_ref(), config.as_os_str(), "--allowlist".as_ref()];
        let stubtest = ["-m", "mypy.stubtest", "wire_formats"];
        Ok(cmd!(sh, "{python} {stubtest...} {options...} {allowed}").run()?)
    })?;
    steps.run("types by pyright", || pyright(&sh, &package, &python))?;
    steps.run("the source distribution builds and installs", || {
        let python = environment(&sh, &made.join("source"))?;
        let _target = sh.push_env("CARGO_TARGET_DIR", made.join("target"));
        let _profile = sh.push_env("MATURIN_PEP517_ARGS", format!("--profile {profile}"));
        let source = built(&sh, "gz")?;
        cmd!(sh, "{python} -m pip install --quiet --force-reinstall {source...}").run()?;
        let smoke = "from wire_formats import gcf; assert gcf.loads(gcf.dumps([1])) == [1]";
        Ok(cmd!(sh, "{python} -c {smoke}").run()?)
    })?;
    steps.finish();
    Ok(())
}

/// The wheels of the package and of the vocabularies, built where `cargo xtask python` builds them,
/// so that the second of the two finds them done.
pub(crate) fn wheels(sh: &Shell) -> Result<Vec<PathBuf>> {
    let _folder = sh.push_dir(root().join(PACKAGE));
    // Cargo knows what has changed: a build of what is there takes seconds.
    build(sh, TESTED)?;
    built(sh, "whl")
}

/// A fresh virtual environment with what a file asks for, and with the wheels that were built; gives
/// its interpreter.
pub(crate) fn with_wheels(sh: &Shell, folder: &Path, requirements: &str) -> Result<PathBuf> {
    let python = environment(sh, folder)?;
    pip(sh, &python, &["-r", requirements])?;
    install_wheels(sh, &python, &built(sh, "whl")?)?;
    Ok(python)
}

pub(crate) fn install_wheels(sh: &Shell, python: &Path, wheels: &[PathBuf]) -> Outcome {
    Ok(cmd!(sh, "{python} -m pip install --quiet --force-reinstall --no-deps {wheels...}").run()?)
}

/// A fresh virtual environment; gives its interpreter.
pub(crate) fn environment(sh: &Shell, folder: &Path) -> Result<PathBuf> {
    let interpreter = interpreter(sh)?;
    cmd!(sh, "{interpreter} -m venv --clear {folder}").run()?;
    Ok(folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" }))
}

/// The interpreter, or what is missing.
fn interpreter(sh: &Shell) -> Result<&'static str> {
    let (major, minor) = OLDEST;
    let is_new = format!("import sys, venv; sys.exit(sys.version_info < ({major}, {minor}))");
    for candidate in ["python3", "python"] {
        if cmd!(sh, "{candidate} -c {is_new}").quiet().ignore_stderr().run().is_ok() {
            return Ok(candidate);
        }
    }
    bail!(
        "Python {major}.{minor} or later with its module `venv` is not installed: neither `python3` nor `python` is it; install it (on Debian `apt-get install python3-venv`)"
    )
}

/// Installs packages. Python compiles what it imports, which is a small part of most.
pub(crate) fn pip(sh: &Shell, python: &Path, arguments: &[&str]) -> Outcome {
    let install = ["install", "--quiet", "--no-compile", "--disable-pip-version-check"];
    Ok(cmd!(sh, "{python} -m pip {install...} {arguments...}").run()?)
}

fn lint(sh: &Shell) -> Outcome {
    for manifest in ["Cargo.toml", "tokens/Cargo.toml"] {
        cmd!(sh, "cargo fmt --check --manifest-path {manifest}")
            .run()
            .context("run `cargo fmt` there")?;
    }
    let target = made().join("target");
    let clippy = cmd!(sh, "cargo clippy --locked --quiet --target-dir {target} -- -D warnings");
    Ok(clippy.run()?)
}

/// Builds the wheels of the package and of the vocabularies, and the source distribution.
fn build(sh: &Shell, profile: &str) -> Outcome {
    let python = environment(sh, &made().join("build"))?;
    pip(sh, &python, &["-r", "requirements-build.txt"])?;
    let dist = made().join("dist");
    emptied(sh, &dist)?;
    let _target = sh.push_env("CARGO_TARGET_DIR", made().join("target"));
    for folder in [".", "tokens"] {
        let _folder = sh.push_dir(folder);
        let build = ["-m", "maturin", "build", "--quiet", "--locked", "--profile", profile];
        cmd!(sh, "{python} {build...} --out {dist} --interpreter {python}").run()?;
    }
    cmd!(sh, "{python} -m maturin sdist --out {dist}").run()?;
    for wheel in built(sh, "whl")? {
        let (name, size) = (wheel.display(), wheel.metadata()?.len());
        println!("{name}: {size} bytes");
        ensure!(
            size <= LARGEST_WHEEL || name.to_string().contains("tokens"),
            "{name} has {size} bytes, expected at most {LARGEST_WHEEL}"
        );
    }
    Ok(())
}

/// What was built, and has this extension.
fn built(sh: &Shell, extension: &str) -> Result<Vec<PathBuf>> {
    let mut files = sh.read_dir(made().join("dist"))?;
    files.retain(|file| file.extension().is_some_and(|own| own == extension));
    ensure!(!files.is_empty(), "target/python/dist has no file that ends in .{extension}");
    Ok(files)
}

/// Checks the tests' use of the package, and that all that is public has a type.
fn pyright(sh: &Shell, package: &Path, python: &Path) -> Outcome {
    let file = package.join("tests/typed.py");
    cmd!(sh, "{python} -m pyright --pythonpath {python} {file}").run()?;
    // For this it takes the first interpreter of the path, whatever it is told.
    let path = path_with(python.parent().unwrap_or(Path::new(".")))?;
    let verify = ["--outputjson", "--ignoreexternal", "--verifytypes", "wire_formats"];
    let verify = cmd!(sh, "{python} -m pyright {verify...}").env("PATH", path);
    let report: Value = serde_json::from_str(&verify.ignore_status().read()?)?;
    let symbols = report["typeCompleteness"]["symbols"].as_array().map_or(&[][..], Vec::as_slice);
    ensure!(!symbols.is_empty(), "pyright found no symbol of the package");
    let is_of_framework =
        |name: &str| name.split('.').nth(1).is_some_and(|module| OF_FRAMEWORKS.contains(&module));
    let unknown: Vec<&str> = symbols
        .iter()
        .filter(|symbol| symbol["isExported"] == true && symbol["isTypeKnown"] == false)
        .filter_map(|symbol| symbol["name"].as_str())
        .filter(|name| !is_of_framework(name))
        .collect();
    ensure!(unknown.is_empty(), "without a type: {}", unknown.join(", "));
    Ok(())
}
