//! The crate against its part of the conformance corpus, with default features.

use crate::subject;

#[test]
fn corpus() {
    wire_conformance::check(&subject::Gcb);
}
