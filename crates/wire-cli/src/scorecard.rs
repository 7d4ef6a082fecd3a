//! `wirefmt scorecard`: what formats cost on the payloads of the repository, as Markdown.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use flate2::Compression;
use flate2::write::GzEncoder;
use wire_core::TokenCounter;

use crate::args::{Card, ScorecardOptions};
use crate::counter::Counter;
use crate::failure::Failure;
use crate::output;

pub(crate) fn run(options: &ScorecardOptions) -> Result<(), Failure> {
    let text = match options.card {
        Card::Tools => tools(&options.fixtures)?,
        Card::Queries => queries(&options.fixtures)?,
    };
    let destination = options.output.as_deref().filter(|path| path.as_os_str() != "-");
    output::write(destination, |writer| writer.write_all(text.as_bytes()))
}

/// The responses of the public GCX1 scorecard: the names of their files, the tools that gave them, and the bytes of their JSON
/// there.
const TOOLS: [(&str, &str, usize); 20] = [
    ("01_search_symbols_small", "search_symbols", 720),
    ("02_search_symbols_large", "search_symbols", 4201),
    ("03_get_symbol_source_small", "get_symbol_source", 731),
    ("04_get_symbol_source_large", "get_symbol_source", 1691),
    ("05_batch_symbols", "batch_symbols", 1077),
    ("06_find_usages_small", "find_usages", 1287),
    ("07_find_usages_large", "find_usages", 1783),
    ("08_get_file_summary", "get_file_summary", 2172),
    ("09_analyze_hotspots", "analyze.hotspots", 1731),
    ("10_analyze_dead_code", "analyze.dead_code", 1132),
    ("11_contracts_list", "contracts", 2296),
    ("12_get_callers_medium", "get_callers", 3021),
    ("13_smart_context", "smart_context", 1816),
    ("14_get_dependents_small", "get_dependents", 1269),
    ("15_get_test_targets", "get_test_targets", 1256),
    ("16_find_implementations", "find_implementations", 936),
    ("17_find_cycles", "analyze.cycles", 224),
    ("18_graph_stats", "graph_stats", 494),
    ("19_get_editing_context", "get_editing_context", 927),
    ("20_get_repo_outline", "get_repo_outline", 784),
];

/// What the text of a response costs, measure by measure.
struct Measure {
    name: &'static str,
    of: Box<dyn Fn(&str) -> usize>,
}

fn measures() -> Vec<Measure> {
    let tokens = |name, counter: Counter| {
        let counter: Box<dyn TokenCounter> = counter.load();
        Measure { name, of: Box::new(move |text: &str| counter.count(text)) }
    };
    vec![
        Measure { name: "bytes", of: Box::new(str::len) },
        Measure { name: "gzip bytes", of: Box::new(gzip) },
        tokens("cl100k tokens", Counter::Cl100kBase),
        tokens("o200k tokens", Counter::O200kBase),
    ]
}

/// Bytes behind gzip at its default level.
fn gzip(text: &str) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("because a vector takes all that is written");
    encoder.finish().expect("because a vector takes all that is written").len()
}

/// GCX against minified JSON on twenty tool responses.
fn tools(fixtures: &Path) -> Result<String, Failure> {
    let measures = measures();
    let mut text = String::from("| response | JSON bytes of its namesake |");
    for Measure { name, .. } in &measures {
        let _ = write!(text, " {name}: JSON | GCX | saved |");
    }
    text.push_str(" comes back |\n|---|---:|");
    text.push_str(&"---:|---:|---:|".repeat(measures.len()));
    text.push_str("---|\n");
    let mut saved: Vec<Vec<f64>> = vec![Vec::new(); measures.len()];
    for (name, tool, namesake) in TOOLS {
        let path = fixtures.join(format!("payloads/tools/{name}.json"));
        let file = path.display().to_string();
        let json = fs::read_to_string(&path)
            .map_err(|source| Failure::Input { file: file.clone(), source })?;
        let json = json.trim_end();
        let value = gcx::json::from_str(json).map_err(|error| Failure::Decode {
            file: file.clone(),
            error: wire_registry::json::error(json.as_bytes(), &error),
            input: json.as_bytes().to_vec(),
        })?;
        let refused = |error: gcx::Error| Failure::Encode {
            file: file.clone(),
            format: "gcx".to_owned(),
            error: error.into(),
        };
        let gcx = gcx::encode_response(tool, &value).map_err(refused)?;
        let same = gcx::decode_response(&gcx).map_err(refused)? == value;
        let _ = write!(text, "| {name} | {namesake} |");
        for (Measure { of, .. }, saved) in measures.iter().zip(&mut saved) {
            let (before, after) = (of(json), of(&gcx));
            let part = part_saved(before, after);
            let _ = write!(text, " {before} | {after} | {} |", percent(part));
            saved.push(part);
        }
        let _ = writeln!(text, " {} |", if same { "yes" } else { "no" });
    }
    text.push_str("| **median** | |");
    for saved in saved {
        let _ = write!(text, " | | **{}** |", percent(median(saved)));
    }
    text.push_str(" |\n\n");
    text.push_str("The format's public scorecard states a median of 27.4 % of the cl100k tokens saved, on responses of its own.\n");
    Ok(text)
}

