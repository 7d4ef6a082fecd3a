//! GCF from three sources: a text that is right, one that is not, and a model's answer.
//!
//! ```text
//! cargo run -p wire-gcf --example decode
//! ```

#![allow(clippy::print_stdout)] // it is a program

use gcf::graph::Decoder;

const RIGHT: &str = "GCF tool=t budget=0 tokens=0 symbols=2\n## targets\n@0 fn pkg.Auth 0.78 rwr\n\
                     @1 type pkg.Token 0.50 rwr\n## edges\n@1<@0 references\n";

fn main() -> Result<(), gcf::Error> {
    // Strictly: names borrow from the text.
    let payload = gcf::graph::from_str(RIGHT)?;
    for edge in &payload.edges {
        let name = |index: u32| &payload.symbols[index as usize].qualified_name;
        println!("{} {} {}", name(edge.source), edge.edge_type, name(edge.target));
    }

    // What is wrong has a code, a place, and what was expected.
    let wrong = RIGHT.replace("@1<@0", "@7<@0");
    let error = gcf::graph::from_str(&wrong).expect_err("because there is no symbol 7");
    println!("\n{}: {error}", error.code());

    // Leniently: what is right, and an account of the rest.
    let (payload, report) = Decoder::new().decode_lenient(&wrong)?;
    assert_eq!((payload.symbols.len(), payload.edges.len(), report.is_clean()), (2, 0, false));

    // As a model gives it back.
    let answer = format!("Sure!\n\n```\n{}```\n", RIGHT.replace("@1 type", "- @1 type"));
    let (payload, recovery) = Decoder::new().recover(&answer)?;
    println!();
    for repair in &recovery.repairs {
        println!("line {}: {}", repair.line, repair.kind.code());
    }
    assert_eq!(payload, gcf::graph::from_str(RIGHT)?);
    Ok(())
}
