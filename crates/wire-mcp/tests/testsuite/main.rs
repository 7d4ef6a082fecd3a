//! The tests of the library of the proxy, as one program: linking many takes longer than building them.

mod chats;
mod frames;
mod inside;
mod laws;
mod repr;
mod subject;
mod verbatim;
mod views;

use wire_tokens::Counter;

/// What counts the tokens in all tests.
const COUNTER: Counter = Counter::O200kBase;

#[test]
fn conformance() {
    wire_conformance::check(&subject::Choice);
}
