//! Values and responses in each format.

use wire_input::response::plain;
use wire_input::value::are_alike;
use wire_input::wire_registry::Registry;
use wire_input::{GCF, Held, JSON, JSON_PRETTY, Minified, Source};

/// The text of each format is at most a stated multiple of the JSON, or it is not made.
#[test]
fn rows_without_common_members_are_not_squared() {
    let rows: Vec<String> =
        (0..3_000).map(|number| format!("{{\"member{number}\":{number}}}")).collect();
    let value = Minified::of(format!("[{}]", rows.join(",")));
    let json = value.text().len();
    let registry = Registry::new();
    let response = Held::Response {
        tool: "t".to_owned(),
        value: Minified::of(value.text().to_owned()),
        original: None,
    };
    for held in [Held::Value(value), response] {
        for form in held.forms(b"", &registry, &|_, _| None) {
            match form.bytes {
                Ok(text) => assert!(text.len() < 4 * json, "{}", form.format),
                Err(error) => assert_eq!((form.format, error.code()), (GCF, "too_large")),
            }
        }
    }
    // A small text is measured, whatever its multiple.
    for (few, gcf) in [(100, true), (150, true), (600, false)] {
        let value = Minified::of(format!("[{}]", rows[..few].join(",")));
        assert_eq!(value.generic().is_ok(), gcf, "{few}");
    }
}

#[test]
fn rows_that_differ_are_a_loss_unless_they_are_cells_of_json() {
    for (json, is_lossless) in [
        (r#"[{"a":1},{"a":2}]"#, true),
        (r#"[{"a":1},{"b":2}]"#, false),
        (r#"[{"a":1},{}]"#, false),
        (r#"[{"":1},{"b":2}]"#, true),
        (r#"[{"a,b":1},{}]"#, true),
    ] {
        let written = plain("t", &Minified::of(json.to_owned())).unwrap();
        assert_eq!(written.losses.is_empty(), is_lossless, "{json}");
    }
}

#[test]
fn texts_have_the_literals_of_their_input() {
    for (text, minified) in [
        ("[1.0, 1, -0, -0.0, 1e2,\n1E-7, 0.1]", "[1.0,1,-0,-0.0,1e2,1E-7,0.1]"),
        ("[18446744073709551616, 1e400]", "[18446744073709551616,1e400]"),
        (
            r#"{"b": {"a": "\u0041\n\/\"", "é": "\ud83d\ude00\u007f"}, "a": [[], {}, null]}"#,
            "{\"b\":{\"a\":\"A\\n/\\\"\",\"é\":\"😀\u{7f}\"},\"a\":[[],{},null]}",
        ),
        (r#" [ {"id": 1.50}, {"x": 2} ] "#, r#"[{"id":1.50},{"x":2}]"#),
        ("7", "7"),
        ("\"x\"", "\"x\""),
    ] {
        let (value, _) = Minified::read(Source::Json, text.as_bytes()).unwrap();
        assert_eq!(value.text(), minified);
        assert_eq!(value.is_rows(), text.contains("id"), "{text}");
        assert_eq!(value.in_form(JSON).unwrap(), format!("{minified}\n"));
        let pretty = value.in_form(JSON_PRETTY).unwrap();
        assert!(value.is_same(&pretty) && !pretty.contains("1.5,"), "{pretty}");
    }
}

/// Names that `serde_json` gives to numbers and raw values are names.
#[test]
fn values_have_the_names_of_their_text() {
    for text in [
        r#"{"$serde_json::private::RawValue":"5"}"#,
        r#"{"a":{"$serde_json::private::RawValue":"no JSON"}}"#,
        r#"{"$serde_json::private::Number":"5"}"#,
    ] {
        let value = Minified::of(text.to_owned());
        assert_eq!(value.for_people().to_string(), text);
        assert!(value.is_same(&format!(" {text}")) && !value.is_same("5"), "{text}");
    }
}

#[test]
fn numbers_beyond_a_value_are_texts_for_people() {
    let value = Minified::of("[18446744073709551616,0.12345678901234567890123,1.5]".into());
    let shown = serde_json::json!(["18446744073709551616", "0.12345678901234567890123", 1.5]);
    assert_eq!(value.for_people(), shown);
}

#[test]
fn rows_with_the_same_members_are_alike() {
    for (json, expected) in [
        ("[]", true),
        ("[{}]", true),
        ("[{},{}]", true),
        (r#"[{"a":1,"b":[{}]},{"a":null,"b":{"c":1}}]"#, true),
        (r#"[{"a":1,"b":2},{"b":1,"\u0061":2}]"#, true),
        (r#"[{"a":1,"b":2},{"a":1}]"#, false),
        (r#"[{"a":1},{"a":1,"b":2}]"#, false),
        (r#"[{"a":1},{"b":1}]"#, false),
        (r#"[{},{"a":1}]"#, false),
        (r#"[{"a":1},{}]"#, false),
    ] {
        assert_eq!(are_alike(json), expected, "{json}");
    }
}
