//! What the commands of this repository share.

#![allow(clippy::print_stdout, clippy::print_stderr)] // printing is what they are for
#![allow(clippy::missing_errors_doc)] // an error says how to mend what is wrong

pub mod numbers;
pub mod steps;
pub mod tools;
