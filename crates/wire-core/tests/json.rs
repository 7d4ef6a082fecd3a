//! Exact JSON: texts, errors and their offsets, equality, types, and the differential test against
//! `serde_json`.

use std::collections::HashMap;

use proptest::prelude::*;
use serde::Deserialize;
use serde::de::value::BytesDeserializer;
use serde_json::Value;
use wire_core::json::{
    Doubles, Duplicates, Error, ErrorKind, Fidelity, Json, Layout, Number, Reader, Strings, Text,
    equal, from_str, laid_out,
};

fn accepts(text: &str) -> Result<(), Error> {
    let mut reader = Reader::new(text).duplicates(Duplicates::Passed);
    reader.skip()?;
    reader.end()
}

fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

fn objects(levels: usize) -> String {
    format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels))
}

/// The first error of a text, by every way to read it.
#[test]
fn errors_have_a_kind_and_the_first_wrong_offset() {
    for (text, kind, at) in [
        (nested(128), ErrorKind::TooDeep, 127),
        (objects(128), ErrorKind::TooDeep, 127 * 5),
        ("[".repeat(1_000_000), ErrorKind::TooDeep, 127),
        (r#"{"a":1,"a":2}"#.into(), ErrorKind::DuplicateKey, 7),
        (r#"{"a":1,"\u0061":2}"#.into(), ErrorKind::DuplicateKey, 7),
        (r#"{"a":{"a":1,"b":{"b":1}},"b":1,"a":2}"#.into(), ErrorKind::DuplicateKey, 31),
        (r#"["\ud800"]"#.into(), ErrorKind::Syntax, 2),
        (r#"["\udc00"]"#.into(), ErrorKind::Syntax, 2),
        (r#"["\ud800\u0061"]"#.into(), ErrorKind::Syntax, 2),
        (r#"["\ud800x"]"#.into(), ErrorKind::Syntax, 2),
        ("\u{feff}1".into(), ErrorKind::Syntax, 0),
        (String::new(), ErrorKind::UnexpectedEnd, 0),
        ("  ".into(), ErrorKind::UnexpectedEnd, 2),
        ("[1,".into(), ErrorKind::UnexpectedEnd, 3),
        ("[1,]".into(), ErrorKind::Syntax, 3),
        ("{\"a\":1,}".into(), ErrorKind::Syntax, 7),
        ("{\"a\" 1}".into(), ErrorKind::Syntax, 5),
        ("{a:1}".into(), ErrorKind::Syntax, 1),
        ("[1 2]".into(), ErrorKind::Syntax, 3),
        ("1 2".into(), ErrorKind::Syntax, 2),
        ("01".into(), ErrorKind::Syntax, 1),
        ("-".into(), ErrorKind::UnexpectedEnd, 1),
        ("-x".into(), ErrorKind::Syntax, 1),
        ("1.".into(), ErrorKind::UnexpectedEnd, 2),
        ("1.e5".into(), ErrorKind::Syntax, 2),
        ("1e".into(), ErrorKind::UnexpectedEnd, 2),
        ("nul".into(), ErrorKind::UnexpectedEnd, 3),
        ("nulx".into(), ErrorKind::Syntax, 3),
        ("\"\n\"".into(), ErrorKind::Syntax, 1),
        ("\"\\x\"".into(), ErrorKind::Syntax, 2),
        ("\"\\u12g4\"".into(), ErrorKind::Syntax, 5),
        ("\"a".into(), ErrorKind::UnexpectedEnd, 2),
        ("\"\\".into(), ErrorKind::UnexpectedEnd, 2),
        ("é".into(), ErrorKind::Syntax, 0),
    ] {
        let error = Json::parse(&text).unwrap_err();
        let shown = &text[..text.len().min(60)];
        assert_eq!((error.kind(), error.offset()), (kind, at), "{shown} {error}");
        assert_eq!(laid_out(&text, Layout::Pretty, Strings::Shortest).unwrap_err(), error);
        let source = Text::new(&text);
        assert!(serde_json::to_string(&source).is_err());
        assert_eq!(source.error().unwrap(), error);
        assert_eq!(from_str::<Json<'_>>(&text).unwrap_err().offset(), at, "{shown}");
    }
    let keys: Vec<String> = (0..1000).map(|n| format!("\"k{}\":1", n % 999)).collect();
    let text = format!("{{{}}}", keys.join(","));
    assert_eq!(Json::parse(&text).unwrap_err().kind(), ErrorKind::DuplicateKey);
}

#[test]
fn the_deepest_texts_and_the_longest_digits_are_read() {
    for text in [nested(127), objects(127), "7".to_owned()] {
        Json::parse(&text).unwrap();
        assert_eq!(laid_out(&text, Layout::Compact, Strings::Shortest).unwrap(), text);
    }
    for digits in [1, 19, 20, 39, 400, 100_000] {
        let long = "9".repeat(digits);
        for literal in
            [long.clone(), format!("-{long}"), format!("0.{long}"), format!("{long}.{long}e-5")]
        {
            let text = format!("[{literal}]");
            let value = Json::parse(&text).unwrap();
            assert_eq!(value.to_text(Layout::Compact), text);
            assert_eq!(laid_out(&text, Layout::Compact, Strings::Shortest).unwrap(), text);
            let other = format!("[{}]", literal.replace('9', "8"));
            assert_ne!(value, Json::parse(&other).unwrap());
            let exponent = if literal.contains('e') { "" } else { "E+0" };
            assert_eq!(value, Json::parse(&format!("[{literal}{exponent}]")).unwrap());
        }
    }
}

/// A frame of a protocol may have half a surrogate pair, any key twice inside of its values, and any
/// depth, for which there is no recursion.
#[test]
fn frames_are_less_strict() {
    let text = r#"["\ud83d", "\ude00\ud83d\ude00\ud83d\u0041", 1]"#;
    assert!(Reader::new(text).skip().is_err());
    assert_eq!(Reader::new(text).lone_surrogates(true).skip().unwrap(), text);
    let value = Json::read(&mut Reader::new(text).lone_surrogates(true)).unwrap();
    let Json::Array(items) = value else { panic!("it is an array") };
    assert_eq!(items[1], Json::String("\u{fffd}😀\u{fffd}A".into()));
    let text = r#"{"a":1,"a":2}"#;
    assert_eq!(Reader::new(text).duplicates(Duplicates::Passed).skip().unwrap(), text);
    for text in [nested(1_000_000), objects(1_000_000)] {
        assert_eq!(Reader::new(&text).skip().unwrap_err().kind(), ErrorKind::TooDeep);
        let mut reader = Reader::new(&text).max_nesting(usize::MAX);
        assert_eq!((reader.skip().unwrap().len(), reader.end()), (text.len(), Ok(())));
    }
}

/// A serializer that reads a value twice gets an error, and not another value.
#[test]
fn a_text_is_serialized_once() {
    struct Twice<'t>(Text<'t>);
    impl serde::Serialize for Twice<'_> {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq([&self.0, &self.0])
        }
    }
    let json = r#"{"a":[1]}"#;
    let once = Text::new(json);
    assert_eq!(serde_json::to_string(&once).unwrap(), json);
    assert_eq!(once.error(), None);
    let twice = Twice(Text::new(json));
    assert!(serde_json::to_string(&twice).is_err());
    let error = twice.0.error().unwrap();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::UnexpectedEnd, json.len()));
}

/// A text is read once: either it has an error, or the offset is that of the rejected value.
#[test]
fn a_text_has_its_error_or_the_offset_of_what_was_rejected() {
    let text = Text::new("[1, 1e400]");
    assert!(serde_json::to_string(&text).is_err());
    let error = text.error().unwrap();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::OutOfRange, 4));
    let text = Text::new("[1, 18446744073709551616]");
    assert!(serde_json::to_string(&text).is_err());
    let error = text.error().unwrap();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::OutOfRange, 4));
    let text = Text::new("{\"a\": [1,\n 9223372036854775808]}").signed(true);
    assert!(serde_json::to_string(&text).is_err());
    assert_eq!(text.error().unwrap().offset(), 11);

    let source = Text::new("[1,\n {}]");
    let mut items = Vec::new();
    let outcome = source.each_item(|item| {
        items.push(serde_json::to_string(item).unwrap());
        items.len() < 2
    });
    assert_eq!((outcome, source.error(), source.offset()), (Ok(()), None, 5));
    assert_eq!(items, ["1", "{}"]);
    let source = Text::new("[1, x]");
    let error = source.each_item(|item| serde_json::to_string(item).is_ok()).unwrap_err();
    assert_eq!((error.offset(), source.error()), (4, Some(error)));
    assert_eq!(Text::new("{}").each_item(|_| true).unwrap_err().kind(), ErrorKind::Data);
}

