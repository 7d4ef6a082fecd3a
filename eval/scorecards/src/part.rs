//! The parts of pages that are made of real data.

use std::fmt::Write as _;

use wire_scorecards::{Card, Real};
use wire_tokens::Counter;
use wire_tokens::measure::part_saved;
use xtask::numbers::{change, thousands};
use xtask::tools::root;

/// The kinds of real data in the table.
const KINDS: [&str; 3] = ["public tables", "MCP memory", "npm metadata"];
const COUNTERS: [Counter; 2] = [Counter::O200kBase, Counter::Cl100kBase];
const JSON: &str = "minified JSON";

/// The columns of the scorecard, ours first, as what each form is.
const OURS_FIRST: [&str; 8] =
    ["auto", "GCF 3.5", "GCF 3.6", "GCX1", "TOON", "CSV", "YAML", "pretty JSON"];

/// A part of a page.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum Part {
    /// Three kinds of data, by two vocabularies: the README's.
    Real,
    /// Each kind of data, by one vocabulary: the scorecard's.
    Kinds,
}

impl Part {
    /// Its text.
    pub(crate) fn text(self) -> Result<String, String> {
        let real = Real::measure(&Card::Real.inputs(root().join("fixtures")), None)?;
        match self {
            Part::Real => three_kinds(&real),
            Part::Kinds => all_kinds(&real),
        }
    }
}

/// All kinds of real data in every form, against minified JSON.
fn all_kinds(real: &Real) -> Result<String, String> {
    let counter = Counter::O200kBase;
    let mut text = format!(
        "| data | documents | {JSON} | {} |\n",
        OURS_FIRST.join(" | ").replace("auto", "`auto`")
    );
    let _ = writeln!(text, "|---|--:|--:|{}", "--:|".repeat(OURS_FIRST.len()));
    for (kind, documents) in real.kinds() {
        let json = real.tokens(kind, JSON, counter).ok_or("a document has no JSON")?;
        let _ = write!(text, "| {kind} | {documents} | {} |", thousands(json));
        for form in OURS_FIRST {
            let cell = real.saved(kind, form, counter).map_or("–".to_owned(), change);
            let _ = write!(text, " {cell} |");
        }
        text.push('\n');
    }
    Ok(text)
}

/// Three kinds of real data in every form, against minified JSON.
fn three_kinds(real: &Real) -> Result<String, String> {
    let mut text = String::from("| |");
    for kind in KINDS {
        let _ = write!(text, " {kind}, o200k | cl100k |");
    }
    let _ = writeln!(text, "\n|---|{}", "--:|".repeat(KINDS.len() * COUNTERS.len()));
    let tokens = |kind: &str, form: &str, counter| {
        real.tokens(kind, form, counter).ok_or_else(|| format!("{kind} has no {form}"))
    };
    let mut row = |name: &str, cell: &dyn Fn(&str, Counter) -> Result<String, String>| {
        let _ = write!(text, "| {name} |");
        for kind in KINDS {
            for counter in COUNTERS {
                let _ = write!(text, " {} |", cell(kind, counter)?);
            }
        }
        text.push('\n');
        Ok::<(), String>(())
    };
    row("minified JSON, tokens", &|kind, counter| Ok(thousands(tokens(kind, JSON, counter)?)))?;
    for form in Real::forms().filter(|form| *form != JSON) {
        row(form, &|kind, counter| {
            Ok(real.saved(kind, form, counter).map_or("–".to_owned(), change))
        })?;
    }
    row("`auto`", &|kind, counter| {
        Ok(change(part_saved(tokens(kind, JSON, counter)?, tokens(kind, "auto", counter)?)))
    })?;
    let _ = writeln!(
        text,
        "\nThe change in tokens against minified JSON; minus is fewer. cl100k is the vocabulary of GPT-4. Collected on {}.",
        real.date()
    );
    Ok(text)
}
