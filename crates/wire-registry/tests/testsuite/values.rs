//! Codecs of values in a registry.

use proptest::prelude::*;
use serde_json::{Number, Value, json};
use wire_core::{CodecError, CodecInfo, ValueCodec};
use wire_registry::{DuplicateName, Registry};

fn registry() -> Registry {
    const DISTINCT: &str = "because the names are distinct";
    let mut registry = Registry::new();
    registry.register_value(gcf::GcfValues::default()).expect(DISTINCT);
    registry.register_value(gcx::GcxValues::default()).expect(DISTINCT);
    registry
}

fn name(codec: Option<&dyn ValueCodec>) -> Option<&'static str> {
    codec.map(|codec| codec.info().name())
}

#[test]
fn codecs_are_found_by_name_first_bytes_extension_and_media_type() {
    let registry = registry();
    let values = registry.values();
    let names: Vec<_> = values.list().map(CodecInfo::name).collect();
    assert_eq!(names, ["json", "json-pretty", "gcf", "gcx"]);
    assert_eq!(values.codecs().count(), 4);
    for codec in ["json", "json-pretty", "gcf", "gcx"] {
        assert_eq!(name(values.get(codec).ok()), Some(codec));
    }
    for (input, expected) in [
        (&b" {\"a\": 1}"[..], Some("json")),
        (b"[1]", Some("json")),
        (b"GCF profile=generic\n=1\n", Some("gcf")),
        (b"GCF tool=t symbols=0\n", None),
        (b"GCX1 tool=t fields=a\n", Some("gcx")),
        (b"7", None),
        (b"", None),
    ] {
        assert_eq!(name(values.detect(input)), expected, "{}", String::from_utf8_lossy(input));
    }
    assert_eq!(name(values.by_extension("GCF")), Some("gcf"));
    assert_eq!(name(values.by_extension("xml")), None);
    assert_eq!(name(values.by_media_type("application/json; charset=utf-8")), Some("json"));
    assert_eq!(name(values.negotiate("application/vnd.gcx+text, */*;q=0.1")), Some("gcx"));
    assert_eq!(name(values.negotiate("*/*")), Some("json"));
    assert_eq!(name(values.negotiate("image/png")), None);
}

/// What is known for payloads is not for values, and the other way round.
#[test]
fn payloads_and_values_have_names_of_their_own() {
    let mut registry = registry();
    let error = registry.values().get("xml").err().unwrap();
    assert_eq!(
        error.to_string(),
        "there is no format \"xml\", expected one of: json, json-pretty, gcf, gcx"
    );
    assert!(registry.get("gcf").is_err());
    registry.register(gcf::Gcf::default()).unwrap();
    assert!(registry.get("gcf").is_ok());

    let taken = registry.register_value(gcx::GcxValues::default());
    assert_eq!(taken, Err(DuplicateName { name: "gcx" }));
    assert_eq!(registry.values().list().count(), 4);
    assert_eq!(Registry::empty().values().list().count(), 0);
}

/// A codec from outside, with an alias.
struct Lines;

const LINES: CodecInfo = CodecInfo::new("lines", "One line.").with_aliases(&["json"]);

impl ValueCodec for Lines {
    fn info(&self) -> &CodecInfo {
        &LINES
    }

    fn encode(&self, json: &str) -> Result<Vec<u8>, CodecError> {
        Ok(json.into())
    }

    fn decode(&self, _: &[u8]) -> Result<String, CodecError> {
        Err(CodecError::new("not_read", None, "it is not read"))
    }
}

#[test]
fn a_taken_alias_adds_nothing() {
    let mut registry = registry();
    assert_eq!(registry.register_value(Lines), Err(DuplicateName { name: "json" }));
    assert!(registry.values().get("lines").is_err());
    let mut registry = Registry::empty();
    registry.register_value(Lines).unwrap();
    assert_eq!(registry.values().encode("json", "1").unwrap(), b"1");
    let error = registry.values().transcode("lines", "lines", b"").unwrap_err();
    assert_eq!(error.code(), "not_read");
}

#[test]
fn json_keeps_every_token() {
    let registry = registry();
    let text = r#" { "a" : [ 1.50 , -0, 1e2, 123456789012345678901234567890, "\u00e9\\\" ]}," ] , "b":{ }, "c":[] } "#;
    let minified =
        r#"{"a":[1.50,-0,1e2,123456789012345678901234567890,"\u00e9\\\" ]},"],"b":{},"c":[]}"#;
    let values = registry.values();
    let compact = values.encode("json", text).unwrap();
    assert_eq!(String::from_utf8(compact).unwrap(), format!("{minified}\n"));
    let pretty = values.transcode("json", "json-pretty", text.as_bytes()).unwrap();
    let lines = [
        "{",
        "  \"a\": [",
        "    1.50,",
        "    -0,",
        "    1e2,",
        "    123456789012345678901234567890,",
        "    \"\\u00e9\\\\\\\" ]},\"",
        "  ],",
        "  \"b\": {},",
        "  \"c\": []",
        "}",
    ];
    assert_eq!(String::from_utf8(pretty.clone()).unwrap().lines().collect::<Vec<_>>(), lines);
    let back = values.transcode("json-pretty", "json", &pretty).unwrap();
    assert_eq!(String::from_utf8(back).unwrap(), format!("{minified}\n"));
}

