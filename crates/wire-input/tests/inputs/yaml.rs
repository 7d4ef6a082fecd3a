//! How YAML is read, and what is rejected.

use serde_json::json;

use serde_json::Value;
use wire_core::CodecError;
use wire_input::value::{Integers, Tree, read as read_source};
use wire_input::{Source, Tags};

fn tree(text: &str, tags: Option<Tags>, integers: Integers) -> Result<Tree, CodecError> {
    read_source(Source::Yaml(tags), text.as_bytes(), integers, false)
}

fn read(text: &str) -> Result<Value, CodecError> {
    read_for(text, Integers::Signed)
}

fn read_for(text: &str, integers: Integers) -> Result<Value, CodecError> {
    let read = tree(text, None, integers)?;
    Ok(serde_json::from_str(&read.json).unwrap())
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
        // By YAML 1.2, leading zeros are those of a decimal number, and `0b` is no prefix.
        ("0123", json!(123)),
        ("-017", json!(-17)),
        ("+08", json!(8)),
        ("000", json!(0)),
        ("-00", json!(-0.0)),
        ("09.50", json!(9.5)),
        ("0b11", json!("0b11")),
        ("0B11", json!("0B11")),
        ("0o11", json!(9)),
        ("0o18", json!("0o18")),
        ("0O17", json!("0O17")),
        ("0X1F", json!("0X1F")),
        ("-0x1F", json!("-0x1F")),
        ("+0o17", json!("+0o17")),
        ("0x", json!("0x")),
        ("0x1_0", json!("0x1_0")),
        ("+", json!("+")),
        ("+.nan", json!("+.nan")),
        ("1e", json!("1e")),
        (".", json!(".")),
        ("1_000", json!("1_000")),
        ("1:30", json!("1:30")),
        ("2026-05-08", json!("2026-05-08")),
        ("'1e400'", json!("1e400")),
        ("\"42\"", json!("42")),
        ("!!str 42", json!("42")),
        ("!!float 1", json!(1)),
        ("!!int 017", json!(17)),
        ("!<tag:yaml.org,2002:str> 42", json!("42")),
        ("!<tag:yaml.org,2002:int> 42", json!(42)),
        ("! a", json!("a")),
        ("! 42", json!("42")),
        ("! null", json!("null")),
        ("! \"42\"", json!("42")),
        ("! |\n  42", json!("42\n")),
        ("!", json!("")),
        ("&x ! 42", json!("42")),
        ("! &x 42", json!("42")),
        ("! [42, ! 42]", json!([42, "42"])),
        ("! {b: ! 42}", json!({"b": "42"})),
    ] {
        let input = format!("a: {text}\n");
        assert_eq!(
            read(&input).unwrap_or_else(|error| panic!("{text}: {error}"))["a"].to_string(),
            value.to_string(),
            "{text}"
        );
    }
    for text in ["1e400", "-1e400", "1e-400", ".5e-400", "61e9540"] {
        assert_eq!(read(&format!("a: {text}\n")).unwrap(), json!({"a": text}));
    }
    for text in
        [".inf", ".nan", "18446744073709551616", "9223372036854775808", "0xffffffffffffffff"]
    {
        let error = read(&format!("a: {text}\n")).unwrap_err();
        assert_eq!(error.code(), "out_of_range", "{text}");
        assert_eq!(error.position().unwrap().column, 4, "{text}");
    }
    let most = read_for("a: 18446744073709551615\nb: 0xffffffffffffffff\n", Integers::Any);
    assert_eq!(most.unwrap(), json!({"a": u64::MAX, "b": u64::MAX}));
    for (text, json) in [
        ("18446744073709551616", "18446744073709551616"),
        ("+00123456789012345678901234567890", "123456789012345678901234567890"),
        ("-9223372036854775809", "-9223372036854775809"),
        ("0x1ffffffffffffffff", "36893488147419103231"),
        ("!!int 18446744073709551616", "18446744073709551616"),
        ("!!float 18446744073709551616", "18446744073709551616"),
    ] {
        let read = tree(text, None, Integers::Any).unwrap();
        assert_eq!(read.json, json);
    }
    let long = format!("0x{}", "f".repeat(33));
    for text in [&long, ".inf", ".nan", "!!int .inf"] {
        assert!(tree(text, None, Integers::Any).is_err(), "{text}");
    }
}

