//! `cargo xtask python`: builds the Python package, installs it into a bare virtual environment,
//! and tests it there.
//!
//! The package is a workspace of its own, so that nothing else needs an interpreter.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde_json::Value;

use xtask::folders::{emptied, listed};
use xtask::steps::Steps;
use xtask::tools::{Outcome, path_with, root, run_in};

/// The oldest version that the package is for.
const OLDEST: (u32, u32) = (3, 10);
/// What the speeds are written into.
const PAGE: &str = "docs/python.md";
/// How large the wheel without vocabularies may be, in bytes.
const LARGEST_WHEEL: u64 = 2_250_000;

#[derive(Args)]
pub(crate) struct Options {
    /// Build as for a release: slower, and the fastest package.
    #[arg(long)]
    release: bool,
    /// Measure the speed beside other packages in place of the tests, write it into the
    /// documentation, and fail where a bar is missed.
    #[arg(long)]
    bench: bool,
    /// How often each verb is called where memory is watched; a million takes six minutes.
    #[arg(long, value_name = "N", default_value_t = 50_000)]
    calls: u32,
    /// The interpreter to test with (default: the first of `python3`, `python` that is new enough).
    #[arg(long, value_name = "PROGRAM")]
    interpreter: Option<String>,
}

impl Options {
    /// All of it, on any machine that has Python.
    pub(crate) fn for_ci() -> Self {
        Options { release: false, bench: false, calls: 20_000, interpreter: None }
    }
}

/// Where things are built and tested.
struct Places {
    package: PathBuf,
    /// Everything that is made.
    made: PathBuf,
    profile: &'static str,
}

impl Places {
    fn new(profile: &'static str) -> Self {
        let package = root().join("crates/wire-python");
        Places { package, made: root().join("target/python"), profile }
    }
}

pub(crate) fn run(options: &Options) -> Outcome {
    let interpreter = interpreter(options.interpreter.as_deref())?;
    let is_release = options.release || options.bench;
    let places = Places::new(if is_release { "dist" } else { "test-wheel" });
    let mut steps = Steps::default();
    if options.bench {
        bench(&places, &interpreter, &mut steps)?;
        steps.finish();
        return Ok(());
    }
    steps.run("format and clippy of the binding", || lint(&places))?;
    let dist = steps.run("wheels and source distribution", || build(&places, &interpreter))?;
    let python = steps.run("a bare environment with the wheels", || {
        let requirements = places.package.join("requirements-test.txt");
        let wheels = packages(&dist, "whl")?;
        with_wheels(&places.made.join("test"), &interpreter, &requirements, &wheels)
    })?;
    let run = |arguments: &[&str]| run_in(&places.package, &python, arguments, &[]);
    let calls = options.calls.to_string();
    steps.run("tests", || run(&["-m", "pytest", "tests", "--calls", &calls]))?;
    // Outside of the folder, so that what is installed is checked, and not what is beside the
    // sources.
    let check = |arguments: &[&str]| run_in(&places.made, &python, arguments, &[]);
    let config = places.package.join("pyproject.toml");
    let config = config.to_string_lossy();
    steps.run("types by mypy", || {
        check(&["-m", "mypy", "--strict", "--config-file", &config, "-p", "wire_formats"])
    })?;
    steps.run("stubs and the module agree", || {
        let allowed = places.package.join("tests/stubtest-allowlist.txt");
        let allowed = allowed.to_string_lossy();
        let options = ["--mypy-config-file", &config, "--allowlist", &allowed];
        check(&[&["-m", "mypy.stubtest", "wire_formats"], &options[..]].concat())
    })?;
    steps.run("types by pyright", || pyright(&places, &python))?;
    steps.run("the source distribution builds and installs", || {
        let python = environment(&places.made.join("source"), &interpreter)?;
        let target = places.made.join("target");
        let target = target.to_string_lossy();
        let arguments = format!("--profile {}", places.profile);
        let environment = [("CARGO_TARGET_DIR", &*target), ("MATURIN_PEP517_ARGS", &arguments)];
        let source = packages(&dist, "tar.gz")?;
        let source: Vec<&str> = source.iter().map(String::as_str).collect();
        let install = ["-m", "pip", "install", "--quiet", "--force-reinstall"];
        run_in(&places.made, &python, &[&install, &source[..]].concat(), &environment)?;
        let smoke = "from wire_formats import gcf; assert gcf.loads(gcf.dumps([1])) == [1]";
        run_in(&places.made, &python, &["-c", smoke], &[])
    })?;
    steps.finish();
    Ok(())
}

