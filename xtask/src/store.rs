//! `cargo xtask store`: replicas of wire-graph behind a store that is slow, gone, full and changed.

use std::process::Command;

use clap::Args;

use xtask::tools::{Outcome, root, run_in, target, works};

const SERVERS: [&str; 2] = ["redis-server", "valkey-server"];
const HOW: &str = "install one: on Debian and Ubuntu `apt-get install redis-server`, or `valkey-server` where there is a package";

#[derive(Args)]
pub(crate) struct Options {
    /// The server, a program [default: redis-server, and two replicas with valkey-server, where they are].
    #[arg(long, value_name = "PROGRAM")]
    server: Option<String>,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let servers: Vec<&str> = match &options.server {
        Some(program) => vec![program],
        None => installed(),
    };
    if !servers.first().is_some_and(|program| is_there(program)) {
        return Err(format!("there is no {}; {HOW}", servers.first().unwrap_or(&SERVERS[0])));
    }
    let script = "crates/wire-graph/tests/clients/store.py";
    let target = target().to_string_lossy().into_owned();
    run_in(&root(), "python3", &[&[script, &target], &servers[..]].concat(), &[])
}

/// The same in `cargo xtask ci`, where a server is installed, as on the forge.
pub(crate) fn run_if_installed() -> Outcome {
    if installed().is_empty() {
        println!("skipped: redis-server is not installed");
        return Ok(());
    }
    run(&Options { server: None })
}

fn installed() -> Vec<&'static str> {
    SERVERS.into_iter().filter(|program| is_there(program)).collect()
}

fn is_there(program: &str) -> bool {
    works(Command::new(program).arg("--version"))
}
