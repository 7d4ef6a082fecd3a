//! Payloads in every format: lines of `docs/scorecards/formats.md`, as they are there.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use anyhow::{Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use wire_core::{Directions, Payload, Representation};
use wire_registry::Registry;
use wire_tokens::measure::{change, median, part_saved, percent};
use wire_tokens::{Counter, TokenCounter as _};
use xtask::numbers::thousands;
use xtask::tools::{read, root, shell};

use crate::fixture;

/// The packs of the format's own scorecard: the names of our files, its own names, and its tokens
/// of JSON and of GCF.
const PACKS: [(&str, &str, usize, usize); 6] = [
    ("context_for_task_10", "`context_for_task`, 10 symbols", 965, 233),
    ("context_for_task_30", "`context_for_task`, 30", 2968, 649),
    ("context_for_files_15", "`context_for_files`, 15", 1490, 334),
    ("blast_radius_8", "`blast_radius`, 8", 835, 208),
    ("semantic_diff_12", "`semantic_diff`, 12", 1206, 295),
    ("graph_query_20", "`graph_query`, 20", 2078, 423),
];
/// The documented example, as a case of the corpus.
const EXAMPLE: &str = "gcf/graph/documented_example.json";
/// The formats as they are called in the registry and on the page.
const FORMATS: [(&str, &str); 6] = [
    ("gcf", "GCF"),
    ("gcx", "GCX1"),
    ("goon", "GOON"),
    ("markdown", "Markdown"),
    ("xml", "XML"),
    ("gcb", "GCB1"),
];
/// The responses of the public GCX1 scorecard: files and the tools that gave them.
const TOOLS: [(&str, &str); 20] = [
    ("01_search_symbols_small", "search_symbols"),
    ("02_search_symbols_large", "search_symbols"),
    ("03_get_symbol_source_small", "get_symbol_source"),
    ("04_get_symbol_source_large", "get_symbol_source"),
    ("05_batch_symbols", "batch_symbols"),
    ("06_find_usages_small", "find_usages"),
    ("07_find_usages_large", "find_usages"),
    ("08_get_file_summary", "get_file_summary"),
    ("09_analyze_hotspots", "analyze.hotspots"),
    ("10_analyze_dead_code", "analyze.dead_code"),
    ("11_contracts_list", "contracts"),
    ("12_get_callers_medium", "get_callers"),
    ("13_smart_context", "smart_context"),
    ("14_get_dependents_small", "get_dependents"),
    ("15_get_test_targets", "get_test_targets"),
    ("16_find_implementations", "find_implementations"),
    ("17_find_cycles", "analyze.cycles"),
    ("18_graph_stats", "graph_stats"),
    ("19_get_editing_context", "get_editing_context"),
    ("20_get_repo_outline", "get_repo_outline"),
];
/// The response that GOON's own documentation counts.
const COUNTED: &str = "traversal_50_200_200";

/// Minified JSON, and the same in a format.
type Pair = (String, Vec<u8>);

/// The lines, each of which the page has.
pub(crate) fn figures() -> Result<String> {
    let registry = registry();
    let packs = PACKS.map(|(name, ..)| pack(name)).into_iter().collect::<Result<Vec<_>, _>>()?;
    let (mut out, mut by_words) = (String::new(), Vec::new());
    for (format, name) in FORMATS {
        let encode = |pack| encoded(&registry, format, pack);
        let pairs: Vec<Pair> = packs.iter().map(encode).collect::<Result<_, _>>()?;
        let info = registry.get(format)?.info();
        row(&mut out, name, &pairs, info.representation() == Representation::Text);
        by_words.push(change(median(parts(&pairs, words))));
        if format == "gcf" {
            for ((_, case, json, gcf), (our_json, our_gcf)) in PACKS.into_iter().zip(&pairs) {
                let (stated, ours) = (part_saved(json, gcf), [our_json.as_bytes(), our_gcf]);
                let [our_json, our_gcf] = ours.map(words);
                let (stated, ours) = (change(stated), change(part_saved(our_json, our_gcf)));
                writeln!(
                    out,
                    "| {case} | {json} | {gcf} | {stated} | {our_json} | {our_gcf} | {ours} |"
                )?;
            }
        }
    }
    let cases: Value = serde_json::from_str(&fixture(EXAMPLE)?)?;
    let text = cases["cases"][0]["text"].as_str().unwrap_or_default();
    let example = gcf::graph::from_str(text)?;
    let names: usize = example.symbols.iter().map(|symbol| symbol.qualified_name.len()).sum();
    let [gcf, gcb] = ["gcf", "gcb"].map(|name| registry.encode(name, &example));
    let gcf = gcf?;
    writeln!(
        out,
        "have {} bytes and {} tokens here, too. It states 448 bytes for their binary form; the names alone have {names}, and GCB1 has {}.",
        thousands(gcf.len()),
        words(&gcf),
        gcb?.len()
    )?;
    let [.., markdown, xml, _] = &by_words[..] else { unreachable!("there are six formats") };
    writeln!(
        out,
        "around +20 % for XML and −10 % for Markdown; here they have {xml} and {markdown},"
    )?;

    let tools: Vec<Pair> = TOOLS.map(response).into_iter().collect::<Result<_, _>>()?;
    let queries = shell()?.read_dir("fixtures/payloads/queries")?;
    let queries: Vec<Pair> = queries.iter().map(|file| query(file)).collect::<Result<_>>()?;
    row(&mut out, "GCX1", &tools, true);
    row(&mut out, "GOON", &queries, true);
    let (fewest, most) = range(&tools);
    writeln!(
        out,
        "by cl100k, the responses of tools have from {} fewer to {} more tokens.",
        percent(most),
        percent(-fewest)
    )?;
    let [gcx, goon] = [&tools, &queries].map(|pairs| percent(median(parts(pairs, gzip))));
    writeln!(out, "After gzip GCX1 and GOON are {gcx} and {goon} smaller than the JSON.")?;
    let gcx = change(median(parts(&tools, cl100k)));
    writeln!(out, "| GCX1: median change by cl100k | −27.4 % | {gcx} |")?;
    let (json, goon) = query(&root().join(format!("fixtures/payloads/queries/{COUNTED}.json")))?;
    let [json, goon] = [json.as_bytes(), &goon].map(|text| thousands(cl100k(text)));
    writeln!(out, "tokens | 12,000–15,000 | {json} (cl100k, minified) |")?;
    writeln!(out, "| the same as GOON | 5,000–7,000 | {goon} |")?;
    let (fewest, most) = range(&queries);
    let pretty = |(json, goon): &Pair| {
        let value: Value = serde_json::from_str(json).expect("because it was read");
        part_saved(cl100k(format!("{value:#}").as_bytes()), cl100k(goon))
    };
    writeln!(
        out,
        "| −40 to −60 % | {} to {}, median {}; against pretty JSON {} |",
        change(fewest).trim_end_matches(" %"),
        change(most),
        change(median(parts(&queries, cl100k))),
        change(median(queries.iter().map(pretty).collect()))
    )?;
    Ok(out)
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

/// A pack of the repository.
pub(crate) fn pack(name: &str) -> Result<Payload<'static>> {
    let text = fixture(&format!("payloads/packs/{name}.json"))?;
    Ok(registry().decode("json", text.as_bytes())?.into_owned())
}

