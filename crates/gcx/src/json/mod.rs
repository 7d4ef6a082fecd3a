//! The JSON in cells and responses.

mod deserializer;
mod exact;
mod number;
mod parse;
mod terms;
mod value;

pub use self::exact::Exact;
pub(crate) use self::number::{any_number, digits, double, integer, is_exact, is_number, number};
pub(crate) use self::parse::{Decimals, has_short_integers, holds_integers, parse};
pub(crate) use self::terms::{NUMBER, RAW_VALUE};
pub(crate) use self::value::{Json, Object};
