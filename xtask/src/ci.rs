//! `cargo xtask ci`: everything that must hold before a change lands, but for what `./test` runs.
//!
//! On a forge each job runs on a machine of its own; here they run one after the other.

use anyhow::{Context as _, ensure};
use clap::{Args, ValueEnum};
use xshell::cmd;
use xtask::steps::Steps;
use xtask::tools::{Outcome, is_installed, measure, node, shell};

use crate::packages::{LIBRARIES, package};
use crate::{differential, frameworks, links, peers, python, readme, recipes, release};

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
    (Job::Tests, "fuzz bodies", || measure(&["fuzz", "--seconds", "3"])),
    (Job::Tests, "hostile input", || measure(&["hostile"])),
    (Job::Tests, "benches run once, and count allocations", benches),
    (Job::Tests, "the same bytes as other people's implementations", differential::run),
    (Job::Tests, "numbers where serde_json keeps all digits", all_digits),
    (Job::Tests, "the evaluation of models", || cargo("eval", "test --quiet --locked")),
    (Job::Docs, "links", links::check),
    (Job::Docs, "generated parts", || measure(&["generate", "--check"])),
    (Job::Docs, "documentation of the code", documentation),
    (Job::Docs, "README", readme::commands),
    (Job::Docs, "guides", readme::guides),
    (Job::Gateway, "the engine behind LiteLLM", peers::gateway_once),
    (Job::Graph, "the code graph", || peers::graph(&peers::Graph::default())),
    (Job::Store, "replicas behind a store that fails", peers::store_if_installed),
    (Job::Doors, "Python", || python::run(&python::Options::default())),
    (Job::Doors, "the proxy between real clients and servers", || measure(&["proxy", "--check"])),
    (Job::Doors, "the proxy over HTTP", || measure(&["proxy", "--http"])),
    (Job::Doors, "JavaScript", || node("crates/wire-js/scripts/check.mjs", &[])),
    (Job::Doors, "one form on every door", peers::doors),
    (Job::Doors, "the page in a browser", || node("playground/scripts/check.mjs", &[])),
    (Job::Doors, "recipes for Python", || recipes::run(&recipes::Options::default())),
    (Job::Frameworks, "frameworks of agents", || frameworks::run(&frameworks::Options::for_ci())),
    (Job::Packaging, "each library on wire-core alone", only_wire_core),
    (Job::Packaging, "fit to be released", || release::fit(None)),
    (Job::Packaging, "packages, one by one", package),
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

/// Runs cargo in a folder of the repository, with arguments that have no blanks.
fn cargo(folder: &str, arguments: &str) -> Outcome {
    let sh = shell()?;
    sh.change_dir(folder);
    let arguments = arguments.split(' ');
    cmd!(sh, "cargo {arguments...}").run().with_context(|| format!("in {folder}"))
}

/// The description of GCX1 wants these checked before anything else.
fn goldens() -> Outcome {
    tests("--locked -p wire-gcx --test testsuite -- conformance")
}

/// Runs tests, and fails where a program has none of those that are named.
fn tests(arguments: &str) -> Outcome {
    let words = arguments.split(' ');
    let sh = shell()?;
    let printed = cmd!(sh, "cargo test --quiet {words...}").read()?;
    println!("{printed}");
    ensure!(!printed.contains("running 0 tests"), "`{arguments}` ran no test of a program");
    Ok(())
}

/// The workspaces whose code has one format and the same lints. Those of Python and JavaScript are
/// checked with their packages.
const WORKSPACES: [&str; 4] = [".", "benches", "eval", "crates/wire-graph"];

fn format() -> Outcome {
    for folder in WORKSPACES {
        cargo(folder, "fmt --all --check").context("run `cargo fmt --all` there")?;
    }
    Ok(())
}

/// `typos`, where it is installed, as on the forge.
fn spelling() -> Outcome {
    if !is_installed("typos") {
        println!("skipped: typos is not installed");
        return Ok(());
    }
    let sh = shell()?;
    Ok(cmd!(sh, "typos").run()?)
}

fn clippy() -> Outcome {
    for folder in WORKSPACES {
        cargo(folder, "clippy --workspace --all-targets --all-features --locked -- -D warnings")?;
    }
    Ok(())
}

/// A build of the whole workspace unifies features, and can hide a missing one.
fn features() -> Outcome {
    for package in [
        "wire-gcf",
        "wire-gcf --features generic",
        "wire-store",
        "wire-input",
        "wire-cli",
        "wire-proxy",
    ] {
        let alone = "clippy --all-targets --no-default-features";
        cargo(".", &format!("{alone} -p {package} --locked -- -D warnings"))?;
    }
    Ok(())
}

fn benches() -> Outcome {
    cargo("benches", "test --quiet --test memory --locked")?;
    cargo("benches", "test --benches --locked --quiet -- 1000$")
}

/// Any crate of a build can switch on these features for all others.
fn all_digits() -> Outcome {
    let features = "serde_json/arbitrary_precision,serde_json/preserve_order";
    let packages = "-p wire-gcf -p wire-gcx -p wire-goon --all-features";
    let names = "--test=testsuite -- conformance laws generic responses serialize";
    tests(&format!("--locked --features {features} {packages} {names}"))
}

fn documentation() -> Outcome {
    for folder in [".", "eval"] {
        let sh = shell()?;
        sh.change_dir(folder);
        sh.set_var("RUSTDOCFLAGS", "-D warnings");
        cmd!(sh, "cargo doc --workspace --no-deps --all-features --locked").run()?;
    }
    Ok(())
}

/// Every format's library depends on wire-core and on nothing else of ours, so that each is
/// published alone.
fn only_wire_core() -> Outcome {
    for package in LIBRARIES {
        let tree = ["--edges", "normal", "--prefix", "none", "--locked", "--package", package];
        let sh = shell()?;
        let tree = cmd!(sh, "cargo tree {tree...}").quiet().read()?;
        let names = tree.lines().filter_map(|line| line.split(' ').next());
        let ours: Vec<&str> =
            names.filter(|name| name.starts_with("wire-") && *name != package).collect();
        ensure!(
            !ours.is_empty() && ours.iter().all(|name| *name == "wire-core"),
            "{package} depends on {ours:?}, expected wire-core alone"
        );
        println!("{package}: wire-core");
    }
    Ok(())
}

/// `cargo deny`, where it is installed, as on the forge. Advisories need a database from outside,
/// so they are left to those who have it.
fn deny() -> Outcome {
    if !is_installed("cargo-deny") {
        println!("skipped: cargo-deny is not installed");
        return Ok(());
    }
    let settings = xtask::tools::root().join("deny.toml");
    for folder in [".", "eval"] {
        let sh = shell()?;
        sh.change_dir(folder);
        cmd!(sh, "cargo deny check --config {settings} bans licenses sources").run()?;
    }
    Ok(())
}
