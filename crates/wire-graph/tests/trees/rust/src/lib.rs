//! A shop.
mod cart;
pub mod price;

use cart::Cart;
use price::{Money, sum as total_of};

pub const LIMIT: u32 = 3;

pub trait Show {
    fn show(&self) -> String;
}

impl Show for Cart {
    fn show(&self) -> String {
        format!("{} {}", self.len(), helper())
    }
}

impl From<Cart> for Money {
    fn from(cart: Cart) -> Self {
        price::sum(&cart.items)
    }
}

fn helper() -> &'static str {
    "items"
}

/// Buys all of a cart.
pub fn buy(cart: &Cart) -> Money {
    log!("{}", helper());
    let names: Vec<_> = cart.items.iter().map(|item| item.as_str()).collect();
    assert!(cart.is_open(), "{names:?}");
    price::sum::<String>(&cart.items)
}

#[cfg(unix)]
fn twice() {}
#[cfg(windows)]
fn twice() {}

macro_rules! log {
    ($($t:tt)*) => { drop(format!($($t)*)) };
}
use log;
