//! A payload in a cache: written once, looked at without building it, and read back.
//!
//! ```text
//! cargo run -p wire-gcb --example cache
//! ```

#![allow(clippy::print_stdout)] // it is a program

use std::collections::HashMap;
use std::thread;

use gcb::SharedView;
use wire_core::{NamedEdge, PayloadBuilder, Symbol};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let payload = PayloadBuilder::new("context_for_task")
        .symbol(Symbol::new("method", "billing.Ledger.Post").with_score(0.78))
        .symbol(Symbol::new("function", "billing.NewServer").with_score(0.54).with_distance(1))
        .edge(NamedEdge::new("billing.NewServer", "calls", "billing.Ledger.Post"))
        .build()?;
    // The bytes are validated when they enter the cache; reading fields is free of checks from then
    // on.
    let mut cache: HashMap<&str, SharedView> = HashMap::new();
    cache.insert("task-17", SharedView::from_bytes(gcb::to_vec(&payload)?)?);

    // A clone shares the bytes, so that each thread can have one.
    let cached = cache["task-17"].clone();
    let names = thread::spawn(move || {
        cached.view().symbols().map(|symbol| symbol.qualified_name().to_owned()).collect::<Vec<_>>()
    });
    println!("{:?}", names.join().map_err(|_| "the thread panicked")?);

    let bytes = cache["task-17"].bytes();
    assert_eq!(gcb::from_slice(bytes)?, payload);

    // Damaged bytes are an error with its offset, never a payload.
    let error = gcb::from_slice(&bytes[..bytes.len() - 1]).expect_err("because a byte is missing");
    println!("{}: {error}", error.code());
    Ok(())
}
