//! `cargo xtask <command>`: what this repository does to itself. Every failure says how to mend it.

#![allow(clippy::print_stdout)] // printing is what it is for

mod bench;
mod ci;
mod cli_docs;
mod conformance;
mod fuzz;
mod goon_version;
mod layouts;
mod readme;
mod tools;
mod truncation;

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
    /// Everything that must hold before a change lands.
    Ci,
    /// Run the conformance corpus against every crate.
    Conformance(conformance::Options),
    /// Run the fuzz bodies on stable Rust for a bounded time.
    Fuzz(fuzz::Options),
    /// Write, check or run the generated parts and commands of README.md.
    Readme(readme::Options),
    /// Count the beginnings of a payload that decode, and write the table into the documentation.
    Truncation(truncation::Options),
    /// Check that no text of GOON changes under the version that it states.
    GoonVersion(goon_version::Options),
    /// Write the page of the command line from what its commands say of themselves.
    CliDocs(cli_docs::Options),
    /// Measure speed beside other implementations, and hold it against the bars.
    Bench(bench::Options),
    /// Write the table of the layouts of tools' responses into the documentation.
    Layouts(layouts::Options),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().task {
        Task::Ci => ci::run(),
        Task::Conformance(options) => conformance::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Readme(options) => readme::run(&options),
        Task::Truncation(options) => truncation::run(&options),
        Task::GoonVersion(options) => goon_version::run(&options),
        Task::CliDocs(options) => cli_docs::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Layouts(options) => layouts::run(&options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            println!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}
