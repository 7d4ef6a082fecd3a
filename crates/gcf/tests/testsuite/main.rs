//! The tests of GCF, as one program: linking many takes longer than building them.

#[cfg(feature = "json")]
mod conformance;
mod deltas;
mod errors;
mod fit;
#[cfg(feature = "generic")]
mod generic;
mod hostile;
#[cfg(feature = "generic")]
mod inspect;
mod laws;
mod recover;
#[cfg(feature = "generic")]
mod rows;
#[cfg(feature = "generic")]
mod serialize;
mod sessions;
mod streaming;
#[cfg(feature = "json")]
mod subject;
mod truncation;
