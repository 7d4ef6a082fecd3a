//! A payload in a cache: written once, looked at without building it, and read back.
//!
//! ```text
//! cargo run -p wire-gcb --example cache
//! ```

#![allow(clippy::print_stdout)] // it is a program

use std::collections::HashMap;

use wire_core::{NamedEdge, PayloadBuilder, Symbol};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let payload = PayloadBuilder::new("context_for_task")
        .symbol(Symbol::new("method", "billing.Ledger.Post").with_score(0.78))
        .symbol(Symbol::new("function", "billing.NewServer").with_score(0.54).with_distance(1))
        .edge(NamedEdge::new("billing.NewServer", "calls", "billing.Ledger.Post"))
        .build()?;
    let mut cache: HashMap<&str, Vec<u8>> = HashMap::new();
    cache.insert("task-17", gcb::to_vec(&payload)?);

    // A view checks the bytes once; then fields cost nothing.
    let bytes = &cache["task-17"];
    let view = gcb::View::new(bytes)?;
    for symbol in view.symbols() {
        println!("{} {}", symbol.qualified_name(), symbol.score());
    }
    assert_eq!(gcb::from_slice(bytes)?, payload);

    // What was damaged is an error with its offset, and no payload.
    let error = gcb::from_slice(&bytes[..bytes.len() - 1]).expect_err("because a byte is missing");
    println!("{}: {error}", error.code());
    Ok(())
}
