//! Responses that are said one by one.

use std::collections::BTreeMap;

use gcx::Encoder;
use gcx::json::Exact;
use serde_json::{Value, json};

/// Each of serde's kinds as a response is what `serde_json` makes of it, but for numbers that it
/// would change.
#[test]
fn what_serde_has_is_a_response() {
    #[derive(serde::Serialize)]
    enum Kind {
        Unit,
        Newtype(u8),
        Tuple(u8, char),
        Struct { a: f32 },
    }
    #[derive(serde::Serialize)]
    struct All<'a> {
        kinds: Vec<Kind>,
        map: std::collections::BTreeMap<i8, u8>,
        tuple: (Option<bool>, Option<bool>, &'a [u8]),
        raw: &'a serde_json::value::RawValue,
    }
    let all = All {
        kinds: vec![Kind::Unit, Kind::Newtype(1), Kind::Tuple(2, 'x'), Kind::Struct { a: 0.5 }],
        map: [(-1, 3)].into(),
        tuple: (None, Some(true), b"ab"),
        raw: serde_json::from_str(r#"{"b": [1.0, -0.0], "a": "x"}"#).unwrap(),
    };
    let value = serde_json::to_value(&all).unwrap();
    let typed = gcx::encode_response("t", &all).unwrap();
    assert_eq!(gcx::decode_response(&typed).unwrap(), value);
    assert_eq!(typed, gcx::encode_response("t", &value).unwrap());
    assert_eq!(gcx::encode_response("t", &f64::NAN).unwrap_err().code(), "non_finite_number");
    // Digits are kept, in rows as in responses.
    let raw = |text| serde_json::from_str::<&serde_json::value::RawValue>(text).unwrap();
    assert_eq!(
        gcx::to_string("t", [raw("[1, 18446744073709551616]"), raw("18446744073709551616")])
            .unwrap(),
        "GCX1 tool=t fields=value rows=2\n[1,18446744073709551616]\n18446744073709551616\n"
    );
}

/// The cell would be empty, and that of `None`.
#[test]
fn an_option_of_a_variant_without_a_name_is_an_error() {
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    enum Kind {
        #[serde(rename = "")]
        Unnamed,
        Named,
    }
    #[derive(serde::Serialize, serde::Deserialize, PartialEq, Debug)]
    struct Row<K> {
        kind: K,
    }
    let options = [Row { kind: Some(Kind::Named) }, Row { kind: None }];
    let text = gcx::to_string("t", &options).unwrap();
    assert_eq!(gcx::from_str::<Vec<Row<Option<Kind>>>>(&text).unwrap(), options);
    for rows in [
        vec![Row { kind: Some(Kind::Unnamed) }],
        vec![Row { kind: None }, Row { kind: Some(Kind::Unnamed) }],
    ] {
        assert_eq!(gcx::to_string("t", &rows).unwrap_err().code(), "invalid_value");
    }
    let nested = [Row { kind: Some(Some(Kind::Unnamed)) }];
    assert_eq!(gcx::to_string("t", &nested).unwrap_err().code(), "invalid_value");
    // Without an option it is what it is, and so it is in JSON.
    let rows = [Row { kind: Kind::Unnamed }, Row { kind: Kind::Named }];
    let text = gcx::to_string("t", &rows).unwrap();
    assert_eq!(gcx::from_str::<Vec<Row<Kind>>>(&text).unwrap(), rows);
    let rows = [Row { kind: vec![Some(Kind::Unnamed), None] }];
    let text = gcx::to_string("t", &rows).unwrap();
    assert_eq!(gcx::from_str::<Vec<Row<Vec<Option<Kind>>>>>(&text).unwrap(), rows);
    assert_eq!(gcx::to_string("t", [Some(Kind::Unnamed)]).unwrap_err().code(), "invalid_value");
}

/// A cell of JSON without a type has no other numbers than its text.
#[test]
fn cells_of_json_hold_their_integers() {
    #[derive(serde::Deserialize)]
    struct Inner {
        a: u8,
    }
    type Rows<T> = Vec<BTreeMap<String, T>>;
    let text = "GCX1 tool=t fields=a\n[1,18446744073709551616]\n";
    let wide: Rows<Vec<u128>> = gcx::from_str(text).unwrap();
    assert_eq!(wide[0]["a"], [1, u128::from(u64::MAX) + 1]);
    let doubles: Rows<Vec<f64>> = gcx::from_str(text).unwrap();
    assert_eq!(doubles[0]["a"][1].to_bits(), 18_446_744_073_709_551_616_f64.to_bits());
    for error in [
        gcx::from_str::<Rows<Vec<Value>>>(text).unwrap_err(),
        gcx::from_str::<Rows<Vec<u64>>>(text).unwrap_err(),
    ] {
        assert_eq!(
            (error.code(), error.position().map(|place| place.line)),
            ("out_of_range", Some(2))
        );
    }
    // What nobody asks for is passed over.
    let text = "GCX1 tool=t fields=a\n{\"a\":1,\"b\":18446744073709551617}\n";
    let read: Rows<Inner> = gcx::from_str(text).unwrap();
    assert_eq!(read[0]["a"].a, 1);
    // What a double is written as is that double (ruling X6).
    let text = "GCX1 tool=t fields=a\n{\"k\":[100000000000000000000]}\n";
    let read: Rows<BTreeMap<String, Value>> = gcx::from_str(text).unwrap();
    assert_eq!(read[0]["a"]["k"], json!([1e20]));
    let keyed: Rows<BTreeMap<u8, Option<u128>>> =
        gcx::from_str("GCX1 tool=t fields=a\n{\"7\":18446744073709551616,\"8\":null}\n").unwrap();
    assert_eq!(keyed[0]["a"][&7], Some(u128::from(u64::MAX) + 1));
}

/// Ids that a cell can't tell apart, since it has no carriage return.
#[test]
fn nodes_whose_ids_come_out_the_same_are_written_whole() {
    let response = json!({
        "edges": [{"from": "a\r", "to": "t", "kind": "calls"}, {"from": "a", "to": "t", "kind": "calls"}],
        "nodes": [{"id": "a\r", "name": "x"}, {"id": "a", "name": "y"}],
    });
    let text = gcx::encode_layout("find_usages", &response).unwrap();
    assert_eq!(gcx::decode_response(&text).unwrap(), response);
}

/// As a tool's name is written without its carriage returns, so it is looked up.
#[test]
fn a_tool_is_looked_up_as_it_is_written() {
    for tool in ["search_symbols\r", "get_callers\r.x", "\rtool_names"] {
        let value = json!([1]);
        let text = gcx::encode_layout(tool, &value).unwrap();
        assert_eq!(gcx::decode_response(&text).unwrap(), value, "{text}");
    }
}

/// Digits without an end are a number, too, and one that is out of the range of doubles is none.
#[test]
fn integers_longer_than_any_double_are_kept() {
    let long = format!("{{\"a\": [-{0}, 1],  \"b\": {0}}}", "7".repeat(400));
    let value: Exact = long.parse().unwrap();
    assert_eq!(value.to_string(), long.replace(' ', ""));
    let text = gcx::encode_response("t", &value).unwrap();
    assert_eq!(gcx::decode_exact(&text).unwrap(), value);
    let beyond: Exact = "[1e400, 0.12345678901234567890123]".parse().unwrap();
    assert_eq!(beyond.to_string(), "[1e400,0.12345678901234567890123]");
    assert_eq!(beyond.into_value().unwrap_err(), "1e400");
    let error = format!("[{}, x]", "7".repeat(400)).parse::<Exact>().unwrap_err();
    assert_eq!(error.position().unwrap().column, 404);
}

/// JSON has the literals of the text (ruling A7); a double that is written in digits gets its mark.
#[test]
fn literals_of_cells_are_those_of_the_json() {
    for (text, json) in [
        ("GCX1 tool=t fields=a typed=values:float rows=2\n1e23\n531959E51\n", "[1e23,531959E51]"),
        ("GCX1 tool=t fields=a typed=values:float rows=2\n0.1000000\n-0\n", "[0.1000000,-0.0]"),
        ("GCX1 tool=t fields=a typed=values:json rows=1\n[1E5,2.50,7]\n", "[[1E5,2.50,7]]"),
        ("GCX1 tool=t fields=a rows=2\n[1.50]\n1e+23\n", r#"[{"a":[1.50]},{"a":1e+23}]"#),
    ] {
        assert_eq!(gcx::gcx_to_json(text).unwrap(), json);
        assert_eq!(gcx::decode_exact(text).unwrap().to_string(), json);
        let value: Exact = json.parse().unwrap();
        assert_eq!(gcx::decode_response(text).unwrap(), value.into_value().unwrap());
    }
    let edges =
        "GCX1 tool=find_usages fields=from,to,edge_kind,confidence rows=1\na\tb\tcalls\t1.0\n";
    assert!(gcx::gcx_to_json(edges).unwrap().contains(r#""confidence":1.0"#));
}

/// Also where `serde_json` keeps the literals of numbers in a value.
#[test]
fn a_double_is_written_alike_whatever_its_literal() {
    for (literal, number) in [
        ("1.0", "1"),
        ("-0.0", "0"),
        ("-0", "0"),
        ("1e5", "100000"),
        ("1.50", "1.5"),
        ("1e-05", "0.00001"),
        ("0.1234567890123456789012345", "0.12345678901234568"),
    ] {
        let json = format!(r#"{{"a":{literal}}}"#);
        let value: Value = serde_json::from_str(&json).unwrap();
        let raw: &serde_json::value::RawValue = serde_json::from_str(&json).unwrap();
        let exact: Exact = json.parse().unwrap();
        let expected = Ok(format!("GCX1 tool=t fields=a\n{number}\n"));
        let written = |text: Result<String, gcx::Error>| text.map_err(|error| error.to_string());
        assert_eq!(written(gcx::encode_layout("t", &value)), expected);
        assert_eq!(written(gcx::encode_layout("t", &exact)), expected);
        assert_eq!(written(gcx::encode_layout("t", raw)), expected);
        let rows = gcx::to_string("t", [&value]).unwrap();
        assert_eq!(rows, format!("GCX1 tool=t fields=a rows=1\n{number}\n"));
        let typed = gcx::encode_response("t", &value).unwrap();
        assert!(gcx::decode_response(&typed).unwrap()["a"].is_number());
    }
    for number in ["1e400", "-1e400", "1.5E+309", "1e999999999999"] {
        // A value has such a number only where all literals are kept.
        if let Ok(value) = serde_json::from_str::<Value>(number) {
            assert!(gcx::encode_layout("t", &value).is_err());
            assert!(gcx::encode_response("t", &value).is_err());
        }
    }
}

/// Only serde has marks: an object of JSON text that looks like one is an object.
#[test]
fn objects_that_look_like_numbers_are_objects() {
    for member in [r#""x""#, r#""1""#, r#""1e400""#, "1", "null", r#"{"a":"1"}"#] {
        for name in ["Number", "RawValue"] {
            let object = format!(r#"{{"$serde_json::private::{name}":{member}}}"#);
            for json in [object.clone(), format!(r#"[{{"a":{object},"n":1.5}}]"#)] {
                let exact: Exact = json.parse().unwrap();
                assert_eq!(exact.to_string(), json);
                let typed = gcx::encode_response("t", &exact).unwrap();
                assert_eq!(gcx::json_to_gcx("t", &json).unwrap(), typed);
                assert_eq!(gcx::gcx_to_json(&typed).unwrap(), json);
            }
        }
    }
}

/// Objects of many members, and layouts, are read in one pass (the time is not measured: a square of
/// it would be minutes).
#[test]
fn an_object_of_many_members_is_written_in_one_pass() {
    let members: Vec<String> = (0..40_000).map(|n| format!("\"k{n}\":{n}")).collect();
    let json = format!("{{{}}}", members.join(","));
    let typed = gcx::json_to_gcx("t", &json).unwrap();
    assert_eq!(gcx::gcx_to_json(&typed).unwrap(), json);
    let encoder = Encoder::new().extra_columns(true);
    let row =
        format!(r#"{{"results":[{{"id":"a","kind":"k","name":"n",{}}}]}}"#, members.join(","));
    let text = encoder.json_to_layout("search_symbols", &row).unwrap();
    assert!(text.starts_with("GCX1 tool=search_symbols fields=id,kind,name,path,line,sig,k0,k1,"));
}

/// Objects without a member in common: a column each would be the square of the text.
#[test]
fn sparse_objects_take_no_square_of_their_text() {
    let rows: Value = (0..2000).map(|n| json!({format!("k{n}"): 1})).collect();
    let symbols: Value = (0..2000)
        .map(|n| json!({"id": "a", "kind": "k", "name": "n", format!("k{n}"): 1}))
        .collect();
    let encoder = Encoder::new().extra_columns(true);
    let written = [
        gcx::encode_layout("search_symbols", &rows),
        gcx::encode_response("t", &rows),
        encoder
            .encode_layout_with_report("search_symbols", &json!({"results": [], "facets": rows}))
            .map(|encoded| encoded.text.split_once(".facets fields").unwrap().1.to_owned())
            .map(|rest| format!("GCX1 tool=t fields{rest}")),
    ];
    let text = encoder.encode_layout_with_report("search_symbols", &symbols).unwrap().text;
    assert!(text.len() < 2 * symbols.to_string().len(), "{}", text.len());
    assert_eq!(gcx::decode_response(&text).unwrap(), symbols);
    for text in written {
        let text = text.unwrap();
        assert!(text.len() < 2 * rows.to_string().len(), "{}", text.len());
        assert_eq!(gcx::decode_response(&text).unwrap(), rows);
    }
}

#[test]
fn integers_are_themselves_or_an_error() {
    let largest = json!({"a": u64::MAX, "b": i64::MIN});
    assert_eq!(gcx::decode_response(&gcx::encode_layout("t", &largest).unwrap()).unwrap(), largest);
    let larger = u128::from(u64::MAX) + 1;
    let typed = gcx::encode_response("t", &larger).unwrap();
    assert_eq!(gcx::decode_exact(&typed).unwrap().to_string(), larger.to_string());
    assert_eq!(gcx::decode_response(&typed).unwrap_err().code(), "out_of_range");
    let plain = gcx::encode_layout("t", &i128::MIN).unwrap();
    assert_eq!(gcx::decode_exact(&plain).unwrap().to_string(), i128::MIN.to_string());
}
