//! JSON text straight through is what it is by way of a value, and what is wrong with it has its
//! place in it.

use std::cell::Cell;
use std::io::{self, Write};

use gcf::Error;
use gcf::{Decoder, Encoder, Spec, from_str, gcf_to_json, json_to_gcf, to_string};
use proptest::prelude::*;
use serde_json::{Value, json};
use wire_conformance::same;
use wire_core::json::{Fidelity, Json, Layout, Number, Strings, laid_out};

use super::HEADER;
use super::values::value;

/// A JSON text by way of a value: the text of GCF, or the code of what is wrong.
fn by_value(encoder: Encoder, json: &str) -> Result<String, &'static str> {
    let tree = Json::parse(json).map_err(|error| error.kind().code())?;
    if !are_held(&tree) {
        return Err("out_of_range");
    }
    let value: Value = serde_json::from_str(json).expect("because it is JSON");
    encoder.to_string(&value).map_err(|error| error.code())
}

/// Returns `true` if all integers have 64 bits with a sign, and all decimals are in the range of
/// doubles.
fn are_held(value: &Json<'_>) -> bool {
    match value {
        Json::Number(literal) => {
            let number = Number::new(literal).expect("because it was read");
            if number.is_integer() {
                number.as_i64().is_some()
            } else {
                number.fidelity() != Fidelity::OutOfRange
            }
        }
        Json::Array(items) => items.iter().all(are_held),
        Json::Object(members) => members.iter().all(|(_, value)| are_held(value)),
        _ => true,
    }
}

/// The value of a text as JSON text, which is [`gcf_to_json`] but for the spelling of decimals.
fn as_value(json: &str) -> Value {
    serde_json::from_str(json).expect("because it is JSON")
}

fn code<T>(result: Result<T, Error>) -> Result<T, &'static str> {
    result.map_err(|error| {
        assert!(error.position().is_some(), "{error}");
        error.code()
    })
}

/// White space of JSON, mostly none.
fn blank() -> impl Strategy<Value = String> {
    prop_oneof![3 => Just(String::new()), 1 => "[ \t\r\n]{1,3}"]
}

