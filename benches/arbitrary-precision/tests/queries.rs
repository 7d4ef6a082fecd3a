//! Responses of queries are what they are without the feature.

/// A response with a number, an object's text with a number, and numbers in rows.
fn response(number: &str) -> String {
    format!(
        r#"{{"query_type":"traversal","nodes":[{{"type":"User","id":7,"a":{number},"in":{{"b":{number}}}}}],"edges":[]}}"#
    )
}

#[test]
fn numbers_are_those_of_other_builds() {
    for (literal, number, in_json) in [
        ("1", "1", "1"),
        ("-7", "-7", "-7"),
        ("1.50", "1.5", "1.5"),
        ("1e2", "100", "100.0"),
        ("2.0", "2", "2.0"),
        ("9007199254740993", "9007199254740993", "9007199254740993"),
    ] {
        let text = goon::from_json(&response(literal)).unwrap();
        assert!(text.contains(&format!("a={number}")), "{literal}: {text}");
        assert!(text.contains(&format!(r#""{{\"b\":{in_json}}}""#)), "{literal}: {text}");
        let back = goon::to_json(&text).unwrap();
        assert_eq!(goon::from_json(&back).unwrap(), text);
    }
}

#[test]
fn numbers_that_no_double_is_as_large_as_are_refused() {
    for number in ["1e400", "-1e400", "1E309"] {
        let properties = response(number);
        let nested = response(number).replacen(number, "1", 1);
        let rows = format!(
            r#"{{"query_type":"aggregation","columns":[{{"name":"n","function":"sum"}}],"rows":[{{"n":{number}}}]}}"#
        );
        for json in [properties, nested, rows] {
            let refused = goon::from_json(&json).map_err(|error| error.code());
            assert_eq!(refused, Err("out_of_range"), "{json}");
        }
    }
}

#[test]
fn objects_that_look_like_numbers_are_objects() {
    for text in ["x", "1", "1e400"] {
        let mark = format!(r#"{{"$serde_json::private::Number":"{text}"}}"#);
        let written = goon::from_json(&response(&mark)).unwrap();
        let escaped = mark.replace('"', "\\\"");
        assert!(written.contains(&format!("a=\"{escaped}\"")), "{written}");
        assert!(goon::from_json(&response("1").replace("7", &mark)).is_err());
    }
}
