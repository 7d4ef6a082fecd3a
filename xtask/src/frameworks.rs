//! `cargo xtask frameworks`: the modules for frameworks of agents, each with its framework, in an
//! environment of its own.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use serde_json::Value;
use xshell::{Shell, cmd};
use xtask::steps::Steps;
use xtask::tools::{Outcome, emptied, root, shell};

use crate::python;

/// Frameworks without a module, which have a recipe. Their packages are large, so these are tested
/// each night, and not with each change.
const RECIPES: [&str; 4] = ["adk", "agno", "crewai", "strands"];
/// A folder for each framework of JavaScript, and a file of requirements for each of Python.
const JAVASCRIPT: &str = "crates/wire-js/test/frameworks";
const PYTHON: &str = "crates/wire-python/tests/frameworks";

#[derive(Args)]
pub(crate) struct Options {
    /// Only this one, as `langchain`.
    #[arg(value_name = "NAME")]
    only: Option<String>,
    /// Install what is the newest today, whatever the tests ask for.
    #[arg(long)]
    newest: bool,
    #[arg(skip = true)]
    recipes: bool,
}

impl Options {
    /// Those with a module, in the versions that the tests ask for.
    pub(crate) fn for_ci() -> Self {
        Options { only: None, newest: false, recipes: false }
    }
}

pub(crate) fn run(options: &Options) -> Outcome {
    let sh = shell()?;
    let made = root().join("target/frameworks");
    let wanted = |mut paths: Vec<PathBuf>| {
        paths.retain(|path| {
            let name = name(path);
            options.only.as_ref().is_none_or(|only| *only == name)
                && (options.recipes || !RECIPES.contains(&&*name))
        });
        paths
    };
    let of_python = wanted(sh.read_dir(format!("{PYTHON}/requirements"))?);
    let mut of_javascript = wanted(sh.read_dir(JAVASCRIPT)?);
    of_javascript.retain(|path| path.is_dir());
    if of_python.is_empty() && of_javascript.is_empty() {
        let only = options.only.as_deref().unwrap_or_default();
        bail!("no framework is called {only:?}; look into {PYTHON} and {JAVASCRIPT}");
    }
    let mut steps = Steps::default();
    if !of_python.is_empty() {
        let wheels = steps.run("the Python package", || python::wheels(&sh))?;
        for requirements in of_python {
            let folder = made.join("python").join(name(&requirements));
            steps.run(&format!("Python: {}", name(&requirements)), || {
                with_python(&sh, &requirements, &folder, &wheels, options.newest)
            })?;
        }
    }
    if !of_javascript.is_empty() {
        steps.run("the JavaScript package", || {
            Ok(cmd!(sh, "node crates/wire-js/scripts/build.mjs").run()?)
        })?;
        for tests in of_javascript {
            let folder = made.join("javascript").join(name(&tests));
            steps.run(&format!("JavaScript: {}", name(&tests)), || {
                with_javascript(&sh, &tests, &folder, options.newest)
            })?;
        }
    }
    steps.finish();
    Ok(())
}

/// The name of a framework, by its file or folder.
fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

fn with_python(
    sh: &Shell,
    requirements: &Path,
    folder: &Path,
    wheels: &[PathBuf],
    newest: bool,
) -> Outcome {
    let python = python::environment(sh, folder)?;
    let text = sh.read_file(requirements)?;
    let names = text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
    let wanted: Vec<&str> = if newest {
        // What bounds a version begins with one of these.
        names.filter_map(|line| line.split(['<', '=', '>', '~', '!']).next()).collect()
    } else {
        vec!["-r"]
    };
    let file = if newest { None } else { Some(requirements) };
    let install = ["install", "--quiet", "--no-compile", "--disable-pip-version-check"];
    let install = cmd!(sh, "{python} -m pip {install...} --no-cache-dir pytest {wheels...}");
    install.args(wanted).args(file).run()?;
    let module = format!("{PYTHON}/test_{}.py", name(requirements));
    cmd!(sh, "{python} -m pytest -q -p no:cacheprovider {module}").run()?;
    // The packages of a framework are hundreds of megabytes.
    Ok(sh.remove_path(folder)?)
}

fn with_javascript(sh: &Shell, tests: &Path, folder: &Path, newest: bool) -> Outcome {
    emptied(sh, folder)?;
    // What the tests share stands beside their folders, and they test the lines of a page.
    let shared = [root().join(JAVASCRIPT).join("orders.mjs"), root().join("docs/frameworks.md")];
    for file in sh.read_dir(tests)?.into_iter().chain(shared) {
        sh.copy_file(file, folder)?;
    }
    let _folder = sh.push_dir(folder);
    if newest {
        let latest = latest(&sh.read_file("package.json")?)?;
        cmd!(sh, "npm install --silent --force {latest...}").run()?;
    } else {
        cmd!(sh, "npm ci --silent --no-audit --no-fund").run()?;
    }
    // Copied, as from a registry, and not linked.
    let package = root().join("target/js/package");
    let install = ["--silent", "--no-audit", "--no-fund", "--no-save", "--install-links"];
    cmd!(sh, "npm install {install...} {package}").run()?;
    let own = folder.join("node_modules/node/bin/node");
    let node = if own.exists() { own } else { "node".into() };
    cmd!(sh, "{node} --test").run()?;
    Ok(sh.remove_path(folder)?)
}

/// The newest versions of a package's dependencies. Node itself stays what the framework asks for.
fn latest(package: &str) -> Result<Vec<String>> {
    let package: Value = serde_json::from_str(package)?;
    let dependencies = package["dependencies"].as_object().into_iter().flatten();
    let latest = dependencies.map(|(name, version)| match (&**name, version.as_str()) {
        ("node", Some(version)) => format!("node@{version}"),
        _ => format!("{name}@latest"),
    });
    Ok(latest.collect())
}
