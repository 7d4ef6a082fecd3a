//! A server that sends a payload in the format that the caller's `Accept` asks for.
//!
//! `negotiated` is all that a server of yours needs, whatever framework it is built with; the rest of this program calls it over
//! HTTP.
//!
//! ```text
//! cargo run -p wire-registry --example http
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

/// The codec of the media type that the caller likes best: JSON where it has no wish, none where nothing that it takes is there.
fn negotiated<'r>(registry: &'r Registry, accept: &str) -> Option<&'r dyn Codec> {
    let mut wishes: Vec<(&str, f32)> = accept
        .split(',')
        .filter_map(|wish| {
            let (media_type, parameters) = wish.split_once(';').unwrap_or((wish, ""));
            let quality = parameters.split(';').find_map(|parameter| {
                parameter.trim().strip_prefix("q=")?.trim().parse::<f32>().ok()
            });
            Some((media_type.trim(), quality.unwrap_or(1.0))).filter(|(name, _)| !name.is_empty())
        })
        .filter(|(_, quality)| *quality > 0.0)
        .collect();
    if wishes.is_empty() {
        wishes.push(("*/*", 1.0));
    }
    // The sort is stable: of equal wishes the first one counts.
    wishes.sort_by(|a, b| b.1.total_cmp(&a.1));
    wishes.into_iter().find_map(|(media_type, _)| match media_type {
        "*/*" | "application/*" => registry.get("json").ok(),
        media_type => registry.by_media_type(media_type),
    })
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut registry = Registry::new();
    registry.register(gcf::Gcf::default())?;
    registry.register(gcb::Gcb::default())?;
    let payload = PayloadBuilder::new("context_for_task")
        .symbol(Symbol::new("function", "billing.NewServer").with_score(0.54))
        .build()?;

    let server = Server::http("127.0.0.1:0")?;
    let address = server.server_addr().to_ip().ok_or("no address")?;
    let calls = [
        ("application/vnd.gcf+text", "200", "application/vnd.gcf+text"),
        (
            "application/vnd.gcb;q=0.5, application/vnd.gcf+text;q=0.9",
            "200",
            "application/vnd.gcf+text",
        ),
        ("application/vnd.gcb", "200", "application/vnd.gcb"),
        ("*/*", "200", "application/json"),
        ("image/png", "406", "text/plain"),
    ];
    let count = calls.len();
    let serving = thread::spawn(move || -> Result<(), Box<dyn Error + Send + Sync>> {
        for request in server.incoming_requests().take(count) {
            let accept = request.headers().iter().find(|header| header.field.equiv("Accept"));
            let accept = accept.map_or("", |header| header.value.as_str());
            let (status, media_type, body) = match negotiated(&registry, accept) {
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
            let header = Header::from_bytes("content-type", media_type)
                .map_err(|()| "a media type is ASCII")?;
            request
                .respond(Response::from_data(body).with_status_code(status).with_header(header))?;
        }
        Ok(())
    });

    for (accept, status, media_type) in calls {
        let reply = get(address, accept)?;
        println!("Accept: {accept}\n{reply}\n");
        assert!(reply.starts_with(&format!("HTTP/1.1 {status} ")));
        let header = format!("content-type: {media_type}\r\n");
        assert!(reply.to_ascii_lowercase().contains(&header), "{reply}");
    }
    serving.join().map_err(|_| "the server panicked")?
}

/// What a server replies to a caller that takes these media types.
fn get(address: SocketAddr, accept: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(address)?;
    write!(
        stream,
        "GET / HTTP/1.1\r\nhost: localhost\r\naccept: {accept}\r\nconnection: close\r\n\r\n"
    )?;
    let mut reply = Vec::new();
    stream.read_to_end(&mut reply)?;
    Ok(String::from_utf8_lossy(&reply).into_owned())
}
