//! Exchanges over HTTP with a server that answers byte by byte: what passes, what is rewritten, and
//! how exchanges end.

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use crate::fake::{ANSWER, CALL, LONG, Proxy, STREAM, Upstream, WRITTEN, chunk, reply, reply_with};

#[test]
fn a_json_answer_is_rewritten_and_the_rest_passes() {
    let upstream = Upstream::start(|_, stream| {
        let headers = "Content-Type: Application/JSON; charset=utf-8\r\nMcp-Session-Id: s-1\r\nX-More: 1\r\nETag: \"e\"\r\nConnection: x-hop\r\nX-Hop: 1\r\n";
        reply_with(stream, "200 Fine", headers, ANSWER.as_bytes())
    });
    let proxy = Proxy::before(&upstream, &[]);
    let headers = [
        ("Authorization", "Bearer t"),
        ("Mcp-Session-Id", "s-1"),
        ("Last-Event-ID", "e-1"),
        ("MCP-Protocol-Version", "2026-07-28"),
        ("Mcp-Method", "tools/call"),
        ("Mcp-Name", "search"),
        ("Accept-Encoding", "br, zstd"),
        ("Origin", "http://localhost:6274"),
    ];
    let answer = proxy.send("POST /mcp?a=b", &headers, CALL);
    assert_eq!((answer.status(), answer.text()), (200, WRITTEN));
    assert_eq!(answer.header("mcp-session-id"), Some("s-1"));
    assert_eq!(answer.header("x-more"), Some("1"));
    assert_eq!((answer.header("etag"), answer.header("x-hop")), (None, None));
    let asked = upstream.next();
    assert_eq!(asked.first, "POST /srv?a=b HTTP/1.1\r\n");
    assert_eq!(asked.text(), CALL);
    for (name, value) in &headers[..6] {
        assert_eq!(asked.header(&name.to_ascii_lowercase()), Some(*value));
    }
    assert_eq!(asked.header("accept-encoding"), Some("gzip"));
    assert_eq!(asked.header("host"), Some(&*upstream.address.to_string()));
}

#[test]
fn a_byte_order_mark_stays() {
    let upstream = Upstream::start(|_, stream| {
        reply(stream, "application/json", format!("\u{feff}{ANSWER}").as_bytes())
    });
    let answer = Proxy::before(&upstream, &[]).post(CALL);
    assert_eq!(answer.text(), format!("\u{feff}{WRITTEN}"));
}

#[test]
fn a_request_that_was_refused_can_be_sent_again() {
    let session = ("Mcp-Session-Id", "s-1");
    let times = AtomicUsize::new(0);
    let upstream = Upstream::start(move |_, stream| match times.fetch_add(1, Ordering::SeqCst) {
        // The session is known from here on.
        0 => reply_with(
            stream,
            "200 OK",
            "Mcp-Session-Id: s-1\r\nContent-Type: application/json\r\n",
            b"{}",
        ),
        1 => reply_with(stream, "401 Unauthorized", "", b""),
        2 => false,
        _ => reply(stream, "application/json", ANSWER.as_bytes()),
    });
    let proxy = Proxy::before(&upstream, &[]);
    let hello = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{}}"#;
    assert_eq!(proxy.send("POST /mcp", &[], hello).status(), 200);
    for status in [401, 502, 200] {
        let answer = proxy.send("POST /mcp", &[session], CALL);
        assert_eq!(answer.status(), status);
        assert!(status != 200 || answer.text() == WRITTEN, "{}", answer.text());
    }
}

#[test]
fn an_event_stream_is_rewritten_however_it_is_cut() {
    let events = format!(
        ": hi\r\n\r\nid: 1\r\ndata: \r\nretry: 5\r\n\r\nid: 2\nevent: message\ndata: {ANSWER}\n\ndata: {{\"jsonrpc\":\"2.0\"}}\r\r"
    );
    let written = events.replace(ANSWER, WRITTEN);
    for size in [1, 2, 3, 7, 64, 10_000] {
        let events = events.clone();
        let upstream = Upstream::start(move |_, stream| {
            stream.set_nodelay(true).unwrap();
            let _ = stream.write_all(STREAM.as_bytes());
            events.as_bytes().chunks(size).all(|part| stream.write_all(&chunk(part)).is_ok())
                && stream.write_all(&chunk(b"")).is_ok()
        });
        let proxy = Proxy::before(&upstream, &[]);
        let answer = proxy.post(CALL);
        assert_eq!(answer.header("content-type"), Some("text/event-stream"));
        assert!(answer.is_whole);
        assert_eq!(answer.text(), written, "in pieces of {size} bytes");
    }
}

