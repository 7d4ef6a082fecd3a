//! A server that sends a payload in the format that the caller's `Accept` asks for.
//!
//! `Registry::negotiate` is all that a server of yours needs, whatever framework it is built with;
//! the rest of this program calls it over HTTP. With an address it serves until it is stopped:
//!
//! ```text
//! cargo run -p wire-registry --example http -- 127.0.0.1:8080
//! curl http://127.0.0.1:8080
//! curl -H 'Accept: application/vnd.gcf+text' http://127.0.0.1:8080
//! ```

#![allow(clippy::print_stdout)] // it is a program

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;

use tiny_http::{Header, Response, Server};
use wire_core::{Codec, Directions, PayloadBuilder, Symbol};
use wire_registry::Registry;

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default())?;
    registry.register(gcb::Gcb::default())?;
    let payload = PayloadBuilder::new("context_for_task")
        .symbol(Symbol::new("function", "billing.NewServer").with_score(0.54))
        .build()?;

    let asked_for = std::env::args().nth(1);
    let server = Server::http(asked_for.as_deref().unwrap_or("127.0.0.1:0"))?;
    let address = server.server_addr().to_ip().ok_or("no address")?;
    let gcf = "application/vnd.gcf+text";
    let calls: [(&[&str], &str, &str); 7] = [
        (&[gcf], "200", gcf),
        (&["application/vnd.gcb;q=0.5, application/vnd.gcf+text;q=0.9"], "200", gcf),
        (&["application/vnd.gcb;q=0.5", "application/vnd.gcf+text;q=0.9"], "200", gcf),
        (&["application/vnd.gcb"], "200", "application/vnd.gcb"),
        (&["*/*"], "200", "application/json"),
        (&[], "200", "application/json"),
        (&["image/png"], "406", "text/plain"),
    ];
    let count = if asked_for.is_some() { usize::MAX } else { calls.len() };
    let serving = thread::spawn(move || -> Result<(), Box<dyn Error + Send + Sync>> {
        for request in server.incoming_requests().take(count) {
            // Several lines are one list (RFC 9110, section 5.3); without any line the list is
            // empty.
            let lines = request.headers().iter().filter(|header| header.field.equiv("Accept"));
            let accept = lines.map(|header| header.value.as_str()).collect::<Vec<_>>().join(", ");
            let (status, media_type, body) = match registry.negotiate(&accept) {
                Some(codec) => {
                    let mut body = Vec::new();
                    codec.encode(&payload, &mut body)?;
                    (200, codec.info().media_type(), body)
                }
                None => {
                    let read = |codec: &dyn Codec| codec.info().directions() == Directions::Both;
                    let known: BTreeSet<&str> = registry
                        .codecs()
                        .filter(|codec| read(*codec))
                        .map(|codec| codec.info().media_type())
                        .collect();
                    (
                        406,
                        "text/plain",
                        format!(
                            "expected one of {}",
                            known.into_iter().collect::<Vec<_>>().join(", ")
                        )
                        .into_bytes(),
                    )
                }
            };
            let header = |name: &str, value: &str| {
                Header::from_bytes(name, value).map_err(|()| "names and values are ASCII")
            };
            let response = Response::from_data(body)
                .with_status_code(status)
                .with_header(header("content-type", media_type)?)
                // Else a cache gives one caller's format to all others (RFC 9110, section 12.5.5).
                .with_header(header("vary", "Accept")?);
            request.respond(response)?;
        }
        Ok(())
    });

    if asked_for.is_some() {
        println!("serving on http://{address}");
        return serving.join().map_err(|_| "the server panicked")?;
    }
    for (accept, status, media_type) in calls {
        let reply = get(address, accept)?;
        println!("Accept: {accept:?}\n{reply}\n");
        assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")));
        let header = format!("content-type: {media_type}\r\n");
        assert!(reply.to_ascii_lowercase().contains(&header), "{reply}");
        assert!(reply.to_ascii_lowercase().contains("vary: accept\r\n"), "{reply}");
    }
    serving.join().map_err(|_| "the server panicked")?
}

/// The answer of a server to a caller with these lines of `Accept`.
fn get(address: SocketAddr, accept: &[&str]) -> std::io::Result<String> {
    let accept: String = accept.iter().flat_map(|line| ["accept: ", line, "\r\n"]).collect();
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET / HTTP/1.1\r\nhost: localhost\r\n{accept}connection: close\r\n\r\n")?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply)?;
    Ok(String::from_utf8_lossy(&reply).into_owned())
}
