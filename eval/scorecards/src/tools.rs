//! Twenty responses of tools, as GCX and as JSON.

use serde_json::Value;
use wire_tokens::measure::{median, part_saved, ratio};
use wire_tokens::{Counter, TokenCounter as _};

use crate::card::{Cell, Scorecard, Section};
use crate::scorecards::{Inputs, of};

/// The responses of the public GCX1 scorecard: the names of their files, the tools that gave them,
/// and the bytes of their JSON there.
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

/// A response in the texts that are compared.
struct Response {
    name: &'static str,
    namesake: usize,
    pretty: String,
    json: String,
    gcx: String,
    comes_back: bool,
}

pub(crate) fn card(inputs: &Inputs) -> Result<Scorecard, String> {
    let responses = TOOLS
        .iter()
        .map(|&(name, tool, namesake)| response(inputs, name, tool, namesake))
        .collect::<Result<Vec<_>, _>>()?;
    let mut sections = vec![sizes(&responses)];
    for counter in &inputs.counters {
        sections.push(tokens(&responses, *counter));
    }
    sections.push(beside(&responses));
    Ok(Scorecard {
        title: "Tools' responses: GCX1 and JSON",
        intro: "Twenty responses of a code-intelligence server, as GCX1 in the plain form and as JSON, all UTF-8. They are our own\n\
                (`fixtures/payloads/tools`), named and sized after those of GCX1's public scorecard. In a change, minus\n\
                is fewer. \"Round trip\" says whether decoding the text gives the same JSON. gzip uses its\n\
                default level. A number with ≈ is an estimate: 1.35 times the tokens of `cl100k_base`."
            .to_owned(),
        sections,
    })
}

fn response(
    inputs: &Inputs,
    name: &'static str,
    tool: &str,
    namesake: usize,
) -> Result<Response, String> {
    let file = format!("payloads/tools/{name}.json");
    let json = inputs.read(&file)?;
    let value: Value = serde_json::from_str(&json).map_err(of(&file))?;
    let gcx = gcx::encode_layout(tool, &value).map_err(of(&file))?;
    let comes_back = gcx::decode_response(&gcx).map_err(of(&file))? == value;
    Ok(Response { name, namesake, pretty: format!("{value:#}"), json, gcx, comes_back })
}

fn sizes(responses: &[Response]) -> Section {
    let rows = responses.iter().map(|it| {
        (it.name, vec![it.namesake.into()], [&*it.pretty, &it.json, &it.gcx], it.comes_back)
    });
    Section::of_bytes("GCX1", &["JSON of its namesake"], rows)
}

fn tokens(responses: &[Response], counter: Counter) -> Section {
    let texts = responses.iter().map(|it| (it.name, [&*it.pretty, &it.json, &it.gcx]));
    Section::of_tokens("GCX1", counter, texts)
}

/// The figures of GCX1's documentation, and those that are measured here.
fn beside(responses: &[Response]) -> Section {
    let saved = |counter: Counter| {
        let part = |response: &Response| {
            part_saved(counter.count(&response.json), counter.count(&response.gcx))
        };
        Cell::Saved(median(responses.iter().map(part).collect()))
    };
    let mut section = Section::beside(
        "The public scorecard uses its authors' responses, which are other data than ours. Responses with long values and few keys (source\n\
         text, an outline, statistics with nested objects) save little or nothing. Responses with short rows save more.",
    );
    let on = "the twenty responses above, against minified JSON";
    section.figure("median change in cl100k tokens", 0.274, saved(Counter::Cl100kBase), on);
    section.figure(
        "median change in Claude Opus 4.7 tokens",
        "around −27 %",
        saved(Counter::ClaudeOpus47),
        &format!("{on}; an estimate, theirs too"),
    );
    let whole = responses.iter().filter(|response| response.comes_back).count();
    let on = "the twenty responses above, in the plain form";
    section.figure(
        "responses that round-trip",
        "100 %",
        Cell::Part(ratio(whole, responses.len())),
        on,
    );
    section
}
