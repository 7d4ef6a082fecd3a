//! The figures of README.md, counted by the vocabularies o200k and cl100k.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;
use wire_core::{CodecInfo, Representation, TokenCounter as _};
use wire_scorecards::{Real, Scorecards};
use wire_tokens::Counter;
use wire_tokens::measure::part_saved;

use crate::tools::{registry, root};

/// The answer that is shown in JSON and in GCF.
const ANSWER: &str = "fixtures/payloads/real/tables/open_orders.json";
/// The graph that the table of graphs is of.
const PACK: &str = "fixtures/payloads/packs/context_for_task_10.json";
/// The kinds of real data in the table.
const KINDS: [&str; 3] = ["public tables", "MCP memory", "npm metadata"];
/// The results in the table of the proxy, as its scorecard names them and as the table does.
const PROXY_ROWS: [(&str, &str); 4] = [
    ("lists: a block an item", "lists of the Python SDK"),
    ("memory, 3 relations an entity: tools that read", "`server-memory`, 3 relations an entity"),
    ("memory: tools that read", "`server-memory`"),
    ("everything", "`server-everything`: short texts"),
];
const COUNTERS: [Counter; 2] = [Counter::O200kBase, Counter::Cl100kBase];
const JSON: &str = "minified JSON";

/// The same answer in both formats, side by side.
pub(crate) fn example() -> Result<String, String> {
    let failed = |error: &dyn std::fmt::Display| format!("{ANSWER}: {error}");
    let json = fs::read_to_string(root().join(ANSWER)).map_err(|error| failed(&error))?;
    let json = json.trim_end();
    let gcf = gcf::generic::from_json(json).map_err(|error| failed(&error))?;
    let [before, after] = [json, &gcf].map(|text| Counter::O200kBase.count(text));
    let rows: Vec<Value> = serde_json::from_str(json).map_err(|error| failed(&error))?;
    let rows: Vec<String> = rows.iter().map(Value::to_string).collect();
    Ok(format!(
        "<table>\n<tr><th>JSON, minified: {before} tokens</th><th>GCF: {after} tokens, {} fewer</th></tr>\n<tr><td>\n\n\
         ```json\n[{}]\n```\n\n</td><td>\n\n```text\n{gcf}```\n\n</td></tr>\n</table>\n\n\
         Tokens by `o200k_base`, of [`{ANSWER}`]({ANSWER}); the line breaks in the JSON are not counted.\n",
        percent(part_saved(before, after)),
        rows.join(",\n ")
    ))
}

/// Three kinds of real data in every form, against minified JSON.
pub(crate) fn real() -> Result<String, String> {
    let fixtures = root().join("fixtures");
    let real = Scorecards::new(fixtures).real(None).map_err(|error| error.to_string())?;
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
        let cheapest = real.cheapest(kind, counter).ok_or_else(|| format!("{kind} has no form"))?;
        Ok(change(part_saved(tokens(kind, JSON, counter)?, cheapest)))
    })?;
    if let Some(date) = real.date() {
        let _ = writeln!(
            text,
            "\nThe change in tokens against minified JSON; minus is fewer. Collected on {date}."
        );
    }
    Ok(text)
}

/// A graph in every format: whom it is for, how large it is, and what it loses.
pub(crate) fn formats() -> Result<String, String> {
    let registry = registry();
    let json = fs::read(root().join(PACK)).map_err(|error| format!("{PACK}: {error}"))?;
    let payload = registry.decode("json", &json).map_err(|error| format!("{PACK}: {error}"))?;
    let encoded = |info: &CodecInfo| {
        let bytes = registry.encode(info.name(), &payload);
        bytes.map_err(|error| format!("{}: {error}", info.name()))
    };
    let mut text = String::from(
        "| format | for | bytes | o200k | cl100k | loses |\n|---|---|--:|--:|--:|---|\n",
    );
    for info in registry.list() {
        let bytes = encoded(info)?;
        let tokens = COUNTERS.map(|counter| match info.representation() {
            Representation::Text => counter.count(&String::from_utf8_lossy(&bytes)).to_string(),
            Representation::Binary => "–".to_owned(),
        });
        let losses = info.fidelity().in_words();
        let losses = if losses.is_empty() { "nothing".to_owned() } else { losses.join("; ") };
        let [o200k, cl100k] = tokens;
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {o200k} | {cl100k} | {losses} |",
            info.name(),
            info.audience(),
            bytes.len()
        );
    }
    let _ = writeln!(
        text,
        "\nOf [`{PACK}`]({PACK}), {} symbols and {} edges.",
        payload.symbols.len(),
        payload.edges.len()
    );
    Ok(text)
}

/// What the proxy saves on results of real servers, from its scorecard.
pub(crate) fn proxy() -> Result<String, String> {
    const CARD: &str = "docs/scorecards/proxy.md";
    const READERS: [(&str, &str); 3] =
        [("keep", "`content`"), ("drop", "`structuredContent`"), ("drop", "both")];
    let card = fs::read_to_string(root().join(CARD)).map_err(|error| format!("{CARD}: {error}"))?;
    let rows: Vec<Vec<&str>> =
        card.lines().map(|line| line.split('|').map(str::trim).collect()).collect();
    let mut text = String::from(
        "| results of | the model sees `content` | `structuredContent`, with `drop` | both, with `drop` |\n|---|--:|--:|--:|\n",
    );
    for (results, name) in PROXY_ROWS {
        let _ = write!(text, "| {name} |");
        for (policy, reader) in READERS {
            let row = rows.iter().find(|row| row.get(1..4) == Some(&[results, policy, reader]));
            let saved = row.and_then(|row| row.get(8)?.strip_suffix(" %")?.parse::<f64>().ok());
            let saved =
                saved.ok_or_else(|| format!("{CARD} has no {results}, {policy}, {reader}"))?;
            let _ = write!(text, " {} |", change(saved / 100.0));
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "\nTokens (o200k) against minified JSON, of real servers with the official client: [all of it]({CARD})."
    );
    Ok(text)
}

/// Fewer tokens with a minus, more with a plus.
fn change(saved: f64) -> String {
    match percent(saved.abs()) {
        none if none == "0 %" => none,
        part if saved > 0.0 => format!("−{part}"),
        part => format!("+{part}"),
    }
}

/// Whole percents.
fn percent(part: f64) -> String {
    format!("{:.0} %", part * 100.0)
}

/// An integer with a comma between thousands.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("because digits are ASCII"))
        .collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_have_signs() {
        assert_eq!([0.477, -0.065, 0.001, -0.001].map(change), ["−48 %", "+6 %", "0 %", "0 %"]);
        assert_eq!([7, 1_000, 1_234_567].map(thousands), ["7", "1,000", "1,234,567"]);
    }
}
