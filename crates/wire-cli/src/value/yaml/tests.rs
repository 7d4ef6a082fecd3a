//! How YAML is read, and what is rejected.

use serde_json::json;

use super::*;

fn read(text: &str) -> Result<Value, CodecError> {
    read_for(text, Integers::Signed)
}

fn read_for(text: &str, integers: Integers) -> Result<Value, CodecError> {
    super::read(text, integers, false).map(|read| read.value)
}

#[test]
fn scalars_are_what_the_core_schema_says() {
    for (text, value) in [
        ("30.0", json!(30.0)),
        ("1e2", json!(100.0)),
        ("-0.0", json!(-0.0)),
        ("-0", json!(-0.0)),
        ("+12", json!(12)),
        (".5", json!(0.5)),
        ("5.", json!(5.0)),
        ("0x1F", json!(31)),
        ("0o17", json!(15)),
        ("-9223372036854775808", json!(i64::MIN)),
        ("~", json!(null)),
        ("", json!(null)),
        ("True", json!(true)),
        ("tRue", json!("tRue")),
        ("yes", json!("yes")),
        ("0123", json!("0123")),
        ("1e", json!("1e")),
        (".", json!(".")),
        ("1_000", json!("1_000")),
        ("1:30", json!("1:30")),
        ("2026-05-08", json!("2026-05-08")),
        ("'1e400'", json!("1e400")),
        ("\"42\"", json!("42")),
        ("!!str 42", json!("42")),
        ("!!float 1", json!(1)),
    ] {
        let input = format!("a: {text}\n");
        assert_eq!(
            read(&input).unwrap_or_else(|error| panic!("{text}: {error}"))["a"].to_string(),
            value.to_string(),
            "{text}"
        );
    }
    for text in [
        "1e400",
        "-1e400",
        "1e-400",
        ".5e-400",
        ".inf",
        ".nan",
        "18446744073709551616",
        "9223372036854775808",
        "0xffffffffffffffff",
    ] {
        let error = read(&format!("a: {text}\n")).unwrap_err();
        assert_eq!(error.code(), "out_of_range", "{text}");
        assert_eq!(error.position().unwrap().column, 4, "{text}");
    }
    let most = read_for("a: 18446744073709551615\nb: 0xffffffffffffffff\n", Integers::Any);
    assert_eq!(most.unwrap(), json!({"a": u64::MAX, "b": u64::MAX}));
    for text in ["18446744073709551616", "-9223372036854775809", "-0xffffffffffffffff"] {
        assert_eq!(read_for(text, Integers::Any).unwrap_err().code(), "out_of_range");
    }
}

#[test]
fn merge_keys_are_plain() {
    let base = "base: &b {a: 1, b: 2}\n";
    let read = |text: &str| read(&format!("{base}{text}")).map(|value| value["x"].clone());
    assert_eq!(read("x: {<<: *b, b: 3}\n").unwrap(), json!({"a": 1, "b": 3}));
    assert_eq!(
        read("x: {b: 3, <<: [*b, {a: 7, c: 8}]}\n").unwrap(),
        json!({"a": 1, "b": 3, "c": 8})
    );
    assert_eq!(read("x: {\"<<\": *b}\n").unwrap(), json!({"<<": {"a": 1, "b": 2}}));
    assert_eq!(read("x: {'<<': 1, b: 3}\n").unwrap(), json!({"<<": 1, "b": 3}));
    assert_eq!(read("x: {<<: 1}\n").unwrap_err().code(), "yaml_data");
}

#[test]
fn what_is_refused_has_its_place() {
    for (text, code, line) in [
        ("a: 1\na: 2\n", "duplicate_key", 2),
        ("1: a\n\"1\": b\n", "duplicate_key", 2),
        ("a: 1\n? [x]\n: 2\n", "yaml_data", 2),
        ("a: 1\n~: 2\n", "yaml_data", 2),
        ("a: 1\nb: !x 2\n", "yaml_data", 2),
        ("a: 1\n---\nb: 1\n", "yaml_data", 2),
        ("a: 1\nb: &x [*x]\n", "yaml_data", 2),
        ("a: 1\nb: [1\n", "yaml_syntax", 3),
        ("a: 1\nb: *x\n", "yaml_syntax", 2),
    ] {
        let error = read(text).unwrap_err();
        let line_of = error.position().map(|position| position.line);
        assert_eq!((error.code(), line_of), (code, Some(line)), "{text:?}: {error}");
    }
    let deep = "[".repeat(100_000);
    assert_eq!(read(&deep).unwrap_err().code(), "yaml_syntax");
    assert!(read(&format!("{}1{}", "[".repeat(127), "]".repeat(127))).is_ok());
}

#[test]
fn aliases_copy_a_bounded_multiple() {
    let mut bomb = format!("a0: &a0 \"{}\"\n", "x".repeat(100_000));
    for level in 1..9 {
        let of = level - 1;
        bomb += &format!(
            "a{level}: &a{level} [*a{of}, *a{of}, *a{of}, *a{of}, *a{of}, *a{of}, *a{of}, *a{of}]\n"
        );
    }
    assert_eq!(read(&bomb).unwrap_err().code(), "too_many_items");
    // Anchors within anchors are copies without any alias.
    let items = "1,".repeat(20_000);
    let open: Vec<String> = (0..120).map(|level| format!("&a{level} [")).collect();
    let nested = format!("{}{items}{}", open.concat(), "]".repeat(120));
    assert_eq!(read(&nested).unwrap_err().code(), "too_many_items");
    // One text, named again and again, is the same.
    let many = format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(160_000), "*a,".repeat(4000));
    assert_eq!(read(&many).unwrap_err().code(), "too_many_items");
    let few = format!("a: &a \"{}\"\nb: [{}]\n", "x".repeat(1000), "*a,".repeat(4000));
    assert_eq!(read(&few).unwrap()["b"].as_array().unwrap().len(), 4000);
}