#[test]
fn a_stream_that_breaks_off_breaks_off_at_the_same_place() {
    let events = format!("id: 2\ndata: {ANSWER}\n\n");
    let upstream = {
        let events = events.clone();
        Upstream::start(move |asked, stream| {
            let at: usize = asked.header("x-cut").unwrap().parse().unwrap();
            let _ = stream.write_all(STREAM.as_bytes());
            let _ = stream.write_all(&chunk(&events.as_bytes()[..at]));
            let _ = stream.shutdown(Shutdown::Both);
            false
        })
    };
    let proxy = Proxy::before(&upstream, &[]);
    for at in 1..=events.len() {
        let answer = proxy.send("POST /mcp", &[("X-Cut", &at.to_string())], CALL);
        let expected = if at == events.len() {
            events.replace(ANSWER, WRITTEN).into_bytes()
        } else {
            events.as_bytes()[..at].to_vec()
        };
        assert_eq!((answer.body, answer.is_whole), (expected, false), "after {at} bytes");
    }
}

#[test]
fn a_json_answer_that_breaks_off_does_so_for_the_client() {
    let upstream = Upstream::start(|_, stream| {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n";
        let _ = stream.write_all(&[head.as_bytes(), ANSWER.as_bytes()].concat());
        let _ = stream.shutdown(Shutdown::Both);
        false
    });
    let answer = Proxy::before(&upstream, &[]).post(CALL);
    assert_eq!((answer.text(), answer.is_whole), (ANSWER, false));
}

#[test]
fn compressed_answers_are_read_and_those_that_can_not_be_pass() {
    let upstream = Upstream::start(|asked, stream| {
        if asked.header("x-kind") == Some("br") {
            let headers = "Content-Type: application/json\r\nContent-Encoding: br\r\n";
            return reply_with(stream, "200 OK", headers, b"\x0b\x02\x80{}\x03");
        }
        let headers = "Content-Type: application/json\r\nContent-Encoding: gzip\r\n";
        reply_with(stream, "200 OK", headers, &gzip(ANSWER.as_bytes()))
    });
    let proxy = Proxy::before(&upstream, &[]);
    let answer = proxy.post(CALL);
    assert_eq!((answer.text(), answer.header("content-encoding")), (WRITTEN, None));
    let answer = proxy.send("POST /mcp", &[("X-Kind", "br")], CALL);
    assert_eq!(answer.header("content-encoding"), Some("br"));
    assert_eq!(answer.body, b"\x0b\x02\x80{}\x03");
}

#[test]
fn all_members_of_a_gzip_body_arrive_or_it_breaks_off() {
    let upstream = Upstream::start(|asked, stream| {
        let (kind, cut) = (asked.header("x-kind").unwrap(), asked.header("x-cut").unwrap());
        let at = ANSWER.len() / 2;
        let bytes = ANSWER.as_bytes();
        let body = [gzip(&bytes[..at]), gzip(b""), gzip(&bytes[at..])].concat();
        let body = &body[..body.len() - cut.parse::<usize>().unwrap()];
        let headers = format!("Content-Type: {kind}\r\nContent-Encoding: GZip\r\nETag: \"e\"\r\n");
        reply_with(stream, "200 OK", &headers, body)
    });
    let proxy = Proxy::before(&upstream, &[]);
    for (kind, expected) in [("application/json", WRITTEN), ("text/plain", ANSWER)] {
        let answer = proxy.send("POST /mcp", &[("X-Kind", kind), ("X-Cut", "0")], CALL);
        assert_eq!((answer.text(), answer.is_whole), (expected, true), "{kind}");
        assert_eq!((answer.header("content-encoding"), answer.header("etag")), (None, None));
        for cut in ["1", "8", "30"] {
            let answer = proxy.send("POST /mcp", &[("X-Kind", kind), ("X-Cut", cut)], CALL);
            assert!(!answer.is_whole, "{kind}, cut by {cut}: {}", answer.text());
        }
    }
}

