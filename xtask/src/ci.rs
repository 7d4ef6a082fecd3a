//! `cargo xtask ci`: everything that must hold before a change lands, but for what
//! `cargo xtask test` runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::packages::{PUBLISHED, folder, package};
use crate::steps::{Options, Steps};
use crate::tools::{Outcome, root, run_in};
use crate::{
    conformance, differential, fuzz, generate, goon_version, hostile, proxy, python, readme,
    recipes, release, scenarios, soak,
};

/// Where the GCF specification's own cases are looked for; without them the step says so and
/// passes.
const SPECIFICATION_CASES: [&str; 2] =
    ["../shared/gcf-spec-fixtures/v1", "../shared/gcf-spec-fixtures/v3"];

pub(crate) fn run(options: &Options) -> Outcome {
    let root = root();
    let mut steps = Steps::with_options("ci", options);
    let cargo = |arguments: &[&str]| run_in(&root, "cargo", arguments, &[]);

    steps.run("format", || {
        mend(cargo(&["fmt", "--all", "--check"]), "cargo fmt --all")?;
        let benches = run_in(&root.join("benches"), "cargo", &["fmt", "--check"], &[]);
        mend(benches, "cargo fmt` in `benches/")
    })?;
    steps.run("clippy", || {
        let arguments = ["clippy", "--workspace", "--all-targets", "--all-features", "--locked"];
        let strict = ["--", "-D", "warnings"];
        let arguments = [&arguments[..], &strict[..]].concat();
        cargo(&arguments)?;
        run_in(&root.join("benches"), "cargo", &arguments, &[])
    })?;
    steps.run("examples", || examples(&root))?;
    for package in PUBLISHED {
        steps.run(&format!("{package} alone"), || {
            cargo(&["check", "--quiet", "--package", package, "--all-targets", "--locked"])
        })?;
    }
    for (name, features) in [
        ("GCF without its generic profile", &[][..]),
        ("GCF's generic profile without JSON text", &["--features", "generic"]),
    ] {
        let package = ["clippy", "--package", "wire-gcf", "--all-targets", "--no-default-features"];
        let strict = ["--locked", "--", "-D", "warnings"];
        steps.run(name, || cargo(&[&package[..], features, &strict[..]].concat()))?;
    }
    steps.run("wirefmt without its scorecards", || {
        cargo(&[
            "clippy",
            "--package",
            "wire-cli",
            "--all-targets",
            "--no-default-features",
            "--locked",
            "--",
            "-D",
            "warnings",
        ])
    })?;
    steps.run("tokens by the compact vocabularies", || {
        cargo(&["test", "--quiet", "--package", "wire-tokens", "--features", "compact", "--locked"])
    })?;
    steps.run("documentation", || {
        let flags = [("RUSTDOCFLAGS", "-D warnings")];
        run_in(
            &root,
            "cargo",
            &["doc", "--workspace", "--no-deps", "--all-features", "--locked"],
            &flags,
        )
    })?;
    steps.run("conformance with the specification's cases", || {
        SPECIFICATION_CASES.iter().try_for_each(|folder| {
            conformance::run(&conformance::Options::with_corpus(root.join(folder)))
        })
    })?;
    steps.run("versions of GOON", || goon_version::run(&goon_version::Options::default()))?;
    steps.run("generated documentation and interfaces", || {
        generate::run(&generate::Options::check())
    })?;
    steps.run("README", || readme::run(&readme::Options::commands()))?;
    steps.run("examples of the libraries' READMEs", || readme::run(&readme::Options::crates()))?;
    steps.run("fuzz bodies", || fuzz::run(&fuzz::Options::for_ci()))?;
    steps.run("two processes", || soak::run(&soak::Options::for_ci()))?;
    steps.run("hostile input", || hostile::run(&hostile::Options::for_ci()))?;
    steps.run("what newcomers do", || scenarios::run(&scenarios::Options::all()))?;
    steps.run("dependencies of the libraries", only_wire_core)?;
    steps.run("fit to be released", || release::run(&release::Options::for_ci()))?;
    steps.run("packages", || package(&root))?;
    steps.run("the same bytes as other people's implementations", || {
        differential::run(&differential::Options::for_ci())
    })?;
    steps.run("allocations", || {
        let tests = ["test", "--quiet", "--test", "memory", "--locked"];
        run_in(&root.join("benches"), "cargo", &tests, &[])
    })?;
    steps.run("benches build and run once", || {
        let benches = root.join("benches");
        run_in(&benches, "cargo", &["test", "--benches", "--locked", "--quiet", "--", "1000$"], &[])
    })?;
    steps.run("numbers where serde_json keeps all digits", || {
        let folder = root.join("benches/arbitrary-precision");
        run_in(&folder, "cargo", &["test", "--quiet", "--locked"], &[])
    })?;
    steps.run("Python", || python::run(&python::Options::for_ci()))?;
    steps.run("the proxy between real clients and servers", || {
        proxy::run(&proxy::Options::for_ci())
    })?;
    steps.run("the proxy over HTTP", || proxy::run(&proxy::Options::over_http()))?;
    steps.run("licences and sources", || deny(&root))?;
    steps.run("recipes for Python", || recipes::run(&recipes::Options::for_ci()))?;
    steps.finish(options)
}

