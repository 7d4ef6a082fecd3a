//! `cargo xtask <command>`: what this repository does to itself. Every failure says how to fix it.

#![allow(clippy::print_stdout)] // printing is what it is for

mod api;
mod bench;
mod book;
mod ci;
mod cli_docs;
mod clients;
mod comments;
mod conformance;
mod crate_readmes;
mod damage;
mod differential;
mod dist;
mod errors;
mod follow;
mod fuzz;
mod generate;
mod goon_version;
mod hostile;
mod layers;
mod layouts;
mod packages;
mod proxy;
mod python;
mod readme;
mod real;
mod recipes;
mod release;
mod sbom;
mod scenarios;
mod site;
mod soak;
mod steps;
mod test;
mod tools;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Tasks of this repository")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Run the tests of the workspace, and the corpus.
    Test(steps::Options),
    /// Everything else that must hold before a change lands.
    Ci(steps::Options),
    /// Run the conformance corpus against every crate.
    Conformance(conformance::Options),
    /// Run the fuzz bodies on stable Rust for a bounded time.
    Fuzz(fuzz::Options),
    /// Compare bytes with other people's implementations on random input, and read each other's.
    Differential(differential::Options),
    /// Build the documentation as a site, and walk its links.
    Book(book::Options),
    /// Build the archives of the programs, install one into an empty root, and run its first
    /// command.
    Dist(dist::Options),
    /// Check that the packages can be published.
    Release(release::Options),
    /// Run the commands of a page of the documentation.
    Follow(follow::Options),
    /// Measure memory and time of decoders on hostile input.
    Hostile(hostile::Options),
    /// Write the parts of the documentation that are made from the code, or check them.
    Generate(generate::Options),
    /// Check that no file imports one that imports it.
    Layers(layers::Options),
    /// Check that no comment is wider than 100 columns.
    Comments(comments::Options),
    /// Run the commands of README.md, or check the examples of the crates' READMEs.
    Readme(readme::Options),
    /// Collect what package managers and MCP servers print, count it in every form, and write the
    /// scorecard.
    RealData(real::Options),
    /// Send many payloads from one process to another, with losses, and compare what arrives.
    Soak(soak::Options),
    /// Check that no text of GOON changes under the version that it states.
    GoonVersion(goon_version::Options),
    /// Put wire-proxy between the official client and real servers, compare every answer, and write
    /// the table of tokens.
    Proxy(proxy::Options),
    /// Measure speed next to other implementations, and compare it with the bars.
    Bench(bench::Options),
    /// Build the Python package, and test it in a bare environment.
    Python(python::Options),
    /// Run the recipes for Python with the packages that they are for, Spark too.
    Recipes(recipes::Options),
    /// Run the scenarios of newcomers, in fresh copies of the repository.
    Scenarios(scenarios::Options),
}

fn main() -> ExitCode {
    if let Some(code) = api::as_rustdoc() {
        return code;
    }
    let outcome = match Arguments::parse().task {
        Task::Test(options) => test::run(&options),
        Task::Ci(options) => ci::run(&options),
        Task::Conformance(options) => conformance::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Differential(options) => differential::run(&options),
        Task::Book(options) => book::run(&options),
        Task::Dist(options) => dist::run(&options),
        Task::Release(options) => release::run(&options),
        Task::Follow(options) => follow::run(&options),
        Task::Python(options) => python::run(&options),
        Task::Recipes(options) => recipes::run(&options),
        Task::Scenarios(options) => scenarios::run(&options),
        Task::Hostile(options) => hostile::run(&options),
        Task::Generate(options) => generate::run(&options),
        Task::Layers(options) => layers::run(&options),
        Task::Comments(options) => comments::run(&options),
        Task::Readme(options) => readme::run(&options),
        Task::RealData(options) => real::run(&options),
        Task::Soak(options) => soak::run(&options),
        Task::GoonVersion(options) => goon_version::run(&options),
        Task::Proxy(options) => proxy::run(&options),
        Task::Bench(options) => bench::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            println!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
