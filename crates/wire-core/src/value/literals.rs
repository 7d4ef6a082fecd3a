//! The literals of a JSON text, found without parsing the rest.

/// The integer literals of a JSON text, each with its offset in bytes. `serde_json` reads an
/// integer beyond 64 bits as a double, so only the text shows which integers changed (ruling A6).
///
/// ```
/// use wire_core::value::integers;
///
/// let found: Vec<_> = integers(r#"{"a": [18446744073709551616, 1.0, "7"], "b": -1}"#).collect();
/// assert_eq!(found, [(7, "18446744073709551616"), (45, "-1")]);
/// ```
pub fn integers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    numbers(text).filter(|(_, literal)| !literal.contains(['.', 'e', 'E']))
}

/// The number literals of a JSON text, each with its offset in bytes: the numbers that `serde_json`
/// reads, in the same order.
pub fn numbers(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(&byte) = bytes.get(at) {
            let start = at;
            at += 1;
            match byte {
                b'"' => at = after_string(bytes, at),
                b'-' | b'0'..=b'9' => {
                    at = after_number(bytes, at);
                    return Some((start, &text[start..at]));
                }
                _ => {}
            }
        }
        None
    })
}

/// The first integer literal of a JSON text beyond 64 bits, signed or unsigned, and its offset in
/// bytes.
pub fn integer_out_of_range(text: &str) -> Option<(usize, &str)> {
    // Integers with fewer digits fit.
    const SHORTEST: usize = 19;
    integers(text).find(|(_, digits)| {
        digits.len() >= SHORTEST && digits.parse::<i64>().is_err() && digits.parse::<u64>().is_err()
    })
}

/// The offset after the closing quote of a string whose content begins at `at`.
pub(super) fn after_string(bytes: &[u8], mut at: usize) -> usize {
    while let Some(&inner) = bytes.get(at).filter(|&&inner| inner != b'"') {
        at += if inner == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// The offset after a number whose first byte is before `at`.
pub(super) fn after_number(bytes: &[u8], mut at: usize) -> usize {
    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    while bytes.get(at).is_some_and(is_part) {
        at += 1;
    }
    at
}