#[test]
fn integers_beyond_64_bits_are_refused_or_strings() {
    let json = "[9223372036854775808,-9223372036854775809,1]";
    let strings = |signed| {
        let text = Text::new(json).big_integers_as_strings(true).signed(signed);
        let made = serde_json::to_string(&text).unwrap();
        (made, text.strings())
    };
    let unsigned = r#"[9223372036854775808,"-9223372036854775809",1]"#;
    assert_eq!(strings(false), (unsigned.to_owned(), 1));
    let signed = r#"["9223372036854775808","-9223372036854775809",1]"#;
    assert_eq!(strings(true), (signed.to_owned(), 2));
}

/// Ruling A7.
#[test]
fn decimals_are_exact_rounded_or_out_of_range() {
    let fidelity = |literal: &str| Number::new(literal).unwrap().fidelity();
    for literal in [
        "0.1",
        "1e2",
        "1e23",
        "9007199254740992.0",
        "-0.0",
        "0e999",
        "-0e-9999999999999999999999",
        "1e0000000000000000000001",
        "10e-0000000000000000000001",
        "1.50",
        "1.7976931348623157e308",
        "5e-324",
        "100000000000000000000000e-3",
        "0.1000000000000000000000000000000",
    ] {
        assert!(matches!(fidelity(literal), Fidelity::Exact(_)), "{literal}");
    }
    for literal in [
        "0.12345678901234567890123",
        "9007199254740993.0",
        "1.0000000000000000000001",
        "12345678901234567890.5",
        "0.10000000000000001",
        "4.9e-324",
    ] {
        assert!(matches!(fidelity(literal), Fidelity::Rounded(_)), "{literal}");
    }
    for literal in ["1e400", "-1e400", "1e-400", "-0.1e-99999999999999999999999"] {
        assert_eq!(fidelity(literal), Fidelity::OutOfRange, "{literal}");
    }
    let text = Text::new("[0.1, -0.0,\n 0.10000000000000001, 1.0000000000000000001]");
    assert_eq!(serde_json::to_string(&text).unwrap(), "[0.1,-0.0,0.1,1.0]");
    let expected = Doubles { rounded: 2, first_rounded: Some(13), negative_zeros: 1 };
    assert_eq!(text.doubles(), expected);
    assert_eq!(
        Doubles::of("[0.1, -0.0,\n 0.10000000000000001, 1.0000000000000000001]"),
        Ok(expected)
    );
    assert_eq!(Doubles::of("[7, 1e400]").unwrap_err().offset(), 4);
    let mut both = Doubles::default();
    both.append(Doubles { negative_zeros: 1, ..Doubles::default() }, 5);
    both.append(expected, 100);
    assert_eq!((both.rounded, both.first_rounded, both.negative_zeros), (2, Some(113), 2));
    let json = "[0.1, 0.10000000000000001]";
    assert!(Json::read_whole(Reader::new(json).in_doubles()).is_ok());
    let text = Text::of(Reader::new(json).exact(true));
    assert!(serde_json::to_string(&text).is_err());
    let error = text.error().unwrap();
    assert_eq!((error.kind().code(), error.offset()), ("inexact_number", 6));
}

