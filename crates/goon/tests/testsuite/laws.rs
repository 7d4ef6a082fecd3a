//! Laws of every response and every text.

use goon::{
    Column, Decoder, Edge, Encoder, GraphResponse, GroupColumn, GroupKind, Node, Pagination,
    QueryType, Version,
};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde_json::{Value, json};
use wire_conformance::strategy::{Numbers, Shape, Text, Vocabulary, payload};
use wire_core::Codec;

/// Text with what is escaped, what looks like other values, and what begins other lines; without
/// control characters that are dropped.
fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        proptest::sample::select(vec![
            "\\",
            "\"",
            "\t",
            "\n",
            "\r",
            " ",
            "=",
            "@nodes",
            "-->",
            "true",
            "null",
            "42",
            "-0",
            "1.0",
            "1e21",
            "007",
            "2026-05-08 22:55:58",
            "2026-05-08T22:55:58.123Z",
            "...",
            "User:1",
            "ö",
            "𝄞",
            "\u{2028}",
            "\u{85}",
        ])
        .prop_map(str::to_owned),
        "[a-z]{0,4}",
        "x{180,210}",
        any::<String>(),
    ];
    vec(piece, 0..4).prop_map(|pieces| {
        pieces
            .concat()
            .chars()
            .filter(|c| !c.is_ascii_control() || matches!(c, '\n' | '\r' | '\t'))
            .collect()
    })
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>()
            .prop_filter("JSON has finite numbers", |number| number.is_finite())
            .prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    scalar.prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            btree_map("[a-c]", inner, 0..3)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// Properties whose keys do not have the suffix of a length.
fn properties() -> impl Strategy<Value = std::collections::BTreeMap<String, Value>> {
    let key = prop_oneof![
        "[a-h]{1,3}",
        Just("title".to_owned()),
        Just("name".to_owned()),
        Just("created_at".to_owned())
    ];
    btree_map(key, value(), 0..5)
}

fn nodes() -> impl Strategy<Value = Vec<Node>> {
    btree_map((0usize..3, any::<i64>()), properties(), 0..8).prop_map(|nodes| {
        let node = |((entity_type, id), properties): ((usize, i64), _)| {
            let entity_type: String = ["User", "MergeRequest", "größe"][entity_type].to_owned();
            Node { properties, ..Node::new(entity_type, id) }
        };
        nodes.into_iter().map(node).collect()
    })
}

fn pagination() -> impl Strategy<Value = Option<Pagination>> {
    let some =
        (any::<bool>(), proptest::option::of(any::<u64>())).prop_map(|(has_more, total_rows)| {
            Pagination { has_more, total_rows, ..Pagination::default() }
        });
    proptest::option::of(some)
}

/// Traversals, searches and neighbors.
fn graph() -> impl Strategy<Value = GraphResponse> {
    let kind = proptest::sample::select(vec![
        QueryType::Traversal,
        QueryType::Search,
        QueryType::Neighbors,
    ]);
    let edge = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        "[A-C]{1,2}",
        proptest::option::of(0u64..3),
    );
    (kind, nodes(), vec(edge, 0..10), pagination()).prop_map(|(kind, nodes, edges, pagination)| {
        let end = |index: prop::sample::Index| {
            let node: &Node = &nodes[index.index(nodes.len())];
            (node.entity_type.clone(), node.id)
        };
        let edges = if nodes.is_empty() { Vec::new() } else { edges };
        let edges: Vec<Edge> = edges
            .into_iter()
            .map(|(from, to, edge_type, depth)| {
                let mut edge = Edge::new(end(from), edge_type, end(to));
                edge.depth = depth;
                edge
            })
            .collect();
        let mut response = GraphResponse::new(kind);
        (response.nodes, response.edges, response.pagination) = (nodes, edges, pagination);
        response
    })
}

