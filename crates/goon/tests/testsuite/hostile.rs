//! Input that is made to hurt, and readers and writers that fail.

use goon::{Decoder, Encoder, ErrorKind, GraphResponse, Node, QueryType};
use serde_json::Value;
use wire_conformance::faults::{Dribble, Full, Last};
use wire_core::Limits;

fn of_nodes(nodes: Vec<Node>) -> GraphResponse {
    let mut response = GraphResponse::new(QueryType::Search);
    response.nodes = nodes.into_iter().collect();
    response
}

#[test]
fn limits_hold() {
    let text = goon::to_string(&of_nodes(vec![Node::new("A", 1), Node::new("A", 2)])).unwrap();
    let few = Decoder::new().limits(Limits::DEFAULT.with_items(1));
    assert_eq!(few.from_str(&text).unwrap_err().kind(), ErrorKind::TooManyItems);
    let short = Decoder::new().limits(Limits::DEFAULT.with_line_bytes(17));
    assert_eq!(short.from_str(&text).unwrap_err().kind(), ErrorKind::LineTooLong);
    assert!(Decoder::new().limits(Limits::DEFAULT.with_line_bytes(18)).from_str(&text).is_ok());
}

#[test]
fn nesting_without_end() {
    let deep = (0..100_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    let mut response = of_nodes(vec![Node::new("A", 1).with("deep", deep)]);
    assert_eq!(goon::to_string(&response).unwrap_err().kind(), ErrorKind::TooDeep);
    // Taken apart by hand: dropping it whole would recurse.
    let mut rest = response.nodes[0].properties.remove("deep").unwrap();
    while let Value::Array(mut items) = rest {
        rest = items.pop().unwrap_or_default();
    }
    // And in the cell of a row, which is read as a node.
    let mut cell = serde_json::json!({"type": "A", "id": 1, "properties": {}});
    cell["properties"]["deep"] =
        (0..100_000).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
    let mut response = GraphResponse::new(QueryType::Aggregation);
    let column = r#"{"name": "u", "kind": "node"}"#;
    response.group_columns = vec![serde_json::from_str(column).unwrap()];
    response.rows = vec![[("u".to_owned(), cell)].into()];
    assert_eq!(goon::to_string(&response).unwrap_err().kind(), ErrorKind::TooDeep);
    let mut cell = response.rows[0].remove("u").unwrap();
    assert_eq!(GraphResponse::from_value(&cell).unwrap_err().kind(), ErrorKind::TooDeep);
    let mut rest = cell["properties"]["deep"].take();
    while let Value::Array(mut items) = rest {
        rest = items.pop().unwrap_or_default();
    }
    let text = format!(
        r#"{{"query_type":"search","nodes":[{{"type":"A","id":1,"x":{}"#,
        "[".repeat(100_000)
    );
    let error = GraphResponse::from_json_str(&text).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::TooDeep);
    // The bracket of the 128th level: three are outside of the property.
    let before = text.find("[[").unwrap() as u64;
    assert_eq!(error.position().unwrap().offset, before + 124);
}

/// Rows that name one node, which has many properties: each cell would be the whole of it.
#[test]
fn many_rows_of_one_large_node() {
    let properties: Vec<String> = (0..20_000).map(|n| format!(" k{n}=1")).collect();
    let properties = properties.concat();
    let rows = "u=A:1\n".repeat(20_000);
    let text = format!(
        "@header\nquery_type:aggregation\ngoon_version:1.0.0\nnodes:1\nedges:0\nrows:20000\ngroup_by:u(node)\n@nodes\nA(1):\n1{properties}\n@edges\n@rows\n{rows}"
    );
    assert_eq!(goon::from_str(&text).unwrap_err().kind(), ErrorKind::TooManyItems);
}

#[test]
fn long_numbers_and_texts_are_read_in_time() {
    let digits = "9".repeat(1_000_000);
    let quoted = "\\n".repeat(400_000);
    let text = format!(
        "@header\nquery_type:search\ngoon_version:1.0.0\nnodes:1\nedges:0\n@nodes\nA(1):\n1 a={digits} b=\"{quoted}\"\n@edges\n"
    );
    let decoder = Decoder::new().limits(Limits::DEFAULT.with_line_bytes(1 << 24));
    let response = decoder.from_str(&text).unwrap();
    assert_eq!(response.nodes[0].properties["a"], Value::from(digits));
    assert_eq!(response.nodes[0].properties["b"].as_str().unwrap().len(), 400_000);
}

#[test]
fn json_that_is_none() {
    let mut text = String::new();
    for input in [
        "",
        "[]",
        "{",
        "{\"query_type\": \"walk\"}",
        "{\"query_type\": \"search\", \"query_type\": \"search\"}",
        "{\"query_type\": \"search\", \"nodes\": [{\"type\": \"A\", \"id\": 1, \"x\": 1, \"x\": 2}]}",
        "{\"query_type\": \"search\", \"nodes\": [{\"type\": \"A\", \"id\": 1, \"type\": \"B\"}]}",
        "{\"query_type\": \"search\",\n \"nodes\": [{\"type\": \"A\", \"id\": \"01\"}]}",
        "{\"query_type\": \"search\", \"nodes\": [{\"type\": \"A\"}]}",
        "{\"query_type\": \"aggregation\", \"rows\": [{\"a\": 1, \"a\": 2}]}",
        "{\"query_type\": \"search\", \"more\": 1}",
    ] {
        let error = GraphResponse::from_json_str(input).unwrap_err();
        text += &format!("{input:?}\n    {}: {error}\n", error.code());
    }
    insta::assert_snapshot!(text);
}

#[test]
fn failing_readers_and_writers_are_errors() {
    let response = GraphResponse::new(QueryType::Search);
    assert_eq!(Encoder::new().to_writer(Full, &response).unwrap_err().kind(), ErrorKind::Io);
    assert_eq!(
        goon::from_slice(b"@header\nquery_type:\xff\n").unwrap_err().kind(),
        ErrorKind::InvalidUtf8
    );
    assert_eq!(
        goon::from_reader(Dribble::new(b"", Last::Dies)).unwrap_err().to_string(),
        "the line went dead"
    );
}

#[test]
fn a_property_may_be_a_whole_file() {
    let mut response = GraphResponse::new(QueryType::Search);
    let node = serde_json::json!({"type": "A", "id": 1, "source": "x".repeat(3 << 20)});
    response.nodes = vec![serde_json::from_value(node).unwrap()];
    let text = goon::Encoder::new().long_text(None).other_text(None).to_string(&response).unwrap();
    assert_eq!(goon::from_str(&text).unwrap(), response);
}
