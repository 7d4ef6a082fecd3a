//! Runs the conformance corpus of `fixtures/` against an implementation.
//!
//! The schema of the cases stands in `fixtures/README.md`. A format crate implements [`Subject`] in
//! its tests and calls [`check`]; `cargo xtask conformance` runs all subjects and prints a table.

mod across;
mod case;
mod corpus;
mod coverage;
pub mod faults;
mod keyed;
mod response;
mod rows;
mod run;
pub mod strategy;
pub mod upstream;

pub use across::{Across, AcrossCalls, Call, Delivery, DeltaCase, Send, SessionPair, Tokens};
pub use case::{Case, ExpectedError, Operation, Options};
pub use corpus::{Corpus, CorpusError, fixtures_dir, fnv};
pub use coverage::{Coverage, Rules};
pub use keyed::{Change, Keyed, KeyedSets, Set};
pub use response::{Response, Responses};
pub use rows::{Rows, Section};
pub use run::{Failure, Outcome, Results, Subject, run_cases};

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
