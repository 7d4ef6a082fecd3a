//! Numbers keep their digits in builds in which `serde_json` keeps all digits.

use gcx::json::Exact;
use serde_json::Value;
use serde_json::value::RawValue;

/// An integer of so many digits.
fn integer(digits: usize) -> String {
    "1234567890".chars().cycle().take(digits).collect()
}

/// Integers that no type has.
fn long() -> Vec<String> {
    let lengths = [20, 30, 310].map(integer);
    lengths.iter().flat_map(|digits| [digits.clone(), format!("-{digits}")]).collect()
}

/// Numbers of 64 bits, and doubles as they are written in the shortest way.
const SHORT: &[&str] = &[
    "0",
    "-1",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "0.1",
    "-0.5",
    "3.141592653589793",
    "2.2250738585072014e-308",
    "5e-324",
];

/// Documents that hold the number in every place that there is: alone, in rows, in a nested object
/// and an array.
fn documents(number: &str) -> Vec<String> {
    vec![
        number.to_owned(),
        format!("[{number},{number}]"),
        format!(r#"{{"id":{number}}}"#),
        format!(r#"[{{"id":{number},"name":"a"}},{{"id":1,"name":"b"}}]"#),
        format!(r#"{{"rows":[{{"id":{number},"in":{{"it":{number}}}}}],"total":{number}}}"#),
    ]
}

fn value(json: &str) -> Value {
    serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

#[test]
fn this_build_keeps_digits() {
    assert_eq!(value("1.50").to_string(), "1.50");
}

#[test]
fn gcx_keeps_all_digits_of_integers() {
    for json in long().iter().flat_map(|number| documents(number)) {
        let exact: Exact = json.parse().unwrap();
        assert_eq!(exact.to_string(), json);
        let text = gcx::encode_typed("t", &exact).unwrap();
        assert_eq!(gcx::decode_exact(&text).unwrap().to_string(), json, "{text}");
        let raw: &RawValue = serde_json::from_str(&json).unwrap();
        assert_eq!(gcx::encode_typed("t", raw).unwrap(), text);
        assert_eq!(gcx::encode_typed("t", &value(&json)).unwrap(), text, "of a value");
        let plain = gcx::encode_response("t", &exact).unwrap();
        assert_eq!(gcx::encode_response("t", &value(&json)).unwrap(), plain, "of a value");
        assert_eq!(gcx::decode_exact(&plain).unwrap().to_string(), json, "{plain}");
    }
}

#[test]
fn gcx_keeps_numbers_that_types_have() {
    for json in SHORT.iter().flat_map(|number| documents(number)) {
        let exact: Exact = json.parse().unwrap();
        assert_eq!(exact.to_string(), json);
        let text = gcx::encode_typed("t", &exact).unwrap();
        assert_eq!(gcx::encode_typed("t", &value(&json)).unwrap(), text, "of a value");
        assert_eq!(gcx::decode_exact(&text).unwrap().to_string(), json, "{text}");
        assert_eq!(gcx::decode_response(&text).unwrap().to_string(), json, "{text}");
        let plain = gcx::encode_response("t", &value(&json)).unwrap();
        assert_eq!(gcx::decode_response(&plain).unwrap().to_string(), json, "{plain}");
    }
}

/// Literals of doubles, and their text in every format.
const LITERALS: &[(&str, &str)] = &[
    ("1.0", "1"),
    ("-0.0", "0"),
    ("-0", "0"),
    ("1e5", "100000"),
    ("1.50", "1.5"),
    ("1e-05", "0.00001"),
    ("0.1234567890123456789012345", "0.12345678901234568"),
];

#[test]
fn gcx_writes_a_double_alike_whatever_its_literal() {
    for (literal, number) in LITERALS {
        let json = format!(r#"{{"a":{literal}}}"#);
        let expected = format!("GCX1 tool=t fields=a\n{number}\n");
        let exact: Exact = json.parse().unwrap();
        let raw: &RawValue = serde_json::from_str(&json).unwrap();
        assert_eq!(gcx::encode_response("t", &value(&json)).unwrap(), expected);
        assert_eq!(gcx::encode_response("t", &exact).unwrap(), expected);
        assert_eq!(gcx::encode_response("t", raw).unwrap(), expected);
        let rows = gcx::to_string("t", [&value(&json)]).unwrap();
        assert_eq!(rows, format!("GCX1 tool=t fields=a rows=1\n{number}\n"));
        let back = gcx::decode_response(&expected).unwrap();
        assert!(back["a"].is_number(), "{back}");
    }
}

#[test]
fn gcx_reads_what_it_writes_in_the_typed_form() {
    for literal in LITERALS.iter().map(|(literal, _)| *literal).chain(["1e400", "-1e400", "1e-400"])
    {
        let json = value(&format!(r#"{{"a":{literal}}}"#));
        let Ok(text) = gcx::encode_typed("t", &json) else { continue };
        let back = gcx::decode_response(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert!(back["a"].is_number(), "{back}");
    }
}

#[test]
fn the_generic_profile_writes_a_double_alike_whatever_its_literal() {
    for (literal, number) in LITERALS {
        let text = gcf::generic::to_string(&value(&format!(r#"{{"a":{literal}}}"#))).unwrap();
        assert_eq!(text, format!("GCF profile=generic\na={number}\n"));
    }
    let refused = gcf::generic::to_string(&value("1e400"));
    assert!(refused.is_err(), "no double is as large");
}

#[test]
fn the_generic_profile_keeps_numbers_that_types_have() {
    for json in SHORT.iter().flat_map(|number| documents(number)) {
        let text = gcf::generic::to_string(&value(&json)).unwrap();
        let back: Value = gcf::generic::from_str(&text).unwrap();
        assert_eq!(back.to_string(), json, "{text}");
    }
}

/// It has integers of 64 bits alone (ruling A6): others are refused, never changed.
#[test]
fn the_generic_profile_refuses_longer_integers() {
    for json in long().iter().flat_map(|number| documents(number)) {
        let refused = gcf::generic::to_string(&value(&json));
        assert!(refused.is_err(), "{json}: {}", refused.unwrap());
    }
}
