//! Plain scalars of YAML.

use serde_json::{Number, Value};

/// The bound that a number is beyond.
pub(super) enum Beyond {
    /// Integers of 64 bits (ruling A6), or it is infinite or none.
    Integers,
    /// Doubles (ruling A8).
    Doubles,
}

/// The prefixes of digits that are not decimal. They have no sign.
const RADIXES: [(&str, u32); 2] = [("0x", 16), ("0o", 8)];

/// The digits after a prefix, and their radix.
fn with_radix(text: &str) -> Option<(&str, u32)> {
    RADIXES.iter().find_map(|(prefix, radix)| {
        let digits = text.strip_prefix(prefix)?;
        let are_digits = !digits.is_empty() && digits.chars().all(|c| c.is_digit(*radix));
        are_digits.then_some((digits, *radix))
    })
}

/// The digits of a plain scalar that is an integer, as JSON has them. With a prefix they have at
/// most 128 bits.
pub(super) fn integer(text: &str) -> Option<String> {
    if let Some((digits, radix)) = with_radix(text) {
        return u128::from_str_radix(digits, radix).ok().map(|integer| integer.to_string());
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let digits = unsigned.trim_start_matches('0');
    Some(format!("{sign}{}", if digits.is_empty() { "0" } else { digits }))
}

/// Returns `true` if a plain scalar is null.
pub(super) fn is_null(text: &str) -> bool {
    matches!(text, "" | "~" | "null" | "Null" | "NULL")
}

/// The value of a plain scalar by the core schema of YAML 1.2, in which `017` is 17 and `0b11` a
/// text.
pub(super) fn resolve(text: &str) -> Result<Value, Beyond> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { "-" } else { "" };
    match text {
        _ if is_null(text) => return Ok(Value::Null),
        "true" | "True" | "TRUE" => return Ok(true.into()),
        "false" | "False" | "FALSE" => return Ok(false.into()),
        ".nan" | ".NaN" | ".NAN" => return Err(Beyond::Integers),
        _ if matches!(unsigned, ".inf" | ".Inf" | ".INF") => return Err(Beyond::Integers),
        _ => {}
    }
    if let Some((digits, radix)) = with_radix(text) {
        return u64::from_str_radix(digits, radix).map(Value::from).map_err(|_| Beyond::Integers);
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(unsigned);
    if whole > 0 && whole == unsigned.len() {
        // There is one zero without a sign.
        if sign == "-" && unsigned.bytes().all(|byte| byte == b'0') {
            return Ok((-0.0).into());
        }
        let literal = format!("{sign}{unsigned}");
        let signed = literal.parse::<i64>().map(Value::from);
        let value = signed.or_else(|_| literal.parse::<u64>().map(Value::from));
        return value.map_err(|_| Beyond::Integers);
    }
    let mut rest = &unsigned[whole..];
    let mut fraction = 0;
    if let Some(behind) = rest.strip_prefix('.') {
        fraction = digits(behind);
        rest = &behind[fraction..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let length = digits(exponent);
        rest = if length > 0 { &exponent[length..] } else { rest };
    }
    if whole + fraction == 0 || !rest.is_empty() {
        return Ok(text.into());
    }
    let number = text.parse::<f64>().ok().and_then(Number::from_f64);
    number.map(Value::Number).ok_or(Beyond::Doubles)
}
