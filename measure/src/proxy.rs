//! `cargo xtask proxy`: wire-proxy between the official client and real servers. Every answer is
//! compared with the direct one, what it costs is held against the bars, and the table of tokens is
//! written to the documentation.

mod answers;
mod http;
mod measured;
mod table;
mod views;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;
use serde::Deserialize;
use serde_json::json;
use wire_core::TokenCounter;
use wire_core::json::equal;
use wire_mcp::{Call, Left, repr_to_json, rewrite};
use wire_registry::is_near;
use wire_tokens::Counter;

use self::measured::Measured;
use xtask::folders::emptied;
use xtask::tools::{Outcome, end, install, programs, read, root};

/// The packages, with versions: later ones may answer otherwise.
const PYTHON: [&str; 2] = ["mcp==2.3.0", "gcf-python==2.8.0"];
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
/// How many random results are read back by another implementation.
const RESULTS: usize = 4_000;
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
    let node = folder.join("node");
    let proxy = programs()?.join("wire-proxy");
    let state = folder.join("run");
    emptied(&state)?;

    if options.http {
        for script in ["http/client.py", "http/logins.py", "http/conformance.py"] {
            http::judged(&python(&folder, script, &[&proxy, &node, &state])?)?;
        }
        return Ok(());
    }
    let sqlite = folder.join("sqlite/python");
    let lines = python(&folder, "client.py", &[&proxy, &node, &state, &sqlite])?;
    let answers = answers::judged(&lines, &state.to_string_lossy())?;
    println!("{} answers through the proxy say what the direct ones say", answers.len());
    let table = table::Table::of(&answers);
    reprs(&python(&folder, "reprs.py", &[&PathBuf::from(REPRS.to_string())])?)?;
    let count = PathBuf::from(RESULTS.to_string());
    let measured = python(&folder, "results.py", &[&proxy, &state, &count])?;
    cheapest(&state.join("results.jsonl"))?;
    let measured = Measured::read(&measured)?;
    let page = table.page() + &views::table(&lines, &state.to_string_lossy());
    write(&page, &measured, options)?;
    let missed = [table.missed(), measured.missed()].concat();
    if missed.is_empty() { Ok(()) } else { Err(missed.join("; ")) }
}

/// What a script prints.
fn python(packages: &Path, script: &str, arguments: &[&Path]) -> Result<String, String> {
    let path = root().join("crates/wire-proxy/tests/clients/proxy").join(script);
    let mut command = Command::new("python3");
    command.arg(path).args(arguments).env("PYTHONPATH", packages.join("python"));
    // Servers log what they are asked to fail at.
    let log = packages.join(format!("{}.log", script.replace('/', "-")));
    let errors = fs::File::create(&log).map_err(|error| format!("{}: {error}", log.display()))?;
    let output = command.stderr(errors).output();
    let output = output.map_err(|error| format!("`python3` can't be run: {error}"))?;
    if !output.status.success() {
        let log = fs::read_to_string(&log).unwrap_or_default();
        return Err(format!("{script} failed:\n{}", end(&log)));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("{script}: {error}"))
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
        let printed: Printed = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let found = repr_to_json(&printed.text);
        let is_right = match (&found, &printed.json) {
            (Some(found), Some(json)) => equal(found, json),
            (None, _) => !printed.must,
            (Some(_), None) => false,
        };
        if !is_right {
            return Err(format!("{line} is read as {found:?}"));
        }
        read += usize::from(found.is_some());
        all += usize::from(printed.json.is_some());
    }
    // Those with newer characters of Unicode need not be read.
    if all < REPRS || read < REPRS / 4 {
        return Err(format!("only {read} of {all} random texts of Python's repr were read"));
    }
    println!("{read} of {all} random texts of Python's repr were read, and no other one");
    Ok(())
}

/// No random result uses more tokens than it did as it was sent, or over 3 % more than minified, unless
/// a model may have to quote it.
fn cheapest(path: &Path) -> Outcome {
    #[derive(Deserialize)]
    struct Result {
        came: String,
        went: String,
    }
    let text = read(path)?;
    let results = text.lines().count();
    if results != RESULTS {
        return Err(format!("{} has {results} results, expected {RESULTS}", path.display()));
    }
    let (mut came, mut went) = (0, 0);
    for line in text.lines() {
        let result: Result = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let tokens = |text: &str| Counter::O200kBase.count(text);
        let sent = json!({"content": [{"type": "text", "text": result.came}]}).to_string();
        let again = rewrite(&wire_mcp::Options::new(Counter::O200kBase), &Call::of(&["t"]), &sent);
        if again.result == Err(Left::Quoted) && result.went == result.came {
            continue;
        }
        let least = tokens(&result.came)
            .min(answers::minified(&result.came).map_or(usize::MAX, |json| tokens(&json)));
        came += least;
        went += tokens(&result.went);
        if tokens(&result.went) > tokens(&result.came)
            || !is_near(tokens(&result.went), least, &Counter::O200kBase)
        {
            return Err(format!("{} uses more tokens than {}", result.went, result.came));
        }
    }
    println!(
        "{RESULTS} random results were read back by gcf-python: {went} tokens, {came} as sent or minified"
    );
    Ok(())
}

fn write(page: &str, measured: &Measured, options: &Options) -> Outcome {
    let path = root().join(PAGE);
    let there = fs::read_to_string(&path);
    // Times and memory are those of the run that wrote the page; no check changes them.
    let old =
        there.as_ref().ok().and_then(|there| there.find(measured::HEADING).map(|at| &there[at..]));
    let section = match old {
        old if options.check => old.unwrap_or_default().to_owned(),
        _ => measured.section(),
    };
    let page = format!("{page}{}{section}", if section.is_empty() { "" } else { "\n" });
    if !options.check {
        return fs::write(&path, page).map_err(|error| format!("{PAGE}: {error}"));
    }
    match there {
        Ok(text) if text == page => Ok(()),
        Ok(_) => Err(format!("{PAGE} is not what was measured; run `cargo xtask proxy`")),
        Err(error) => Err(format!("{PAGE}: {error}; run `cargo xtask proxy`")),
    }
}
