//! Who is served over HTTP, and where credentials go (ruling M9).

#![cfg(unix)]
#![allow(clippy::unwrap_used)] // helpers of tests

use std::io::{Read, Write};
use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::fake::{Proxy, Upstream, reply, reply_with};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// The certificate of a server on this machine, which signs itself, and its key.
const CERTIFICATE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/testsuite/fake/certificate.pem");
const KEY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/testsuite/fake/key.pem");

const CALL: &str = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"hush-tool","arguments":{"a":"hush-argument"}}}"#;
const TOKEN: (&str, &str) = ("Authorization", "Bearer hush-token");

fn echo() -> Upstream {
    Upstream::start(|_, stream| reply(stream, "application/json", b"{}"))
}

/// Returns `true` if nothing came to a server.
fn is_left_alone(upstream: &Upstream) -> bool {
    upstream.asked.recv_timeout(Duration::from_millis(300)).is_err()
}

#[test]
fn other_hosts_and_origins_are_refused() {
    let upstream = echo();
    let proxy = Proxy::before(&upstream, &["--allow-host", "proxy.example"]);
    for headers in [
        [("Host", "evil.example"), TOKEN],
        [("Host", "proxy.example.evil"), TOKEN],
        [("Host", "evil.example@proxy.example"), TOKEN],
        [("Origin", "http://evil.example@localhost"), TOKEN],
        [("Origin", "https://evil.example"), TOKEN],
        [("Origin", "null"), TOKEN],
        [("Sec-Fetch-Site", "cross-site"), TOKEN],
        [("Sec-Fetch-Site", "same-site"), TOKEN],
    ] {
        for path in ["POST /mcp", "GET /metrics"] {
            let answer = proxy.send(path, &headers, CALL);
            assert_eq!(answer.status(), 403, "{headers:?}");
            assert!(answer.text().contains("--allow-"), "{}", answer.text());
        }
    }
    assert!(is_left_alone(&upstream));
    assert_eq!(proxy.send("POST /mcp", &[("Host", "proxy.example:1")], CALL).status(), 200);
}

