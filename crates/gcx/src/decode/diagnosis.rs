//! What the readers of single lines say: they know no other lines, and so no place but the one in
//! their own.

use crate::ErrorKind;

/// What is wrong with a line, and at which byte of it.
pub(crate) type Diagnosis = wire_core::error::Diagnosis<ErrorKind>;
