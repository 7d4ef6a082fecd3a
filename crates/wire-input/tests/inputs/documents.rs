//! Tests of what an input is.

use std::time::{Duration, Instant};

use wire_input::wire_registry::Registry;
use wire_input::{Answer, Document, JsonKind, Members, Source};

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

#[test]
fn a_long_line_of_headers_takes_linear_time() {
    for word in ["GCF ", "GCF a=", "GCF profile=generic ", "GCF =GCF =x "] {
        let begin = Instant::now();
        Answer::detect(word.repeat(1_000_000).as_bytes());
        assert!(begin.elapsed() < Duration::from_secs(10), "{word}: {:?}", begin.elapsed());
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

#[cfg(all(feature = "csv", feature = "toml", feature = "yaml"))]
#[test]
fn an_input_is_read_by_what_it_is() {
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default()).unwrap();
    registry.register(gcx::Gcx::default()).unwrap();
    registry.register(goon::Goon::default()).unwrap();
    let payload = r#"{"tool":"t","tokens_used":0,"token_budget":0,"symbols":[]}"#;
    let xml = registry.encode("xml", &registry.decode("json", payload.as_bytes()).unwrap());
    let xml = String::from_utf8(xml.unwrap()).unwrap();
    let query = r#"{"query_type":"search","nodes":[],"edges":[]}"#;
    let goon = goon::json_to_goon(query).unwrap();
    let gcx = gcx::json_to_gcx("rows", r#"[{"a":1}]"#).unwrap();
    for (text, extension, format, content, outcome) in [
        (payload, None, "json", "payload", Ok(payload)),
        ("{ \"query_type\": 7 }", None, "json", "query response", Ok(r#"{"query_type":7}"#)),
        ("[1, 2.50]", None, "json", "value", Ok("[1,2.50]")),
        ("{}\n[1]", None, "jsonl", "value", Ok("[{},[1]]")),
        ("{\n}\n[1]", None, "jsonl", "value", Ok("[{},[1]]")),
        ("--- 1\n", None, "yaml", "value", Ok("1")),
        ("a = 1", Some("TOML"), "toml", "value", Ok(r#"{"a":1}"#)),
        ("a\tb\n1\t2", Some("tab"), "tsv", "value", Ok(r#"[{"a":"1","b":"2"}]"#)),
        ("GCF profile=generic\n=7\n", None, "gcf", "value", Ok("7")),
        ("GCF tool=t budget=0 tokens=0 symbols=0\n", None, "gcf", "payload", Ok(payload)),
        (&xml, None, "xml", "payload", Ok(payload)),
        (&gcx, None, "gcx", "tool response", Ok(r#"[{"a":1}]"#)),
        (&goon, None, "goon", "query response", Ok(query)),
        ("a: [", Some("yml"), "yaml", "value", Err(("yaml_syntax", 1))),
    ] {
        let document = Document::detect(text.as_bytes(), extension, None, &registry);
        assert_eq!(
            (document.format(), document.content()),
            (Some(format), Some(content)),
            "{text}"
        );
        let read = document.read().map(|(value, _)| value.text().to_owned());
        let read = read.map_err(|error| (error.code(), error.position().map_or(0, |at| at.line)));
        assert_eq!(read, outcome.map(str::to_owned), "{text}");
    }
    // Neither is a value by itself.
    let delta = "delta=true base_root=aaa new_root=bbb";
    for (text, content) in [
        (format!("GCF tool=t {delta}\n## added\n@0 fn a 0.50 structural\n"), "delta"),
        (format!("GCF profile=generic {delta} key=id\n"), "keyed set"),
    ] {
        let document = Document::detect(text.as_bytes(), None, None, &registry);
        assert_eq!(document.content(), Some(content));
        assert!(document.read().is_err(), "{text}");
    }
    for (from, format, code) in
        [(None, None, "unknown_input_format"), (Some("markdown"), Some("markdown"), "encode_only")]
    {
        let document = Document::detect(b"# x", None, from, &registry);
        assert_eq!((document.format(), document.content()), (format, None));
        assert_eq!(document.read().unwrap_err().code(), code);
    }
}

#[test]
fn sources_have_the_names_of_the_table() {
    for (name, aliases, _, source) in Source::NAMED {
        assert_eq!(source.name(), *name);
        assert!(aliases.iter().all(|alias| Source::named(alias) == Some(*source)), "{name}");
    }
}
