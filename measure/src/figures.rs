//! The figures of README.md, counted by the vocabularies o200k and cl100k.

use std::fmt::Write as _;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use wire_core::{Representation, TokenCounter as _};
use wire_registry::Registry;
use wire_tokens::Counter;
use wire_tokens::measure::part_saved;

use xtask::numbers::{change, percent, thousands};
use xtask::tools::{read, root};

/// The answer that is shown in JSON and in GCF.
const ANSWER: &str = "fixtures/payloads/real/tables/open_orders.json";
/// The graph that the table of graphs is of.
const PACK: &str = "fixtures/payloads/packs/context_for_task_10.json";
/// The results in README's table of the proxy, as the scorecard names them and as the table does.
const PROXY_ROWS: [(&str, &str); 9] = [
    ("pages", "pages of records"),
    (LISTS, "lists of records"),
    ("dbhub", "a database, as JSON (`dbhub`)"),
    ("sqlite", "a database, as Python's `repr` (`mcp-server-sqlite`)"),
    ("text with JSON inside", "sentences with JSON in them"),
    (
        "memory, 3 relations an entity: tools that read",
        "a graph with many relations (`server-memory`)",
    ),
    ("memory: tools that read", "a graph with few (`server-memory`)"),
    ("lists: other tools", "single objects"),
    ("everything", "short texts (`server-everything`)"),
];
/// The results that the page of the proxy quotes.
const LISTS: &str = "lists: a block an item";
/// The server whose results the proxy leaves alone.
const FILES: &str = "filesystem";
const COUNTERS: [Counter; 2] = [Counter::O200kBase, Counter::Cl100kBase];

/// Where pages of the book link to files of the repository.
const REPOSITORY: &str = "https://github.com/wire-formats/wire/blob/main/";

/// The same answer in both formats, side by side.
pub(crate) fn example(page: &str) -> Result<String> {
    let address = if page.contains('/') { REPOSITORY } else { "" };
    let json = read(&root().join(ANSWER))?;
    let json = json.trim_end();
    let gcf = gcf::json_to_gcf(json)?;
    let [before, after] = [json, &gcf].map(|text| Counter::O200kBase.count(text));
    let rows: Vec<Value> = serde_json::from_str(json)?;
    let rows: Vec<String> = rows.iter().map(on_two_lines).collect();
    Ok(format!(
        "<table>\n<tr><th>JSON, minified: {before} tokens</th><th>GCF: {after} tokens, {} fewer</th></tr>\n<tr><td>\n\n\
         ```json\n[{}]\n```\n\n</td><td>\n\n```text\n{gcf}```\n\n</td></tr>\n</table>\n\n\
         Minified is JSON without white space: the line breaks above are not counted. Tokens by `o200k_base`, the vocabulary of GPT-4o and later, of\n\
         [`{ANSWER}`]({address}{ANSWER}).\n",
        percent(part_saved(before, after)),
        rows.join(",\n ")
    ))
}

/// A row, broken between two members, so that both formats are seen beside each other.
fn on_two_lines(row: &Value) -> String {
    const WIDTH: usize = 64;
    let row = row.to_string();
    let end = row.get(..WIDTH).and_then(|line| line.rfind(",\""));
    end.map_or(row.clone(), |end| format!("{},\n  {}", &row[..end], &row[end + 1..]))
}

/// Every codec of the family.
pub(crate) fn registry() -> Registry {
    const DISTINCT: &str = "because the names of the family's codecs are distinct";
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).expect(DISTINCT);
    registry.register(gcb::Gcb::default()).expect(DISTINCT);
    registry.register(gcx::Gcx::default()).expect(DISTINCT);
    registry.register(goon::Goon::default()).expect(DISTINCT);
    registry
}

