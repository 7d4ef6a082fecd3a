//! The names by which `serde_json` marks values in serde.

/// A number, in a build in which it keeps all digits.
pub(crate) const NUMBER: &str = "$serde_json::private::Number";

/// A text that is JSON already.
pub(crate) const RAW_VALUE: &str = "$serde_json::private::RawValue";
