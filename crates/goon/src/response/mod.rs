//! The response of a graph query, and its JSON form (ruling N1).

mod cell;
mod json;
mod members;
mod types;

pub(crate) use self::cell::NodeCell;
pub(crate) use self::members::LARGEST;
pub use self::members::Row;
pub use self::types::{
    Column, Edge, GraphResponse, GroupColumn, GroupKind, Node, Pagination, QueryType,
};