/// A graph in every format: whom it is for, how large it is, and what it loses.
pub(crate) fn formats() -> Result<String> {
    let registry = registry();
    let json = read(&root().join(PACK))?;
    let payload = registry.decode("json", json.as_bytes())?;
    let mut text = String::from(
        "| format | for | bytes | o200k | cl100k | loses |\n|---|---|--:|--:|--:|---|\n",
    );
    for info in registry.list() {
        let bytes = registry.encode(info.name(), &payload)?;
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

/// The same for the page of the proxy.
pub(crate) fn proxy_page() -> Result<String> {
    let card = ProxyCard::read()?;
    let of = |policy, reader| card.saved([LISTS, policy, reader]);
    let [text, of_sent] = of("keep", "`content`")?.map(percent);
    let [alone, both] = ["`structuredContent`", "both"].map(|reader| of("drop", reader));
    let (alone, both) = (percent(alone?[0]), percent(both?[0]));
    Ok(format!(
        "| your client shows the model | option | fewer tokens (o200k) than minified JSON |\n\
         |---|---|--:|\n\
         | `content` | the default | {text} |\n\
         | `structuredContent` | `--structured drop` | {alone} |\n\
         | both | `--structured drop` | {both} |\n\n\
         These are lists from a test server of the Python SDK. Against the JSON with white space that the server sends, the first row saves\n\
         {of_sent}. Short texts stay as they are. [The scorecard](scorecards/proxy.md) has this server and published ones, with the official client.\n"
    ))
}

/// The scorecard of the proxy.
struct ProxyCard(String);

const PROXY_CARD: &str = "docs/scorecards/proxy.md";

impl ProxyCard {
    fn read() -> Result<Self> {
        read(&root().join(PROXY_CARD)).map(ProxyCard)
    }

    /// The parts saved of minified JSON and of what was sent, in the row of these results, policy
    /// and reader.
    fn saved(&self, row: [&str; 3]) -> Result<[f64; 2]> {
        let [sent, minified, through] = self.tokens(row)?;
        Ok([part_saved(minified, through), part_saved(sent, through)])
    }

    /// Tokens as sent, minified and through the proxy, in such a row.
    fn tokens(&self, row: [&str; 3]) -> Result<[usize; 3]> {
        let cells = self.cells(&row)?;
        match cells[..] {
            [_, sent, minified, through, ..] => Ok([sent, minified, through]),
            _ => bail!("{PROXY_CARD}: {}: {cells:?}", row.join(", ")),
        }
    }

    /// The integers at the start of what follows these cells in their row.
    fn cells(&self, row: &[&str]) -> Result<Vec<usize>> {
        let mut lines =
            self.0.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
        let found = lines.find_map(|line| {
            let rest = line.get(1..)?.strip_prefix(row)?;
            Some(rest.iter().map_while(|cell| cell.parse().ok()).collect())
        });
        found.with_context(|| format!("{PROXY_CARD} has no {}", row.join(", ")))
    }
}

/// What the proxy saves on results of each kind of server, from its scorecard.
pub(crate) fn proxy() -> Result<String> {
    let card = ProxyCard::read()?;
    let mut text = String::from(
        "| the server answers with | as sent, tokens | minified JSON | through the proxy |\n|---|--:|--:|--:|\n",
    );
    for (results, name) in PROXY_ROWS {
        let [sent, minified, through] = card.tokens([results, "keep", "`content`"])?;
        let [minified, through] =
            [minified, through].map(|tokens| change(part_saved(sent, tokens)));
        let _ = writeln!(text, "| {name} | {} | {minified} | {through} |", thousands(sent));
    }
    let files = card.cells(&[FILES, "keep"])?;
    let [_, sent, through] = files[..] else {
        bail!("{PROXY_CARD}: {FILES}: {files:?}");
    };
    let saved = change(part_saved(sent, through));
    let _ = writeln!(text, "| files (`server-{FILES}`) | {sent} | – | {saved} |");
    let _ = writeln!(
        text,
        "\nTokens (o200k) of a result's text, [measured]({PROXY_CARD}) by `cargo xtask proxy` with the official client; minus is fewer.\n\
         Servers without a name are of the Python SDK. Files stay as they are, since a model may have to quote them."
    );
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a format loses is said on the page of its package.
    #[test]
    fn readmes_say_what_formats_lose() {
        for info in registry().list() {
            let folder = match info.name() {
                "json" | "json-pretty" | "xml" | "markdown" => "wire-registry",
                format => format,
            };
            let page = read(&root().join("crates").join(folder).join("README.md")).unwrap();
            for words in info.fidelity().in_words() {
                assert!(page.contains(&words), "{folder}: README.md does not say that {words}");
            }
        }
    }
}
