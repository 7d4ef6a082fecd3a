//! The frames that go out for those that come in.

#![allow(clippy::unwrap_used)] // helpers of tests

use std::borrow::Cow;
use std::slice;

use wire_mcp::{CallRecord, Format, Left, Limits, Options, Policy, Proxy, Rule, Structured};

use crate::COUNTER;

const ROWS: &str =
    r#"[ {"id": 1, "name": "alpha"}, {"id": 2, "name": "beta"}, {"id": 3, "name": "gamma"} ]"#;

fn options() -> Options {
    Options::new(COUNTER).statistics(true)
}

fn dropping() -> Options {
    options().structured(Structured::Drop)
}

/// A call of a tool with this id, as the client sends it.
fn call(proxy: &Proxy, id: &str, tool: &str) {
    let frame = format!(
        r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"name":"{tool}"}}}}"#
    );
    assert_eq!(&*proxy.from_client(frame.as_bytes()).frame, frame.as_bytes());
}

/// The client's frame for this frame of the server.
fn answered(proxy: &Proxy, frame: &str) -> (String, Vec<CallRecord>) {
    let actions = proxy.from_server(frame.as_bytes());
    (String::from_utf8(actions.frame.into_owned()).unwrap(), actions.calls)
}

fn passes(proxy: &Proxy, frame: &str) {
    assert!(matches!(proxy.from_server(frame.as_bytes()).frame, Cow::Borrowed(_)), "{frame}");
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quoted(text))
}

/// An answer with these blocks, and with `structuredContent` if there is some.
fn answer(id: &str, blocks: &[String], structured: Option<&str>) -> String {
    let structured =
        structured.map_or(String::new(), |raw| format!(r#","structuredContent":{raw}"#));
    format!(
        r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{}]{structured}}}}}"#,
        blocks.join(",")
    )
}

