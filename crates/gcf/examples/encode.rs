//! A payload as GCF, within a budget of tokens.
//!
//! ```text
//! cargo run -p wire-gcf --example encode
//! ```

#![allow(clippy::print_stdout)] // it is a program

use gcf::graph::{Dialect, Encoder};
use wire_core::{NamedEdge, PayloadBuilder, Symbol};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let payload = PayloadBuilder::new("context_for_task")
        .token_budget(5000)
        .symbol(Symbol::new("method", "billing.Ledger.Post").with_score(0.78))
        .symbol(Symbol::new("function", "billing.NewServer").with_score(0.54).with_distance(1))
        .symbol(Symbol::new("type", "billing.Invoice").with_score(0.31).with_distance(1))
        .edge(NamedEdge::new("billing.Ledger.Post", "references", "billing.Invoice"))
        .edge(NamedEdge::new("billing.NewServer", "calls", "billing.Ledger.Post"))
        .build()?;
    println!("{}", gcf::graph::to_string(&payload)?);

    // Another dialect; names with white space, which has no place in a line, are an error unless it
    // is replaced.
    let encoder = Encoder::new().dialect(Dialect::V3).replace_white_space(Some('_'));
    let text = encoder.to_string(&payload)?;
    println!("{text}");
    assert_eq!(gcf::graph::from_str(&text)?, payload);

    // Any other value, by serde.
    let users = serde_json::json!([{ "id": 1, "name": "Alice" }, { "id": 2, "name": null }]);
    println!("{}", gcf::to_string(&users)?);
    Ok(())
}