/// The responses of the format's own count, then others.
const QUERIES: [&str; 11] = [
    "traversal_50_200_200",
    "traversal_with_timestamps",
    "traversal_long_text",
    "paginated",
    "search",
    "neighbors",
    "path_finding",
    "aggregation_by_property",
    "aggregation_by_node",
    "aggregation_by_both",
    "aggregation_ungrouped",
];

/// GOON against JSON, minified and pretty, on responses of graph queries.
fn queries(fixtures: &Path) -> Result<String, Failure> {
    let measures = measures();
    let mut text = String::from("| response | nodes | edges | rows | properties a node |");
    for Measure { name, .. } in &measures {
        let _ = write!(text, " {name}: pretty JSON | JSON | GOON | saved |");
    }
    text.push_str("\n|---|---:|---:|---:|---:|");
    text.push_str(&"---:|---:|---:|---:|".repeat(measures.len()));
    text.push('\n');
    for name in QUERIES {
        let path = fixtures.join(format!("payloads/queries/{name}.json"));
        let file = path.display().to_string();
        let json = fs::read_to_string(&path)
            .map_err(|source| Failure::Input { file: file.clone(), source })?;
        let json = json.trim_end();
        let failed = |error: goon::Error| Failure::Decode {
            file: file.clone(),
            error: error.into(),
            input: json.as_bytes().to_vec(),
        };
        let response = goon::GraphResponse::from_json(json).map_err(failed)?;
        let value: serde_json::Value = serde_json::from_str(json).expect("because it was read");
        let pretty = format!("{value:#}");
        let goon = goon::to_string(&response).map_err(failed)?;
        let properties: usize = response.nodes.iter().map(|node| node.properties.len()).sum();
        let _ = write!(
            text,
            "| {name} | {} | {} | {} | {:.1} |",
            response.nodes.len(),
            response.edges.len(),
            response.rows.len(),
            ratio(properties, response.nodes.len().max(1))
        );
        for Measure { of, .. } in &measures {
            let (pretty, before, after) = (of(&pretty), of(json), of(&goon));
            let _ = write!(
                text,
                " {pretty} | {before} | {after} | {} |",
                percent(part_saved(before, after))
            );
        }
        text.push('\n');
    }
    text.push_str(
        "\nThe format's first description states, for a traversal of 50 users, 200 merge requests and 200 edges, 12,000–15,000 tokens \
         as JSON and\n5,000–7,000 as GOON, without the properties that its nodes had.\n",
    );
    Ok(text)
}

#[expect(clippy::cast_precision_loss, reason = "sizes of texts are small integers")]
fn ratio(part: usize, whole: usize) -> f64 {
    part as f64 / whole as f64
}

fn part_saved(before: usize, after: usize) -> f64 {
    1.0 - ratio(after, before)
}

fn percent(part: f64) -> String {
    format!("{:.1} %", part * 100.0)
}

/// The mean of the two in the middle, of an even number of them.
fn median(mut parts: Vec<f64>) -> f64 {
    parts.sort_by(f64::total_cmp);
    let middle = parts.len() / 2;
    if parts.len().is_multiple_of(2) {
        f64::midpoint(parts[middle - 1], parts[middle])
    } else {
        parts[middle]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_and_parts() {
        assert_eq!(median(vec![0.4, 0.1, 0.3]), 0.3);
        assert_eq!(median(vec![0.5, 0.0, 0.25, 1.0]), 0.375);
        assert_eq!(percent(part_saved(200, 150)), "25.0 %");
        assert_eq!(percent(part_saved(100, 102)), "-2.0 %");
    }
}