/// A list of tools that have an `outputSchema`, as the client gets it.
fn list(proxy: &Proxy, tools: &[&str]) -> String {
    let request = r#"{"jsonrpc":"2.0","id":"list","method":"tools/list"}"#;
    proxy.from_client(request.as_bytes());
    let tools: Vec<String> = tools
        .iter()
        .map(|tool| format!(r#"{{"name":"{tool}","inputSchema":{{"type":"object"}},"outputSchema":{{"type":"object"}}}}"#))
        .collect();
    let frame =
        format!(r#"{{"jsonrpc":"2.0","id":"list","result":{{"tools":[{}]}}}}"#, tools.join(","));
    answered(proxy, &frame).0
}

#[test]
fn only_the_text_changes() {
    let proxy = Proxy::new(options());
    call(&proxy, "7", "search");
    let frame = format!(
        "{{ \"x\\u0041\" : 12345678901234567890123 ,\"id\":7, \"jsonrpc\":\"2.0\",\"result\" : {{ \"content\" :[ {{\"vendor\":[1.50], \"type\":\"text\",\"text\": {} }},{{\"type\":\"hologram\"}} ] ,\"_meta\":{{\"a\":1e400}} }} }}",
        quoted(ROWS)
    );
    let (out, calls) = answered(&proxy, &frame);
    let [call] = calls.as_slice() else { panic!("{calls:?}") };
    assert!(call.content.went < call.content.minified && call.content.minified < call.content.came);
    let written = match call.formats.as_slice() {
        [Format::Gcx] => {
            gcx::encode_response("search", &ROWS.parse::<gcx::json::Exact>().unwrap()).unwrap()
        }
        [Format::Gcf] => {
            gcf::to_string(&serde_json::from_str::<serde_json::Value>(ROWS).unwrap()).unwrap()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(out, frame.replace(&quoted(ROWS), &quoted(&written)));
}

#[test]
fn what_is_not_such_an_answer_passes() {
    let proxy = Proxy::new(dropping());
    let rows = text_block(ROWS);
    let rows = std::slice::from_ref(&rows);
    // Nobody asked; or it was asked with another id.
    passes(&proxy, &answer("1", rows, None));
    call(&proxy, "1", "t");
    passes(&proxy, &answer("\"1\"", rows, None));
    passes(&proxy, &answer("null", rows, None));
    for changed in [
        answer("1", rows, None).replace("\"content\"", "\"isError\":true,\"content\""),
        answer("1", rows, None)
            .replace("\"content\"", "\"resultType\":\"input_required\",\"content\""),
        answer("1", rows, None).replace("\"content\"", "\"content\":[],\"content\""),
        answer("1", rows, None).replace("\"type\"", "\"type\":\"text\",\"type\""),
        answer("1", rows, None).replace("\"type\"", "\"annotations\":{},\"type\""),
        answer("1", rows, None).replace("\"type\"", "\"_meta\":{\"a\":1},\"type\""),
        answer("1", rows, None).replace("\"text\",", "\"image\","),
        answer("1", rows, None).replace("\"content\"", "\"contents\""),
        answer("1", &[text_block("{\"a\":1, \"a\":1}")], None),
        answer("1", &[text_block("{\"content\": \"some  text\"}")], None),
        answer("1", &[text_block(ROWS)], Some("{\"content\": \"some  text\"}")),
        answer("1", &[text_block("plain")], None),
        answer("1", &[text_block("{}")], None),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"[ 1 ]\"}}".to_owned(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"sampling/createMessage\"}".to_owned(),
        "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}".to_owned(),
    ] {
        let proxy = Proxy::new(dropping());
        call(&proxy, "1", "t");
        passes(&proxy, &changed);
    }
    for banner in ["", "Server ready", "1", "\u{feff}{}"] {
        let proxy = Proxy::new(options());
        let actions = proxy.from_server(banner.as_bytes());
        assert!(actions.is_not_json && &*actions.frame == banner.as_bytes(), "{banner:?}");
    }
    assert!(Proxy::new(options()).from_server(b"{\"a\":\xff}").is_not_json);
    assert!(Proxy::new(options()).from_server(b"{\"a\":").is_not_json);
    assert!(!Proxy::new(options()).from_server(b"{\"a\":1,\"a\":2}").is_not_json);
}

#[test]
fn answers_come_in_any_order_and_in_batches() {
    let proxy = Proxy::new(options());
    let batch = r#"[{"id":1,"method":"tools/call","params":{"name":"a"}},{"method":"x"},{"id":"1","method":"tools/call","params":{"name":"b"}},{"id":2.0,"method":"ping"}]"#;
    assert!(matches!(proxy.from_client(batch.as_bytes()).frame, Cow::Borrowed(_)));
    let rows = [text_block(ROWS)];
    let other = r#"{"id":2,"result":{}}"#;
    let frame =
        format!("[{},{other} , {}]", answer("\"1\"", &rows, None), answer("1.0", &rows, None));
    let (out, calls) = answered(&proxy, &frame);
    let tools: Vec<&str> = calls.iter().map(|call| &*call.tool).collect();
    assert_eq!(tools, ["b", "a"]);
    assert!(out.len() < frame.len() && out.contains(&format!("}},{other} , {{")));
    passes(&proxy, &answer("1", &rows, None));
}

#[test]
fn two_requests_of_one_id_are_not_told_apart() {
    let proxy = Proxy::new(options());
    call(&proxy, "1", "a");
    call(&proxy, "1", "read_a");
    passes(&proxy, &answer("1", &[text_block(ROWS)], None));
    passes(&proxy, &answer("1", &[text_block(ROWS)], None));
    call(&proxy, "1", "a");
    assert_eq!(answered(&proxy, &answer("1", &[text_block(ROWS)], None)).1.len(), 1);
}

#[test]
fn schemas_go_and_then_structured_content() {
    let proxy = Proxy::new(dropping());
    let rows = [text_block(ROWS)];
    let structured = format!("{{\"result\": {ROWS}}}");
    // Not listed yet: it stays.
    call(&proxy, "1", "search");
    assert!(
        answered(&proxy, &answer("1", &rows, Some(&structured))).0.contains("structuredContent")
    );
    let listed = list(&proxy, &["search", "read_file"]);
    assert_eq!(listed.matches("outputSchema").count(), 1, "{listed}");
    call(&proxy, "1", "search");
    let (out, calls) = answered(&proxy, &answer("1", &rows, Some(&structured)));
    assert!(!out.contains("structuredContent") && calls[0].dropped, "{out}");
    assert_eq!(calls[0].both().went, calls[0].content.went);
    // Another value: it stays, and the text is still rewritten.
    call(&proxy, "1", "search");
    let (out, calls) = answered(&proxy, &answer("1", &rows, Some("{\"result\":[]}")));
    assert!(out.contains(",\"structuredContent\":{\"result\":[]}") && !calls[0].dropped);
    assert!(!calls[0].formats.is_empty());
    // The tool is named verbatim.
    call(&proxy, "1", "read_file");
    passes(&proxy, &answer("1", &rows, Some(&structured)));
}

#[test]
fn a_text_with_annotations_proves_nothing() {
    // It may be for the user only, so the model would see nothing.
    let block = format!(
        r#"{{"type":"text","text":{},"annotations":{{"audience":["user"]}}}}"#,
        serde_json::Value::from(ROWS)
    );
    let structured = format!("{{\"result\":{ROWS}}}");
    for blocks in [vec![block.clone()], vec![block, text_block(ROWS)]] {
        let proxy = Proxy::new(dropping());
        list(&proxy, &["search"]);
        call(&proxy, "1", "search");
        let (out, _) = answered(&proxy, &answer("1", &blocks, Some(&structured)));
        assert!(out.contains("structuredContent"), "{out}");
    }
}

#[test]
fn a_list_that_was_not_seen_keeps_structured_content() {
    let structured = format!("{{\"result\":{ROWS}}}");
    let frame = answer("1", &[text_block(ROWS)], Some(&structured));
    for unseen in [
        r#"{"id":"nobody's","result":{"tools":[]}}"#,
        r#"{"id":"list","id":"list","result":{}}"#,
        r#"{"id":"list","result":{"tools":[{"name":"search","name":"search"}]}}"#,
        r#"{"id":"list","result":{"tools":[{"name":"search","x":NaN}]}}"#,
        r#"{"id":"list","result":{"\u0074ools":[broken"#,
        r#"[{"id":"list","result":{"tools":[NaN]}}]"#,
    ] {
        let proxy = Proxy::new(dropping());
        list(&proxy, &["search"]);
        proxy.from_client(br#"{"id":"list","method":"tools/list"}"#);
        passes(&proxy, unseen);
        call(&proxy, "1", "search");
        assert!(answered(&proxy, &frame).0.contains("structuredContent"), "{unseen}");
    }
    // The same in a frame that is not UTF-8.
    let proxy = Proxy::new(dropping());
    list(&proxy, &["search"]);
    proxy.from_server(b"{\"id\":\"list\",\"result\":{\"tools\":[],\"x\":\"\xff\"}}");
    call(&proxy, "1", "search");
    assert!(answered(&proxy, &frame).0.contains("structuredContent"));
    // It was listed between the call and its answer: what the client saw before counts, too.
    let proxy = Proxy::new(dropping());
    call(&proxy, "1", "search");
    list(&proxy, &["search"]);
    assert!(answered(&proxy, &frame).0.contains("structuredContent"));
    let proxy = Proxy::new(dropping());
    list(&proxy, &["search"]);
    call(&proxy, "1", "search");
    proxy.server_passed(&[]);
    assert!(answered(&proxy, &frame).0.contains("structuredContent"));
}

#[test]
fn what_can_not_be_a_list_of_tools_changes_nothing() {
    let structured = format!("{{\"result\":{ROWS}}}");
    let frame = answer("1", &[text_block(ROWS)], Some(&structured));
    for other in [
        "[INFO] ready",
        "[2026-11-24 10:00:00] tools are loaded",
        "[1, 2]",
        "[]",
        "{broken",
        r#"{"level":"info","x":NaN}"#,
        r#"{"id":"ping","result":null}"#,
        r#"{"id":"nobody's","result":null}"#,
        r#"{"id":"list","result":null}"#,
        r#"{"id":"list","result":"tools"}"#,
        r#"{"id":"list","error":{"code":-32603,"message":"later"}}"#,
    ] {
        let proxy = Proxy::new(dropping().format_argument(true));
        list(&proxy, &["search"]);
        proxy.from_client(br#"{"id":"ping","method":"ping"}"#);
        proxy.from_client(br#"{"id":"list","method":"tools/list"}"#);
        passes(&proxy, other);
        call(&proxy, "1", "search");
        assert!(!answered(&proxy, &frame).0.contains("structuredContent"), "{other}");
    }
}

#[test]
fn the_argument_is_taken_out_also_after_a_list_that_was_not_seen() {
    let proxy = Proxy::new(options().format_argument(true));
    list(&proxy, &["search"]);
    proxy.server_passed(&[]);
    let sent = r#"{"id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":1,"format":"gcf"}}}"#;
    let actions = proxy.from_client(sent.as_bytes());
    assert_eq!(String::from_utf8_lossy(&actions.frame), sent.replace(",\"format\":\"gcf\"", ""));
    // Under the policy `off` for answers, too, nothing is added and nothing is taken out.
    let proxy = Proxy::new(options().format_argument(true).policy(Policy::Off));
    assert!(list(&proxy, &["search"]).contains("outputSchema"));
    assert!(matches!(proxy.from_client(sent.as_bytes()).frame, Cow::Borrowed(_)));
}

#[test]
fn requests_that_get_no_answer_are_forgotten() {
    let rows = [text_block(ROWS)];
    let call_again = |proxy: &Proxy| {
        call(proxy, "1", "a");
        assert_eq!(answered(proxy, &answer("1", &rows, None)).1.len(), 1);
    };
    let proxy = Proxy::new(options());
    call(&proxy, "1", "a");
    let cancelled =
        br#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.0}}"#;
    assert!(matches!(proxy.from_client(cancelled).frame, Cow::Borrowed(_)));
    call_again(&proxy);
    // A frame that the server did not get, and that is sent again.
    let proxy = Proxy::new(options());
    call(&proxy, "1", "a");
    proxy.not_sent(br#"[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}]"#);
    call_again(&proxy);
    // What is answered by the client is not its own request.
    call(&proxy, "1", "a");
    proxy.not_sent(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#);
    assert_eq!(answered(&proxy, &answer("1", &rows, None)).1.len(), 1);
}

#[test]
fn an_id_whose_answer_was_unreadable_is_closed() {
    let rows = [text_block(ROWS)];
    for unread in [
        r#"{"jsonrpc":"2.0","id":1,"result":{},"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}"#,
        r#"[{"jsonrpc":"2.0","id":1,"result":{"x":NaN}}]"#,
        r#"{"jsonrpc":"2.0","id":1,"error":{"#,
    ] {
        let proxy = Proxy::new(options());
        call(&proxy, "1", "a");
        passes(&proxy, unread);
        call(&proxy, "1", "a");
        assert_eq!(answered(&proxy, &answer("1", &rows, None)).1.len(), 1, "{unread}");
    }
    // So is one that passed in pieces, of which the first is known.
    let proxy = Proxy::new(options());
    call(&proxy, "1", "a");
    proxy.server_passed(br#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te"#);
    call(&proxy, "1", "a");
    assert_eq!(answered(&proxy, &answer("1", &rows, None)).1.len(), 1);
    // A request of the server has an id of its own.
    call(&proxy, "1", "a");
    passes(&proxy, r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":NaN}"#);
    assert_eq!(answered(&proxy, &answer("1", &rows, None)).1.len(), 1);
}

#[test]
fn null_is_absent() {
    let rows = [text_block(ROWS)];
    let frame = answer("1", &rows, None);
    for changed in [
        frame.replace("\"result\"", "\"error\":null,\"result\""),
        frame.replace("\"content\"", "\"isError\":null,\"content\""),
        answer("1", &rows, Some("null")),
    ] {
        let proxy = Proxy::new(options());
        call(&proxy, "1", "search");
        let (out, calls) = answered(&proxy, &changed);
        assert!(calls[0].content.went < calls[0].content.minified, "{changed}");
        assert!(calls[0].structured.is_none() && out.contains("null"));
    }
}

#[test]
fn no_line_ends_within_a_frame() {
    // Each is escaped in the frame, where some readers would end the line.
    let rows = r#"{"long": "x\u2028y\u2029z\u0085", "enough": "y"}, "#.repeat(9);
    let text = &format!("[ {rows}{{\"long\": \"b\", \"enough\": \"c\"}} ]");
    for formats in [&[Format::Json][..], &[Format::Gcf], &[Format::Gcx]] {
        let proxy = Proxy::new(options().formats(formats));
        call(&proxy, "1", "search");
        let (out, calls) = answered(&proxy, &answer("1", &[text_block(text)], None));
        assert_eq!(calls[0].formats, formats, "{out}");
        assert!(!out.contains(['\u{2028}', '\u{2029}', '\u{85}']), "{out}");
        let out: serde_json::Value = serde_json::from_str(&out).unwrap();
        let written = out["result"]["content"][0]["text"].as_str().unwrap();
        assert!(written.contains("x\u{2028}y\u{2029}z\u{85}"), "{written}");
    }
}

#[test]
fn blocks_are_merged_only_if_they_are_a_list() {
    let merges = |blocks: &[&str], structured: Option<&str>| {
        let proxy = Proxy::new(dropping());
        list(&proxy, &["items"]);
        call(&proxy, "1", "items");
        let blocks: Vec<String> = blocks.iter().map(|block| text_block(block)).collect();
        let (out, calls) = answered(&proxy, &answer("1", &blocks, structured));
        assert_eq!(calls[0].merged, out.matches("\"type\":\"text\"").count() < blocks.len());
        calls[0].merged
    };
    let rows: Vec<String> =
        (0..8).map(|n| format!("{{ \"id\" : {n} , \"name\" : \"item {n}\" }}")).collect();
    let rows: Vec<&str> = rows.iter().map(|row| &**row).collect();
    let items = format!("[{}]", rows.join(","));
    assert!(merges(&rows, Some(&format!("{{\"result\":{items}}}"))));
    // Rows without `structuredContent`, as servers without an output schema send them.
    assert!(merges(&rows, None));
    let first = r#"{ "total" : 2 , "page" : 1 }"#;
    assert!(!merges(&[&[first], &*rows].concat(), None));
    assert!(!merges(&["[ 1 , 2 ]", "[ 3 , 4 ]"], None));
    assert!(!merges(&["{ }", "{ }"], None));
    // Another value, or a name more.
    for other in ["{\"result\":[]}", "{\"total\":2}", &format!("{{\"items\":{items}}}")] {
        assert!(!merges(&rows, Some(other)), "{other}");
    }
    // Texts that a model has to quote exactly.
    let wraps = [r#"{ "content" : "some  text" }"#, r#"{ "content" : "another" }"#];
    let items = format!("{{\"result\":[{},{}]}}", wraps[0], wraps[1]);
    assert!(!merges(&wraps, Some(&items)) && !merges(&wraps, None));
    let proxy = Proxy::new(dropping());
    list(&proxy, &["items"]);
    for (block, structured) in [
        (wraps[0], format!("{{\"result\":{}}}", wraps[0])),
        (&*format!("[ {} , {} ]", wraps[0], wraps[1]), items),
    ] {
        call(&proxy, "1", "items");
        passes(&proxy, &answer("1", &[text_block(block)], Some(&structured)));
    }
}

#[test]
fn blocks_of_a_list_become_one() {
    let items: Vec<String> = (0..12)
        .map(|n| {
            format!(
                "{{\n  \"id\": {n},\n  \"name\": \"item {n}\",\n  \"tags\": [\n    \"a\"\n  ]\n}}"
            )
        })
        .collect();
    let blocks: Vec<String> = items.iter().map(|item| text_block(item)).collect();
    let structured = format!("{{\"result\":[{}]}}", items.join(","));
    let proxy = Proxy::new(dropping());
    list(&proxy, &["items"]);
    for structured in [None, Some(&*structured)] {
        call(&proxy, "1", "items");
        let (out, calls) = answered(&proxy, &answer("1", &blocks, structured));
        assert!(calls[0].merged && calls[0].dropped == structured.is_some(), "{out}");
        assert!(calls[0].content.went * 10 < calls[0].content.came * 6, "{:?}", calls[0]);
        assert_eq!(out.matches("\"type\":\"text\"").count(), 1);
    }
    // A list of one stays where the list would use more tokens than its item does as minified JSON.
    call(&proxy, "1", "items");
    let one = format!("{{\"result\":[{}]}}", items[0]);
    let (out, calls) = answered(&proxy, &answer("1", &blocks[..1], Some(&one)));
    assert!(
        !calls[0].dropped && out.ends_with(&format!("\"structuredContent\":{one}}}}}")),
        "{out}"
    );
    // Else its text becomes the list, since the item alone does not say that it is one.
    call(&proxy, "1", "items");
    let rows: Vec<String> =
        (0..20).map(|n| format!("{{\"id\": {n}, \"name\": \"item {n}\"}}")).collect();
    let item = format!("{{\"rows\": [{}]}}", rows.join(", "));
    let one = format!("{{\"result\":[{item}]}}");
    let (out, calls) = answered(&proxy, &answer("1", &[text_block(&item)], Some(&one)));
    assert!(calls[0].dropped && calls[0].merged, "{out}");
    let out: serde_json::Value = serde_json::from_str(&out).unwrap();
    let text = out["result"]["content"][0]["text"].as_str().unwrap();
    let back: serde_json::Value = match calls[0].formats[..] {
        [Format::Gcf] => gcf::from_str(text).unwrap(),
        [Format::Gcx] => gcx::decode_response(text).unwrap(),
        _ => panic!("{text}"),
    };
    assert_eq!(back, serde_json::from_str::<serde_json::Value>(&one).unwrap()["result"]);
    // Texts that are items of a list.
    call(&proxy, "1", "items");
    let (out, calls) = answered(
        &proxy,
        &answer("1", &[text_block("one"), text_block("5")], Some(r#"{"result":["one","5"]}"#)),
    );
    assert!(calls[0].dropped && !out.contains("structuredContent"), "{out}");
    // A block with a member of its own is not an item.
    call(&proxy, "1", "items");
    let own = blocks[0].replace("\"type\"", "\"own\":1,\"type\"");
    let (out, calls) = answered(&proxy, &answer("1", &[own, blocks[1].clone()], None));
    assert!(!calls[0].merged && out.contains("\"own\":1"));
}

#[test]
fn the_argument_is_added_and_taken_out() {
    let proxy = Proxy::new(options().format_argument(true));
    let listed = list(&proxy, &["search"]);
    assert!(
        listed.contains(
            r#""properties":{"format":{"type":"string","enum":["auto","json","gcf","gcx"]"#
        )
    );
    assert!(listed.contains("outputSchema"));
    for (format, expected) in
        [("json", None), ("gcf", Some(Format::Gcf)), ("gcx", Some(Format::Gcx))]
    {
        let sent = format!(
            r#"{{"id":1,"method":"tools/call","params":{{"name":"search","arguments":{{"q":1 ,"format":"{format}"}}}}}}"#
        );
        let actions = proxy.from_client(sent.as_bytes());
        let gone =
            r#"{"id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":1}}}"#;
        assert_eq!(String::from_utf8_lossy(&actions.frame), gone);
        let structured = format!("{{\"result\":{ROWS}}}");
        let (_, calls) = answered(&proxy, &answer("1", &[text_block(ROWS)], Some(&structured)));
        assert_eq!(calls[0].formats.first().copied(), expected);
    }
    // A tool that was not listed has the argument for itself.
    let sent =
        br#"{"id":1,"method":"tools/call","params":{"name":"other","arguments":{"format":"gcf"}}}"#;
    assert!(matches!(proxy.from_client(sent).frame, Cow::Borrowed(_)));
    // A schema with the property, or with rules of its own, stays as it is.
    for schema in [
        r#"{"type":"object","properties":{"format":{}}}"#,
        r#"{"type":"object","oneOf":[]}"#,
        r#"{"properties":{}}"#,
        "true",
    ] {
        proxy.from_client(br#"{"id":2,"method":"tools/list"}"#);
        passes(
            &proxy,
            &format!(r#"{{"id":2,"result":{{"tools":[{{"name":"x","inputSchema":{schema}}}]}}}}"#),
        );
    }
}

#[test]
fn policies_and_limits() {
    let rows = [text_block(ROWS)];
    let frame = answer("1", &rows, None);
    let small = Limits::DEFAULT.with_text_bytes(40);
    for options in [
        options().policy(Policy::Off),
        options().rule(Rule::new().tools("s*").unwrap().policy(Policy::Off)),
        options().rule(Rule::new().clients("my-*").unwrap().verbatim(true)),
        options().formats(&[]),
        options().limits(small),
        options().limits(Limits::DEFAULT.with_frame_bytes(100)),
        options().dry_run(true),
    ] {
        let proxy = Proxy::new(options);
        proxy.from_client(
            br#"{"id":0,"method":"initialize","params":{"clientInfo":{"name":"my-client"}}}"#,
        );
        call(&proxy, "1", "search");
        passes(&proxy, &frame);
    }
    let proxy = Proxy::new(options().dry_run(true));
    call(&proxy, "1", "search");
    let (_, calls) = answered(&proxy, &frame);
    assert!(calls[0].content.went < calls[0].content.came);
}

#[test]
fn the_same_frames_are_the_same_bytes_and_nothing_is_rewritten_twice() {
    let frame =
        answer("1", &[text_block(ROWS), text_block("{ \"a\" : 1 }"), text_block("x")], None);
    let once = |frame: &str| {
        let proxy = Proxy::new(options());
        call(&proxy, "1", "search");
        answered(&proxy, frame).0
    };
    let out = once(&frame);
    assert_eq!(out, once(&frame));
    assert_eq!(out, once(&out));
}

/// A list as a server sends it, without schemas.
fn plain_list(proxy: &Proxy, tools: &[&str]) {
    proxy.from_client(br#"{"id":"list","method":"tools/list"}"#);
    let tools: Vec<String> = tools.iter().map(|name| format!(r#"{{"name":"{name}"}}"#)).collect();
    passes(proxy, &format!(r#"{{"id":"list","result":{{"tools":[{}]}}}}"#, tools.join(",")));
}

#[test]
fn what_no_schema_declares_may_go() {
    let frame = answer("1", &[text_block(ROWS)], Some(&format!("{{\"result\":{ROWS}}}")));
    let proxy = Proxy::new(dropping());
    plain_list(&proxy, &["search"]);
    call(&proxy, "1", "search");
    assert!(!answered(&proxy, &frame).0.contains("structuredContent"));
    // A tool that the client was not listed could have a schema.
    call(&proxy, "1", "other");
    assert!(answered(&proxy, &frame).0.contains("structuredContent"));
    let proxy = Proxy::new(dropping()).for_one_exchange();
    plain_list(&proxy, &["search"]);
    call(&proxy, "1", "search");
    assert!(answered(&proxy, &frame).0.contains("structuredContent"));
}

#[test]
fn the_arguments_of_a_call_say_that_a_file_is_read() {
    for (arguments, is_kept) in [(r#"{"path":"a.json"}"#, true), (r#"{"path":"a.rs"}"#, false)] {
        let proxy = Proxy::new(options());
        let frame = format!(
            r#"{{"id":1,"method":"tools/call","params":{{"name":"t","arguments":{arguments}}}}}"#
        );
        proxy.from_client(frame.as_bytes());
        let frame = answer("1", &[text_block(ROWS)], None);
        assert_eq!(answered(&proxy, &frame).0 == frame, is_kept, "{arguments}");
    }
}

#[test]
fn results_of_tasks_are_those_of_their_calls() {
    let result = answer("2", &[text_block(ROWS)], Some(&format!("{{\"result\":{ROWS}}}")));
    let inner = &result[result.find("{\"content\"").unwrap()..result.len() - 1];
    let get = format!(
        r#"{{"jsonrpc":"2.0","id":2,"result":{{"resultType":"complete","taskId":"t","status":"completed","result":{inner}}}}}"#
    );
    for (created, method, answer) in [
        (r#"{"task":{"taskId":"t","status":"working"}}"#, "tasks/result", &result),
        (r#"{"resultType":"task","taskId":"t","status":"working"}"#, "tasks/get", &get),
    ] {
        let proxy = Proxy::new(dropping());
        plain_list(&proxy, &["search", "read_file"]);
        let poll = |id: &str| {
            let params = format!(r#"{{"taskId":"{id}"}}"#);
            let frame = format!(r#"{{"id":2,"method":"{method}","params":{params}}}"#);
            proxy.from_client(frame.as_bytes());
        };
        call(&proxy, "1", "search");
        passes(&proxy, &format!(r#"{{"id":1,"result":{created}}}"#));
        poll("t");
        passes(&proxy, r#"{"id":2,"result":{"taskId":"t","status":"working"}}"#);
        poll("t");
        let (out, calls) = answered(&proxy, answer);
        assert!(out.contains("GCF profile=generic") && !out.contains("structuredContent"), "{out}");
        assert_eq!((calls.len(), &*calls[0].tool), (1, "search"));
        // What is not known stays, and so does what its tool leaves alone.
        poll("other");
        passes(&proxy, answer);
        call(&proxy, "1", "read_file");
        passes(&proxy, &format!(r#"{{"id":1,"result":{created}}}"#));
        poll("t");
        passes(&proxy, answer);
    }
}

#[test]
fn a_record_says_why_a_result_was_left_alone() {
    let rows = text_block(ROWS);
    let prose = text_block("no JSON at all");
    let wrapped = text_block(r#"{"content":"a text"}"#);
    let short = text_block("[1,2]");
    let widget = r#"{"id":1,"result":{"content":[],"_meta":{"ui":{"resourceUri":"ui://a"}}}}"#;
    let error = r#"{"id":1,"result":{"content":[],"isError":true}}"#;
    for (tool, frame, left) in [
        ("search", answer("1", slice::from_ref(&rows), None), None),
        ("read_file", answer("1", slice::from_ref(&rows), None), Some(Left::File)),
        ("read_file", answer("1", slice::from_ref(&prose), None), Some(Left::File)),
        ("search", answer("1", &[prose], None), Some(Left::NoJson)),
        ("search", answer("1", &[wrapped], None), Some(Left::Quoted)),
        ("search", answer("1", &[short], None), Some(Left::NoFewer)),
        ("search", answer("1", &[], Some("{\"a\":1}")), Some(Left::NoText)),
        ("search", widget.to_owned(), Some(Left::Interface)),
        ("search", error.to_owned(), Some(Left::Error)),
    ] {
        let proxy = Proxy::new(options());
        call(&proxy, "1", tool);
        assert_eq!(answered(&proxy, &frame).1[0].left, left, "{tool}: {frame}");
    }
    let proxy = Proxy::new(options());
    list(&proxy, &["search"]);
    call(&proxy, "1", "search");
    let short = answer("1", &[text_block("[1,2]")], None);
    assert_eq!(answered(&proxy, &short).1[0].left, Some(Left::Schema));
    let said = answer("1", &[rows], Some(&format!("{{\"result\":{ROWS}}}")));
    call(&proxy, "1", "search");
    assert!(answered(&proxy, &said).1[0].repeats);
}
