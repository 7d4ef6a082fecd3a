//! `cargo xtask ci`: everything that must hold before a change lands, but for what `./test` runs.
//!
//! On a forge each job runs on a machine of its own; here they run one after the other.

use std::process::{Command, Stdio};

use clap::{Args, ValueEnum};

use crate::packages::{LIBRARIES, package};
use crate::{
    differential, doors, frameworks, gateway, graph, js, links, page, python, readme, recipes,
    release, store,
};
use xtask::steps::Steps;
use xtask::tools::{Outcome, measure, root, run_in, works};

#[derive(Args)]
pub(crate) struct Options {
    /// Only this job [default: all of them].
    #[arg(value_name = "JOB")]
    job: Option<Job>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Job {
    /// The goldens that are wanted before anything else.
    Goldens,
    /// The format of the code, and spelling.
    Format,
    /// Lints, of features alone, too.
    Clippy,
    /// What takes longer than `./test` may: fuzz bodies, hostile input, other implementations.
    Tests,
    /// The documentation builds, and says what is so.
    Docs,
    /// The engine behind LiteLLM.
    Gateway,
    /// The code graph, with real clients.
    Graph,
    /// Replicas of the code graph behind a store that fails.
    Store,
    /// The modules for frameworks of agents, with these.
    Frameworks,
    /// The Python and JavaScript packages, the proxy between real clients and servers, the recipes.
    Doors,
    /// What is published stands alone.
    Packaging,
}

/// A step: its job, its name, and what it does.
type Step = (Job, &'static str, fn() -> Outcome);

const STEPS: [Step; 32] = [
    (Job::Goldens, "goldens of GCX1's workspace shapes", goldens),
    (Job::Format, "format", format),
    (Job::Format, "spelling", spelling),
    (Job::Clippy, "clippy", clippy),
    (Job::Clippy, "clippy of features alone", features),
    (Job::Tests, "versions of GOON", || measure(&["conformance", "--goon-versions"])),
    (Job::Tests, "fuzz bodies", || measure(&["fuzz", "--seconds", "1"])),
    (Job::Tests, "hostile input", || measure(&["hostile"])),
    (Job::Tests, "benches run once, and count allocations", benches),
    (Job::Tests, "the same bytes as other people's implementations", || {
        differential::run(&differential::Options::for_ci())
    }),
    (Job::Tests, "numbers where serde_json keeps all digits", all_digits),
    (Job::Tests, "the evaluation of models", || cargo("eval", &["test", "--quiet", "--locked"])),
    (Job::Docs, "links", links::check),
    (Job::Docs, "generated parts", || measure(&["generate", "--check"])),
    (Job::Docs, "documentation of the code", documentation),
    (Job::Docs, "README", readme::commands),
    (Job::Docs, "guides", readme::guides),
    (Job::Gateway, "the engine behind LiteLLM", gateway::run_once),
    (Job::Graph, "the code graph", graph::test),
    (Job::Store, "replicas behind a store that fails", store::run_if_installed),
    (Job::Doors, "Python", || python::run(&python::Options::for_ci())),
    (Job::Doors, "the proxy between real clients and servers", || measure(&["proxy", "--check"])),
    (Job::Doors, "the proxy over HTTP", || measure(&["proxy", "--http"])),
    (Job::Doors, "JavaScript", || js::run(&js::Options::for_ci())),
    (Job::Doors, "one form on every door", doors::run),
    (Job::Doors, "the page in a browser", page::run),
    (Job::Doors, "recipes for Python", || recipes::run(&recipes::Options::for_ci())),
    (Job::Frameworks, "frameworks of agents", || frameworks::run(&frameworks::Options::for_ci())),
    (Job::Packaging, "each library on wire-core alone", only_wire_core),
    (Job::Packaging, "fit to be released", || release::run(&release::Options::for_ci())),
    (Job::Packaging, "packages, one by one", || package(&root())),
    (Job::Packaging, "licences and sources", deny),
];

pub(crate) fn run(options: &Options) -> Outcome {
    let mut steps = Steps::default();
    // Before all of them comes `./test`, which begins with the goldens.
    let is_wanted = |job| options.job.map_or(job != Job::Goldens, |only| only == job);
    for (job, name, step) in STEPS {
        if is_wanted(job) {
            steps.run(name, step)?;
        }
    }
    steps.finish();
    Ok(())
}

/// Runs cargo in a folder of the repository.
fn cargo(folder: &str, arguments: &[&str]) -> Outcome {
    run_in(&root().join(folder), "cargo", arguments, &[])
}

/// The description of GCX1 wants these checked before anything else.
fn goldens() -> Outcome {
    tests(&["--locked", "-p", "wire-gcx", "--test", "testsuite", "--", "conformance"])
}

/// Runs tests, and fails where a program has none of those that are named.
fn tests(arguments: &[&str]) -> Outcome {
    let mut command = Command::new("cargo");
    command.args(["test", "--quiet"]).args(arguments).current_dir(root()).stderr(Stdio::inherit());
    let output = command.output().map_err(|error| format!("`cargo` can't be run: {error}"))?;
    let printed = String::from_utf8_lossy(&output.stdout);
    print!("{printed}");
    let arguments = arguments.join(" ");
    if !output.status.success() {
        return Err(format!("`cargo test {arguments}` failed"));
    }
    if printed.contains("running 0 tests") {
        return Err(format!("`cargo test {arguments}` ran no test of a program"));
    }
    Ok(())
}

fn format() -> Outcome {
    for folder in [".", "benches", "eval", "crates/wire-graph"] {
        cargo(folder, &["fmt", "--all", "--check"])
            .map_err(|problem| format!("{problem}; run `cargo fmt --all` there"))?;
    }
    Ok(())
}

/// `typos`, where it is installed, as on the forge.
fn spelling() -> Outcome {
    if !works(Command::new("typos").arg("--version")) {
        println!("skipped: typos is not installed");
        return Ok(());
    }
    run_in(&root(), "typos", &[], &[])
}

const STRICT: [&str; 4] = ["--locked", "--", "-D", "warnings"];

fn clippy() -> Outcome {
    for folder in [".", "benches", "eval", "crates/wire-graph"] {
        let all = ["clippy", "--workspace", "--all-targets", "--all-features"];
        cargo(folder, &[&all[..], &STRICT].concat())?;
    }
    Ok(())
}

/// A build of the whole workspace unifies features, and can hide a missing one.
fn features() -> Outcome {
    for arguments in [
        &["-p", "wire-gcf"][..],
        &["-p", "wire-gcf", "--features", "generic"],
        &["-p", "wire-store"],
        &["-p", "wire-input"],
        &["-p", "wire-cli"],
        &["-p", "wire-proxy"],
    ] {
        let alone = ["clippy", "--all-targets", "--no-default-features"];
        cargo(".", &[&alone[..], arguments, &STRICT].concat())?;
    }
    Ok(())
}

fn benches() -> Outcome {
    cargo("benches", &["test", "--quiet", "--test", "memory", "--locked"])?;
    cargo("benches", &["test", "--benches", "--locked", "--quiet", "--", "1000$"])
}

/// Any crate of a build can switch on these features for all others.
fn all_digits() -> Outcome {
    let features = "serde_json/arbitrary_precision,serde_json/preserve_order";
    let packages = ["-p", "wire-gcf", "-p", "wire-gcx", "-p", "wire-goon", "--all-features"];
    let names =
        ["--test=testsuite", "--", "conformance", "laws", "generic", "responses", "serialize"];
    tests(&[&["--locked", "--features", features], &packages[..], &names].concat())
}

fn documentation() -> Outcome {
    let arguments = ["doc", "--workspace", "--no-deps", "--all-features", "--locked"];
    for folder in [".", "eval"] {
        let folder = root().join(folder);
        run_in(&folder, "cargo", &arguments, &[("RUSTDOCFLAGS", "-D warnings")])?;
    }
    Ok(())
}

/// Every format's library depends on wire-core and on nothing else of ours, so that each is
/// published alone.
fn only_wire_core() -> Outcome {
    for package in LIBRARIES {
        let tree = ["tree", "--edges", "normal", "--prefix", "none", "--locked", "--package"];
        let output = Command::new("cargo").args(tree).arg(package).current_dir(root()).output();
        let output = output.map_err(|error| format!("cargo can't be run: {error}"))?;
        let tree = String::from_utf8_lossy(&output.stdout);
        let names = tree.lines().filter_map(|line| line.split(' ').next());
        let ours: Vec<&str> =
            names.filter(|name| name.starts_with("wire-") && *name != package).collect();
        if ours.is_empty() || ours.iter().any(|name| *name != "wire-core") {
            return Err(format!("{package} depends on {ours:?}, expected wire-core alone"));
        }
        println!("{package}: wire-core");
    }
    Ok(())
}

/// `cargo deny`, where it is installed, as on the forge. Advisories need a database from outside,
/// so they are left to those who have it.
fn deny() -> Outcome {
    if !works(Command::new("cargo").args(["deny", "--version"])) {
        println!("skipped: cargo-deny is not installed");
        return Ok(());
    }
    for folder in [".", "eval"] {
        let settings = root().join("deny.toml");
        let settings = settings.to_string_lossy();
        let check = ["deny", "check", "--config", &settings, "bans", "licenses", "sources"];
        cargo(folder, &check)?;
    }
    Ok(())
}
