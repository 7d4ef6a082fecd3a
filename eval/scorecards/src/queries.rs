//! Responses of graph queries, as GOON and as JSON.

use wire_tokens::measure::{change, median, part_saved, ratio};
use wire_tokens::{Counter, TokenCounter as _};

use crate::card::{Cell, Scorecard, Section};
use crate::scorecards::{Inputs, of};

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

/// A response in the texts that are compared.
struct Query {
    name: &'static str,
    response: goon::GraphResponse,
    pretty: String,
    json: String,
    goon: String,
}

pub(crate) fn card(inputs: &Inputs) -> Result<Scorecard, String> {
    let queries = QUERIES.iter().map(|name| query(inputs, name)).collect::<Result<Vec<_>, _>>()?;
    let mut sections = vec![sizes(&queries)?];
    for counter in &inputs.counters {
        sections.push(tokens(&queries, *counter));
    }
    sections.push(beside(&queries));
    Ok(Scorecard {
        title: "Responses of graph queries: GOON and JSON",
        intro: "Responses of queries of a code-hosting graph, as GOON 1.0.0 and as JSON; the JSON includes the edges. The responses are our own\n\
                (`fixtures/payloads/queries`). \"Properties a node\" is the mean over all nodes. \"Round trip\" says whether decoding and encoding\n\
                again gives the same text. gzip uses its default level. A timestamp has about 19 tokens in both formats, so responses with many\n\
                timestamps save less."
            .to_owned(),
        sections,
    })
}

fn query(inputs: &Inputs, name: &'static str) -> Result<Query, String> {
    let file = format!("payloads/queries/{name}.json");
    let json = inputs.read(&file)?;
    let response = goon::GraphResponse::from_json_str(&json).map_err(of(&file))?;
    let goon = goon::to_string(&response).map_err(of(&file))?;
    let value: serde_json::Value = serde_json::from_str(&json).expect("because it was read");
    Ok(Query { name, response, pretty: format!("{value:#}"), json, goon })
}

fn sizes(queries: &[Query]) -> Result<Section, String> {
    let mut rows = Vec::new();
    for query in queries {
        let response = &query.response;
        let properties: usize = response.nodes.iter().map(|node| node.properties.len()).sum();
        let back = goon::from_str(&query.goon).map_err(of(query.name))?;
        // Long texts were cut in the first one, and are not cut again.
        let encoder = goon::Encoder::new().long_text(None).other_text(None);
        let again = encoder.to_string(&back).map_err(of(query.name))?;
        let counts = [response.nodes.len(), response.edges.len(), response.rows.len()];
        let mut more = counts.map(Cell::Count).to_vec();
        let mean = ratio(properties, response.nodes.len().max(1));
        more.push(Cell::Text(format!("{mean:.1}")));
        let texts = [&*query.pretty, &query.json, &query.goon];
        rows.push((query.name, more, texts, again == query.goon));
    }
    let more = ["nodes", "edges", "rows", "properties a node"];
    Ok(Section::of_bytes("GOON", &more, rows.into_iter()))
}

fn tokens(queries: &[Query], counter: Counter) -> Section {
    let texts = queries.iter().map(|it| (it.name, [&*it.pretty, &it.json, &it.goon]));
    Section::of_tokens("GOON", counter, texts)
}

/// The figures of GOON's decision record, and those that are measured here.
fn beside(queries: &[Query]) -> Section {
    let count = |text: &str| Counter::Cl100kBase.count(text);
    let query = &queries[0];
    let mut section = Section::beside(
        "The format's decision record states neither the properties of its nodes nor its token counter, and both figures depend on them.\n\
         They are plausible with pretty JSON as the baseline. In `traversal_50_200_200` users have `username`, `name` and `state`; merge requests `iid`, `title` and `state`,\n\
         every fourth a `description` of up to 200 characters, and 19 `closed_at`. Its JSON is in the stated range, its GOON above it.",
    );
    let on = "`traversal_50_200_200`, cl100k";
    section.figure(
        "50 users, 200 merge requests and 200 edges as JSON, tokens",
        "12,000–15,000",
        count(&query.json),
        &format!("{on}; minified, with edges (pretty: {})", count(&query.pretty)),
    );
    section.figure("the same as GOON, tokens", "5,000–7,000", count(&query.goon), on);
    let saved = |of: fn(&Query) -> &str| -> Vec<f64> {
        queries.iter().map(|query| part_saved(count(of(query)), count(&query.goon))).collect()
    };
    let parts = saved(|query| &query.json);
    let fewest = parts.iter().copied().fold(f64::INFINITY, f64::min);
    let most = parts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range = format!("{} to {}, median {}", change(fewest), change(most), change(median(parts)));
    let on = "the eleven responses above, cl100k, against minified JSON with edges";
    section.figure("change in tokens over all shapes of queries", "−40 to −60 %", &*range, on);
    let pretty = median(saved(|query| &query.pretty));
    let on = "the eleven responses above, cl100k";
    section.figure("the same against pretty JSON, median", Cell::None, pretty, on);
    for (figure, stated) in [
        ("price of tool use by a model, against raw JSON", "−11 %"),
        ("duration", "−15 %"),
        ("correctness", "+4.8 points"),
    ] {
        section.figure(figure, stated, Cell::None, "not measured: it needs a model");
    }
    section
}