#[test]
fn equal_values_have_equal_decimals_and_members_in_any_order() {
    let json = |text| Json::parse(text).unwrap();
    for (a, b) in [
        ("1", "1.0"),
        ("1", "10e-1"),
        ("100", "1E+2"),
        ("0", "-0.0"),
        ("0", "0e99"),
        ("0", "0e99999999999999999999"),
        ("10", "1e+00000000000000000001"),
        ("[1,{\"a\":1,\"b\":2}]", "[1.0,{\"b\":2e0,\"a\":1}]"),
        ("\"\\u0041\"", "\"A\""),
    ] {
        assert_eq!(json(a), json(b));
        assert!(equal(a, b) && equal(b, a), "{a} {b}");
    }
    for (a, b) in [
        ("1", "-1"),
        ("0.1", "0.10000000000000001"),
        ("9007199254740993", "9007199254740992"),
        ("[1,2]", "[2,1]"),
        ("{\"a\":1}", "{\"a\":1,\"b\":1}"),
        ("\"1\"", "1"),
        ("[1,[2]]", "[1,[2],3]"),
        ("{\"a\":{\"x\":1,\"y\":2},\"b\":0}", "{\"a\":{\"y\":2,\"x\":2},\"b\":0}"),
    ] {
        assert_ne!(json(a), json(b));
        assert!(!equal(a, b) && !equal(b, a), "{a} {b}");
    }
    // A key that is there twice counts twice.
    let (twice, once) = (r#"{"a":1,"a":1}"#, r#"{"b":2,"a":1}"#);
    assert!(!equal(twice, once) && !equal(once, twice));
    let tree = |text| Json::read_whole(Reader::new(text).duplicates(Duplicates::Passed)).unwrap();
    assert!(tree(twice) != tree(once) && tree(once) != tree(twice) && equal(twice, twice));
}

/// Anyone can make a tree.
#[test]
fn a_number_that_is_none_is_an_error() {
    let number = |text: &str| Json::Number(text.to_owned().into());
    assert!(serde_json::to_string(&number("x")).is_err());
    assert_eq!(number("x"), number("x"));
    assert_ne!(number("x"), number("y"));
    let read = |bytes| Json::deserialize(BytesDeserializer::<serde_json::Error>::new(bytes));
    assert_eq!(read(b"1.50").unwrap().to_text(Layout::Compact), "1.50");
    let error = read(b"\"x").unwrap_err();
    assert!(error.to_string().contains("expected a JSON value"), "{error}");
}

/// Two keys that are one number would be one member of a map.
#[test]
fn keys_are_numbers_as_json_writes_them() {
    let read = |text: &str| from_str::<HashMap<i64, u8>>(text);
    assert_eq!(read(r#"{"0":1,"-7":2}"#).unwrap(), HashMap::from([(0, 1), (-7, 2)]));
    for key in ["-0", "00", "+0", "0.0", "0e0", " 0", ""] {
        let error = read(&format!("{{\"0\":1,\"{key}\":2}}")).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::Data, 7), "{key}");
    }
}

/// Numbers are copied as they are written; strings have only the escapes that JSON requires.
#[test]
fn a_text_is_laid_out_again_with_its_literals() {
    let text = "{ \"a\\u0041\\/\" : [1.50, 1E400,\n-0, \"\\u00e9\\n\"] , \"b\": {}, \"c\": [] }";
    assert_eq!(
        laid_out(text, Layout::Compact, Strings::Shortest).unwrap(),
        "{\"aA/\":[1.50,1E400,-0,\"é\\n\"],\"b\":{},\"c\":[]}"
    );
    assert_eq!(
        laid_out(text, Layout::Pretty, Strings::Shortest).unwrap(),
        "{\n  \"aA/\": [\n    1.50,\n    1E400,\n    -0,\n    \"é\\n\"\n  ],\n  \"b\": {},\n  \"c\": []\n}"
    );
    let names =
        r#"{"$serde_json::private::Number":"5","x":{"$serde_json::private::RawValue":"no"}}"#;
    assert_eq!(Json::parse(names).unwrap().to_text(Layout::Compact), names);
}

#[test]
fn types_are_read_as_by_serde_json() {
    #[derive(serde::Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "snake_case")]
    enum Variants {
        A,
        B(u8),
        C { x: Option<i32> },
        D(u8, u8),
    }
    #[derive(serde::Deserialize, Debug, PartialEq)]
    struct Struct<'a> {
        a: &'a str,
        #[serde(default)]
        b: Option<f64>,
        e: Vec<Variants>,
        m: std::collections::BTreeMap<i32, (u8, bool)>,
    }
    let text =
        r#"{"a":"x","zz":[{}],"e":["a",{"b":7},{"c":{"x":null}},{"d":[1,2]}],"m":{"5":[1,true]}}"#;
    let ours: Struct<'_> = from_str(text).unwrap();
    assert_eq!(ours, serde_json::from_str::<Struct<'_>>(text).unwrap());
    for (wrong, kind, at) in [
        (r#"{"a":"x","e":["q"],"m":{}}"#, ErrorKind::Data, 14),
        (r#"{"a":"x","e":[],"m":{"5":[1,true,3]}}"#, ErrorKind::Data, 33),
        (r#"{"a":1,"e":[]}"#, ErrorKind::Data, 5),
        (r#" {"a":"x","e":[]}"#, ErrorKind::MissingField, 1),
        (r#"{"a":"x","e":[{"b":7,"c":1}],"m":{}}"#, ErrorKind::Data, 21),
    ] {
        let error = from_str::<Struct<'_>>(wrong).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (kind, at), "{wrong} {error:?}");
        assert!(serde_json::from_str::<Struct<'_>>(wrong).is_err());
    }
    for (wrong, message) in [
        ("1.0e0", "found the number 1.0e0, expected a string"),
        ("-7", "found the number -7, expected a string"),
    ] {
        assert_eq!(from_str::<String>(wrong).unwrap_err().message(), message);
    }
    assert_eq!(from_str::<u128>(&u128::MAX.to_string()).unwrap(), u128::MAX);
    // Just above the middle of two singles, which is the double nearest to it.
    let single = "1.00000005960464477539062501";
    assert_eq!(from_str::<f32>(single).unwrap().to_bits(), 1f32.to_bits() + 1);
}

/// `Value` has no 128 bits: what is beyond 64 is an error at its place, or by option a double.
#[test]
fn integers_beyond_64_bits_are_no_value() {
    for json in ["[1,18446744073709551616]", "[1,-9223372036854775809]"] {
        let error = from_str::<serde_json::Value>(json).unwrap_err();
        assert_eq!((error.kind(), error.offset()), (ErrorKind::OutOfRange, 3), "{json}");
    }
    let read = |json| {
        let mut reader = Reader::new(json);
        serde::Deserialize::deserialize(reader.values().with_large_doubles())
    };
    let double: serde_json::Value = read("18446744073709552000").unwrap();
    assert_eq!(double, serde_json::json!(18_446_744_073_709_552_000.0));
    // Not the digits that are written for a double.
    let error = read("18446744073709551616").unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::OutOfRange, 0));
}

/// An object of many keys has a set of them; comparing each with all would not end.
#[test]
fn an_object_may_have_many_keys() {
    let members: Vec<String> = (0..100_000).map(|id| format!("\"k{id}\":{id}")).collect();
    let json = format!("{{{}}}", members.join(","));
    Json::parse(&json).unwrap();
    let reversed: Vec<String> = members.iter().rev().cloned().collect();
    assert!(equal(&json, &format!("{{{}}}", reversed.join(","))));
    let twice = format!("{{{},{}}}", members.join(","), members[0]);
    let error = Json::parse(&twice).unwrap_err();
    assert_eq!((error.kind(), error.offset()), (ErrorKind::DuplicateKey, json.len()));
    accepts(&twice).unwrap();
}

fn numbers() -> impl Strategy<Value = String> {
    "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?"
}

fn texts() -> impl Strategy<Value = String> {
    let string = prop::collection::vec(
        prop_oneof![
            "[ -~é😀\u{85}\u{2028}]{0,12}".prop_map(|text| text.replace(['"', '\\'], "")),
            prop::sample::select(vec![
                "\\n",
                "\\\"",
                "\\\\",
                "\\/",
                "\\u0041",
                "\\ud83d\\ude00",
                "\\b\\f\\r\\t",
                "\\u0000",
                "$serde_json::private::Number",
            ])
            .prop_map(str::to_owned),
        ],
        0..4,
    )
    .prop_map(|pieces| format!("\"{}\"", pieces.concat()));
    let scalar = prop_oneof![
        prop::sample::select(vec!["null", "true", "false"]).prop_map(str::to_owned),
        numbers(),
        string.clone(),
    ];
    scalar.prop_recursive(5, 60, 6, move |inner| {
        let member = (string.clone(), inner.clone(), "[ \n\t\r]{0,2}")
            .prop_map(|(key, value, space)| format!("{space}{key}:{space}{value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(|items| format!("[{}]", items.join(", "))),
            prop::collection::vec(member, 0..5)
                .prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    })
}

/// A text, mostly with a few bytes cut, doubled or replaced.
fn damaged_texts() -> impl Strategy<Value = String> {
    let damage = (
        any::<prop::sample::Index>(),
        any::<prop::sample::Index>(),
        "[\\[\\]{},:\"\\\\0-9eE.+ntx-]{0,2}",
    );
    (texts(), prop::collection::vec(damage, 0..3)).prop_map(|(text, damages)| {
        damages.into_iter().fold(text, |text, (from, to, with)| {
            let mut marks: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            marks.push(text.len());
            let (a, b) = (marks[from.index(marks.len())], marks[to.index(marks.len())]);
            let end = b.clamp(a, (a + 6).max(a));
            let end = if text.is_char_boundary(end) { end } else { a };
            format!("{}{with}{}", &text[..a], &text[end..])
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_200))]

    /// The same texts are JSON to `serde_json` and here, with the same values.
    #[test]
    fn accepts_what_serde_json_accepts(text in damaged_texts()) {
        let theirs = serde_json::from_str::<Value>(&text);
        let ours = accepts(&text);
        let is_beyond = ours.is_ok() && theirs.is_err() && Doubles::of(&text).is_err();
        if !is_beyond {
            prop_assert_eq!(theirs.is_ok(), ours.is_ok(), "{} {:?} {:?}", text, theirs, ours);
        }
        let (Ok(theirs), Ok(tree)) = (theirs, Json::parse(&text)) else { return Ok(()) };
        prop_assert_eq!(&serde_json::to_value(&tree).unwrap(), &theirs);
        for layout in [Layout::Compact, Layout::Pretty] {
            let again = laid_out(&text, layout, Strings::Shortest).unwrap();
            prop_assert_eq!(&again, &tree.to_text(layout));
            prop_assert_eq!(&Json::parse(&again).unwrap(), &tree);
            prop_assert!(equal(&again, &text));
        }
        prop_assert_eq!(&from_str::<Json<'_>>(&text).unwrap(), &tree);
        // An integer beyond 64 bits is an error only where it is to be serialized.
        let source = Text::new(&text);
        if let Ok(made) = serde_json::to_string(&source) {
            prop_assert_eq!(serde_json::from_str::<Value>(&made).unwrap(), theirs);
        } else {
            prop_assert_eq!(source.error().unwrap().kind(), ErrorKind::OutOfRange);
        }
    }

    /// The values of two texts are compared as their trees are.
    #[test]
    fn texts_are_equal_if_their_trees_are(one in texts(), other in texts(), cut in any::<prop::sample::Index>()) {
        let (tree, other_tree) = (Json::parse(&one), Json::parse(&other));
        prop_assume!(tree.is_ok() && other_tree.is_ok());
        let (tree, other_tree) = (tree.unwrap(), other_tree.unwrap());
        prop_assert_eq!(equal(&one, &other), tree == other_tree);
        if let Json::Object(mut members) = tree {
            let length = members.len().max(1);
            members.rotate_left(cut.index(length));
            prop_assert!(equal(&one, &Json::Object(members).to_text(Layout::Compact)));
        }
    }

    /// Ruling A7: exact if the shortest decimal of the nearest double has the same value.
    #[test]
    fn a_number_is_exact_if_its_double_has_the_same_decimal(literal in numbers()) {
        let double: f64 = literal.parse().unwrap();
        let equal = |double: f64| {
            // Of two decimals that are equally short and near, this is the one that is written.
            let text = serde_json::to_string(&double).unwrap();
            Json::parse(&text).unwrap() == Json::parse(&literal).unwrap()
        };
        match Number::new(&literal).unwrap().fidelity() {
            Fidelity::Exact(read) => prop_assert!(read == double && equal(read), "{literal}"),
            Fidelity::Rounded(read) => prop_assert!(read == double && !equal(read), "{literal}"),
            Fidelity::OutOfRange => {
                prop_assert!(double.is_infinite() || double == 0.0 && !equal(double), "{literal}");
            }
        }
    }
}
