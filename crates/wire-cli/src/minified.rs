//! A value as its JSON text: a fraction of the memory of a tree, and all digits of its integers.

use gcf::generic::MOST_TIMES;
use gcx::json::Exact;
use serde_json::Value;
use wire_core::CodecError;
use wire_core::text::shown;
use wire_core::value::integer_out_of_range;

use crate::converted::Warning;
use crate::source::{JSON, Source};
use crate::value::{self, Checked, Integers, json_again, json_text};

/// A value as JSON text without white space.
pub(crate) struct Minified {
    text: String,
    is_rows: bool,
}

impl Minified {
    /// The value of an input; integers of YAML and TOML have 64 bits.
    pub(crate) fn read(source: Source, bytes: &[u8]) -> Result<(Self, Vec<Warning>), CodecError> {
        let (text, warnings) = match source {
            Source::Json | Source::JsonLines => {
                let mut text = json_again(source, bytes, JSON)?;
                text.truncate(text.trim_end().len());
                (text, Vec::new())
            }
            Source::Generic => {
                let json = value::decoder(bytes).to_json_slice(bytes)?;
                let text = String::from_utf8(json).expect("because JSON is made of strings");
                (text, Vec::new())
            }
            source => {
                let (value, warnings) = value::read(source, bytes, Integers::Any)?;
                (value.to_string(), warnings)
            }
        };
        Ok((Minified::of(text), warnings))
    }

    /// A text that is already minified.
    pub(crate) fn of(text: String) -> Self {
        let is_rows = value::checked(&text).is_some_and(Checked::is_rows);
        Minified { text, is_rows }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is an array of objects, or of nothing.
    pub(crate) fn is_rows(&self) -> bool {
        self.is_rows
    }

    /// The value in one of the forms of JSON.
    pub(crate) fn in_form(&self, form: &str) -> Result<String, CodecError> {
        if form == JSON {
            Ok(format!("{}\n", self.text))
        } else {
            json_again(Source::Json, self.text.as_bytes(), form)
        }
    }

    /// The value with all digits.
    pub(crate) fn exact(&self) -> Exact {
        self.text.parse().expect("because the text is that of a value")
    }

    /// The value with integers of 64 bits, with or without a sign.
    pub(crate) fn value(&self) -> Result<Value, CodecError> {
        if let Some((_, digits)) = integer_out_of_range(&self.text) {
            return Err(not_of_64_bits(digits));
        }
        let value = wire_core::value::from_str(&self.text);
        Ok(value.expect("because the text is that of a value"))
    }

    /// The value in the generic profile of GCF, in which a table of rows without common members is
    /// as large as their number squared. A text that is much larger than the JSON is not finished.
    pub(crate) fn generic(&self) -> Result<String, CodecError> {
        let prepared = gcf::generic::Encoder::new().prepare_json(&self.text);
        let prepared = prepared.map_err(|error| match integer_out_of_range(&self.text) {
            Some((_, digits)) => not_of_64_bits(digits),
            None => without_place(&error.into()),
        })?;
        prepared.to_string_unless_large(self.text.len()).ok_or_else(|| {
            let message =
                format!("its text has more than {MOST_TIMES} times the bytes of minified JSON");
            CodecError::new("too_large", None, message)
        })
    }

    /// Whether another text of JSON without white space has the same value, members in whatever
    /// order, to a reader to whom 1.0 is 1.
    pub(crate) fn is_same(&self, other: &str) -> bool {
        is_same_but_numbers(&self.text, other)
            || self.value().is_ok_and(|value| {
                wire_core::value::from_str(other).is_ok_and(|other| same(&value, &other))
            })
    }
}

#[cold]
fn not_of_64_bits(digits: &str) -> CodecError {
    let message = format!("the integer is {}, expected one of 64 bits", shown(digits));
    CodecError::new("out_of_range", None, message)
}

/// An error without its position, which refers to a text that the user does not see.
pub(crate) fn without_place(error: &CodecError) -> CodecError {
    let text = error.to_string();
    let place = error.position().map(|position| format!("{position}: ")).unwrap_or_default();
    let message = text.strip_prefix(&place).unwrap_or(&text).to_owned();
    CodecError::new(error.code(), None, message)
}

/// Whether two texts of JSON without white space are the same but for numbers that are written in
/// two ways.
fn is_same_but_numbers(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    let is_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
    let number = |bytes: &[u8], at: usize| {
        let length = bytes[at..].iter().take_while(|byte| is_number(byte)).count();
        let literal = std::str::from_utf8(&bytes[at..at + length]).ok()?;
        Some((at + length, serde_json::from_str::<serde_json::Number>(literal).ok()?))
    };
    let (mut here, mut there) = (0, 0);
    loop {
        match (one.get(here), other.get(there)) {
            (None, None) => return true,
            (Some(b'"'), Some(b'"')) => {
                let end = end_of_string(one, here);
                if other.get(there..there + (end - here)) != Some(&one[here..end]) {
                    return false;
                }
                there += end - here;
                here = end;
            }
            (Some(b'-' | b'0'..=b'9'), Some(b'-' | b'0'..=b'9')) => {
                let (Some((after, number)), Some((behind, other))) =
                    (number(one, here), number(other, there))
                else {
                    return false;
                };
                if !same(&Value::Number(number), &Value::Number(other)) {
                    return false;
                }
                (here, there) = (after, behind);
            }
            (Some(byte), Some(other)) if byte == other => {
                here += 1;
                there += 1;
            }
            _ => return false,
        }
    }
}

/// The offset after a string that begins here.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&inner) = bytes.get(at).filter(|&&inner| inner != b'"') {
        at += if inner == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

/// Whether two values are the same to a reader of JSON, to whom 1.0 is 1.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || (one.is_f64() != other.is_f64() && one.as_f64() == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let same_member = |(key, value): (&String, &Value)| {
                other.get(key).is_some_and(|other| same(value, other))
            };
            one.len() == other.len() && one.iter().all(same_member)
        }
        (one, other) => one == other,
    }
}

