//! Structs as text for a model, and back: `cargo run -p wire-gcf --example generic`.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Order {
    id: String,
    customer: Customer,
    items: Vec<Item>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    note: Option<String>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Customer {
    name: String,
    city: String,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Item {
    sku: String,
    quantity: u32,
    price: f64,
}

/// What of an order is needed.
#[derive(Deserialize)]
struct Id<'a> {
    id: &'a str,
}

fn order(
    id: &str,
    name: &str,
    city: &str,
    items: &[(&str, u32, f64)],
    note: Option<&str>,
) -> Order {
    let item =
        |&(sku, quantity, price): &(&str, u32, f64)| Item { sku: sku.to_owned(), quantity, price };
    Order {
        id: id.to_owned(),
        customer: Customer { name: name.to_owned(), city: city.to_owned() },
        items: items.iter().map(item).collect(),
        note: note.map(str::to_owned),
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let orders = vec![
        order("ORD-1", "Alice", "Oslo", &[("A1", 2, 29.99), ("B7", 1, 14.5)], None),
        order("ORD-2", "Bob", "Lima", &[("C3", 1, 89.99)], Some("call first")),
    ];
    let text = gcf::generic::to_string(&orders)?;
    print!("{text}");

    let back: Vec<Order> = gcf::generic::from_str(&text)?;
    assert_eq!(back, orders);

    // A type that asks for less takes what it needs, and borrows from the text.
    let ids: Vec<Id<'_>> = gcf::generic::from_str(&text)?;
    println!("{}", ids.iter().map(|order| order.id).collect::<Vec<_>>().join(" "));

    let json = serde_json::to_string(&orders)?;
    println!("{} bytes, as JSON {}", text.len(), json.len());
    Ok(())
}
