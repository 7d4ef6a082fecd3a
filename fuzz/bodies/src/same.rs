//! When payloads are the same.

use wire_core::Payload;

/// Equality under which NaN is equal to itself.
pub(crate) fn same(one: &Payload<'_>, other: &Payload<'_>) -> bool {
    one == other || format!("{one:?}") == format!("{other:?}")
}
