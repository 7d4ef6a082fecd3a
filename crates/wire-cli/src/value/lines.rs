//! JSON lines: a value on each line, as an array.

use gcx::json::Exact;
use serde_json::Value;
use wire_core::CodecError;

use super::integers::Integers;
use super::json;

/// The values of the lines.
pub(super) fn read(text: &str, integers: Integers) -> Result<Value, CodecError> {
    let mut values = Vec::new();
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        if !line.trim().is_empty() {
            values.push(json::read(line, offset, text.as_bytes(), integers)?);
        }
        offset += line.len();
    }
    Ok(values.into())
}

/// The same with all digits.
pub(super) fn parse(text: &str) -> Result<Exact, CodecError> {
    // Each by itself first, so that errors have their places.
    read(text, Integers::All)?;
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    json::parse(format!("[{}]", lines.join(",")).as_bytes())
}
