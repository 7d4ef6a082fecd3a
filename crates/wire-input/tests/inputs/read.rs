//! An input is read by what it is.

use wire_input::Document;
use wire_input::wire_registry::Registry;

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
