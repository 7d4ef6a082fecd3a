//! `cargo xtask readme`: the README's commands, or the examples of the crates' READMEs; and its
//! table of formats, made from the codecs themselves.

use std::fmt::Write as _;
use std::fs;

use clap::Args;
use wire_core::{CodecInfo, Representation, TokenCounter, WordPunctuation};
use wire_registry::Registry;

use crate::crate_readmes;
use crate::tools::{Outcome, registry, root, run_in};

/// The payload that the figures are of.
const PACK: &str = "fixtures/payloads/packs/context_for_task_10.json";

/// What commands have for speed alone: whether they work is found out with what other steps have
/// built already.
const SPEED: &str = " --release";

#[derive(Args)]
pub(crate) struct Options {
    /// Check the examples of the libraries' READMEs instead, each with only the dependencies that
    /// the README says to add.
    #[arg(long)]
    crates: bool,
}

impl Options {
    /// The commands of README.md.
    pub(crate) fn commands() -> Self {
        Options { crates: false }
    }

    /// The examples of the libraries' READMEs.
    pub(crate) fn crates() -> Self {
        Options { crates: true }
    }
}

/// Runs the commands of the README's `sh` blocks, or checks the examples of the libraries' READMEs.
pub(crate) fn run(options: &Options) -> Outcome {
    if options.crates {
        return crate_readmes::run();
    }
    let text = fs::read_to_string(root().join("README.md"))
        .map_err(|error| format!("README.md: {error}"))?;
    commands(&text)
}

/// A row a format: for whom, how large on one pack, and what it loses.
pub(crate) fn table() -> Result<String, String> {
    let registry = registry();
    let json = fs::read(root().join(PACK)).map_err(|error| format!("{PACK}: {error}"))?;
    let payload = registry.decode("json", &json).map_err(|error| format!("{PACK}: {error}"))?;
    let size = |registry: &Registry, info: &CodecInfo| -> Result<(usize, Option<usize>), String> {
        let bytes = registry
            .encode(info.name(), &payload)
            .map_err(|error| format!("{}: {error}", info.name()))?;
        let tokens = match info.representation() {
            Representation::Text => Some(WordPunctuation.count(&String::from_utf8_lossy(&bytes))),
            Representation::Binary => None,
        };
        Ok((bytes.len(), tokens))
    };
    let minified = registry.get("json").map_err(|error| error.to_string())?.info();
    let (json_bytes, json_tokens) = size(&registry, minified)?;
    let mut text = String::from(
        "| format | for | bytes | tokens | against `json` | loses |\n|---|---|---|---|---|---|\n",
    );
    for info in registry.list() {
        let (bytes, tokens) = size(&registry, info)?;
        // Whole percents, from the counter that fits the consumer.
        let (ours, theirs) = match (tokens, json_tokens) {
            (Some(tokens), Some(json_tokens)) => (tokens, json_tokens),
            _ => (bytes, json_bytes),
        };
        let of = if tokens.is_some() { "tokens" } else { "bytes" };
        let percent = (ours * 200 + theirs) / (theirs * 2);
        let losses = info.fidelity().in_words();
        let losses = if losses.is_empty() { "nothing".to_owned() } else { losses.join("; ") };
        let tokens = tokens.map_or_else(|| "–".to_owned(), |tokens| tokens.to_string());
        let _ = writeln!(
            text,
            "| `{}` | {} | {bytes} | {tokens} | {percent} % of the {of} | {losses} |",
            info.name(),
            info.audience()
        );
    }
    let _ = writeln!(
        text,
        "\nFigures: [`{PACK}`]({PACK}), {} symbols and {} edges; tokens by the word-and-punctuation estimate.",
        payload.symbols.len(),
        payload.edges.len()
    );
    Ok(text)
}

/// Runs the lines of the `sh` blocks but for those that get the repository or would run this again,
/// without optimization.
fn commands(text: &str) -> Outcome {
    let mut in_block = false;
    let mut ran = 0;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = line == "```sh";
            continue;
        }
        let elsewhere = ["git clone", "cd ", "cargo xtask", "cargo add"];
        if !in_block || line.is_empty() || elsewhere.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        println!("$ {line}");
        run_in(&root(), "sh", &["-c", &line.replace(SPEED, "")], &[])?;
        ran += 1;
    }
    if ran == 0 {
        return Err("README.md has no command to run".to_owned());
    }
    Ok(())
}
