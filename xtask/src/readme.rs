//! `cargo xtask readme`: the table of formats in README.md, made from the codecs themselves, and the
//! README's commands.

use std::fmt::Write as _;
use std::fs;

use clap::Args;
use wire_core::{CodecInfo, Representation, TokenCounter, WordPunctuation};
use wire_registry::Registry;

use crate::tools::{Outcome, registry, root, run_in};

#[derive(Args)]
pub(crate) struct Options {
    /// Fail where the README is not what would be written.
    #[arg(long)]
    check: bool,
    /// Run the commands of the README's `sh` blocks.
    #[arg(long)]
    run: bool,
}

impl Options {
    /// As CI does.
    pub(crate) fn check_and_run() -> Self {
        Options { check: true, run: true }
    }
}

const BEGIN: &str = "<!-- formats: written by `cargo xtask readme` -->\n";
const END: &str = "<!-- end of formats -->\n";
/// The payload that the figures are of.
const PACK: &str = "fixtures/payloads/packs/context_for_task_10.json";

/// Whether the commands work does not hang on the last percents of their speed, which take minutes to build.
const QUICK_BUILDS: [(&str, &str); 2] =
    [("CARGO_PROFILE_RELEASE_LTO", "off"), ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")];

pub(crate) fn run(options: &Options) -> Outcome {
    let path = root().join("README.md");
    let text = fs::read_to_string(&path).map_err(|error| format!("README.md: {error}"))?;
    let (before, rest) =
        text.split_once(BEGIN).ok_or("README.md has no place for the table of formats")?;
    let (_, after) = rest.split_once(END).ok_or("README.md has no end of the table of formats")?;
    let written = format!("{before}{BEGIN}{}{END}{after}", table()?);
    if options.check && written != text {
        return Err("README.md is not what its codecs say; run `cargo xtask readme`".to_owned());
    }
    if !options.check {
        fs::write(&path, &written).map_err(|error| format!("README.md: {error}"))?;
    }
    if options.run {
        commands(&written)?;
    }
    Ok(())
}

/// A row a format: for whom, how large on one pack, and what it loses.
fn table() -> Result<String, String> {
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

/// Runs the lines of the `sh` blocks but for those that get the repository or would run this again.
fn commands(text: &str) -> Outcome {
    let mut in_block = false;
    let mut ran = 0;
    for line in text.lines() {
        if line.starts_with("```") {
            in_block = line == "```sh";
            continue;
        }
        let elsewhere = ["git clone", "cd ", "cargo xtask ci", "cargo add"];
        if !in_block || line.is_empty() || elsewhere.iter().any(|start| line.starts_with(start)) {
            continue;
        }
        println!("$ {line}");
        run_in(&root(), "sh", &["-c", line], &QUICK_BUILDS)?;
        ran += 1;
    }
    if ran == 0 {
        return Err("README.md has no command to run".to_owned());
    }
    Ok(())
}
