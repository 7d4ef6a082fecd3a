//! The errors of the readers of single lines. These see only their own line, so the position is an
//! offset in it.

use crate::ErrorKind;

/// What is wrong with a line, and at which byte of it.
pub(crate) type Diagnosis = wire_core::error::Diagnosis<ErrorKind>;
