//! The crate against its parts of the conformance corpus, with default features.

use crate::subject;

#[test]
fn json() {
    wire_conformance::check(&subject::JsonSubject);
}

#[test]
fn xml() {
    wire_conformance::check(&subject::XmlSubject);
}

#[test]
fn markdown() {
    wire_conformance::check(&subject::MarkdownSubject);
}