#[test]
fn keys_are_as_they_are_written() {
    for key in [
        "1e1",
        "1.50",
        "0x10",
        "017",
        "+1",
        "-0",
        ".5",
        "True",
        "1e400",
        ".inf",
        "1_000",
        "18446744073709551616",
        "2026-05-08",
    ] {
        for text in [
            format!("{key}: 1\n"),
            format!("{{{key}: 1}}\n"),
            format!("? {key}\n: 1\n"),
            format!("! {key}: 1\n"),
            format!("!!str {key}: 1\n"),
        ] {
            let value = read(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(value, json!({key: 1}), "{text}");
        }
        assert_eq!(read(&format!("[{key}: 1]\n")).unwrap(), json!([{key: 1}]));
    }
    // Through an anchor and with a tag, too; a value is still a number.
    assert_eq!(read("&k 1e1: a\nb: *k\n").unwrap(), json!({"1e1": "a", "b": 10.0}));
    assert_eq!(read("a: &k 0x10\n*k : b\n").unwrap(), json!({"a": 16, "0x10": "b"}));
    assert_eq!(read("!!int 0x10: a\n").unwrap(), json!({"0x10": "a"}));
    assert_eq!(read("1: a\n01: b\n0x1: c\n").unwrap(), json!({"1": "a", "01": "b", "0x1": "c"}));
    for text in ["null: 1\n", "~: 1\n", ": 1\n", "{null: 1}\n", "? \n: 1\n", "!!null null: 1\n"] {
        assert_eq!(read(text).unwrap_err().code(), "yaml_data", "{text}");
    }
}

#[test]
fn tabs_separate_like_spaces() {
    for (text, value) in [
        ("a:\tb\n", json!({"a": "b"})),
        ("a:\t\tb\n", json!({"a": "b"})),
        ("a: \tb\n", json!({"a": "b"})),
        ("a:\t \tb\n", json!({"a": "b"})),
        ("a:\t-1\n", json!({"a": -1})),
        ("a:\t\"b\"\n", json!({"a": "b"})),
        ("\"a\":\tb\n", json!({"a": "b"})),
        ("'a' :\tb\t# c\n", json!({"a": "b"})),
        ("a:\tb\nc:\n  d:\te\n", json!({"a": "b", "c": {"d": "e"}})),
        ("- a:\tb\n  c:\td\n-\te\n", json!([{"a": "b", "c": "d"}, "e"])),
        ("{a:\tb,\tc:\td}\n", json!({"a": "b", "c": "d"})),
        ("[a:\tb]\n", json!([{"a": "b"}])),
        ("?\ta\n:\tb\n", json!({"a": "b"})),
        ("? \ta\n: b\n", json!({"a": "b"})),
        ("{?\ta : b}\n", json!({"a": "b"})),
        ("a:\t!!str\t1\nb:\t&x\tc\nd:\t*x\n", json!({"a": "1", "b": "c", "d": "c"})),
        // In scalars they are content.
        ("a:\t\"b:\tc?\td\"\ne:\tf\n", json!({"a": "b:\tc?\td", "e": "f"})),
        ("a:\t'ü:\tc'\ne:\tf\n", json!({"a": "ü:\tc", "e": "f"})),
        ("a: what?\tyes\ne:\tf\n", json!({"a": "what?\tyes", "e": "f"})),
        ("a:\t|\n  b:\tc\n  d?\te\ne:\tf\n", json!({"a": "b:\tc\nd?\te\n", "e": "f"})),
        ("a: >-\n  b:\tc\n\n  d:\te\n# x:\ty\ne:\tf\n", json!({"a": "b:\tc\nd:\te", "e": "f"})),
    ] {
        let read = read(text).unwrap_or_else(|error| panic!("{text:?}: {error}"));
        assert_eq!(read, value, "{text:?}");
    }
    for (text, line, column) in [
        ("a:\tb: c\n", 1, 5),
        ("a:\t- b\n", 1, 4),
        ("a:\tb\nc:\t[\n", 2, 4),
        ("a:\n\tb: 1\n", 2, 2),
    ] {
        let error = read(text).unwrap_err();
        let place = error.position().map(|place| (place.line, place.column));
        assert_eq!(
            (error.code(), place),
            ("yaml_syntax", Some((line, column))),
            "{text:?}: {error}"
        );
    }
    // In linear time.
    let many = "a:\tb\n".repeat(50_000).replace('a', "- a");
    assert_eq!(read(&many).unwrap().as_array().unwrap().len(), 50_000);
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
    for (text, code, place) in [
        ("a: 1\na: 2\n", "duplicate_key", (2, 1)),
        ("1: a\n\"1\": b\n", "duplicate_key", (2, 1)),
        ("1e1: a\n'1e1': b\n", "duplicate_key", (2, 1)),
        ("x: {a: 1, b: 2, a: 3}\n", "duplicate_key", (1, 17)),
        ("a: 1\nb: !!int 0b11\n", "yaml_data", (2, 4)),
        ("a: 1\nb: !<tag:yaml.org,2002:set> {x}\n", "yaml_data", (2, 4)),
        ("a: 1\n? [x]\n: 2\n", "yaml_data", (2, 3)),
        ("a: 1\n~: 2\n", "yaml_data", (2, 1)),
        ("a: 1\nb: !x 2\n", "yaml_data", (2, 4)),
        ("a: 1\nb: &x [*x]\n", "yaml_data", (2, 8)),
        ("a: 1\nb: [1\n", "yaml_syntax", (2, 4)),
        ("a: 1\nb: *x\n", "yaml_syntax", (2, 4)),
    ] {
        let error = read(text).unwrap_err();
        let found = error.position().map(|position| (position.line, position.column));
        assert_eq!((error.code(), found), (code, Some(place)), "{text:?}: {error}");
    }
    // Aliases nest, too.
    let half = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    assert_eq!(read(&format!("a: &a {half}\nb: [*a]\n")).unwrap()["b"][0].to_string(), half);
    let error = read(&format!("a: &a {half}\nb: {}*a{}\n", "[".repeat(27), "]".repeat(27)));
    assert_eq!(error.unwrap_err().code(), "yaml_syntax");
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

/// Rulings A7 and A8: of values, not of keys, and each where it is written.
#[test]
fn scalars_that_are_no_longer_what_was_written_are_told() {
    for (text, value, said) in [
        (
            "a: 0.5\nb: 1e400\n",
            json!({"a": 0.5, "b": "1e400"}),
            "beyond doubles are strings; quotes say so (1 scalar, the first \"1e400\" on line 2)",
        ),
        (
            "a: 680841e1\nb: 017\nc: 7\n",
            json!({"a": 6_808_410.0, "b": 17, "c": 7}),
            "written otherwise than in YAML; quotes keep their text (2 scalars, the first \"680841e1\" on line 1)",
        ),
        (
            "a: !!float &x\n  0.12345678901234567890123\n",
            json!({"a": 0.123_456_789_012_345_68}),
            "(1 decimal, the first at line 2, column 3)",
        ),
        (
            "&k 0.12345678901234567890123: *k\n",
            json!({"0.12345678901234567890123": 0.123_456_789_012_345_68}),
            "(1 decimal, the first at line 1, column 4)",
        ),
        (
            "&k 1e400: 1\n0.12345678901234567890123: 2\n!!float 1e1: 3\n",
            json!({"1e400": 1, "0.12345678901234567890123": 2, "1e1": 3}),
            "",
        ),
    ] {
        let read =
            tree(text, None, Integers::Signed).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(read.json, value.to_string(), "{text}");
        let warnings = read.warnings.into_iter();
        let messages: Vec<String> = warnings.map(|warning| warning.message).collect();
        assert_eq!(messages.len(), usize::from(!said.is_empty()), "{messages:?}");
        assert!(messages.concat().contains(said), "{messages:?}");
    }
    let error = read("a: &x !!int\n  18446744073709551616\n").unwrap_err();
    assert_eq!(error.position().map(|place| (place.line, place.column)), Some((2, 3)));
}

#[test]
fn several_documents_are_an_array() {
    for (text, value) in [
        ("a: 1\n---\nb: 1\n", json!([{"a": 1}, {"b": 1}])),
        ("---\na: 1\n...\n", json!({"a": 1})),
        ("--- 1\n--- [2]\n---\n", json!([1, [2], null])),
        ("a: &x 1\n---\nb: &x 2\nc: *x\n", json!([{"a": 1}, {"b": 2, "c": 2}])),
        ("", json!(null)),
    ] {
        assert_eq!(read(text).unwrap_or_else(|error| panic!("{text}: {error}")), value, "{text}");
    }
    // An alias names nothing of another document.
    assert_eq!(read("a: &x 1\n---\nb: *x\n").unwrap_err().code(), "yaml_syntax");
    let deep = format!("1\n---\n{}1{}", "[".repeat(127), "]".repeat(127));
    assert_eq!(read(&deep).unwrap_err().code(), "yaml_syntax");
}

#[test]
fn tags_are_dropped_or_kept_if_that_is_asked_for() {
    let of = |text: &str, tags| tree(text, Some(tags), Integers::Any).map(|read| read.json);
    for (text, dropped, kept) in [
        ("!Sub a", r#""a""#, r#"{"!Sub":"a"}"#),
        ("a: !Sub \"${A}\"", r#"{"a":"${A}"}"#, r#"{"a":{"!Sub":"${A}"}}"#),
        ("a: !If [x, !Ref y, 1]", r#"{"a":["x","y",1]}"#, r#"{"a":{"!If":["x",{"!Ref":"y"},1]}}"#),
        ("a: !T {b: 1}", r#"{"a":{"b":1}}"#, r#"{"a":{"!T":{"b":1}}}"#),
        ("a: !T", r#"{"a":null}"#, r#"{"a":{"!T":null}}"#),
        ("a: !T 7", r#"{"a":7}"#, r#"{"a":{"!T":7}}"#),
        ("- &x !T 1\n- *x", "[1,1]", r#"[{"!T":1},{"!T":1}]"#),
        ("!!set {x}", r#"{"x":null}"#, r#"{"!!set":{"x":null}}"#),
        ("!<tag:example.com,2026:t> x", r#""x""#, r#"{"tag:example.com,2026:t":"x"}"#),
        (
            "%TAG !e! tag:example.com,2026:\n---\n!e!t x",
            r#""x""#,
            r#"{"tag:example.com,2026:t":"x"}"#,
        ),
        ("!!int x", r#""x""#, r#"{"!!int":"x"}"#),
        // These are what JSON has.
        (
            "[!!str 1, ! 2, !!int 3, !!seq [], !!map {}, !!null null]",
            r#"["1","2",3,[],{},null]"#,
            r#"["1","2",3,[],{},null]"#,
        ),
    ] {
        assert_eq!(of(text, Tags::Drop).unwrap(), dropped, "{text}");
        assert_eq!(of(text, Tags::Keep).unwrap(), kept, "{text}");
    }
    // A merge key takes the members, and not the tag.
    let merged = r#"[{"!A":{"a":1}},{"b":2,"a":1}]"#;
    assert_eq!(of("- &x !A {a: 1}\n- <<: *x\n  b: 2", Tags::Keep).unwrap(), merged);
    assert_eq!(of("<<: !B {a: 1}", Tags::Keep).unwrap(), r#"{"a":1}"#);
    assert_eq!(of("<<: {a: !B [1]}", Tags::Keep).unwrap(), r#"{"a":{"!B":[1]}}"#);
    assert_eq!(of("!!merge <<: {a: 1}", Tags::Drop).unwrap(), r#"{"a":1}"#);
    assert_eq!(of("<<: [!B {a: 1}, {c: 1}]", Tags::Keep).unwrap_err().code(), "yaml_data");
    assert_eq!(of("<<: [!B {a: 1}, {c: 1}]", Tags::Drop).unwrap(), r#"{"a":1,"c":1}"#);
    assert_eq!(of("!T a: 1", Tags::Drop).unwrap(), r#"{"a":1}"#);
    assert_eq!(of("!T a: 1", Tags::Keep).unwrap_err().code(), "yaml_data");
    let nested = |levels: usize| format!("{}1{}", "!T [".repeat(levels), "]".repeat(levels));
    assert!(of(&nested(63), Tags::Keep).is_ok() && of(&nested(127), Tags::Drop).is_ok());
    assert_eq!(of(&nested(64), Tags::Keep).unwrap_err().code(), "yaml_syntax");
    let error = read("a: !Sub b\n").unwrap_err();
    assert!(error.message().contains("--yaml-tags drop"), "{error}");
    assert_eq!(error.position().map(|place| (place.line, place.column)), Some((1, 4)));
}

#[test]
fn block_scalars_end_as_they_are_written() {
    for (text, value) in [
        ("a: |\n  b", "b"),
        ("a: |\n  b\n", "b\n"),
        ("a: |\n  b\n  ", "b\n"),
        ("a: |\n  b\n ", "b\n"),
        ("a: |\n  b\n\n\n", "b\n"),
        ("a: |-\n  b", "b"),
        ("a: |+\n  b", "b"),
        ("a: |+\n  b\n\n", "b\n\n"),
        ("a: |+\n\n  b", "\nb"),
        ("a: >\n  b\n  c", "b c"),
        ("a: >\n  b\n\n  c\n  ", "b\nc\n"),
        ("a: |\n  b\n# c", "b\n"),
        ("a: |\r\n  b\r\n  ", "b\n"),
        ("a: |\n  b\n   ", "b\n "),
        ("a: >\n  b\n  \t", "b\n\t"),
        ("a: |+\n  ", ""),
        ("a: |\n  b\r", "b\n"),
        ("a: |\r  b\r  c\r", "b\nc\n"),
    ] {
        assert_eq!(read(text).unwrap(), json!({"a": value}), "{text:?}");
    }
}

/// JSON is YAML.
#[test]
fn strings_in_quotes_have_the_escapes_of_json() {
    let text = r#"{"a": "\ud83d\ude00\u00e9\/\b\f\n\r\t\"\\"}"#;
    assert_eq!(read(text).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    for text in [r#""\ud83d""#, r#""\ude00""#, r#""\ud83d\u0041""#, r#""\ude00\ud83d""#] {
        assert_eq!(read(text).unwrap_err().code(), "yaml_syntax", "{text}");
    }
    // The place is that of the escape.
    for (text, column) in [(r#"{"a": "x\n\ud83dy"}"#, 11), (r#"["\ud83d\ude00\ude00"]"#, 15)] {
        let place = read(text).unwrap_err().position().unwrap();
        assert_eq!((place.line, place.column), (1, column), "{text}");
    }
}

#[test]
fn brackets_may_stand_under_their_key() {
    for (text, value) in [
        ("a: [\n  'x'\n]\n", json!({"a": ["x"]})),
        ("a:\n  b: [\n  ]\n", json!({"a": {"b": []}})),
        (
            "a:\n  b: [\n    \"x\",\n    y,\n  ]\n  c: {\n    d: 'e'\n  }\n",
            json!({"a": {"b": ["x", "y"], "c": {"d": "e"}}}),
        ),
        ("- {\n    a: \"b\"\n  }\n- [\n  'c',\n  ]\n", json!([{"a": "b"}, ["c"]])),
    ] {
        assert_eq!(read(text).unwrap_or_else(|error| panic!("{text}: {error}")), value, "{text}");
    }
}