/// A payload in JSON and in a format, which reads it again but for its stated losses.
fn encoded(registry: &Registry, format: &str, payload: &Payload<'_>) -> Result<Pair> {
    let bytes = registry.encode(format, payload)?;
    let info = registry.get(format)?.info();
    if info.directions() == Directions::Both {
        let mut expected = payload.clone();
        info.fidelity().project(&mut expected);
        let read = registry.decode(format, &bytes)?;
        ensure!(read == expected, "{format} reads another payload");
    }
    Ok((String::from_utf8(registry.encode("json", payload)?)?, bytes))
}

/// The response of a tool, as GCX1 in the plain form.
fn response((file, tool): (&str, &str)) -> Result<Pair> {
    let json = fixture(&format!("payloads/tools/{file}.json"))?;
    let value: Value = serde_json::from_str(&json)?;
    let text = gcx::encode_layout(tool, &value)?;
    ensure!(gcx::decode_response(&text)? == value, "{file} is another response in GCX1");
    Ok((json, text.into_bytes()))
}

/// The response of a query, as GOON.
fn query(file: &Path) -> Result<Pair> {
    let json = read(file)?.trim_end().to_owned();
    let text = goon::to_string(&goon::GraphResponse::from_json_str(&json)?)?;
    // Long texts were cut in the first one, and are not cut again.
    let encoder = goon::Encoder::new().long_text(None).other_text(None);
    let again = encoder.to_string(&goon::from_str(&text)?)?;
    ensure!(again == text, "{} is another response in GOON", file.display());
    Ok((json, text.into_bytes()))
}

/// The parts of JSON that a format saves.
fn parts(pairs: &[Pair], size: fn(&[u8]) -> usize) -> Vec<f64> {
    pairs.iter().map(|(json, ours)| part_saved(size(json.as_bytes()), size(ours))).collect()
}

/// The smallest and the largest part of tokens that a format saves.
fn range(pairs: &[Pair]) -> (f64, f64) {
    let mut parts = parts(pairs, cl100k);
    parts.sort_by(f64::total_cmp);
    (parts[0], parts[parts.len() - 1])
}

/// The medians of the changes in tokens and bytes.
fn row(out: &mut String, format: &str, pairs: &[Pair], is_text: bool) {
    let _ = write!(out, "| {format} |");
    for counter in [cl100k, o200k, words] {
        let saved = change(median(parts(pairs, counter)));
        let _ = write!(out, " {} |", if is_text { &saved } else { "–" });
    }
    let _ = writeln!(out, " {} |", change(median(parts(pairs, <[u8]>::len))));
}

fn count(counter: Counter, text: &[u8]) -> usize {
    counter.count(&String::from_utf8_lossy(text))
}

fn cl100k(text: &[u8]) -> usize {
    count(Counter::Cl100kBase, text)
}

fn o200k(text: &[u8]) -> usize {
    count(Counter::O200kBase, text)
}

/// The estimate that the documentation of GCF counts with.
fn words(text: &[u8]) -> usize {
    count(Counter::WordPunctuation, text)
}

/// Bytes after gzip at its default level.
fn gzip(bytes: &[u8]) -> usize {
    const NEVER: &str = "because a vector takes all that is written";
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect(NEVER);
    encoder.finish().expect(NEVER).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page has each line, wherever it breaks them.
    #[test]
    fn the_page_says_what_is_counted() {
        let page = xtask::tools::read(&xtask::tools::root().join("docs/scorecards/formats.md"));
        let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let page = joined(&page.unwrap());
        for line in (figures().unwrap() + &crate::sessions::figures().unwrap()).lines() {
            assert!(page.contains(&joined(line)), "{line}");
        }
    }
}
