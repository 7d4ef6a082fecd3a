//! The errors of the readers of single lines. These see only their own line, so the position is an
//! offset in it.

use crate::ErrorKind;

/// An error in a line, with its offset in the line.
pub(crate) type Diagnosis = wire_core::text::Diagnosis<ErrorKind>;
