//! Numbers of pages and messages.

use xtask::numbers::{change, thousands};

#[test]
fn numbers_are_written_for_people() {
    assert_eq!([0.477, -0.065, 0.001, -0.001].map(change), ["−48 %", "+6 %", "0 %", "0 %"]);
    assert_eq!([7, 1_000, 1_234_567].map(thousands), ["7", "1,000", "1,234,567"]);
}
