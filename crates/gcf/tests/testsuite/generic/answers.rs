//! Values in models' answers.

use gcf::Decoder;
use serde_json::{Value, json};

/// The value in an answer, and the codes of the repairs.
fn recovered(answer: &str) -> (Value, Vec<&'static str>) {
    let recovered = Decoder::new().recover::<Value>(answer);
    let (value, recovery) = recovered.unwrap_or_else(|error| panic!("{error}\n{answer}"));
    (value, recovery.repairs.iter().map(|repair| repair.kind.code()).collect())
}

#[test]
fn answers_of_models_are_mended() {
    let rows = json!({"users": [{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}]});
    for (answer, expected, repairs) in [
        (
            "```gcf\nGCF profile=generic\n## users [2]{id,name}\n1|Alice\n2|Bob\n```\n",
            rows.clone(),
            vec!["code_fence", "code_fence"],
        ),
        (
            "  GCF profile=generic\n  ## users [2]{id,name}\n  1|Alice\n  2|Bob\n",
            rows.clone(),
            vec!["decoration"; 4],
        ),
        (
            "{\"text\": \"GCF profile=generic\\n## users [2]{id,name}\\n1|Alice\\n2|Bob\\n\"}",
            rows.clone(),
            vec!["surrounding_text", "escaped_newlines"],
        ),
        (
            "GCF profile=generic\n## users [3]{id,name}\n1|Alice\n2|Bob\n",
            rows.clone(),
            vec!["wrong_count"],
        ),
        (
            "GCF profile=generic\n## users [3]{id,name}\n1|Alice\n2|Bob\n3\n",
            rows.clone(),
            vec!["wrong_count", "left_out"],
        ),
        (
            "GCF profile=generic\na=1\nso that is it\nb=2",
            json!({"a": 1, "b": 2}),
            vec!["left_out", "missing_final_newline"],
        ),
        (
            "GCF profile=generic\n## s\n\tx=1\n\u{a0}\u{a0}y=2\n",
            json!({"s": {"x": 1, "y": 2}}),
            vec!["white_space", "white_space"],
        ),
        ("GCF profile=generic\n\u{200b}a=1\n", json!({"a": 1}), vec!["invisible_characters"]),
        ("GCF profile=generic\r\na=1\r\n\r", json!({"a": 1}), vec!["white_space"]),
        (
            "GCF profile=generic\r\r\na=1\r\r\nb=2\r\r\n",
            json!({"a": 1, "b": 2}),
            vec!["white_space"; 3],
        ),
        ("\n\nGCF profile=generic\na=1\n", json!({"a": 1}), vec!["surrounding_text"]),
        // A fence ends a run of prose, as in the graph profile.
        (
            "I ran\n```sh\nls\n```\n\nand got\nthis:\n```gcf\nGCF profile=generic\na=1\n```\nAs\nyou see\n",
            json!({"a": 1}),
            vec![
                "surrounding_text",
                "code_fence",
                "surrounding_text",
                "code_fence",
                "surrounding_text",
                "code_fence",
                "code_fence",
                "surrounding_text",
            ],
        ),
        ("``\nGCF profile=generic\na=1\n", json!({"a": 1}), vec!["surrounding_text"]),
        ("``` a b\nGCF profile=generic\na=1\n", json!({"a": 1}), vec!["surrounding_text"]),
        ("GCF profile=generic\na=1\n  ~~~~gcf\n", json!({"a": 1}), vec!["code_fence"]),
    ] {
        assert_eq!(recovered(answer), (expected, repairs), "{answer}");
    }
    for (answer, expected) in [
        ("I write GCF profile=generic.\n\nGCF profile=generic\na=1\n", json!({"a": 1})),
        ("I will use GCF profile=generic\n```\nGCF profile=generic\na=1\n```\n", json!({"a": 1})),
        ("> GCF profile=generic\n> ## b\n>   c=2\n", json!({"b": {"c": 2}})),
        ("1. GCF profile=generic\n   a=1\n", json!({"a": 1})),
        (
            "{\"x\": \"GCF profile=generic\\r\\na=caf\\u00e9\\r\\n\", \"y\": 1}",
            json!({"a": "café"}),
        ),
        ("x\nGCF profile=generic\na=\"b\u{200b}c\"\n", json!({"a": "b\u{200b}c"})),
    ] {
        let (value, _) = Decoder::new().recover::<Value>(answer).unwrap();
        assert_eq!(value, expected, "{answer}");
    }
    // Where nothing is left of what looks like the format, the first thing that was wrong is the
    // error, with its place.
    let error = Decoder::new()
        .recover::<Value>("Hello\nGCF profile=generic\n@x=three words\n")
        .unwrap_err();
    assert_eq!((error.code(), error.position().unwrap().line), ("nothing_to_recover", 2));
    let error =
        Decoder::new().recover::<Value>("Hello\nGCF profile=generic\n## a [1]{\n").unwrap_err();
    assert_eq!((error.code(), error.position().unwrap().line), ("invalid_field_list", 3));
}