impl From<&Exact> for Minified {
    fn from(value: &Exact) -> Self {
        let mut text = json_text(value, JSON);
        text.truncate(text.trim_end().len());
        Minified::of(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXTS: &[&str] = &[
        "[1.0, 1, -0, -0.0, 1e2, 1E-7, 0.1, 18446744073709551615, 9223372036854775807]",
        "[18446744073709551616, -9223372036854775809, 1e20, 100000000000000000000.0]",
        r#"{"b": {"a": "\u0041\n\/\"", "é": "\ud83d\ude00\u007f"}, "a": [[], {}, null, true, ""]}"#,
        r#" [ {"id": 1.50, "x": "1.0"}, {"x": 2, "id": "-"} ] "#,
        "7",
        "\"x\"",
    ];

    #[test]
    fn texts_are_those_of_their_values() {
        for text in TEXTS {
            let value: Exact = text.parse().unwrap();
            let (minified, _) = Minified::read(Source::Json, text.as_bytes()).unwrap();
            assert_eq!(minified.text(), value.to_string());
            assert_eq!(minified.is_rows(), value.is_rows());
            assert_eq!(Minified::from(&value).text(), value.to_string());
            assert_eq!(minified.exact(), value);
            for form in [JSON, crate::source::JSON_PRETTY] {
                assert_eq!(minified.in_form(form).unwrap(), json_text(&value, form));
                assert_eq!(
                    json_again(Source::Json, text.as_bytes(), form).unwrap(),
                    json_text(&value, form)
                );
            }
        }
    }

    /// Names that `serde_json` gives to numbers and raw values are names.
    #[test]
    fn values_have_the_names_of_their_text() {
        for text in [
            r#"{"$serde_json::private::RawValue":"5"}"#,
            r#"{"a":{"$serde_json::private::RawValue":"no JSON"}}"#,
            r#"{"$serde_json::private::Number":"5"}"#,
        ] {
            let value = Minified::of(text.to_owned());
            assert_eq!(value.value().unwrap().to_string(), text);
            assert!(value.is_same(&format!(" {text}")) && !value.is_same("5"), "{text}");
        }
    }

    #[test]
    fn sameness_is_that_of_values() {
        let texts = [
            "[1.0,2]",
            "[1,2]",
            "[1,2.0]",
            "[1,2,3]",
            "[1]",
            "[\"1.0\",2]",
            "[\"1\",2]",
            "[-1,2]",
            "[1e0,2]",
            "{\"a\":1,\"b\":2}",
            "{\"b\":2.0,\"a\":1}",
            "{\"a\":1,\"b\":\"x\\\"\"}",
            "{\"a\":1}",
            "[[1.5],2]",
            "[1.5,2]",
        ];
        for one in texts {
            for other in texts {
                let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                let expected = same(&value(one), &value(other));
                let of_text = Minified::of(one.to_owned()).is_same(other);
                assert_eq!(of_text, expected, "{one} {other}");
                assert!(expected || !is_same_but_numbers(one, other), "{one} {other}");
            }
        }
    }
}
