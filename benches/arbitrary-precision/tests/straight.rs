//! JSON text goes straight through as in builds without the feature: to the same texts, with the
//! same errors at the same places.

/// A text, or the code and offset of what is wrong.
type Expected = Result<&'static str, (&'static str, u64)>;

/// JSON texts, and what each becomes.
const GENERIC: &[(&str, Expected)] = &[
    ("[1,-1,0,-0,1.0,1.50,1e2,1E-7,-0.0]", Ok("## [9]: 1,-1,0,0,1,1.5,100,1e-7,0\n")),
    (
        "[9223372036854775807,-9223372036854775808,1e20]",
        Ok("## [3]: 9223372036854775807,-9223372036854775808,1e+20\n"),
    ),
    ("9223372036854775808.0", Ok("=9.223372036854776e+18\n")),
    ("{\"$serde_json::private::Number\":\"1\"}", Ok("\"$serde_json::private::Number\"=\"1\"\n")),
    ("{\"\\u0024serde_json::private::Number\":\"x\"}", Ok("\"$serde_json::private::Number\"=x\n")),
    ("[1,9223372036854775808]", Err(("out_of_range", 3))),
    ("[-9223372036854775809]", Err(("out_of_range", 1))),
    ("[\"1e400\",1e400]", Err(("out_of_range", 9))),
    ("{\"a\":1,\"a\":2}", Err(("duplicate_key", 7))),
    ("[1,", Err(("json_syntax", 3))),
    ("[1.]", Err(("json_syntax", 3))),
];

#[test]
fn texts_of_the_generic_profile() {
    for (json, expected) in GENERIC {
        let found = gcf::generic::from_json(json);
        let found = found.map_err(|error| {
            (error.code(), error.position().map_or(u64::MAX, |position| position.offset))
        });
        let expected = expected.map(|text| format!("GCF profile=generic\n{text}"));
        assert_eq!(found, expected, "{json}");
        if let Ok(text) = found {
            let back = gcf::generic::to_json(&text).expect("because it was written");
            assert_eq!(gcf::generic::from_json(&back).as_deref().ok(), Some(&*text), "{back}");
        }
    }
    assert_eq!(
        gcf::generic::to_json("GCF profile=generic\n## [3]: 1,1.5,1e+20\n").expect("it is a text"),
        "[1,1.5,1e+20]"
    );
}

#[test]
fn rows_of_gcx() {
    let json =
        r#"[{"a":18446744073709551616,"b":1.0,"c":-0,"d":1e2},{"a":1,"b":2.50,"c":0.5,"d":1}]"#;
    let plain = gcx::from_json("t", json).expect("it is JSON");
    assert_eq!(
        plain,
        "GCX1 tool=t fields=a,b,c,d rows=2\n18446744073709551616\t1\t0\t100\n1\t2.5\t0.5\t1\n"
    );
    let typed = gcx::from_json_typed("t", json).expect("it is JSON");
    assert_eq!(
        typed,
        "GCX1 tool=t fields=a,b,c,d rows=2 typed=objects:integer,float,float,json\n18446744073709551616\t1\t-0\t100.0\n1\t2.5\t0.5\t1\n"
    );
    let back = gcx::to_json(&typed).expect("because it was written");
    assert_eq!(gcx::from_json_typed("t", &back).expect("it is JSON"), typed);
    let shorter = json.replace("18446744073709551616", "7");
    let exact: gcx::json::Exact = shorter.parse().expect("it is JSON");
    assert_eq!(gcx::from_json("t", &shorter).ok(), gcx::encode_response("t", &exact).ok());
    assert_eq!(gcx::from_json_typed("t", &shorter).ok(), gcx::encode_typed("t", &exact).ok());
    let error = gcx::from_json("t", "[{\"a\":1e400}]").expect_err("no double is as large");
    assert_eq!(
        (error.code(), error.position().map(|position| position.offset)),
        ("out_of_range", Some(6))
    );
}
