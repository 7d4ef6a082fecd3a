//! Plain scalars of YAML.

use serde_json::{Number, Value};

/// A number that neither an integer of 64 bits nor a finite double is (ruling A6).
pub(super) struct OutOfRange;

/// The prefixes of digits that are not decimal.
const RADIXES: [(&str, u32); 3] = [("0x", 16), ("0o", 8), ("0b", 2)];

/// Whether a plain scalar is an integer.
pub(super) fn is_integer(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let radix =
        RADIXES.iter().find_map(|(prefix, radix)| Some((unsigned.strip_prefix(prefix)?, *radix)));
    let (digits, radix) = radix.unwrap_or((unsigned, 10));
    !digits.is_empty() && digits.chars().all(|c| c.is_digit(radix))
}

/// The value of a plain scalar by the core schema. A decimal integer with a leading zero is a text,
/// since readers of YAML disagree.
pub(super) fn resolve(text: &str) -> Result<Value, OutOfRange> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let sign = if text.starts_with('-') { "-" } else { "" };
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Ok(Value::Null),
        "true" | "True" | "TRUE" => return Ok(true.into()),
        "false" | "False" | "FALSE" => return Ok(false.into()),
        ".nan" | ".NaN" | ".NAN" => return Err(OutOfRange),
        _ if matches!(unsigned, ".inf" | ".Inf" | ".INF") => return Err(OutOfRange),
        _ => {}
    }
    for (prefix, radix) in RADIXES {
        let digits = unsigned.strip_prefix(prefix).filter(|digits| !digits.is_empty());
        if let Some(digits) = digits.filter(|digits| digits.chars().all(|c| c.is_digit(radix))) {
            let literal = format!("{sign}{digits}");
            let signed = i64::from_str_radix(&literal, radix).map(Value::from);
            let value = signed.or_else(|_| u64::from_str_radix(&literal, radix).map(Value::from));
            return value.map_err(|_| OutOfRange);
        }
    }
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(unsigned);
    if whole == unsigned.len() {
        let leading_zero = whole > 1 && unsigned.starts_with('0');
        return match (leading_zero, unsigned) {
            (true, _) => Ok(text.into()),
            // There is one zero without a sign.
            (_, "0") if sign == "-" => Ok((-0.0).into()),
            _ => {
                let literal = format!("{sign}{unsigned}");
                let signed = literal.parse::<i64>().map(Value::from);
                let value = signed.or_else(|_| literal.parse::<u64>().map(Value::from));
                value.map_err(|_| OutOfRange)
            }
        };
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
    number.map(Value::Number).ok_or(OutOfRange)
}