fn paths() -> impl Strategy<Value = GraphResponse> {
    (vec((any::<u32>(), vec((0i64..5, "[A-C]"), 1..4)), 0..4)).prop_map(|paths| {
        let mut response = GraphResponse::new(QueryType::PathFinding);
        response.nodes = (0..5).map(|id| Node::new("User", id)).collect();
        for (path_id, steps) in paths {
            if response.edges.iter().any(|edge| edge.path_id == Some(path_id.into())) {
                continue;
            }
            let mut from = 0;
            for (step, (to, edge_type)) in (0..).zip(steps) {
                let mut edge = Edge::new(("User", from), edge_type, ("User", to));
                (edge.path_id, edge.step) = (Some(path_id.into()), Some(step));
                response.edges.push(edge);
                from = to;
            }
        }
        response
    })
}

fn aggregation() -> impl Strategy<Value = GraphResponse> {
    let cell = prop_oneof![Just(None), value().prop_map(Some)];
    let node = || proptest::option::of(0usize..8);
    let row = (node(), node(), cell.clone(), cell);
    (nodes(), vec(row, 0..6)).prop_map(|(nodes, rows)| {
        let mut response = GraphResponse::new(QueryType::Aggregation);
        let group = |name: &str, kind| GroupColumn {
            name: name.into(),
            kind,
            node: None,
            entity: None,
            property: None,
        };
        response.group_columns = vec![
            group("u", GroupKind::Node),
            group("severity", GroupKind::Property),
            group("mr", GroupKind::Node),
        ];
        response.columns = vec![Column {
            name: "latest".into(),
            function: "max".into(),
            target: Some("v".into()),
            property: Some("updated_at".into()),
        }];
        for (user, mr, severity, latest) in rows {
            let cell =
                |node: Option<usize>| node.and_then(|index| nodes.get(index)).map(Node::to_cell);
            let cells =
                [("u", cell(user)), ("mr", cell(mr)), ("severity", severity), ("latest", latest)];
            let cells = cells.into_iter().filter_map(|(name, cell)| Some((name.to_owned(), cell?)));
            response.rows.push(cells.collect());
        }
        // Some of the nodes are also in `nodes`.
        response.nodes = nodes.into_iter().step_by(2).collect();
        response
    })
}

fn any_response() -> impl Strategy<Value = GraphResponse> {
    prop_oneof![graph(), paths(), aggregation()]
}

type Members = serde_json::Map<String, Value>;

/// The objects in the arrays that are members of an object.
fn objects_in(members: &mut Members) -> Vec<&mut Members> {
    let items = members.values_mut().filter_map(Value::as_array_mut).flatten();
    items.filter_map(Value::as_object_mut).collect()
}

/// Replaces, adds or removes a member.
fn edit(members: &mut Members, at: prop::sample::Index, new: Option<Value>) {
    let keys: Vec<String> = members.keys().cloned().chain(["more".to_owned()]).collect();
    let key = &keys[at.index(keys.len())];
    match new {
        Some(new) => drop(members.insert(key.clone(), new)),
        None => drop(members.remove(key)),
    }
}

