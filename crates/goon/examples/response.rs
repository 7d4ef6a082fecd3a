//! The response of a graph query as GOON, and back.
//!
//! ```text
//! cargo run -p wire-goon --example response
//! ```

#![allow(clippy::print_stdout)] // it is a program

use goon::{Edge, GraphResponse, Node, QueryType};

fn main() -> Result<(), goon::Error> {
    let mut response = GraphResponse::new(QueryType::Traversal);
    response.nodes = vec![
        Node::new("User", 7).with("username", "alice"),
        Node::new("MergeRequest", 100).with("title", "Add a reader").with("state", "merged"),
    ];
    response.edges = vec![Edge::new(("User", 7), "AUTHORED", ("MergeRequest", 100))];
    let text = goon::to_string(&response)?;
    println!("{text}");

    let back = goon::from_str(&text)?;
    assert_eq!(back.edges, response.edges);
    assert_eq!(goon::to_string(&back)?, text);

    // No beginning of a text passes for the whole.
    let cut = &text[..text.len() - 10];
    let error = goon::from_str(cut).expect_err("because it was cut");
    println!("{}: {error}", error.code());
    Ok(())
}
