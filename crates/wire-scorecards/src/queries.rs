//! Responses of graph queries, as GOON and as JSON.

use wire_tokens::measure::{median, part_saved, percent, ratio};
use wire_tokens::{Counter, Counts};

use crate::card::{Cell, Scorecard, Section};
use crate::chart::Chart;
use crate::error::Error;
use crate::fixtures::Fixtures;
use crate::gzip::gzip;

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

pub(crate) fn card(
    fixtures: &Fixtures,
    counts: &Counts,
    counters: &[Counter],
) -> Result<Scorecard, Error> {
    let queries =
        QUERIES.iter().map(|name| query(fixtures, name)).collect::<Result<Vec<_>, _>>()?;
    let mut sections = vec![sizes(&queries)?];
    for counter in counters {
        sections.push(tokens(&queries, counts, *counter));
    }
    sections.push(beside(&queries, counts));
    let counter = counters[0];
    let chart = Chart {
        title: format!(
            "Tokens of queries' responses, by {}",
            wire_core::TokenCounter::name(&counter)
        ),
        series: vec!["minified JSON".to_owned(), "GOON".to_owned()],
        groups: queries
            .iter()
            .map(|query| {
                let count = |text: &str| Some(counts.tokens(counter, text).count);
                (query.name.to_owned(), vec![count(&query.json), count(&query.goon)])
            })
            .collect(),
    };
    Ok(Scorecard {
        name: "queries",
        title: "Responses of graph queries: GOON and JSON",
        intro: "Responses of queries of a code-hosting graph, as GOON 1.0.0 and as JSON; the JSON includes the edges. The responses are our own\n\
                (`fixtures/payloads/queries`). \"Properties a node\" is the mean over all nodes. \"Round trip\" says whether decoding and encoding\n\
                again gives the same text. gzip uses its default level. A timestamp has about 19 tokens in both formats, so responses with many\n\
                timestamps save less."
            .to_owned(),
        command: "cargo run -q -p wire-cli -- scorecard queries",
        sections,
        chart: Some(chart),
    })
}

fn query(fixtures: &Fixtures, name: &'static str) -> Result<Query, Error> {
    let (file, json) = fixtures.read(&format!("payloads/queries/{name}.json"))?;
    let failed = |error: goon::Error| Error::decode(file.clone(), json.as_bytes().to_vec(), error);
    let response = goon::GraphResponse::from_json_str(&json).map_err(failed)?;
    let goon = goon::to_string(&response).map_err(failed)?;
    let value: serde_json::Value = serde_json::from_str(&json).expect("because it was read");
    Ok(Query { name, response, pretty: format!("{value:#}"), json, goon })
}

fn sizes(queries: &[Query]) -> Result<Section, Error> {
    let mut section = Section::new(
        "Bytes",
        &[
            "response",
            "nodes",
            "edges",
            "rows",
            "properties a node",
            "pretty JSON",
            "JSON",
            "GOON",
            "saved of JSON",
            "gzip: JSON",
            "gzip: GOON",
            "gzip saved",
            "round trip",
        ],
    );
    let (mut plain, mut zipped) = (Vec::new(), Vec::new());
    let mut whole = 0;
    for query in queries {
        let response = &query.response;
        let properties: usize = response.nodes.iter().map(|node| node.properties.len()).sum();
        let (json, goon) = (gzip(query.json.as_bytes()), gzip(query.goon.as_bytes()));
        let refused = |error: goon::Error| Error::encode(query.name.to_owned(), "goon", error);
        let back = goon::from_str(&query.goon).map_err(refused)?;
        // Long texts were cut in the first one, and are not cut again.
        let again = goon::Encoder::new()
            .long_text(None)
            .other_text(None)
            .to_string(&back)
            .map_err(refused)?;
        let comes_back = again == query.goon;
        whole += usize::from(comes_back);
        plain.push(part_saved(query.json.len(), query.goon.len()));
        zipped.push(part_saved(json, goon));
        section.row(vec![
            query.name.into(),
            Cell::Count(response.nodes.len()),
            Cell::Count(response.edges.len()),
            Cell::Count(response.rows.len()),
            Cell::Text(format!("{:.1}", ratio(properties, response.nodes.len().max(1)))),
            Cell::Count(query.pretty.len()),
            Cell::Count(query.json.len()),
            Cell::Count(query.goon.len()),
            Cell::Part(part_saved(query.json.len(), query.goon.len())),
            Cell::Count(json),
            Cell::Count(goon),
            Cell::Part(part_saved(json, goon)),
            if comes_back { "yes" } else { "no" }.into(),
        ]);
    }
    let mut last = vec!["**median**".into()];
    last.extend(std::iter::repeat_n(Cell::None, 7));
    last.extend([Cell::Part(median(plain)), Cell::None, Cell::None, Cell::Part(median(zipped))]);
    last.push(Cell::Text(format!("{whole} of {}", queries.len())));
    section.row(last);
    Ok(section)
}

