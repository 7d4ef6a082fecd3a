//! How errors read.

use std::fmt::Write as _;

use wire_core::{Edge, Payload, Symbol};

#[test]
fn decoding() {
    let good = gcb::to_vec(&Payload {
        tool: "t".into(),
        symbols: vec![Symbol::new("function", "a")],
        edges: vec![Edge::new(0, 0, "calls")],
        ..Payload::default()
    })
    .unwrap();
    let with = |at: usize, bytes: &[u8]| {
        let mut input = good.clone();
        input.splice(at..at + bytes.len(), bytes.iter().copied());
        input
    };
    let mut text = String::new();
    for (what, input) in [
        ("nothing", Vec::new()),
        ("something else", b"{\"tool\":1}".to_vec()),
        ("version 2", with(4, &[2])),
        ("a cut", good[..20].to_vec()),
        (
            "2^60 symbols",
            [&good[..9], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x10, 0]].concat(),
        ),
        ("a million symbols", [&good[..9], &[0xc0, 0x84, 0x3d, 0]].concat()),
        ("an overlong varint", with(7, &[0x80, 0x00])),
        ("a name of 0xff", with(12, &[0xff])),
        ("kind 99", with(13, &[99])),
        ("target 7", with(good.len() - 3, &[7])),
        ("edge type 0", with(good.len() - 2, &[0])),
        ("status 9", with(good.len() - 1, &[9])),
        ("one byte more", [&good[..], &[0]].concat()),
    ] {
        let error = gcb::from_slice(&input).unwrap_err();
        let _ = writeln!(text, "{what}\n    {}: {error}", error.code());
    }
    insta::assert_snapshot!(text);
}

#[test]
fn encoding() {
    let symbol = |symbol: Symbol<'static>| Payload { symbols: vec![symbol], ..Payload::default() };
    let mut word = symbol(Symbol::new("function", "a"));
    word.edges = vec![Edge::new(0, 0, "likes")];
    let mut dangling = symbol(Symbol::new("function", "a"));
    dangling.edges = vec![Edge::new(3, 0, "calls")];
    let mut text = String::new();
    for payload in [
        symbol(Symbol::new("widget", "a")),
        symbol(Symbol::new("function", "a").with_provenance("rwr")),
        symbol(Symbol::new("function", "a").with_distance(256)),
        word,
        dangling,
    ] {
        let error = gcb::to_vec(&payload).unwrap_err();
        let _ = writeln!(text, "{}: {error}", error.code());
    }
    insta::assert_snapshot!(text);
}
