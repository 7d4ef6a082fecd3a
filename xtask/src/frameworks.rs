//! `cargo xtask frameworks`: the modules for frameworks of agents, each with its framework, in an
//! environment of its own.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use crate::{js, python};
use xtask::folders::{emptied, listed, remove};
use xtask::steps::Steps;
use xtask::tools::{Outcome, read, root, run_in};

/// Frameworks without a module, which have a recipe. Their packages are large, so these are tested
/// each night, and not with each change.
const RECIPES: [&str; 4] = ["adk", "agno", "crewai", "strands"];
/// A folder for each framework of JavaScript, and a file of requirements for each of Python.
const JAVASCRIPT: &str = "crates/wire-js/test/frameworks";
const PYTHON: &str = "crates/wire-python/tests/frameworks";

/// Whose lines are tested.
const PAGE: &str = "docs/frameworks.md";

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
    let made = root().join("target/frameworks");
    let is_wanted = |name: &String| {
        options.only.as_ref().is_none_or(|only| only == name)
            && (options.recipes || !RECIPES.contains(&&**name))
    };
    let of_python: Vec<String> = names(&format!("{PYTHON}/requirements"))?
        .iter()
        .filter_map(|file| Some(file.strip_suffix(".txt")?.to_owned()))
        .filter(is_wanted)
        .collect();
    let is_folder = |name: &String| root().join(JAVASCRIPT).join(name).is_dir();
    let of_javascript: Vec<String> =
        names(JAVASCRIPT)?.into_iter().filter(is_folder).filter(is_wanted).collect();
    if of_python.is_empty() && of_javascript.is_empty() {
        let only = options.only.as_deref().unwrap_or_default();
        return Err(format!(
            "no framework is called {only:?}; look into {PYTHON} and {JAVASCRIPT}"
        ));
    }
    let mut steps = Steps::default();
    if !of_python.is_empty() {
        let interpreter = python::interpreter(None)?;
        let wheels = steps.run("the Python package", || python::wheels(&interpreter))?;
        for name in of_python {
            let folder = made.join("python").join(&name);
            steps.run(&format!("Python: {name}"), || {
                with_python(&name, &folder, &interpreter, &wheels, options.newest)
            })?;
        }
    }
    if !of_javascript.is_empty() {
        steps.run("the JavaScript package", js::build)?;
        for name in of_javascript {
            let folder = made.join("javascript").join(&name);
            steps.run(&format!("JavaScript: {name}"), || {
                with_javascript(&name, &folder, options.newest)
            })?;
        }
    }
    steps.finish();
    Ok(())
}

fn with_python(
    name: &str,
    folder: &Path,
    interpreter: &str,
    wheels: &[String],
    newest: bool,
) -> Outcome {
    let python = python::environment(folder, interpreter)?;
    let requirements = root().join(format!("{PYTHON}/requirements/{name}.txt"));
    let file = requirements.to_string_lossy().into_owned();
    let wheels = wheels.iter().map(String::as_str);
    let text = read(&requirements)?;
    let names = text.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '-']));
    let wanted: Vec<&str> = if newest {
        // What bounds a version begins with one of these.
        names.filter_map(|line| line.split(['<', '=', '>', '~', '!']).next()).collect()
    } else {
        vec!["-r", &file]
    };
    let packages: Vec<&str> = ["--no-cache-dir", "pytest"].into_iter().chain(wheels).collect();
    python::pip(&python, &[&packages[..], &wanted].concat())?;
    let module = format!("{PYTHON}/test_{name}.py");
    run_in(&root(), &python, &["-m", "pytest", "-q", "-p", "no:cacheprovider", &module], &[])?;
    // The packages of a framework are hundreds of megabytes.
    remove(folder)
}

fn with_javascript(name: &str, folder: &Path, newest: bool) -> Outcome {
    emptied(folder)?;
    let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
    let sources = root().join(JAVASCRIPT);
    let own =
        names(&format!("{JAVASCRIPT}/{name}"))?.into_iter().map(|file| format!("{name}/{file}"));
    // What the tests share stands beside their folders.
    let own = own.chain(["orders.mjs".to_owned()]).map(|file| sources.join(file));
    for file in own.chain([root().join(PAGE)]) {
        let to = file.file_name().expect("because it is a file");
        fs::copy(&file, folder.join(to)).map_err(failed)?;
    }
    if newest {
        let package: serde_json::Value = serde_json::from_str(&read(&folder.join("package.json"))?)
            .map_err(|e| e.to_string())?;
        let dependencies = package["dependencies"].as_object().into_iter().flatten();
        // Node itself stays what the framework asks for.
        let latest = dependencies.map(|(name, version)| match (&**name, version.as_str()) {
            ("node", Some(version)) => format!("node@{version}"),
            _ => format!("{name}@latest"),
        });
        let latest: Vec<String> = latest.collect();
        let latest: Vec<&str> = latest.iter().map(String::as_str).collect();
        run_in(folder, "npm", &[&["install", "--silent", "--force"], &latest[..]].concat(), &[])?;
    } else {
        run_in(folder, "npm", &["ci", "--silent", "--no-audit", "--no-fund"], &[])?;
    }
    let package = js::package().to_string_lossy().into_owned();
    // Copied, as from a registry, and not linked.
    let install =
        ["install", "--silent", "--no-audit", "--no-fund", "--no-save", "--install-links"];
    run_in(folder, "npm", &[&install[..], &[&package]].concat(), &[])?;
    let own = folder.join("node_modules/node/bin/node");
    let node = if own.exists() { own.to_string_lossy().into_owned() } else { "node".to_owned() };
    run_in(folder, &node, &["--test"], &[])?;
    remove(folder)
}

/// The names of what is in a folder of the repository, in their order.
fn names(folder: &str) -> Result<Vec<String>, String> {
    let name = |path: PathBuf| Some(path.file_name()?.to_string_lossy().into_owned());
    Ok(listed(&root().join(folder))?.into_iter().filter_map(name).collect())
}