fn tokens(queries: &[Query], counts: &Counts, counter: Counter) -> Section {
    let texts = queries.iter().map(|it| (it.name, [&*it.pretty, &it.json, &it.goon]));
    Section::of_tokens("GOON", (counts, counter), texts)
}

/// The figures of GOON's decision record, and those that are measured here.
fn beside(queries: &[Query], counts: &Counts) -> Section {
    let count = |text: &str| counts.tokens(Counter::Cl100kBase, text).count;
    let query = &queries[0];
    let mut section = Section::new(
        "Beside the format's own figures",
        &["figure", "stated", "here", "measured on"],
    )
    .with_intro(
        "The format's decision record states neither the properties of its nodes nor its token counter, and both figures depend on them.\n\
         They are plausible with pretty JSON as the baseline. In `traversal_50_200_200` users have `username`, `name` and `state`; merge requests `iid`, `title` and `state`,\n\
         every fourth a `description` of up to 200 characters, and 19 `closed_at`. Its JSON is in the stated range, its GOON above it.",
    );
    let on = "`traversal_50_200_200`, cl100k";
    section.row(vec![
        "50 users, 200 merge requests and 200 edges as JSON, tokens".into(),
        "12,000–15,000".into(),
        Cell::Count(count(&query.json)),
        format!("{on}; minified, with edges (pretty: {})", count(&query.pretty)).as_str().into(),
    ]);
    section.row(vec![
        "the same as GOON, tokens".into(),
        "5,000–7,000".into(),
        Cell::Count(count(&query.goon)),
        on.into(),
    ]);
    let parts: Vec<f64> =
        queries.iter().map(|query| part_saved(count(&query.json), count(&query.goon))).collect();
    let fewest = parts.iter().copied().fold(f64::INFINITY, f64::min);
    let most = parts.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let range =
        format!("{} to {}, median {}", percent(fewest), percent(most), percent(median(parts)));
    section.row(vec![
        "tokens saved over all shapes of queries".into(),
        "40–60 %".into(),
        range.as_str().into(),
        "the eleven responses above, cl100k, against minified JSON with edges".into(),
    ]);
    let pretty: Vec<f64> =
        queries.iter().map(|query| part_saved(count(&query.pretty), count(&query.goon))).collect();
    section.row(vec![
        "the same against pretty JSON, median".into(),
        Cell::None,
        Cell::Part(median(pretty)),
        "the eleven responses above, cl100k".into(),
    ]);
    for (figure, stated) in [
        ("price of tool use by a model, against raw JSON", "−11 %"),
        ("duration", "−15 %"),
        ("correctness", "+4.8 points"),
    ] {
        section.row(vec![
            figure.into(),
            stated.into(),
            Cell::None,
            "not measured: it needs a model".into(),
        ]);
    }
    section
}
