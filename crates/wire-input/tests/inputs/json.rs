//! JSON: what is in it, and its errors.

use wire_core::CodecError;
use wire_input::Source;
use wire_input::value::{Checked, check, parse_item};

fn outcome<T>(read: Result<T, CodecError>) -> Result<T, (String, u64)> {
    read.map_err(|error| (error.code().to_owned(), error.position().expect("it has one").offset))
}

fn checked(text: &str) -> Result<Checked, (String, u64)> {
    outcome(check(Source::Json, text.as_bytes()).map(|(checked, _)| checked))
}

#[test]
fn a_text_is_counted() {
    let many: Vec<String> = (0..40).map(|key| format!("\"{key}\": {key}")).collect();
    let object = format!("{{{}, \"\\u0061\": 1}}", many.join(", "));
    for (text, counts, is_rows) in [
        ("[1, {}, []]", (3, "item"), false),
        ("[{\"a\": 1}, {\"a\": [2]}]", (2, "item"), true),
        ("[]", (0, "item"), true),
        ("7.5", (1, "scalar"), false),
        ("null", (1, "scalar"), false),
        ("[1e400, 99999999999999999999999]", (2, "item"), false),
        (&object, (41, "member"), false),
    ] {
        let checked = checked(text).unwrap();
        assert_eq!((checked.counts(), checked.is_rows()), (counts, is_rows), "{text}");
    }
}

#[test]
fn errors_are_the_first_by_their_codes_and_positions() {
    let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for (text, code, at) in [
        ("[1,\n x]".to_owned(), "json_syntax", 5),
        ("[1,\n".to_owned(), "json_unexpected_end", 4),
        ("{\"a\":1,\n\"a\":2}".to_owned(), "duplicate_key", 8),
        ("{\"a\":{\"b\":1,\"\\u0062\":2}, x".to_owned(), "duplicate_key", 12),
        (deep(128), "too_deep", 127),
    ] {
        let found = checked(&text).unwrap_err();
        assert_eq!(found, (code.to_owned(), at), "{text}");
    }
    assert!(checked(&deep(127)).is_ok());
}

#[test]
fn items_are_nested_in_their_array() {
    let item = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    let of = |text: &str| outcome(parse_item(text.as_bytes()).map(drop));
    of(&item(126)).unwrap();
    of(&format!("[\"{}\\\"{}\"]", "[".repeat(200), "[".repeat(200))).unwrap();
    for levels in [127, 128, 400] {
        assert_eq!(of(&item(levels)), Err(("too_deep".to_owned(), 126)));
    }
    let text = format!("{{\"a\":1,\"a\":{}}}", item(200));
    assert_eq!(of(&text).unwrap_err().0, "duplicate_key");
}