#[test]
fn listening_for_other_machines_needs_a_word() {
    let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
        .args(["--listen", "0.0.0.0:0", "--upstream", "http://127.0.0.1:1/"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("--allow-remote"), "{error}");
}

#[test]
fn a_redirect_takes_no_token_to_another_place() {
    let other = echo();
    for status in ["301 M", "302 F", "303 S", "307 T", "308 P"] {
        let location = format!("Location: {}\r\n", other.url());
        let upstream = Upstream::start(move |_, stream| reply_with(stream, status, &location, b""));
        let answer = Proxy::before(&upstream, &[]).send("POST /mcp", &[TOKEN], CALL);
        assert_eq!(answer.status(), 502, "{status}");
        assert!(answer.text().contains("configure the URL"), "{}", answer.text());
        assert!(answer.text().contains(r#""id":1,"#), "{}", answer.text());
        assert_eq!(answer.header("location"), None);
    }
    assert!(is_left_alone(&other));
}

#[test]
fn a_redirect_within_the_server_is_followed() {
    let upstream = Upstream::start(|asked, stream| {
        if asked.first.starts_with("POST /srv/ ") {
            return reply(stream, "text/plain", asked.text().as_bytes());
        }
        reply_with(stream, "307 Temporary", "Location: /srv/\r\n", b"")
    });
    let answer = Proxy::before(&upstream, &[]).send("POST /mcp", &[TOKEN], CALL);
    assert_eq!((answer.status(), answer.text()), (200, CALL));
    upstream.next();
    assert_eq!(upstream.next().header("authorization"), Some(TOKEN.1));
}

#[test]
fn a_proxy_of_the_environment_sees_no_token() {
    let (upstream, environment) = (echo(), echo());
    let url = environment.url();
    let proxy = Proxy::start(&["--upstream", &upstream.url()], |command| {
        command.env("HTTP_PROXY", &url).env("http_proxy", &url).env("ALL_PROXY", &url)
    });
    assert_eq!(proxy.send("POST /mcp", &[TOKEN], CALL).status(), 200);
    assert!(is_left_alone(&environment));
    // For a server with TLS it is asked for a tunnel, and sees the name of the host.
    let proxy = Proxy::start(&["--upstream", "https://hidden.invalid/hush-path"], |command| {
        command.env("HTTPS_PROXY", &url).env_remove("NO_PROXY").env_remove("no_proxy")
    });
    assert_eq!(proxy.send("POST /mcp", &[TOKEN], CALL).status(), 502);
    let asked = environment.next();
    assert_eq!(asked.first, "CONNECT hidden.invalid:443 HTTP/1.1\r\n");
    assert!(!format!("{asked:?}").contains("hush"), "{asked:?}");
}

#[test]
fn nothing_secret_is_written() {
    let upstream = Upstream::start(|_, stream| {
        let headers = "Content-Type: application/json\r\nMcp-Session-Id: hush-session\r\n";
        let body = r#"{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"[ {\"hush\": 1}, {\"hush\": 2} ]"}]}}"#;
        reply_with(stream, "200 OK", headers, body.as_bytes())
    });
    let url = format!("{}?key=hush-key", upstream.url());
    let proxy = Proxy::start(&["--log", "debug", "--upstream", &url], |command| {
        command.env("RUST_LOG", "trace")
    });
    let headers = [TOKEN, ("Cookie", "hush"), ("Mcp-Session-Id", "hush-session")];
    assert_eq!(proxy.send("POST /mcp", &headers, CALL).status(), 200);
    upstream.next();
    // Nobody else adds to the query of the user.
    for path in ["POST /mcp?hush=1", "GET /mcp?hush=1"] {
        let answer = proxy.send(path, &headers, "");
        assert!(answer.status() == 400 && answer.text().contains("query"), "{}", answer.text());
    }
    assert!(is_left_alone(&upstream));
    assert_eq!(
        proxy.send("POST /mcp", &[TOKEN, ("Origin", "https://hush.example")], CALL).status(),
        403
    );
    let metrics = proxy.send("GET /metrics", &[], "");
    proxy.signal("INT");
    let (code, errors) = proxy.end();
    assert_eq!(code, 128 + 2);
    assert!(errors.contains("answered") && errors.contains("rewritten"), "{errors}");
    assert!(!errors.contains("hush") && !metrics.text().contains("hush"), "{errors}");
}

#[test]
fn signing_in_is_refused_with_what_to_configure() {
    let upstream = Upstream::start(|asked, stream| {
        let metadata = format!(
            "http://{}/.well-known/oauth-protected-resource/srv",
            asked.header("host").unwrap()
        );
        let headers = format!(
            "Content-Type: application/json\r\nWWW-Authenticate: Bearer error=\"invalid_token\", resource_metadata=\"{metadata}\"\r\n"
        );
        reply_with(stream, "401 Unauthorized", &headers, b"{\"error\":\"invalid_token\"}")
    });
    let proxy = Proxy::before(&upstream, &[]);
    let answer = proxy.post(CALL);
    assert_eq!(answer.status(), 401);
    assert_eq!(answer.header("www-authenticate"), Some("Bearer error=\"invalid_token\""));
    let bridge = format!("start `wire-proxy {}`", upstream.url());
    assert!(answer.text().contains(&bridge), "{}", answer.text());
    // A token that the server refuses is the client's: it sees what the server says.
    let answer = proxy.send("POST /mcp", &[TOKEN], CALL);
    assert_eq!((answer.status(), answer.text()), (401, "{\"error\":\"invalid_token\"}"));
    for path in [
        "GET /.well-known/oauth-protected-resource/mcp",
        "GET /.well-known/oauth-authorization-server",
        "GET /mcp/.well-known/openid-configuration",
        "POST /register",
    ] {
        let answer = proxy.send(path, &[], "");
        assert_eq!(answer.status(), 404, "{path}");
        assert!(answer.text().contains(&bridge), "{}", answer.text());
    }
}

/// Starts a server with TLS that answers each connection once, and returns its port.
fn secure_server() -> u16 {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let certificate = CertificateDer::from_pem_file(CERTIFICATE).unwrap();
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], PrivateKeyDer::from_pem_file(KEY).unwrap())
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream.unwrap());
            let mut asked = Vec::new();
            let mut bytes = [0; 1024];
            while !asked.ends_with(CALL.as_bytes()) {
                // A client that does not trust the server ends the connection.
                let Ok(count @ 1..) = stream.read(&mut bytes) else { break };
                asked.extend_from_slice(&bytes[..count]);
            }
            let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            let _ = stream.write_all(answer.as_bytes()).and_then(|()| stream.flush());
        }
    });
    port
}

/// The proxy in front of a URL, where these are the roots of the system.
fn with_roots(url: &str, roots: &str) -> Proxy {
    Proxy::start(&["--upstream", url], |command| {
        command.env("SSL_CERT_FILE", roots).env_remove("SSL_CERT_DIR")
    })
}

#[test]
fn a_server_is_trusted_by_the_roots_of_the_system() {
    let url = format!("https://localhost:{}/mcp", secure_server());
    let answer = with_roots(&url, CERTIFICATE).post(CALL);
    assert_eq!((answer.status(), answer.text()), (200, "{}"));
    // By a name that its certificate does not have.
    let answer = with_roots(&url.replace("localhost", "127.0.0.1"), CERTIFICATE).post(CALL);
    assert!(answer.status() == 502 && answer.text().contains("certificate"), "{}", answer.text());
}

#[test]
fn roots_are_needed_for_https_alone() {
    let upstream = echo();
    let answer = with_roots(&upstream.url(), "/there/is/no/such/file").post(CALL);
    assert_eq!((answer.status(), answer.text()), (200, "{}"));
    let output = Command::new(env!("CARGO_BIN_EXE_wire-proxy"))
        .args(["--listen", "127.0.0.1:0", "--upstream", "https://localhost/mcp"])
        .env("SSL_CERT_FILE", "/there/is/no/such/file")
        .env_remove("SSL_CERT_DIR")
        .output()
        .unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(3) && error.contains("SSL_CERT_FILE"), "{error}");
}