proptest! {
    #[test]
    fn shuffles_give_the_same_text(response in graph(), seed in any::<u64>()) {
        let text = goon::to_string(&response).unwrap();
        let mut other = response;
        // Any permutation will do: by a hash of the place.
        let order = |place: usize| (place as u64 ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut nodes: Vec<(u64, Node)> = other.nodes.into_iter().enumerate().map(|(place, node)| (order(place), node)).collect();
        nodes.sort_by_key(|(order, _)| *order);
        other.nodes = nodes.into_iter().map(|(_, node)| node).collect();
        let mut edges: Vec<(u64, Edge)> = other.edges.into_iter().enumerate().map(|(place, edge)| (order(place), edge)).collect();
        edges.sort_by_key(|(order, _)| *order);
        other.edges = edges.into_iter().map(|(_, edge)| edge).collect();
        prop_assert_eq!(goon::to_string(&other).unwrap(), text.clone());
        // And an edge twice is an edge once.
        other.edges.extend(other.edges.clone());
        prop_assert_eq!(goon::to_string(&other).unwrap(), text);
    }

    #[test]
    fn what_is_written_is_read_and_written_again(response in any_response()) {
        let plain = Encoder::new();
        for encoder in [plain, plain.quote_numbers(true), plain.long_text(None).other_text(None), plain.long_text(Some(5)).other_text(Some(12))] {
            let text = encoder.to_string(&response).unwrap();
            prop_assert!(text.starts_with("@header\n") && text.ends_with('\n'));
            prop_assert!(!text.contains(|c: char| c.is_ascii_control() && c != '\n'), "{:?}", text);
            prop_assert_eq!(&encoder.to_string(&response).unwrap(), &text);
            let back = goon::from_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            prop_assert_eq!(&encoder.to_string(&back).unwrap(), &text);
            // And its JSON is the same response.
            let again = GraphResponse::from_value(&back.to_value()).unwrap();
            prop_assert_eq!(&again, &back);
            prop_assert_eq!(GraphResponse::from_json_str(&back.to_value().to_string()).unwrap(), back.clone());
            // Encoding what was read loses nothing.
            prop_assert_eq!(goon::from_str(&encoder.to_string(&back).unwrap()).unwrap(), back);
        }
    }

    /// JSON text and its `Value` give the same text or the same error, members that are wrong or
    /// missing included.
    #[test]
    fn json_text_is_written_as_its_value(
        response in any_response(),
        edits in vec((any::<prop::sample::Index>(), any::<prop::sample::Index>(), proptest::option::of(value())), 0..3),
        pretty in any::<bool>(),
    ) {
        let mut value = response.to_value();
        for (object, member, new) in edits {
            let members = value.as_object_mut().expect("because a response is an object");
            match object.index(objects_in(members).len() + 1) {
                0 => edit(members, member, new),
                at => edit(objects_in(members)[at - 1], member, new),
            }
        }
        let json = if pretty { format!("{value:#}") } else { value.to_string() };
        let by_value = GraphResponse::from_value(&value).and_then(|response| goon::to_string(&response));
        match (goon::json_to_goon(&json), by_value) {
            (Ok(text), Ok(expected)) => prop_assert_eq!(text, expected),
            (Err(error), Err(expected)) => prop_assert_eq!(error.code(), expected.code(), "{} {}", error, json),
            (found, expected) => prop_assert!(false, "{:?} {:?} {}", found, expected, json),
        }
    }

    #[test]
    fn counts_are_those_of_the_response(response in graph()) {
        let text = goon::to_string(&response).unwrap();
        let unique: std::collections::BTreeSet<String> = response.edges.iter().map(|edge| format!("{edge:?}")).collect();
        let line = |name: &str, count: usize| format!("\n{name}:{count}\n");
        prop_assert!(text.contains(&line("nodes", response.nodes.len())) && text.contains(&line("edges", unique.len())));
    }

    #[test]
    fn what_text_keeps_comes_back(nodes in btree_map(any::<i64>(), "[a-z_]{1,8}[a-z ]{0,100}", 0..6), has_more in any::<bool>(), numbers in vec(any::<i64>(), 6)) {
        let mut response = GraphResponse::new(QueryType::Search);
        response.pagination = Some(Pagination { has_more, total_rows: Some(3), ..Pagination::default() });
        for ((id, title), number) in nodes.into_iter().zip(numbers) {
            response.nodes.push(Node::new("Note", id).with("title", title).with("iid", number).with("draft", true));
        }
        response.nodes.retain(|node| !matches!(node.properties["title"].as_str(), Some("true" | "false" | "null")));
        prop_assert_eq!(goon::from_str(&goon::to_string(&response).unwrap()).unwrap(), response);
    }

    #[test]
    fn quoted_numbers_come_back_as_text(texts in vec(text(), 0..5)) {
        let mut node = Node::new("A", 1);
        for (index, text) in texts.iter().enumerate().filter(|(_, text)| !text.is_empty()) {
            node = node.with(format!("k{index}"), &**text);
        }
        let mut response = GraphResponse::new(QueryType::Search);
        response.nodes = vec![node];
        let text = Encoder::new().quote_numbers(true).long_text(None).other_text(None).to_string(&response).unwrap();
        let back = goon::from_str(&text).unwrap();
        for (key, value) in &response.nodes[0].properties {
            // But for a datetime, whose space is a T.
            let found = back.nodes[0].properties[key].as_str().expect("because it was a text");
            prop_assert!(found == value || found.replacen('T', " ", 1) == *value, "{:?} {:?}", found, value);
        }
    }

    #[test]
    fn no_cut_goes_unnoticed(response in any_response(), cut in any::<prop::sample::Index>()) {
        let text = goon::to_string(&response).unwrap();
        let end = (0..=cut.index(text.len())).rfind(|&end| text.is_char_boundary(end)).unwrap();
        prop_assert!(goon::from_str(&text[..end]).is_err(), "cut at {} of {}", end, text);
    }

    #[test]
    fn anything_is_a_response_or_an_error_with_its_place(body in any::<String>(), lines in vec(text(), 0..6), edit in any::<prop::sample::Index>(), with in text(), response in any_response()) {
        let header = "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:1\nedges:0\n@nodes\n";
        let mut nearly = goon::to_string(&response).unwrap();
        let at = (0..=edit.index(nearly.len())).rfind(|&at| nearly.is_char_boundary(at)).unwrap();
        nearly.insert_str(at, &with);
        for text in [body.clone(), format!("{header}{body}\n"), format!("{header}{}\n", lines.join("\n")), nearly] {
            if let Err(error) = goon::from_str(&text) {
                let position = error.position().expect("because it is about a place");
                prop_assert!(position.offset <= text.len() as u64, "{}", error);
            }
        }
    }

    #[test]
    fn payloads_come_back(payload in payload(Shape {
        text: Text::Tokens,
        numbers: Numbers::Finite,
        max_distance: u32::MAX,
        vocabulary: Vocabulary::Open,
    })) {
        let codec = goon::Goon::default();
        let mut out = b"before".to_vec();
        match codec.encode(&payload, &mut out) {
            Ok(()) => {
                let mut expected = payload.clone();
                codec.info().fidelity().project(&mut expected);
                prop_assert_eq!(codec.decode(&out[6..]).unwrap(), expected);
            }
            // Tokens may contain the characters that separate names.
            Err(error) => {
                prop_assert_eq!(error.code(), "invalid_name");
                prop_assert_eq!(out, b"before");
            }
        }
    }
}

/// Properties of one node, many times: the first that is printed stays, others are counted or
/// refused (ruling N12).
#[test]
fn the_first_properties_of_a_node_stay() {
    proptest!(|(all in vec((0i64..3, properties()), 1..12), own in 0usize..3)| {
        let mut response = GraphResponse::new(QueryType::Aggregation);
        let column = json!({"name": "u", "kind": "node"});
        response.group_columns = vec![serde_json::from_value(column).unwrap()];
        let node = |(id, properties): &(i64, _)| Node { properties: Clone::clone(properties), ..Node::new("T", *id) };
        let mut nodes: Vec<Node> = all.iter().map(node).collect();
        let cells = nodes.split_off(own.min(nodes.len()));
        let mut seen = std::collections::BTreeSet::new();
        nodes.retain(|node| seen.insert(node.id));
        response.rows = cells.iter().map(|node| [("u".to_owned(), node.to_cell())].into()).collect();
        response.nodes = nodes.clone();
        // What a node is printed as, alone.
        let printed = |node: &Node| {
            let mut alone = GraphResponse::new(QueryType::Search);
            alone.nodes = vec![node.clone()];
            goon::to_string(&alone).unwrap()
        };
        let mut first: std::collections::BTreeMap<i64, &Node> = nodes.iter().map(|node| (node.id, node)).collect();
        let mut others = 0;
        for cell in &cells {
            others += usize::from(printed(first.entry(cell.id).or_insert(cell)) != printed(cell));
        }
        match goon::to_string(&response) {
            Ok(_) => prop_assert_eq!(others, 0),
            Err(error) => prop_assert!(others > 0 && error.code() == "conflicting_node", "{}", error),
        }
        let mut out = Vec::new();
        let report = Encoder::new().drop_unrepresentable(true).encode(&response, &mut out).unwrap();
        prop_assert_eq!(report.conflicting_nodes, others);
        let back = goon::from_slice(&out).unwrap();
        for (row, cell) in back.rows.iter().zip(&cells) {
            let back = Node::from_cell(&row["u"]).unwrap();
            prop_assert_eq!(printed(&back), printed(first[&cell.id]));
        }
    });
}

#[test]
fn the_report_counts_cut_cells() {
    proptest!(|(lengths in vec((0usize..30, any::<bool>()), 0..6), limit in 3usize..30, beside in any::<bool>())| {
        let mut response = GraphResponse::new(QueryType::Aggregation);
        let mut columns = vec![json!({"name": "k", "kind": "property"})];
        if beside {
            columns.push(json!({"name": "k_len", "kind": "property"}));
        }
        response.group_columns = columns.into_iter().map(|column| serde_json::from_value(column).unwrap()).collect();
        let cell = |&(length, is_array): &(usize, bool)| {
            let text = "x".repeat(length);
            if is_array { json!([text]) } else { json!(text) }
        };
        response.rows = lengths.iter().map(|length| [("k".to_owned(), cell(length))].into()).collect();
        let cut = lengths.iter().filter(|(length, is_array)| length + usize::from(*is_array) * 4 > limit).count();
        let mut out = Vec::new();
        let report = Encoder::new().other_text(Some(limit)).encode(&response, &mut out).unwrap();
        prop_assert_eq!((report.cut_cells, report.is_clean()), (cut, cut == 0));
        let rows = goon::from_slice(&out).unwrap().rows;
        prop_assert!(rows.iter().all(|row| row.len() == 1), "{:?}", rows);
    });
}

#[test]
fn versions() {
    let mut response = GraphResponse::new(QueryType::Search);
    response.pagination = Some(Pagination {
        has_more: true,
        total_rows: None,
        truncated: Some(true),
        next_cursor: Some("a b=c:d".into()),
    });
    let text = Encoder::new().version(Version::V4_0_1).to_string(&response).unwrap();
    assert_eq!(
        Decoder::new().from_str_versioned(&text).unwrap(),
        (response.clone(), Version::V4_0_1)
    );
    let dropped = Encoder::new().drop_unrepresentable(true).to_string(&response).unwrap();
    assert_eq!(Decoder::new().from_str_versioned(&dropped).unwrap().1, Version::V1_0_0);
    assert_eq!(
        GraphResponse::from_value(&json!({"query_type": "search"})).unwrap(),
        GraphResponse::new(QueryType::Search)
    );
}

/// Also where `serde_json` keeps the literals of numbers, and marks them as objects.
#[test]
fn numbers_are_those_of_every_build() {
    let response = |number: &str| {
        format!(
            r#"{{"query_type":"search","nodes":[{{"type":"User","id":7,"a":{number},"in":{{"b":{number}}}}}],"edges":[]}}"#
        )
    };
    for (literal, number, in_json) in
        [("-7", "-7", "-7"), ("1.50", "1.5", "1.5"), ("1e2", "100", "100.0"), ("2.0", "2", "2.0")]
    {
        let json = response(literal);
        let text = goon::json_to_goon(&json).unwrap();
        assert!(text.contains(&format!("a={number} ")), "{literal}: {text}");
        assert!(text.contains(&format!(r#""{{\"b\":{in_json}}}""#)), "{literal}: {text}");
        assert_eq!(goon::json_to_goon(&goon::goon_to_json(&text).unwrap()).unwrap(), text);
        let foreign: GraphResponse = serde_json::from_str(&json).unwrap();
        assert_eq!(goon::to_string(&foreign).unwrap(), text);
        let value: Value = serde_json::from_str(&json).unwrap();
        let foreign: GraphResponse = serde_json::from_value(value).unwrap();
        assert_eq!(goon::to_string(&foreign).unwrap(), text);
    }
    for number in ["1e400", "-1e400", "1E309"] {
        let refused = goon::json_to_goon(&response(number)).map_err(|error| error.code());
        assert_eq!(refused, Err("out_of_range"), "{number}");
    }
    for text in ["x", "1", "1e400"] {
        let mark = format!(r#"{{"$serde_json::private::Number":"{text}"}}"#);
        let written = goon::json_to_goon(&response(&mark)).unwrap();
        assert!(written.contains(&format!("a=\"{}\"", mark.replace('"', "\\\""))), "{written}");
    }
}
