//! The tests of GCX1, as one program: linking many takes longer than building them.

mod compile;
mod conformance;
mod errors;
mod hostile;
mod laws;
mod responses;
mod rows;
mod subject;
mod workspace;
