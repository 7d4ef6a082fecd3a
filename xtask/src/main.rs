//! `cargo xtask <command>`: what this repository does to itself. Every failure says how to fix it.

#![allow(clippy::print_stdout)] // printing is what it is for

mod bench;
mod ci;
mod clients;
mod conformance;
mod differential;
mod dist;
mod doors;
mod follow;
mod fuzz;
mod generate;
mod goon_versions;
mod hostile;
mod js;
mod layouts;
mod links;
mod packages;
mod page;
mod proxy;
mod python;
mod readme;
mod recipes;
mod release;
mod scorecard;
mod steps;
mod test;
mod tools;

use std::process::ExitCode;

use clap::Parser;

/// Tasks of this repository.
#[derive(Parser)]
#[command(name = "cargo xtask")]
enum Task {
    /// Run the tests of the workspace, and the corpus: `./test`.
    Test,
    /// Run all other checks of a change, or a job of them.
    Ci(ci::Options),
    /// Run the conformance corpus against every crate.
    Conformance(conformance::Options),
    /// Write the parts of the documentation that are made from the code, or check them.
    Generate(generate::Options),
    /// Compare bytes with other people's implementations on random input, and read each other's.
    Differential(differential::Options),
    /// Run the fuzz bodies on stable Rust for a bounded time.
    Fuzz(fuzz::Options),
    /// Measure memory and time of decoders on hostile input.
    Hostile(hostile::Options),
    /// Measure speed beside other implementations, and compare it with the bars.
    Bench(bench::Options),
    /// Count the tokens of each format on the repository's payloads.
    Scorecard(scorecard::Options),
    /// Check that the packages can be published.
    Release(release::Options),
    /// Build the archives of the programs, and run each of them.
    Dist(dist::Options),
    /// Run the MCP clients that npm and pip install, and print the rows of their table that changed.
    Clients(clients::Options),
    /// Compare answers of real servers through wire-proxy with the direct ones.
    Proxy(proxy::Options),
    /// Build the Python package, and test it in a bare environment.
    Python(python::Options),
    /// Build the JavaScript package, and test it in Node, Deno and Bun.
    Js(js::Options),
    /// Build the site with the playground, and test it in a browser.
    Page,
    /// Run the recipes for Python with the packages that they are for, Spark too.
    Recipes(recipes::Options),
}

fn main() -> ExitCode {
    let outcome = match Task::parse() {
        Task::Test => test::run(),
        Task::Ci(options) => ci::run(&options),
        Task::Conformance(options) => conformance::run(&options),
        Task::Generate(options) => generate::run(&options),
        Task::Differential(options) => differential::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Hostile(options) => hostile::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Scorecard(options) => scorecard::run(&options),
        Task::Release(options) => release::run(&options),
        Task::Dist(options) => dist::run(&options),
        Task::Clients(options) => clients::run(&options),
        Task::Proxy(options) => proxy::run(&options),
        Task::Python(options) => python::run(&options),
        Task::Js(options) => js::run(&options),
        Task::Page => page::run(),
        Task::Recipes(options) => recipes::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            println!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
