//! The texts for an agent that calls again and again: a session refers to symbols that were sent
//! before, an exchange answers the root of what the consumer holds with the least that will do.
//!
//! ```text
//! cargo run -p wire-gcf --example session_and_deltas
//! ```

#![allow(clippy::print_stdout)] // it is a program

use std::time::Duration;

use gcf::graph::{Encoder, Exchange, Replica, Request, Session, SessionReader};
use wire_core::{Payload, Symbol};

/// A payload that changes a little with each call.
fn call(number: usize) -> Payload<'static> {
    let mut payload = Payload { tool: "context_for_task".into(), ..Payload::default() };
    payload.symbols = (0..20)
        .map(|index| {
            let version = if index == number { "Renamed" } else { "Handler" };
            Symbol::new("function", format!("billing.internal.{version}{index}")).with_score(0.5)
        })
        .collect();
    payload
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("call  whole  session  exchange   (bytes)");
    let (mut session, mut reader) = (Session::new(Encoder::new()), SessionReader::new());
    let server = Exchange::new(Encoder::new());
    let mut consumer: Option<Replica> = None;
    for number in 0..5 {
        let payload = call(number);
        let whole = gcf::graph::to_string(&payload)?;

        // The clock is the caller's: sessions end after a while.
        let mut text = Vec::new();
        let sent = session.encode(&payload, Duration::from_secs(number as u64), &mut text)?;
        let by_session = String::from_utf8(text)?;
        assert_eq!(reader.decode(&by_session)?, payload);
        // Only what the consumer has may be referred to.
        session.confirm(sent.delivery);

        let mut by_exchange = String::new();
        let request = consumer.as_ref().map_or(Request::Full, Replica::request);
        server.answer(request, &payload, &mut by_exchange)?;
        let replica = match consumer.take() {
            Some(replica) => replica.receive(&by_exchange)?,
            None => Replica::from_answer(&by_exchange)?,
        };
        assert_eq!(replica.payload().symbols.len(), payload.symbols.len());
        consumer = Some(replica);

        println!("{number:>4} {:>6} {:>8} {:>9}", whole.len(), by_session.len(), by_exchange.len());
    }
    Ok(())
}
