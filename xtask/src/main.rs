//! `cargo xtask <command>`: what this repository does to itself. Every failure says how to fix it.
//! What links the product is in `measure/`, so that this builds in seconds.

#![allow(clippy::print_stdout)] // printing is what it is for

mod ci;
mod differential;
mod dist;
mod follow;
mod frameworks;
mod links;
mod packages;
mod peers;
mod python;
mod readme;
mod recipes;
mod release;
mod test;

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{CommandFactory as _, Parser};
use xshell::cmd;
use xtask::tools::{Outcome, end_with, measure, node, programs, scorecards, shell};

/// The commands that are passed on to `measure`, and to the scorecards.
const PASSED_ON: [&str; 7] =
    ["conformance", "generate", "fuzz", "hostile", "bench", "proxy", "scorecard"];

/// Tasks of this repository.
#[derive(Parser)]
#[command(
    name = "cargo xtask",
    after_help = format!("What is checked and measured with the product: {}. `cargo xtask COMMAND --help` tells more.", PASSED_ON.join(", "))
)]
enum Task {
    /// Run the tests of the workspace, and the corpus: `./test`.
    Test,
    /// Run all other checks of a change, or a job of them.
    Ci(ci::Options),
    /// Compare bytes with other people's implementations on random input, and read each other's.
    Differential,
    /// Check that the packages can be published.
    Release(release::Options),
    /// Build the archives of the programs, and run each of them.
    Dist(dist::Options),
    /// Run the MCP clients that npm and pip install, and print the rows of their table that changed.
    Clients(Clients),
    /// Run the modules for frameworks of agents, each with its framework.
    Frameworks(frameworks::Options),
    /// Run the engine behind proxies of LiteLLM.
    Gateway(peers::Gateway),
    /// Test wire-graph, with the official MCP clients.
    Graph(peers::Graph),
    /// Ask replicas of wire-graph while their store is slow, gone, full and changed: Redis, Valkey, a folder.
    Store,
    /// Build the Python package, and test it in a bare environment.
    Python(python::Options),
    /// Build the JavaScript package, and test it in Node, Deno and Bun.
    Js(Js),
    /// Build the site with the playground, and test it in a browser.
    Page,
    /// Run the recipes for Python with the packages that they are for, Spark too.
    Recipes(recipes::Options),
    #[command(external_subcommand)]
    Measure(Vec<String>),
}

/// Options of the script, which are passed on.
#[derive(clap::Args)]
struct Clients {
    /// Clients, and options of the script `run.py`; all clients by default.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

#[derive(clap::Args)]
struct Js {
    /// Measure the speed beside other packages in place of the tests, write it into the
    /// documentation, and fail where a bar is missed.
    #[arg(long)]
    bench: bool,

    /// Build the package alone, and print how it is installed.
    #[arg(long, conflicts_with = "bench")]
    build: bool,
}

fn main() -> ExitCode {
    end_with(match Task::parse() {
        Task::Test => test::run(),
        Task::Ci(options) => ci::run(&options),
        Task::Differential => differential::run(),
        Task::Release(options) => release::run(&options),
        Task::Dist(options) => dist::run(&options),
        Task::Clients(Clients { arguments }) => clients(&arguments),
        Task::Frameworks(options) => frameworks::run(&options),
        Task::Gateway(options) => peers::gateway(options.newest),
        Task::Graph(options) => peers::graph(&options),
        Task::Store => peers::store(),
        Task::Python(options) => python::run(&options),
        Task::Js(Js { build: true, .. }) => node("crates/wire-js/scripts/build.mjs", &[]),
        Task::Js(Js { bench: true, .. }) => node("crates/wire-js/scripts/check.mjs", &["--bench"]),
        Task::Js(_) => node("crates/wire-js/scripts/check.mjs", &[]),
        Task::Page => node("playground/scripts/check.mjs", &[]),
        Task::Recipes(options) => recipes::run(&options),
        Task::Measure(arguments) => {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            match arguments[..] {
                ["scorecard", ref options @ ..] => scorecards(options).map(|page| print!("{page}")),
                [name, ..] if !PASSED_ON.contains(&name) => unknown(name).exit(),
                ref arguments => measure(arguments),
            }
        }
    })
}

/// The error of a name that is not a command. If `measure` had to say it, it would be built first.
fn unknown(name: &str) -> clap::Error {
    let mut task = Task::command();
    let names: Vec<&str> = task.get_subcommands().map(clap::Command::get_name).collect();
    let names = [&names[..], &PASSED_ON].concat().join(", ");
    let message = format!("unrecognized subcommand '{name}', expected one of: {names}");
    task.error(ErrorKind::InvalidSubcommand, message)
}

/// Runs the clients that npm and pip install, and prints the rows that changed.
fn clients(arguments: &[String]) -> Outcome {
    if arguments.iter().any(|argument| argument == "--hook") {
        programs()?;
    }
    let script = "crates/wire-proxy/tests/clients/agents/run.py";
    let sh = shell()?;
    Ok(cmd!(sh, "python3 {script} {arguments...}").run()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mistyped_command_is_told_the_others() {
        let problem = unknown("scorecards").to_string();
        for part in ["'scorecards'", " scorecard", " differential, "] {
            assert!(problem.contains(part), "{part}: {problem}");
        }
    }
}
