//! Laws of every response: of any JSON in the typed form, and of every layout.

mod cases;
mod json;
mod laws;
mod strategies;