/// A row may hold any words, but prose behind a blank line and a whole value is none (ruling G16).
#[test]
fn prose_behind_a_whole_value_is_no_row() {
    for (answer, expected, repairs) in [
        (
            "GCF profile=generic\n## users [2]{id,name}\n1|Alice\n2|Bob\n\nThat is all | folks.\n",
            json!({"users": [{"id": 1, "name": "Alice"}, {"id": 2, "name": "Bob"}]}),
            vec!["surrounding_text"],
        ),
        (
            "GCF profile=generic\n## [2]{a}\n1\n\n3\n\nHope this helps!\n\nBye",
            json!([{"a": 1}, {"a": 3}]),
            vec!["surrounding_text"],
        ),
        ("GCF profile=generic\na=1\n\nThat is it.\n", json!({"a": 1}), vec!["surrounding_text"]),
        ("GCF profile=generic\na=1\n\n  ", json!({"a": 1}), vec!["missing_final_newline"]),
        // One word is no prose, and may be a row too many.
        (
            "GCF profile=generic\n## [2]{a}\n1\n3\n\n5\n",
            json!([{"a": 1}, {"a": 3}, {"a": 5}]),
            vec!["wrong_count"],
        ),
        // Where no count says that it is whole, it may be a row.
        (
            "GCF profile=generic\n## [?]{a}\nAnn\n\nBo Smith\n\nx|y\n",
            json!([{"a": "Ann"}, {"a": "Bo Smith"}]),
            vec!["left_out"],
        ),
        (
            "GCF profile=generic\n## [3]{a}\n1\n\n3\n\nx|y\n",
            json!([{"a": 1}, {"a": 3}]),
            vec!["wrong_count", "left_out"],
        ),
    ] {
        assert_eq!(recovered(answer), (expected, repairs), "{answer}");
    }
}

/// A mention of the header is no value, and hides none (ruling G16).
#[test]
fn a_mention_of_the_header_is_no_value() {
    for mention in [
        "GCF profile=generic is a header.\nSo be it.\n",
        "- GCF profile=generic begins a value.\n",
        "Hello\nGCF profile=generic\nthree words here\n",
        "The header is GCF profile=generic, and rows follow.",
        "A text begins with `GCF profile=generic`.\nIt has rows.\n",
        "```\nGCF profile=generic\n```\nis the header\n",
        "The header is:\n\nGCF profile=generic\n\n# Rows\nRows follow it.\n",
    ] {
        let error = Decoder::new().recover::<Value>(mention).unwrap_err();
        assert_eq!(error.code(), "nothing_to_recover", "{mention}");
    }
    // A mention before the value does not hide it.
    let answer = "The header is\nGCF profile=generic\nas said. Here it is:\n```\nGCF profile=generic\na=1\n```\n";
    assert_eq!(Decoder::new().recover::<Value>(answer).unwrap().0, json!({"a": 1}));
    let answer = "Result: GCF profile=generic\ntags[2]: x,y\n";
    assert_eq!(Decoder::new().recover::<Value>(answer).unwrap().0, json!({"tags": ["x", "y"]}));
    // What looks like the format behind the value is a loss.
    let answer = "```\nGCF profile=generic\na=1\n```\n## rows [2]{a,b}\n1|2\nThat is all.\n";
    let (value, recovery) = Decoder::new().recover::<Value>(answer).unwrap();
    assert_eq!(value, json!({"a": 1}));
    let kinds: Vec<&str> = recovery.repairs.iter().map(|repair| repair.kind.code()).collect();
    assert_eq!(kinds, ["code_fence", "code_fence", "left_out", "left_out", "surrounding_text"]);
    assert_eq!(
        Decoder::new().recover::<Value>("no such thing").unwrap_err().code(),
        "missing_header"
    );
    assert_eq!(
        Decoder::new().recover::<u8>("GCF profile=generic\n=300\n").unwrap_err().code(),
        "invalid_value"
    );
}

/// In square time this takes hours.
#[test]
fn a_long_line_of_headers_ends() {
    for word in ["GCF profile=generic ", "GCF profile=generic\\", "x GCF profile=generic x="] {
        let answer = word.repeat(60_000);
        assert!(Decoder::new().recover::<Value>(&answer).is_err(), "{word}");
    }
}
