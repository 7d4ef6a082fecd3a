//! What the formats make of numbers where another crate switches on `arbitrary_precision` of
//! `serde_json`: the tests are all there is.
