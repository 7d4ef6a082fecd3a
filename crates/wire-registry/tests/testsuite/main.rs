//! The tests of the registry, as one program: linking many takes longer than building them.

mod conformance;
mod laws;
mod negotiate;
mod subject;
mod values;