fn mend(outcome: Outcome, command: &str) -> Outcome {
    outcome.map_err(|problem| format!("{problem}; run `{command}`"))
}

/// Every library but the scorecards depends on wire-core and on nothing else of ours, so that each
/// is published alone.
fn only_wire_core() -> Outcome {
    for package in ["wire-gcf", "wire-gcb", "wire-gcx", "wire-goon", "wire-registry", "wire-tokens"]
    {
        let output = Command::new("cargo")
            .args([
                "tree",
                "--package",
                package,
                "--edges",
                "normal",
                "--prefix",
                "none",
                "--locked",
            ])
            .current_dir(root())
            .stderr(Stdio::inherit())
            .output()
            .map_err(|error| format!("`cargo tree` can't be run: {error}"))?;
        let tree = String::from_utf8_lossy(&output.stdout);
        let ours: Vec<&str> = tree
            .lines()
            .filter_map(|line| line.split(' ').next())
            .filter(|name| name.starts_with("wire-") && *name != package)
            .collect();
        if !output.status.success()
            || ours.iter().any(|name| *name != "wire-core")
            || ours.is_empty()
        {
            return Err(format!("{package} depends on {ours:?}, expected wire-core alone"));
        }
        println!("{package}: wire-core");
    }
    Ok(())
}

/// Runs the examples of what is published: none may fail.
fn examples(root: &Path) -> Outcome {
    for package in PUBLISHED {
        let folder = root.join("crates").join(folder(package)).join("examples");
        let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
        let mut names: Vec<String> = files
            .filter(|file| file.extension().is_some_and(|extension| extension == "rs"))
            .filter_map(|file| Some(file.file_stem()?.to_string_lossy().into_owned()))
            .collect();
        names.sort();
        for name in names {
            println!("--- {package}: {name}");
            let arguments = ["run", "--quiet", "--locked", "--all-features", "--package", package];
            run_in(root, "cargo", &[&arguments[..], &["--example", &name]].concat(), &[])?;
        }
    }
    Ok(())
}

/// `cargo deny`, from the machine or installed beside the build; skipped by name where it can't be
/// installed. Advisories need a database from outside, so they are left to those who have it.
fn deny(root: &Path) -> Outcome {
    let Some(tool) = cargo_deny(root) else {
        println!("skipped: cargo-deny can't be installed here");
        return Ok(());
    };
    run_in(root, &tool.to_string_lossy(), &["check", "bans", "licenses", "sources"], &[])
}

fn cargo_deny(root: &Path) -> Option<PathBuf> {
    let tools = root.join("target/tools");
    let works = |tool: &Path| {
        let status = Command::new(tool)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        status.is_ok_and(|status| status.success())
    };
    let candidates = [PathBuf::from("cargo-deny"), tools.join("bin/cargo-deny")];
    if let Some(tool) = candidates.iter().find(|tool| works(tool)) {
        return Some(tool.clone());
    }
    let folder = tools.to_string_lossy().into_owned();
    // Unoptimized, because it runs for a second.
    let arguments =
        ["install", "cargo-deny", "--locked", "--quiet", "--profile", "dev", "--root", &folder];
    run_in(root, "cargo", &arguments, &[]).ok()?;
    candidates.into_iter().find(|tool| works(tool))
}
