//! Counts the tokens that a language model uses for a text, with named counters (ruling S1).
//!
//! The crate is for programs that choose formats, or keep to a budget, by tokens. It has two
//! vocabularies, estimates that are marked as such, and files of exact counts.
//!
//! # Anatomy of a file of counts
//!
//! ```text
//! {
//!   "claude-opus-4.7": {
//!     "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad": 1
//!   }
//! }
//! ```
//!
//! By the name of the counter, the SHA-256 of each text and its tokens.
//!
//! # Counters
//!
//! | name | what it counts |
//! |---|---|
//! | `runs` | runs of letters, digits and marks: an estimate for any model, with no vocabulary |
//! | `word-punctuation` | words and punctuation marks: the formats' own estimate |
//! | `cl100k_base` | the vocabulary of GPT-4 |
//! | `o200k_base` | the vocabulary of GPT-4o and later |
//! | `claude-opus-4.7` | 1.35 × cl100k, unless a file of [`Counts`] has the exact number |
//!
//! The vocabularies count as `tiktoken` does, except for texts with a run of one class, such as letters
//! or spaces, of more than 4,096 bytes: such a run is counted in pieces of that length, as its exact
//! count would need seconds. The count is then an estimate, usually a few tokens too high.
//!
//! ```
//! use wire_tokens::{Counter, TokenCounter};
//!
//! assert_eq!(Counter::O200kBase.count("@0 fn pkg.Auth 0.78 rwr"), 11);
//! ```

mod counter;
mod counts;
pub mod measure;
mod parts;
mod recent;
#[cfg(test)]
mod tiktoken;
mod vocabulary;

pub use counter::Counter;
pub use counts::{Counts, CountsError, Tokens, digest};
pub use wire_core::TokenCounter;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
