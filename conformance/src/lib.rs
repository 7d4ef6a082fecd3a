//! Runs the conformance corpus of `fixtures/` against an implementation.
//!
//! The schema of the cases stands in `fixtures/README.md`. A format crate implements [`Subject`] in
//! its tests and calls [`check`]; `cargo xtask conformance` runs all subjects and prints a table.

mod case;
mod corpus;
mod coverage;
mod failure;
pub mod faults;
mod json;
mod members;
pub mod operation;
mod options;
pub mod pages;
mod payload;
mod run;
pub mod strategy;
mod subject;
mod text;
pub mod upstream;
mod verdict;

pub use case::Case;
pub use corpus::{Corpus, CorpusError, fixtures_dir, fnv};
pub use coverage::{Coverage, Rules};
pub use failure::{ExpectedError, Failure};
pub use operation::Operation;
pub use operation::choice::Choices;
pub use operation::exchange_subject::{DeltaCase, ExchangeSubject, SessionPair, Tokens};
pub use operation::response::{Responses, same};
pub use operation::rows::{Rows, Section};
pub use operation::session::{Call, Delivery, Send};
pub use operation::sets::{Change, KeyedSets, Session, Set};
pub use options::Options;
pub use run::{Results, run_cases};
pub use subject::Subject;
pub use text::Text;

/// Runs every case of the subject's format and the coverage of its rules, for `cargo test`.
///
/// # Panics
///
/// When the corpus is missing or does not match its manifest, a case fails, or a rule or an error
/// code has no case; the message says which and how to mend it.
pub fn check(subject: &dyn Subject) {
    let corpus = Corpus::load(&fixtures_dir()).unwrap_or_else(|error| panic!("{error}"));
    let cases: Vec<&Case> = corpus.cases_of(subject.format()).collect();
    assert!(!cases.is_empty(), "the corpus has no case for {}", subject.format());
    let results = run_cases(subject, &cases);
    assert!(results.failed.is_empty(), "{}", results.failures());
    let coverage = Coverage::of(&corpus, subject).unwrap_or_else(|error| panic!("{error}"));
    assert!(coverage.gaps().is_empty(), "cases are missing: {}", coverage.gaps().join("; "));
}
