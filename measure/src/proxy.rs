//! `cargo xtask proxy`: wire-proxy between the official client and real servers. Every answer is
//! compared with the direct one, what it costs is held against the bars, and the table of tokens is
//! written to the documentation.

mod answers;
mod measured;
mod table;
mod views;

use std::fs;
use std::path::Path;

use anyhow::{Result, ensure};
use clap::Args;
use serde::Deserialize;
use wire_core::json::equal;
use wire_mcp::repr_to_json;
use xshell::cmd;
use xtask::tools::{Outcome, emptied, end, install, programs, root, shell};

use self::measured::Measured;

/// The packages, with versions: later ones may answer otherwise.
const PYTHON: [&str; 1] = ["mcp==2.3.0"];
/// A server that needs an older SDK.
const SQLITE: [&str; 2] = ["mcp==1.30.0", "mcp-server-sqlite==2025.4.25"];
const NODE: [&str; 8] = [
    "@modelcontextprotocol/server-memory@2026.8.31",
    "@modelcontextprotocol/server-filesystem@2026.8.31",
    "@modelcontextprotocol/server-everything@2026.8.31",
    "@bytebase/dbhub@1.4.0",
    "@modelcontextprotocol/sdk@1.32.2",
    // The last one that asks for 2025-06-18.
    "mcp-sdk-2025-06-18@npm:@modelcontextprotocol/sdk@1.20.2",
    // The protocol's suite for clients wants Node 22, or this.
    "@modelcontextprotocol/conformance@0.1.16",
    "bun@1.4.5",
];
/// The page with the table.
const PAGE: &str = "docs/scorecards/proxy.md";
/// How many random values are written by Python's `repr`.
const REPRS: usize = 10_000;

#[derive(Args)]
pub(crate) struct Options {
    /// Run the official clients over streamable HTTP instead.
    #[arg(long)]
    http: bool,
    /// Compare the table with the one in the documentation instead of writing it.
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(options: &Options) -> Outcome {
    let folder = root().join("target/peers/proxy");
    install(&folder, &PYTHON, &NODE)?;
    install(&folder.join("sqlite"), &SQLITE, &[])?;
    let (node, state) = (folder.join("node"), folder.join("run"));
    let proxy = programs()?.join("wire-proxy");
    emptied(&shell()?, &state)?;
    let place = state.to_string_lossy();

    if options.http {
        for script in ["http/client.py", "http/logins.py", "http/conformance.py"] {
            let lines = python(&folder, script, &[&proxy, &node, &state])?;
            let answers = answers::judged(&lines, &place)?;
            println!("{script}: {} answers are those of the server", answers.len());
        }
        return Ok(());
    }
    let lines =
        python(&folder, "client.py", &[&proxy, &node, &state, &folder.join("sqlite/python")])?;
    let answers = answers::judged(&lines, &place)?;
    println!("{} answers through the proxy say what the direct ones say", answers.len());
    let table = table::Table::of(&answers);
    reprs(&python(&folder, "reprs.py", &[Path::new(&REPRS.to_string())])?)?;
    let measured = Measured(serde_json::from_str(&python(&folder, "cost.py", &[&proxy, &state])?)?);
    write(&(table.page() + &views::table(&lines, &place)), &measured, options)?;
    let missed = [table.missed(), measured.missed()].concat();
    ensure!(missed.is_empty(), "{}", missed.join("; "));
    Ok(())
}

/// What a script prints.
fn python(packages: &Path, script: &str, arguments: &[&Path]) -> Result<String> {
    let sh = shell()?;
    let scripts = root().join("crates/wire-proxy/tests/clients/proxy");
    sh.set_var(
        "PYTHONPATH",
        format!("{}:{}", packages.join("python").display(), scripts.display()),
    );
    sh.set_var("PYTHONDONTWRITEBYTECODE", "1");
    let path = scripts.join(script);
    let output = cmd!(sh, "python3 {path} {arguments...}").quiet().ignore_status().output()?;
    // Servers log what they are asked to fail at.
    let log = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{script} failed:\n{}", end(&log));
    Ok(String::from_utf8(output.stdout)?)
}

/// What Python prints is read as its value, and what is only nearly so is not read.
fn reprs(lines: &str) -> Outcome {
    #[derive(Deserialize)]
    struct Printed {
        text: String,
        json: Option<String>,
        must: bool,
    }
    let (mut read, mut all) = (0, 0);
    for line in lines.lines() {
        let printed: Printed = serde_json::from_str(line)?;
        let found = repr_to_json(&printed.text);
        let is_right = match (&found, &printed.json) {
            (Some(found), Some(json)) => equal(found, json),
            (None, _) => !printed.must,
            (Some(_), None) => false,
        };
        ensure!(is_right, "{line} is read as {found:?}");
        read += usize::from(found.is_some());
        all += usize::from(printed.json.is_some());
    }
    // Those with newer characters of Unicode need not be read.
    let is_enough = all >= REPRS && read >= REPRS / 4;
    ensure!(is_enough, "only {read} of {all} random texts of Python's repr were read");
    println!("{read} of {all} random texts of Python's repr were read, and no other one");
    Ok(())
}

fn write(page: &str, measured: &Measured, options: &Options) -> Outcome {
    let path = root().join(PAGE);
    if !options.check {
        return Ok(fs::write(&path, format!("{page}\n{}", measured.section()))?);
    }
    // Times and memory are those of the run that wrote the page; no check changes them.
    let there = fs::read_to_string(&path)?;
    let is_same = there.split(&format!("\n{}", measured::HEADING)).next() == Some(page);
    ensure!(is_same, "{PAGE} is not what was measured; run `cargo xtask proxy`");
    Ok(())
}