#[test]
fn an_id_is_closed_by_an_answer_that_is_too_large() {
    let times = AtomicUsize::new(0);
    let long = format!(r#"{{"jsonrpc":"2.0","id":1,"result":{{"x":"{}"}}}}"#, "x".repeat(5000));
    let upstream = Upstream::start(move |_, stream| {
        let headers = "Mcp-Session-Id: s\r\nContent-Type: ";
        let events = format!("data: {long}\n\n");
        let (kind, body) = match times.fetch_add(1, Ordering::SeqCst) {
            0 => ("application/json", &*long),
            2 => ("text/event-stream", &*events),
            _ => ("application/json", ANSWER),
        };
        reply_with(stream, "200 OK", &format!("{headers}{kind}\r\n"), body.as_bytes())
    });
    let proxy = Proxy::before(&upstream, &["--frame-bytes", "1000"]);
    for is_read in [false, true, false, true] {
        let answer = proxy.send("POST /mcp", &[("Mcp-Session-Id", "s")], CALL);
        assert_eq!(answer.text() == WRITTEN, is_read, "{}", answer.text());
    }
}

#[test]
fn a_head_that_does_not_end_is_closed() {
    let upstream = Upstream::start(|_, stream| reply(stream, "application/json", b"{}"));
    let proxy = Proxy::before(&upstream, &[]);
    let mut half = proxy.connect();
    half.write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{").unwrap();
    let mut client = proxy.connect();
    client.write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-").unwrap();
    // Reading ends with an error only after six times as long as the proxy waits.
    let mut rest = Vec::new();
    client.read_to_end(&mut rest).expect("the connection is closed");
    assert!(upstream.asked.try_recv().is_err());
    // A body may be slow.
    let mut client = proxy.connect();
    client.write_all(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{").unwrap();
    thread::sleep(Duration::from_millis(10_500));
    client.write_all(b"}").unwrap();
    client.read_to_end(&mut rest).unwrap();
    assert!(String::from_utf8_lossy(&rest).contains("200 OK"));
    upstream.next();
    // But not for ever: 1,024 of them would lock out all others.
    let mut rest = String::new();
    half.read_to_string(&mut rest).expect("the connection is closed");
    assert!(rest.starts_with("HTTP/1.1 408 ") && rest.contains("did not end"), "{rest}");
    assert!(upstream.asked.try_recv().is_err());
}

/// A gzip file that does not compress.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut crc = !0u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 };
        }
    }
    let length = u16::try_from(bytes.len()).unwrap();
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    let sizes = [length.to_le_bytes(), (!length).to_le_bytes()].concat();
    [&head[..], &sizes, bytes, &(!crc).to_le_bytes(), &u32::from(length).to_le_bytes()].concat()
}

#[test]
fn structured_content_goes_with_a_session_alone() {
    const LIST: &str = r#"{"jsonrpc":"2.0","id":7,"method":"tools/list"}"#;
    const INITIALIZE: &str =
        r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"c"}}}"#;
    let upstream = Upstream::start(|asked, stream| {
        let headers = "Content-Type: application/json\r\n";
        if asked.text().contains("initialize") {
            let headers = format!("{headers}Mcp-Session-Id: s\r\n");
            return reply_with(
                stream,
                "200 OK",
                &headers,
                br#"{"jsonrpc":"2.0","id":0,"result":{}}"#,
            );
        }
        let body = match asked.text() {
            LIST => {
                r#"{"jsonrpc":"2.0","id":7,"result":{"tools":[{"name":"search","outputSchema":{"type":"object"}}]}}"#
            }
            _ => {
                r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"a\":1}"}],"structuredContent":{"a":1}}}"#
            }
        };
        reply_with(stream, "200 OK", headers, body.as_bytes())
    });
    let proxy = Proxy::before(&upstream, &["--structured", "drop"]);
    let session = [("Mcp-Session-Id", "s")];
    assert_eq!(proxy.post(INITIALIZE).header("mcp-session-id"), Some("s"));
    let (list, call) =
        (proxy.send("POST /mcp", &session, LIST), proxy.send("POST /mcp", &session, CALL));
    assert!(!list.text().contains("outputSchema"), "{}", list.text());
    assert!(!call.text().contains("structuredContent"), "{}", call.text());
    // Another client's session, and a client without one.
    for headers in [&[("Mcp-Session-Id", "t")][..], &[]] {
        assert!(proxy.send("POST /mcp", headers, CALL).text().contains("structuredContent"));
    }
    assert!(proxy.post(LIST).text().contains("outputSchema"));
    assert!(proxy.post(CALL).text().contains("structuredContent"));
    // A session that has ended is a new one.
    assert_eq!(proxy.send("DELETE /mcp", &session, "").status(), 200);
    assert!(proxy.send("POST /mcp", &session, CALL).text().contains("structuredContent"));
}