#[test]
fn errors_have_codes_and_places_in_the_json() {
    let registry = registry();
    for (format, json, code, place) in [
        ("json", "{\"a\": 1,\n \"a\": 2}", "json_data", "line 2, column 2"),
        ("json", "[1", "json_unexpected_end", "line 1, column 3"),
        ("json", "[1,\n x]", "json_syntax", "line 2, column 2"),
        ("json", "[1] 2", "json_syntax", "line 1, column 5"),
        ("gcf", "[1,\n 9223372036854775808]", "out_of_range", "line 2, column 2"),
        ("gcf", "[1,\n x]", "json_syntax", "line 2, column 2"),
        ("gcx", "[1,\n x]", "json_syntax", "line 2, column 2"),
        ("gcx", "{\"a\": 1,\n \"a\": 2}", "duplicate_key", "line 2, column 2"),
        ("gcx", &"[".repeat(200), "too_deep", "line 1, column 128"),
    ] {
        let error = registry.values().get(format).unwrap().encode(json).unwrap_err();
        let found = error.position().map(|position| position.to_string());
        assert_eq!((error.code(), found.as_deref()), (code, Some(place)), "{format}: {error}");
        assert!(error.to_string().starts_with(place), "{error}");
        // From JSON to a format the places are those of the input.
        let error = registry.values().transcode("json", format, json.as_bytes()).unwrap_err();
        assert!(error.to_string().starts_with(place), "{error}");
    }
    for format in ["json", "gcf", "gcx"] {
        let error = registry.values().decode(format, b"\n\xff").unwrap_err();
        assert_eq!(error.code(), "invalid_utf8", "{format}: {error}");
        assert!(error.to_string().starts_with("line 2, column 1"), "{format}: {error}");
    }
}

/// GCX1 keeps the digits that GCF has no room for.
#[test]
fn long_integers_stay_what_they_are_or_are_refused() {
    let registry = registry();
    let json = br#"{"id":18446744073709551616}"#;
    let text = registry.values().transcode("json", "gcx", json).unwrap();
    assert_eq!(registry.values().decode("gcx", &text).unwrap().as_bytes(), json);
    let error = registry.values().transcode("gcx", "gcf", &text).unwrap_err();
    assert_eq!(error.code(), "out_of_range");
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9_f64)
            .prop_map(|number| Number::from_f64(number).map_or(Value::Null, Value::Number)),
        "[ -~é\n\t\r\\\\\"|,{}]{0,8}".prop_map(Value::from),
    ];
    scalar.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map("[a-zé_ .\"]{0,5}", inner, 0..4)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// Numbers as a reader of JSON has them: 1.0 is 1, and -0 is 0.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(double) if number.is_f64() => json!(double + 0.0),
            _ if number.as_f64().is_some_and(|double| double.abs() < 2f64.powi(53)) => {
                json!(number.as_f64())
            }
            _ => Value::Number(number),
        },
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(members) => {
            members.into_iter().map(|(key, value)| (key, plain(value))).collect()
        }
        other => other,
    }
}

proptest! {
    /// From any format to any other, and to JSON.
    #[test]
    fn conversions_lose_nothing(value in value()) {
        let registry = registry();
        let json = value.to_string();
        let expected = plain(value);
        for first in registry.values().list().map(CodecInfo::name) {
            let text = registry.values().encode(first, &json).unwrap();
            for second in registry.values().list().map(CodecInfo::name) {
                let other = registry.values().transcode(first, second, &text).unwrap();
                let back = registry.values().decode(second, &other).unwrap();
                let back: Value = serde_json::from_str(&back).unwrap();
                prop_assert_eq!(plain(back), expected.clone(), "{} to {}", first, second);
            }
        }
    }

    /// Whatever is no value is an error.
    #[test]
    fn nothing_panics(input in proptest::collection::vec(any::<u8>(), 0..60), start in 0_usize..4) {
        let registry = registry();
        let start: &[u8] = [&b""[..], b"GCF profile=generic\n", b"GCX1 tool=t fields=a\n", b"[{\"a\":"][start];
        let input = [start, &input].concat();
        for codec in registry.values().codecs() {
            let _ = codec.decode(&input);
            let _ = codec.encode(&String::from_utf8_lossy(&input));
        }
    }
}
