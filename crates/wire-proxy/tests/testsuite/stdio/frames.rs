//! What a server answers with the bytes that it got comes back as these bytes.

use std::process::Command;

use proptest::collection::vec;
use proptest::prelude::*;

use super::*;

/// A JSON value, as people and programs write it.
fn value() -> impl Strategy<Value = String> {
    let scalar = prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|is| is.to_string()),
        "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,9})?([eE][+-]?[0-9]{1,2})?",
        "[a-z \u{e9}\u{1f600}/\u{2028}]{0,12}".prop_map(|text| format!("\"{text}\"")),
        Just(r#""a\/b\u00e9\ud83d\n""#.to_owned()),
    ];
    scalar.prop_recursive(4, 24, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..5).prop_map(|items| format!("[ {} ]", items.join(", "))),
            vec(("[a-d]", inner), 0..5).prop_map(|members| {
                let members: Vec<String> = members
                    .into_iter()
                    .map(|(name, value)| format!("\"{name}\": {value}"))
                    .collect();
                format!("{{{}}}", members.join(","))
            }),
        ]
    })
}

/// A line: of the protocol, nearly so, or of nothing. Ids of requests are even, and those of
/// results odd, as the server sends everything back to the client that sent it.
fn line() -> impl Strategy<Value = Vec<u8>> {
    let method = prop::sample::select(vec![
        "tools/call",
        "tools/list",
        "initialize",
        "ping",
        "resources/read",
        "logging/setLevel",
        "notifications/initialized",
        "notifications/cancelled",
        "x",
        "",
    ]);
    let request = (0..50, method, value()).prop_map(|(id, method, params)| {
        format!(r#"{{"jsonrpc":"2.0", "id":{}, "method":"{method}","params":{params}}}"#, 2 * id)
    });
    let result = (0..50, value()).prop_map(|(id, value)| {
        format!(r#"{{"id": {},"jsonrpc":"2.0","result":{{"content":{value}}}}}"#, 2 * id + 1)
    });
    let text = prop_oneof![
        3 => request,
        3 => result,
        2 => value(),
        1 => vec(value(), 0..3).prop_map(|values| values.concat()),
        1 => "[ -~]{0,60}",
        1 => Just(String::new()),
        1 => "[{}\\[\\]\":,x1]{0,30}",
    ];
    let bytes = prop_oneof![
        9 => text.prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..40),
    ];
    let end = prop_oneof![9 => Just("\n"), 1 => Just("\r\n"), 1 => Just(" \n")];
    (bytes, end).prop_map(|(bytes, end)| {
        let mut line: Vec<u8> = bytes.into_iter().filter(|byte| *byte != b'\n').collect();
        line.extend_from_slice(end.as_bytes());
        line
    })
}

proptest! {
    // 28,000 lines.
    #![proptest_config(ProptestConfig { cases: 14, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_back_is_the_same(lines in vec(line(), 1000)) {
        let sent = lines.concat();
        let mut child = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
            .args(["--", "cat"])
            .stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null())
            .spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        let bytes = sent.clone();
        let writer = thread::spawn(move || input.write_all(&bytes));
        let mut got = Vec::new();
        child.stdout.take().unwrap().read_to_end(&mut got).unwrap();
        writer.join().unwrap().unwrap();
        prop_assert!(child.wait().unwrap().success());
        let (got, sent) = (String::from_utf8_lossy(&got), String::from_utf8_lossy(&sent));
        let different = std::iter::zip(got.lines(), sent.lines()).find(|(got, sent)| got != sent);
        prop_assert_eq!(different, None);
        prop_assert_eq!(got.len(), sent.len());
    }
}
