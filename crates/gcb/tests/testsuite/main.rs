//! The tests of the format GCB1, as one program: linking many takes longer than building them.

mod conformance;
mod errors;
mod hostile;
mod laws;
mod subject;
