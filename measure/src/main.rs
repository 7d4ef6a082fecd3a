//! `cargo xtask conformance` and its siblings: what is checked and measured with the product linked.
//! Every failure says how to fix it.

#![allow(clippy::print_stdout)] // printing is what it is for

mod bench;
mod clients;
mod conformance;
mod figures;
mod fuzz;
mod generate;
mod goon_versions;
mod hostile;
mod layouts;
mod proxy;

use std::process::ExitCode;

use clap::Parser;

/// What is checked and measured with the product.
#[derive(Parser)]
#[command(name = "cargo xtask", disable_help_subcommand = true)]
enum Task {
    /// Run the conformance corpus against every crate.
    Conformance(conformance::Options),
    /// Write the parts of the documentation that are made from the code, or check them.
    Generate(generate::Options),
    /// Run the fuzz bodies on stable Rust for a bounded time.
    Fuzz(fuzz::Options),
    /// Measure memory and time of decoders on hostile input.
    Hostile(hostile::Options),
    /// Measure speed beside other implementations, and compare it with the bars.
    Bench(bench::Options),
    /// Compare answers of real servers through wire-proxy with the direct ones.
    Proxy(proxy::Options),
}

fn main() -> ExitCode {
    let outcome = match Task::parse() {
        Task::Conformance(options) => conformance::run(&options),
        Task::Generate(options) => generate::run(&options),
        Task::Fuzz(options) => fuzz::run(&options),
        Task::Hostile(options) => hostile::run(&options),
        Task::Bench(options) => bench::run(&options),
        Task::Proxy(options) => proxy::run(&options),
    };
    xtask::tools::end_with(outcome)
}
