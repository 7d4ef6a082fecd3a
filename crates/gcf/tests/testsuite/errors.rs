//! How errors read.

use std::fmt::Write as _;

use wire_core::{Edge, Payload, Symbol};

#[test]
fn decoding() {
    let mut text = String::new();
    for input in [
        "",
        "hello",
        "GCF2 tool=t\n",
        "GCF budget=5\n",
        "GCF tool=t budget=many\n",
        "GCF tool=t tool=u\n",
        "GCF tool=t  symbols=0\n",
        "GCF tool=t delta=true\n",
        "GCF profile=generic\n",
        "GCF tool=t symbols=3\n@0 fn a 0.5 x\n",
        "GCF tool=t\n@0 fn a 0.5\n",
        "GCF tool=t\n@0 fn operator new 0.5 x\n",
        "GCF tool=t\n@0\tfn\ta\t0.5\tx\n",
        "GCF tool=t\n@0 fn  a 0.5 x\n",
        "GCF tool=t\n@x fn a 0.5 x\n",
        "GCF tool=t\n@0 fn a high x\n",
        "GCF tool=t\n@0 fn a\u{a0}b 0.5 x\n",
        "GCF tool=t\n@0 fn a 0.5 x\n@0 fn b 0.5 x\n",
        "GCF tool=t\n@0  # previously transmitted\n",
        "GCF tool=t\n## mystery\n",
        "GCF tool=t\nélan\n",
        "GCF tool=t\n@0 fn a 0.5 x\n## edges\n@0< calls\n",
        "GCF tool=t\n@0 fn a 0.5 x\n## edges\n<@0 calls\n",
        "GCF tool=t\n@0 fn a 0.5 x\n## edges\n@0@1 calls\n",
        "GCF tool=t\n@0 fn a 0.5 x\n## edges\n@0<@9 calls\n",
        "GCF tool=t\n@0 fn a 0.5 x\n## edges\n@0<@0\n",
        "GCF tool=t\n@0 fn a 0.5 x\n## edges\n@0<@0 calls added twice\n",
        "GCF tool=t\n@0 fn a 0.5 x\n## edges [two]\n@0<@0 calls\n",
        "GCF tool=t\n@0 fn a 0.5 x\n## edges [2]\n@0<@0 calls\n",
        "GCF tool=t",
    ] {
        let error = gcf::graph::from_str(input).unwrap_err();
        let _ = writeln!(text, "{input:?}\n    {}: {error}", error.code());
    }
    insta::assert_snapshot!(text);
}

#[test]
fn encoding() {
    let symbol = |kind: &'static str, name: &'static str| Payload {
        tool: "t".into(),
        symbols: vec![Symbol::new(kind, name)],
        ..Payload::default()
    };
    let mut nan = symbol("function", "a");
    nan.symbols[0].score = f64::NAN;
    let mut dangling = symbol("function", "a");
    dangling.edges = vec![Edge::new(0, 1, "calls")];
    let mut status = symbol("function", "a");
    status.edges = vec![Edge::new(0, 0, "calls").with_status("just added")];
    let mut text = String::new();
    for payload in [
        Payload::default(),
        symbol("function", "operator new"),
        symbol("function", "two\nlines"),
        symbol("function", ""),
        symbol("fn", "a"),
        nan,
        dangling,
        status,
    ] {
        let error = gcf::graph::to_string(&payload).unwrap_err();
        let _ = writeln!(text, "{}: {error}", error.code());
    }
    insta::assert_snapshot!(text);
}
