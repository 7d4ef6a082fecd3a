//! What holds for every response: any JSON in the typed form, and what every layout says.

mod cases;
mod json;
mod laws;
mod strategies;
