//! The tests of GOON, as one program: linking many takes longer than building them.

mod conformance;
mod hostile;
mod laws;
mod subject;
