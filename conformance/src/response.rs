//! Cases about the JSON of tool responses.

use std::path::Path;

use serde_json::Value;

use crate::case::{Case, Operation, Options, RawCase};
use crate::run::{Failure, RESOLVED, failed, refused, shown};

/// An implementation of responses.
pub trait Responses {
    /// The text of a tool's response (of a format without tools an empty name), and the paths of what it leaves out, through every entry point; they must agree.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn encode(
        &self,
        tool: &str,
        response: &Value,
        options: &Options,
    ) -> Result<(Vec<u8>, Vec<String>), Failure>;

    /// The text of a tool's response that is given as JSON text.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn encode_text(&self, tool: &str, json: &str, options: &Options) -> Result<Vec<u8>, Failure>;

    /// The JSON text of a response, with all digits of its integers.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn decode_text(&self, input: &[u8], options: &Options) -> Result<String, Failure> {
        self.decode(input, options).map(|value| value.to_string())
    }

    /// The JSON of a response, through every entry point; they must agree.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn decode(&self, input: &[u8], options: &Options) -> Result<Value, Failure>;
}

/// What only cases about responses have.
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// The tool.
    pub tool: Option<String>,
    /// The JSON to encode, or to get.
    pub json: Option<Value>,
    /// The JSON to encode, and to get, as text, where a value can't say it.
    pub text: Option<String>,
    /// The JSON to get from decoding, when it is another.
    pub decoded: Option<Value>,
    /// The paths of what encoding leaves out.
    pub left_out: Vec<String>,
}

impl Response {
    /// Takes the members out of a case and checks that the operation has them.
    pub(crate) fn of(raw: &mut RawCase, root: &Path) -> Result<Self, String> {
        let file = raw.json_file.take().map(|path| {
            let text =
                std::fs::read(root.join(&path)).map_err(|error| format!("{path}: {error}"))?;
            serde_json::from_slice(&text).map_err(|error| format!("{path}: {error}"))
        });
        let json = match (raw.json.take(), file) {
            (Some(_), Some(_)) => return Err("it has both json and json_file".to_owned()),
            (json, file) => json.map(Ok).or(file).transpose()?,
        };
        let response = Response {
            tool: raw.tool.take(),
            json,
            text: raw.json_text.take(),
            decoded: raw.decoded_json.take(),
            left_out: std::mem::take(&mut raw.left_out),
        };
        // Of GCX1 the tool decides; other formats have none.
        let (may_have_tool, needs_json) = match raw.operation {
            Operation::Response | Operation::ResponseRefuse => (true, true),
            Operation::ResponseDecode => (false, true),
            _ => (false, false),
        };
        let only_for_response = response.decoded.is_some() || !response.left_out.is_empty();
        if (response.tool.is_some() && !may_have_tool)
            || needs_json != (response.json.is_some() || response.text.is_some())
            || (response.text.is_some()
                && (response.json.is_some()
                    || only_for_response
                    || raw.operation == Operation::ResponseDecode))
            || (only_for_response && raw.operation != Operation::Response)
        {
            return Err("tool, json, decoded_json and left_out are for cases about responses, as each needs them".to_owned());
        }
        Ok(response)
    }
}

pub(crate) fn judge(subject: &dyn Responses, case: &Case) -> Result<(), String> {
    let Response { tool, json, text, decoded, left_out } = &case.response;
    let tool = || tool.as_deref().unwrap_or_default();
    let json = || json.as_ref().expect(RESOLVED);
    let input = || case.input.as_deref().expect(RESOLVED);
    let error = || case.error.as_ref().expect(RESOLVED);
    match case.operation {
        Operation::Response if text.is_some() => {
            let text = text.as_deref().expect(RESOLVED);
            let written =
                subject.encode_text(tool(), text, &case.options).map_err(failed("encode"))?;
            if written != input() {
                return Err(format!(
                    "it encodes to\n{}\nexpected\n{}",
                    shown(&written),
                    shown(input())
                ));
            }
            let found = subject.decode_text(input(), &case.options).map_err(failed("decode"))?;
            if found == text {
                return Ok(());
            }
            Err(format!("it decodes to\n{found}\nexpected\n{text}"))
        }
        Operation::Response => {
            let (written, found) =
                subject.encode(tool(), json(), &case.options).map_err(failed("encode"))?;
            if written != input() {
                return Err(format!(
                    "it encodes to\n{}\nexpected\n{}",
                    shown(&written),
                    shown(input())
                ));
            }
            if found != *left_out {
                return Err(format!("encoding leaves {found:?} out, expected {left_out:?}"));
            }
            reads(subject, case, decoded.as_ref().unwrap_or(json()))
        }
        Operation::ResponseDecode => reads(subject, case, json()),
        Operation::ResponseRefuse if text.is_some() => {
            let text = text.as_deref().expect(RESOLVED);
            refused(subject.encode_text(tool(), text, &case.options), error())
        }
        Operation::ResponseRefuse => {
            refused(subject.encode(tool(), json(), &case.options), error())
        }
        Operation::ResponseRewrite => {
            let read = subject.decode(input(), &case.options).map_err(failed("decode"))?;
            let (written, _) =
                subject.encode(tool(), &read, &case.options).map_err(failed("encode"))?;
            let expected = case.reencoded.as_ref().map_or(input(), |text| text.as_bytes());
            if written == expected {
                return Ok(());
            }
            Err(format!("it encodes to\n{}\nexpected\n{}", shown(&written), shown(expected)))
        }
        Operation::ResponseReject => refused(subject.decode(input(), &case.options), error()),
        other => Err(format!("{other:?} is not about responses")),
    }
}

fn reads(subject: &dyn Responses, case: &Case, expected: &Value) -> Result<(), String> {
    let input = case.input.as_deref().expect(RESOLVED);
    let found = subject.decode(input, &case.options).map_err(failed("decode"))?;
    if same(&found, expected) {
        return Ok(());
    }
    Err(format!("it decodes to\n{found}\nexpected\n{expected}"))
}

/// A value as the generic profile of GCF reads it back: doubles without a fraction are integers below 2^53.
pub(crate) fn as_read(value: Value) -> Value {
    match value {
        Value::Number(number) if number.is_f64() => {
            let double = number.as_f64().unwrap_or_default();
            let is_plain = double.fract() == 0.0 && double.abs() < 9_007_199_254_740_992.0;
            #[allow(clippy::cast_possible_truncation, reason = "it is below 2^53")]
            if is_plain { (double as i64).into() } else { number.into() }
        }
        Value::Array(items) => items.into_iter().map(as_read).collect(),
        Value::Object(members) => {
            Value::Object(members.into_iter().map(|(key, value)| (key, as_read(value))).collect())
        }
        other => other,
    }
}

/// Whether two values are the same: integers and doubles differ, and so do both zeros.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let bits = |number: &serde_json::Number| number.as_f64().map(f64::to_bits);
            a == b && bits(a) == bits(b)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| b.get(key).is_some_and(|other| same(value, other)))
        }
        _ => a == b,
    }
}