#[test]
fn a_stream_of_get_continues_a_call() {
    let upstream = Upstream::start(|asked, stream| {
        let events = if asked.first.starts_with("GET") {
            assert_eq!(asked.header("last-event-id"), Some("1"));
            format!("id: 2\ndata: {ANSWER}\n\n")
        } else {
            "id: 1\ndata:\n\n".to_owned()
        };
        reply(stream, "text/event-stream", events.as_bytes())
    });
    let proxy = Proxy::before(&upstream, &[]);
    let session = ("Mcp-Session-Id", "s");
    assert_eq!(proxy.send("POST /mcp", &[session], CALL).text(), "id: 1\ndata:\n\n");
    let answer = proxy.send("GET /mcp", &[session, ("Last-Event-ID", "1")], "");
    assert_eq!(answer.text(), format!("id: 2\ndata: {WRITTEN}\n\n"));
}

#[test]
fn a_client_that_goes_away_ends_the_request() {
    for streams in [false, true] {
        let (gone, went) = mpsc::channel();
        let upstream = Upstream::start(move |_, stream| {
            if streams {
                let _ = stream.write_all(STREAM.as_bytes());
                let _ = stream.write_all(&chunk(b": hi\n\n"));
            }
            let mut byte = [0];
            let _ = gone.send(stream.read(&mut byte).unwrap_or(0));
            false
        });
        let proxy = Proxy::before(&upstream, &[]);
        let mut client = proxy.ask("POST /mcp", &[], CALL);
        upstream.next();
        if streams {
            let mut head = [0; 64];
            assert!(client.read(&mut head).unwrap() > 0);
        }
        drop(client);
        assert_eq!(went.recv_timeout(LONG), Ok(0), "the server's connection is closed");
    }
}

#[test]
fn a_client_that_reads_slowly_makes_the_server_wait() {
    let sent = Arc::new(AtomicUsize::new(0));
    let upstream = {
        let sent = Arc::clone(&sent);
        Upstream::start(move |_, stream| {
            let _ = stream.write_all(STREAM.as_bytes());
            let event = chunk(format!("data: {}\n\n", "x".repeat(10_000)).as_bytes());
            while sent.load(Ordering::SeqCst) < 400 << 20 && stream.write_all(&event).is_ok() {
                sent.fetch_add(event.len(), Ordering::SeqCst);
            }
            false
        })
    };
    let proxy = Proxy::before(&upstream, &[]);
    let client = proxy.ask("POST /mcp", &[], CALL);
    let mut before = usize::MAX;
    while sent.load(Ordering::SeqCst) != before || before == 0 {
        before = sent.load(Ordering::SeqCst);
        thread::sleep(Duration::from_millis(300));
    }
    assert!(before < 64 << 20, "{before} bytes were taken from the server");
    assert!(proxy.memory() < 64 << 20, "{} bytes of memory", proxy.memory());
    drop(client);
}

#[test]
fn long_bodies_pass_in_both_directions() {
    let long = format!("[{}]", "1, ".repeat(200_000) + "1");
    let upstream = Upstream::start(|asked, stream| {
        assert!(asked.is_whole);
        reply(stream, "application/json", &asked.body)
    });
    let answer = Proxy::before(&upstream, &["--frame-bytes", "1000"]).post(&long);
    assert!(answer.is_whole && answer.text() == long);
    assert_eq!(upstream.next().text(), long);
}

