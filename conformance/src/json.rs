//! JSON as other people's cases have it.

use serde_json::Value;

/// A value as the generic profile of GCF reads it back: doubles without a fraction are integers
/// below 2^53.
pub(crate) fn as_read(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let double = number.as_f64().unwrap_or_default();
            let is_plain = double.fract() == 0.0 && double.abs() < 9_007_199_254_740_992.0;
            #[allow(clippy::cast_possible_truncation, reason = "it is below 2^53")]
            if is_plain { (double as i64).into() } else { double.into() }
        }
        Value::Array(items) => items.into_iter().map(as_read).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(key, value)| (key, as_read(value))).collect())
        }
        other => other,
    }
}