/// Measures the package as it is released beside others.
fn bench(places: &Places, interpreter: &str, steps: &mut Steps) -> Outcome {
    let dist = steps.run("wheels and source distribution", || build(places, interpreter))?;
    let python = steps.run("the packages that are compared", || {
        let requirements = places.package.join("requirements-bench.txt");
        let wheels = packages(&dist, "whl")?;
        with_wheels(&places.made.join("bench"), interpreter, &requirements, &wheels)
    })?;
    steps.run("speed", || {
        let page = root().join(PAGE);
        let arguments = ["bench/speed.py", "--page", &page.to_string_lossy()];
        run_in(&places.package, &python, &arguments, &[])
    })
}

/// The wheels of the package and of the vocabularies, built where `cargo xtask python` builds them,
/// so that the second of the two finds them done.
pub(crate) fn wheels(interpreter: &str) -> Result<Vec<String>, String> {
    let places = Places::new("test-wheel");
    // Cargo knows what has changed: a build of what is there takes seconds.
    packages(&build(&places, interpreter)?, "whl")
}

/// A fresh virtual environment with what a file asks for, and with wheels; gives its interpreter.
pub(crate) fn with_wheels(
    folder: &Path,
    interpreter: &str,
    requirements: &Path,
    wheels: &[String],
) -> Result<String, String> {
    let python = environment(folder, interpreter)?;
    pip(&python, &["-r", &requirements.to_string_lossy()])?;
    let wheels: Vec<&str> = wheels.iter().map(String::as_str).collect();
    pip(&python, &[&["--force-reinstall", "--no-deps"], &wheels[..]].concat())?;
    Ok(python)
}

/// The interpreter, or what is missing.
pub(crate) fn interpreter(wanted: Option<&str>) -> Result<String, String> {
    let candidates = wanted.map_or(vec!["python3", "python"], |wanted| vec![wanted]);
    let says = "import sys, venv; print(sys.version_info[0], sys.version_info[1])";
    for candidate in &candidates {
        let Ok(output) = Command::new(candidate).args(["-c", says]).output() else { continue };
        let text = String::from_utf8_lossy(&output.stdout);
        let mut numbers = text.split_whitespace().filter_map(|word| word.parse().ok());
        if let (Some(major), Some(minor)) = (numbers.next(), numbers.next())
            && (major, minor) >= OLDEST
        {
            return Ok((*candidate).to_owned());
        }
    }
    Err(format!(
        "Python {}.{} or later with its module `venv` is not installed: none of {} is it; install it (on Debian `apt-get install python3-venv`), or pass --interpreter",
        OLDEST.0,
        OLDEST.1,
        candidates.join(", ")
    ))
}

/// A fresh virtual environment; gives its interpreter.
pub(crate) fn environment(folder: &Path, interpreter: &str) -> Result<String, String> {
    let text = folder.to_string_lossy();
    run_in(&root(), interpreter, &["-m", "venv", "--clear", &text], &[])?;
    let python = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    Ok(folder.join(python).to_string_lossy().into_owned())
}

/// Installs packages. Python compiles what it imports, which is a small part of most.
pub(crate) fn pip(python: &str, arguments: &[&str]) -> Outcome {
    let install =
        ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"];
    run_in(&root(), python, &[&install, arguments].concat(), &[])
}

fn lint(places: &Places) -> Outcome {
    for folder in [places.package.clone(), places.package.join("tokens")] {
        run_in(&folder, "cargo", &["fmt", "--check"], &[])
            .map_err(|problem| format!("{problem}; run `cargo fmt` there"))?;
    }
    let target = places.made.join("target");
    let target = target.to_string_lossy();
    let arguments = ["clippy", "--locked", "--quiet", "--", "-D", "warnings"];
    run_in(&places.package, "cargo", &arguments, &[("CARGO_TARGET_DIR", &target)])
}

