//! The JSON in cells and responses.

mod deserializer;
mod exact;
mod number;
mod parse;
mod terms;
mod value;

pub use wire_core::value::from_str;

pub use self::exact::Exact;
pub(crate) use self::number::{
    any_number, digits, double, holds_integers, integer, is_number, number,
};
pub(crate) use self::parse::readable;
pub(crate) use self::terms::{NUMBER, RAW_VALUE, without_place};
pub(crate) use self::value::{Json, Object};
