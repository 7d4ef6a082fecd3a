//! Tests of what an input is.

use wire_input::{Answer, JsonKind, Members, Source};

#[test]
fn answers_are_told_by_their_first_header() {
    for (text, is_value) in [
        ("GCF profile=generic\na=1\n", true),
        ("> GCF profile=generic\r\na=1\n", true),
        ("GCF is a format\nGCF profile=generic x=1\na=1", true),
        ("GCF tool=t\nGCF profile=generic\n", false),
        ("GCF profile=generic", true),
        ("the header `GCF profile=generic` is missing", true),
        ("GCF ", false),
        ("", false),
    ] {
        assert_eq!(Answer::detect(text.as_bytes()) == Answer::Value, is_value, "{text}");
    }
}

/// In square time this takes hours.
#[test]
fn a_long_line_of_headers_ends() {
    for word in ["GCF ", "GCF a=", "GCF profile=generic ", "GCF =GCF =x "] {
        Answer::detect(word.repeat(300_000).as_bytes());
    }
}

#[test]
fn unknown_members_at_every_depth() {
    for (json, expected) in [
        (r#"{"tool":"t","symbols":[{"kind":"x","components":{"recency":1}}],"edges":null}"#, None),
        (r#"{"tool":{"a":1},"trace":[1,{}]}"#, Some("trace is")),
        (
            r#"{"symbols":[{},{"file":"x","line":2}],"edges":[{"from":1}]}"#,
            Some("symbols[1].file and 2 more members are"),
        ),
        (
            r#"{"symbols":[{"components":{"pagerank":0.5}}]}"#,
            Some("symbols[0].components.pagerank is"),
        ),
        ("[1", None),
        (r#"{"symbols":7,"edges":[3,"x",true,null,1.5,-1]}"#, None),
    ] {
        let left_out =
            expected.map(|members| format!("{members} left out: a payload has no such members"));
        assert_eq!(Members::of(json.as_bytes()).left_out(), left_out, "{json}");
    }
}

#[test]
fn members_tell_what_json_is() {
    use JsonKind::{AlmostPayload, Other, Payload, PayloadWithMore, Query, Several};
    for (json, expected) in [
        (r#"{"tool":"t","symbols":[]}"#, Payload),
        (r#"{"symbols":[{}],"tool":1,"edges":7}"#, Payload),
        (r#"{"tool":"t","symbols":[{"file":"x"}]}"#, PayloadWithMore),
        (r#"{"tool":"t","symbols":[],"edges":[{"from":"x"}]}"#, PayloadWithMore),
        (r#"{"tool":"t","symbols":[],"trace":1}"#, AlmostPayload),
        (r#"{"tool":"t","symbols":{}}"#, AlmostPayload),
        // If a member is repeated, the last one counts, as in most readers.
        (r#"{"tool":"t","symbols":[],"symbols":7}"#, AlmostPayload),
        (r#"{"tool":"t","symbols":7,"symbols":[]}"#, Payload),
        (r#"{"tool":"t"}"#, AlmostPayload),
        (r#"{"symbols":[]}"#, AlmostPayload),
        (r#"{"query_type":"search"}"#, Query),
        (r#"{"tool":"t","symbols":[],"query_type":7}"#, Query),
        (r#"{"edges":[]}"#, Other),
        ("{\n}\n{\"a\":", Several),
        ("[1][2]", Several),
        ("{} x", Other),
        ("{}", Other),
        ("[1]", Other),
        (r#"{"tool":"t","symbols":[]"#, Other),
        ("", Other),
    ] {
        assert_eq!(Members::of(json.as_bytes()).kind(), expected, "{json}");
    }
}

#[test]
fn sources_have_the_names_of_the_table() {
    for (name, aliases, _, source) in Source::NAMED {
        assert_eq!(source.name(), *name);
        assert!(aliases.iter().all(|alias| Source::named(alias) == Some(*source)), "{name}");
    }
}