/// Builds the wheels of the package and of the vocabularies, and the source distribution; gives
/// their folder.
fn build(places: &Places, interpreter: &str) -> Result<PathBuf, String> {
    let python = environment(&places.made.join("build"), interpreter)?;
    let requirements = places.package.join("requirements-build.txt");
    pip(&python, &["-r", &requirements.to_string_lossy()])?;
    let dist = places.made.join("dist");
    emptied(&dist)?;
    let folder = dist.to_string_lossy();
    let target = places.made.join("target");
    let target = target.to_string_lossy();
    let environment = [("CARGO_TARGET_DIR", &*target)];
    for package in [places.package.clone(), places.package.join("tokens")] {
        let arguments =
            ["-m", "maturin", "build", "--quiet", "--locked", "--profile", places.profile];
        let out = ["--out", &folder, "--interpreter", &python];
        run_in(&package, &python, &[&arguments[..], &out].concat(), &environment)?;
    }
    let arguments = ["-m", "maturin", "sdist", "--out", &folder];
    run_in(&places.package, &python, &arguments, &environment)?;
    check_sizes(&dist)?;
    Ok(dist)
}

/// Fails if a wheel without vocabularies is too large.
fn check_sizes(folder: &Path) -> Outcome {
    for wheel in packages(folder, "whl")? {
        let size = fs::metadata(&wheel).map_err(|error| format!("{wheel}: {error}"))?.len();
        println!("{wheel}: {size} bytes");
        if size > LARGEST_WHEEL && !wheel.contains("tokens") {
            return Err(format!("{wheel} has {size} bytes, expected at most {LARGEST_WHEEL}"));
        }
    }
    Ok(())
}

/// The files in a folder whose names end so.
fn packages(folder: &Path, ending: &str) -> Result<Vec<String>, String> {
    let files: Vec<String> = listed(folder)?
        .iter()
        .map(|path| path.to_string_lossy().into_owned())
        .filter(|file| file.ends_with(ending))
        .collect();
    if files.is_empty() {
        return Err(format!("{} has no file that ends in .{ending}", folder.display()));
    }
    Ok(files)
}

/// Checks the tests' use of the package, and that all that is public has a type.
fn pyright(places: &Places, python: &str) -> Outcome {
    let file = places.package.join("tests/typed.py");
    let file = file.to_string_lossy();
    run_in(&places.made, python, &["-m", "pyright", "--pythonpath", python, &file], &[])?;
    // For this it takes the first interpreter of the path, whatever it is told.
    let path = path_with(Path::new(python).parent().unwrap_or(Path::new(".")))?;
    let verify = ["--outputjson", "--ignoreexternal", "--verifytypes", "wire_formats"];
    let mut command = Command::new(python);
    command.args(["-m", "pyright"]).args(verify).current_dir(&places.made).env("PATH", path);
    let output = command.output().map_err(|error| format!("{python}: {error}"))?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("pyright printed no JSON: {error}"))?;
    let symbols = report["typeCompleteness"]["symbols"].as_array().into_iter().flatten();
    let unknown: Vec<&str> = symbols
        .filter(|symbol| symbol["isExported"] == true && symbol["isTypeKnown"] == false)
        .filter_map(|symbol| symbol["name"].as_str())
        .filter(|name| !is_of_framework(name))
        .collect();
    if report["typeCompleteness"]["symbols"].as_array().is_none_or(Vec::is_empty) {
        return Err("pyright found no symbol of the package".to_owned());
    }
    if unknown.is_empty() { Ok(()) } else { Err(format!("without a type: {}", unknown.join(", "))) }
}

/// Whether a name is one of a module for a framework, which has types where that is installed.
fn is_of_framework(name: &str) -> bool {
    const MODULES: [&str; 6] =
        ["fastmcp", "langchain", "litellm", "mcp", "openai_agents", "pydantic_ai"];
    name.split('.').nth(1).is_some_and(|module| MODULES.contains(&module))
}
