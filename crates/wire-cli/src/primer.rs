//! `wirefmt primer`: the shortest description of a format for a prompt, and its tokens.

use wire_core::TokenCounter as _;
use wire_tokens::Counter;

use crate::args::{Primer, PrimerOptions};
use crate::diagnostic::MessageFormat;
use crate::failure::Failure;
use crate::{output, table};

pub(crate) fn run(options: &PrimerOptions, message_format: MessageFormat) -> Result<(), Failure> {
    let primers = options.format.map_or(Primer::ALL.to_vec(), |format| vec![format]);
    let text = if !options.count {
        primers.iter().map(|primer| primer.text()).collect()
    } else if message_format == MessageFormat::Json {
        primers
            .iter()
            .flat_map(|primer| [object(*primer, options.counters()), "\n".to_owned()])
            .collect()
    } else {
        counts(&primers, options.counters())
    };
    output::to_stdout(text.as_bytes())
}

fn counts(primers: &[Primer], counters: &[Counter]) -> String {
    let names = counters.iter().map(wire_core::TokenCounter::name);
    let mut table = table::new(["format", "bytes"].into_iter().chain(names));
    for primer in primers {
        let text = primer.text();
        let tokens = counters.iter().map(|counter| counter.count(text).to_string());
        table.add_row([primer.name().to_owned(), text.len().to_string()].into_iter().chain(tokens));
    }
    table::align_right(&mut table, 1..counters.len() + 2);
    table::text(&table)
}

fn object(primer: Primer, counters: &[Counter]) -> String {
    let text = primer.text();
    let tokens: serde_json::Map<_, _> =
        counters.iter().map(|it| (it.name().to_owned(), it.count(text).into())).collect();
    serde_json::json!({ "format": primer.name(), "bytes": text.len(), "tokens": tokens })
        .to_string()
}

impl Primer {
    const ALL: &'static [Primer] = &[Primer::Gcf, Primer::GcfGeneric, Primer::Gcx, Primer::Goon];

    fn name(self) -> &'static str {
        match self {
            Primer::Gcf => "gcf",
            Primer::GcfGeneric => "gcf-generic",
            Primer::Gcx => "gcx",
            Primer::Goon => "goon",
        }
    }

    /// The description, with an example that the format's decoder accepts.
    fn text(self) -> &'static str {
        match self {
            Primer::Gcf => include_str!("primer/gcf.txt"),
            Primer::GcfGeneric => include_str!("primer/gcf-generic.txt"),
            Primer::Gcx => include_str!("primer/gcx.txt"),
            Primer::Goon => include_str!("primer/goon.txt"),
        }
    }
}

#[cfg(test)]
mod tests {
    use gcf::graph::{NamedEdge, PayloadBuilder, Symbol};
    use goon::{GraphResponse, Version};
    use serde_json::{Value, json};

    use super::*;

    /// The example of a primer, and the JSON that it says it is.
    fn example(primer: Primer) -> (String, Option<Value>) {
        let (_, rest) = primer.text().split_once("\nExample:\n").unwrap();
        let (example, rest) = rest.split_once("\n\n").unwrap();
        let json = rest.strip_prefix("The same as JSON:\n");
        (format!("{example}\n"), json.map(|json| serde_json::from_str(json).unwrap()))
    }

    #[test]
    fn the_example_of_values_is_the_json_beneath_it() {
        let (text, json) = example(Primer::GcfGeneric);
        assert_eq!(gcf::from_str::<Value>(&text).unwrap(), json.clone().unwrap());
        assert_eq!(gcf::to_string(&json.unwrap()).unwrap(), text);

        let (text, json) = example(Primer::Gcx);
        assert_eq!(gcx::decode_response(&text).unwrap(), json.clone().unwrap());
        assert_eq!(gcx::encode_response("list_users", &json.unwrap()).unwrap(), text);
    }

    #[test]
    fn the_example_of_a_graph_has_the_edge_that_is_explained() {
        let (text, _) = example(Primer::Gcf);
        let payload = PayloadBuilder::new("context_for_task")
            .token_budget(5000)
            .tokens_used(97)
            .symbol(
                Symbol::new("method", "billing.Ledger.Post")
                    .with_score(0.78)
                    .with_provenance("lsp_resolved"),
            )
            .symbol(
                Symbol::new("function", "billing.NewServer")
                    .with_score(0.54)
                    .with_provenance("lsp_resolved")
                    .with_distance(1),
            )
            .symbol(
                Symbol::new("service", "billing-api")
                    .with_score(0.51)
                    .with_provenance("otel_trace")
                    .with_distance(1),
            )
            .edge(NamedEdge::new("billing.NewServer", "calls", "billing.Ledger.Post"))
            .edge(
                NamedEdge::new("billing-api", "runtime_calls", "billing.NewServer")
                    .with_status("added"),
            )
            .build()
            .unwrap();
        assert_eq!(gcf::graph::from_str(&text).unwrap(), payload);
        assert_eq!(gcf::graph::to_string(&payload).unwrap(), text);
        assert!(Primer::Gcf.text().ends_with("billing.NewServer calls billing.Ledger.Post.\n"));
    }

    #[test]
    fn the_example_of_a_query_is_a_response() {
        let response = GraphResponse::from_value(&json!({
            "query_type": "traversal",
            "nodes": [
                { "type": "MergeRequest", "id": 42, "iid": 101, "state": "merged", "title": "Fix auth bug" },
                { "type": "MergeRequest", "id": 43, "iid": 102, "state": "opened" },
                { "type": "User", "id": 1, "name": "Alice Smith", "username": "alice" },
            ],
            "edges": [
                { "from": "User", "from_id": 1, "to": "MergeRequest", "to_id": 42, "type": "AUTHORED" },
                { "from": "User", "from_id": 1, "to": "MergeRequest", "to_id": 43, "type": "AUTHORED" },
            ],
        }));
        let response = response.unwrap();
        let (text, _) = example(Primer::Goon);
        assert_eq!(goon::from_str(&text).unwrap(), response);
        assert_eq!(
            goon::Encoder::new().version(Version::V1_0_0).to_string(&response).unwrap(),
            text
        );
    }

    #[test]
    fn the_abbreviations_are_those_of_the_format() {
        for (short, kind) in
            [("fn", "function"), ("iface", "interface"), ("pkg", "package"), ("svc", "service")]
        {
            assert!(Primer::Gcf.text().contains(&format!("{short} {kind}")), "{kind}");
            assert_eq!(wire_core::Kind::from(kind).abbreviation(), short);
        }
    }
}