#[test]
fn a_server_that_comes_back_is_found() {
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let proxy = Proxy::start(&["--upstream", &format!("http://{address}/srv?key=hush")], |it| it);
    let answer = proxy.post(CALL);
    assert_eq!(answer.status(), 502);
    assert!(answer.text().contains("can't be reached"), "{}", answer.text());
    assert!(answer.text().starts_with(r#"{"jsonrpc":"2.0","id":1,"error":"#), "{}", answer.text());
    assert!(!answer.text().contains("hush"), "{}", answer.text());
    let upstream =
        Upstream::at(address, |_, stream| reply(stream, "application/json", ANSWER.as_bytes()));
    assert_eq!(proxy.post(CALL).text(), WRITTEN);
    drop(upstream);
}

#[test]
fn connections_to_the_server_are_used_again() {
    let connections = Arc::new(AtomicUsize::new(0));
    let upstream = {
        let connections = Arc::clone(&connections);
        let seen = std::sync::Mutex::new(std::collections::HashSet::new());
        Upstream::start(move |_, stream| {
            if seen.lock().unwrap().insert(stream.peer_addr().unwrap()) {
                connections.fetch_add(1, Ordering::SeqCst);
            }
            reply(stream, "application/json", ANSWER.as_bytes())
        })
    };
    let proxy = Proxy::before(&upstream, &[]);
    for _ in 0..20 {
        assert_eq!(proxy.post(CALL).text(), WRITTEN);
    }
    assert!(connections.load(Ordering::SeqCst) <= 2, "{connections:?} connections");
}

#[test]
fn health_numbers_and_the_end() {
    let upstream =
        Upstream::start(|_, stream| reply(stream, "application/json", ANSWER.as_bytes()));
    let folder = tempfile::tempdir().unwrap();
    let stats = folder.path().join("calls.jsonl");
    let proxy = Proxy::before(&upstream, &["--stats", stats.to_str().unwrap()]);
    assert_eq!(proxy.post(CALL).text(), WRITTEN);
    assert_eq!(proxy.send("GET /healthz", &[("Host", "10.0.0.1")], "").text(), "ok\n");
    let page = proxy.send("GET /metrics", &[], "");
    for line in [
        "wire_proxy_answers_total{server=\"mcp\",status=\"2xx\"} 1",
        "wire_proxy_requests_under_way{server=\"mcp\"} 0",
        "wire_proxy_rewritten_frames_total{server=\"mcp\"} 1",
        "wire_proxy_calls_total{server=\"mcp\"} 1",
    ] {
        assert!(page.text().lines().any(|other| other == line), "{}", page.text());
    }
    assert!(std::fs::read_to_string(&stats).unwrap().contains("\"tool\":\"search\""));
    proxy.signal("TERM");
    assert_eq!(proxy.end().0, 128 + 15);
}

#[test]
fn several_servers_have_a_path_each() {
    let echo = |name: &'static str| {
        Upstream::start(move |_, stream| reply(stream, "text/plain", name.as_bytes()))
    };
    let (one, other) = (echo("one"), echo("other"));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("wire-proxy.toml");
    let (one_url, other_url) = (one.url(), other.url());
    std::fs::write(
        &file,
        format!("[servers.one]\nupstream = \"{one_url}\"\nstructured = \"drop\"\n[servers.two]\nupstream = \"{other_url}\"\n[[servers.two.rules]]\ntools = \"x*\"\npolicy = \"off\"\n"),
    )
    .unwrap();
    let proxy = Proxy::start(&["--config", file.to_str().unwrap()], |command| command);
    assert_eq!(proxy.send("POST /one", &[], CALL).text(), "one");
    assert_eq!(proxy.send("POST /two/", &[], CALL).text(), "other");
    let nothing = proxy.send("POST /three", &[], CALL);
    assert_eq!(nothing.status(), 404);
    assert!(nothing.text().contains("expected /one, /two"), "{}", nothing.text());
    assert_eq!(proxy.send("PATCH /one", &[], CALL).status(), 405);
}