/// A string literal with escapes of all kinds.
fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[a-c~|,:@^ -]{0,3}",
        1 => prop::sample::select(vec![
            "\\u0000", "\\u00e9", "\\ud83d\\ude00", "\\n", "\\/", "\\\"", "\\\\", "é", "😀", "\u{7f}", "\\ud83d", "\\x", "\n",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 0..3).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// A literal of a scalar, with the odd wrong one.
fn literal() -> impl Strategy<Value = String> {
    let odd = vec![
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "0.0",
        "1.0",
        "1e2",
        "1E+2",
        "1.50",
        "1e-7",
        "1e400",
        "-1e400",
        "1e-400",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "-9223372036854775809",
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775808.0",
        "1e19",
        "123456789012345678901234567890",
        "01",
        "1.",
        "-",
        ".5",
        "+1",
        "nul",
        "NaN",
        "",
    ];
    prop_oneof![
        3 => string(),
        3 => any::<i64>().prop_map(|number| number.to_string()),
        2 => any::<f64>().prop_filter("finite", |number| number.is_finite()).prop_map(|number| format!("{number:e}")),
        2 => prop::sample::select(odd).prop_map(str::to_owned),
    ]
}

/// A JSON text, or nearly one.
fn json_text() -> impl Strategy<Value = String> {
    let leaf = (blank(), literal(), blank()).prop_map(|(a, text, b)| format!("{a}{text}{b}"));
    leaf.prop_recursive(4, 40, 5, |inner| {
        let array = prop::collection::vec(inner.clone(), 0..5);
        let key = prop_oneof![6 => "\"[a-f]{1,2}\"", 1 => string(), 1 => Just("\"$serde_json::private::Number\"".to_owned())];
        let member = (blank(), key, blank(), inner).prop_map(|(a, key, b, value)| format!("{a}{key}{b}:{value}"));
        let object = prop::collection::vec(member, 0..5);
        prop_oneof![
            (array, blank()).prop_map(|(items, end)| format!("[{}]{end}", items.join(","))),
            (blank(), object).prop_map(|(start, members)| format!("{start}{{{}}}", members.join(","))),
        ]
    })
}

/// The text that was written, and the longest piece of it.
#[derive(Default)]
struct Pieces {
    text: Vec<u8>,
    longest: usize,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.extend_from_slice(bytes);
        self.longest = self.longest.max(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn values_go_straight_through(value in value(), spec in prop::sample::select(Spec::ALL)) {
        for json in [value.to_string(), format!("{value:#}")] {
            let encoder = Encoder::new().spec(spec);
            prop_assert_eq!(code(encoder.json_to_gcf(&json)), by_value(encoder, &json), "{}", json);
        }
    }

    #[test]
    fn texts_go_straight_through(json in json_text()) {
        // In a build in which serde_json keeps all digits, it refuses objects that look like its
        // numbers.
        let is_held = Json::parse(&json).is_ok_and(|tree| are_held(&tree));
        prop_assume!(!is_held || serde_json::from_str::<Value>(&json).is_ok());
        let encoder = Encoder::new();
        let (made, expected) = (code(encoder.json_to_gcf(&json)), by_value(encoder, &json));
        // A text with more than one thing wrong is refused for the first.
        if made != expected {
            prop_assert!(made.is_err() && expected.is_err(), "{json}\n{made:?}\n{expected:?}");
        }
        if let Ok(text) = made {
            let back = gcf_to_json(&text).unwrap();
            // The order of a table's columns can make such an object.
            let is_number = json.contains("$serde_json::") && serde_json::from_str::<Value>(&back).is_err();
            prop_assume!(!is_number);
            prop_assert!(same(&as_value(&back), &from_str::<Value>(&text).unwrap()));
        }
    }

    #[test]
    fn values_come_back(value in value()) {
        let text = to_string(&value).unwrap();
        let back: Value = from_str(&text).unwrap();
        prop_assert!(same(&as_value(&gcf_to_json(&text).unwrap()), &back));
        let pretty = Decoder::new().pretty(true).gcf_to_json(&text).unwrap();
        prop_assert_eq!(pretty, laid_out(&gcf_to_json(&text).unwrap(), Layout::Pretty, Strings::AsWritten).unwrap());
        // What is text again is the same text.
        prop_assert_eq!(json_to_gcf(&gcf_to_json(&text).unwrap()).unwrap(), text);
    }

    #[test]
    fn a_cut_is_found_at_the_end(value in value(), at in any::<prop::sample::Index>()) {
        let json = json!({"rows": [value]}).to_string();
        let cut = at.index(json.len());
        prop_assume!(json.is_char_boundary(cut));
        let error = json_to_gcf(&json[..cut]).unwrap_err();
        prop_assert_eq!(error.code(), "json_syntax");
        prop_assert_eq!(error.position().unwrap().offset, cut as u64, "{}", error);
    }

    #[test]
    fn texts_are_refused_alike_both_ways(text in "(GCF profile=generic\n)?([a-c=~^|,:@0-9 -]{0,8}\n){0,4}") {
        let value = from_str::<Value>(&text).map(|value| value.to_string()).map_err(|error| error.to_string());
        prop_assert_eq!(gcf_to_json(&text).map_err(|error| error.to_string()), value);
    }
}

/// The pieces that are written are the text, over the ends of many pieces; what is refused is
/// refused before there is any.
#[test]
fn pieces_are_the_text() {
    let whole = Cell::new(0);
    proptest!(ProptestConfig::with_cases(40), |(json in json_text(), times in 1..3_000_usize)| {
        let json = format!("[{}]", vec![json; times].join(","));
        let encoder = Encoder::new();
        let Ok(value) = serde_json::from_str::<Value>(&json) else { return Ok(()) };
        let mut written = Pieces::default();
        let outcome = encoder.to_writer(&mut written, &value).map_err(|error| error.kind());
        let expected = encoder.to_string(&value).map_err(|error| error.kind());
        prop_assert_eq!(outcome, expected.as_ref().map(|_| ()).map_err(|kind| *kind));
        whole.set(whole.get() + u32::from(expected.is_ok()));
        let expected = expected.unwrap_or_default();
        prop_assert_eq!(&written.text[..], expected.as_bytes());
        // A line may be longer than a piece.
        let longest = expected.lines().map(str::len).max().unwrap_or_default();
        prop_assert!(written.longest <= (64 << 10) + longest + 1, "{} bytes", written.longest);
    });
    assert!(whole.get() > 10, "{whole:?} of the texts were written");
}

#[test]
fn pieces_end_behind_every_kind_of_line() {
    for item in ["{}", "[]", "[{}]", "7", r#"{"a":[]}"#, r#"{"a":{}}"#, r#"{"a":[1,[2]]}"#] {
        let items = vec![item; 10_000].join(",");
        let members: Vec<String> = (0..10_000).map(|key| format!("\"k{key}\":{item}")).collect();
        for json in [format!("[{items}]"), format!("{{{}}}", members.join(","))] {
            let mut written = Pieces::default();
            let value: Value = serde_json::from_str(&json).unwrap();
            Encoder::new().prepare(&value).unwrap().to_writer(&mut written).unwrap();
            assert!(written.longest < 66 << 10, "{item}: {} bytes", written.longest);
            assert_eq!(written.text, json_to_gcf(&json).unwrap().as_bytes());
        }
    }
}

/// The code and the place of what is wrong with a JSON text.
fn refused(json: &str) -> (&'static str, u64, u64, u64) {
    let error = json_to_gcf(json).expect_err("because something is wrong with the text");
    let position = error.position().unwrap_or_else(|| panic!("{error} has no place"));
    (error.code(), position.offset, position.line, position.column)
}

#[test]
fn errors_have_their_places_in_the_json() {
    for (json, expected) in [
        ("", ("json_syntax", 0, 1, 1)),
        ("\u{feff}1", ("json_syntax", 0, 1, 1)),
        ("{\"a\": 1,\n \"b\" 2}", ("json_syntax", 14, 2, 6)),
        ("[1] x", ("json_syntax", 4, 1, 5)),
        ("[1,\n\n2]\n,", ("json_syntax", 8, 4, 1)),
        ("[\"a\nb\"]", ("json_syntax", 3, 1, 4)),
        ("[\"é\\ud800\"]", ("json_syntax", 4, 1, 4)),
        ("[\"\\ud800\\u0041\"]", ("json_syntax", 2, 1, 3)),
        ("[1.]", ("json_syntax", 3, 1, 4)),
        ("[012]", ("json_syntax", 2, 1, 3)),
        // The second of two keys, however it is written and however deep.
        ("{\"a\":1,\"a\":2}", ("duplicate_key", 7, 1, 8)),
        ("{\"a\":1,\n\"\\u0061\":2}", ("duplicate_key", 8, 2, 1)),
        ("[{\"a\":{\"a\":[{\"x\":1,\"y\":{\"x\":2},\n \"y\":3}]}}]", ("duplicate_key", 33, 2, 2)),
        ("{\"a\":{\"b\":\"a\"},\"b\":[\"a\",\"a\"],\"a\":0}", ("duplicate_key", 29, 1, 30)),
        ("{\"\":1,\"\":2}", ("duplicate_key", 6, 1, 7)),
        // Integers that 64 bits with a sign can't hold, and doubles that are infinite.
        ("[1,\n 9223372036854775808]", ("out_of_range", 5, 2, 2)),
        ("{\"9223372036854775808\":-9223372036854775809}", ("out_of_range", 23, 1, 24)),
        ("[18446744073709551616.0, 18446744073709551616]", ("out_of_range", 25, 1, 26)),
        ("[\"1e400\", 1e400]", ("out_of_range", 10, 1, 11)),
        (" -1e400", ("out_of_range", 1, 1, 2)),
        ("[0e-400, 1e-400]", ("out_of_range", 9, 1, 10)),
        // The first of several.
        ("{\"a\":1,\"a\":1e400}", ("duplicate_key", 7, 1, 8)),
        ("{\"a\":1e400,\"a\":1}", ("out_of_range", 5, 1, 6)),
        ("{\"a\":1,\"a\":2", ("duplicate_key", 7, 1, 8)),
        ("[99999999999999999999 1]", ("out_of_range", 1, 1, 2)),
        ("[099999999999999999999]", ("json_syntax", 2, 1, 3)),
    ] {
        assert_eq!(refused(json), expected, "{json}: {}", json_to_gcf(json).unwrap_err());
    }
    let long = format!("[{}]", "9".repeat(400));
    assert_eq!(refused(&long), ("out_of_range", 1, 1, 2));
}

#[test]
fn depth_is_that_of_values() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let text = json_to_gcf(&nested(127)).unwrap();
    assert_eq!(gcf_to_json(&text).unwrap(), nested(127));
    assert_eq!(refused(&nested(128)), ("too_deep", 127, 1, 128));
    assert_eq!(refused(&"[".repeat(100_000)), ("too_deep", 127, 1, 128));
    assert_eq!(refused(&"{\"a\":".repeat(100_000)), ("too_deep", 635, 1, 636));
}

#[test]
fn the_key_that_numbers_have_in_other_builds_is_a_key() {
    let json = r#"[{"$serde_json::private::Number":"1"},{"$serde_json::private::Number":"x"}]"#;
    let text = json_to_gcf(json).unwrap();
    assert_eq!(text, format!("{HEADER}## [2]{{\"$serde_json::private::Number\"}}\n\"1\"\nx\n"));
    assert_eq!(gcf_to_json(&text).unwrap(), json);
}

/// Ruling A7: a decimal that is not a double is rounded, or an error; JSON has all of its digits.
#[test]
fn decimals_are_rounded_only_if_the_encoder_may() {
    let json = r#"{"a":0.1,"b":[1e2,9007199254740992.0,-0.0],"c":9007199254740993.0}"#;
    let text = json_to_gcf(json).unwrap();
    assert_eq!(
        text,
        format!("{HEADER}a=0.1\nb[3]: 100,9.007199254740992e+15,0\nc=9.007199254740992e+15\n")
    );
    let error = Encoder::new().exact(true).json_to_gcf(json).unwrap_err();
    assert_eq!((error.code(), error.position().unwrap().offset), ("inexact_number", 47));
    let exact = json.replace("93.0", "92.0");
    assert!(Encoder::new().exact(true).json_to_gcf(&exact).is_ok());

    let text =
        format!("{HEADER}a=0.12345678901234567890123\nb=-0.0\nc=1e-400\n## d [1]{{e}}\n1E400\n");
    let json = gcf_to_json(&text).unwrap();
    assert_eq!(json, r#"{"a":0.12345678901234567890123,"b":-0.0,"c":1e-400,"d":[{"e":1E400}]}"#);
}
