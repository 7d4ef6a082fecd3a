//! Cases about the JSON of tool responses.

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::failure::{ExpectedError, Failure, failed, refused};
use crate::operation::negative::Rejected;
use crate::options::Options;
use crate::text::Text;
use crate::verdict::{Verdict, same_text};

/// An implementation of responses.
pub trait Responses {
    /// The text of a tool's response (of a format without tools an empty name), and the paths of
    /// what it leaves out, through every entry point; they must agree.
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

/// The JSON of a response and its text, in both directions.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Response {
    /// The tool, where the format has tools.
    pub tool: Option<String>,
    /// The JSON to encode.
    #[serde(default, alias = "json_file", deserialize_with = "even_null")]
    pub json: Option<Value>,
    /// The JSON to encode, and to get, as text, where a value can't say it.
    pub json_text: Option<String>,
    /// The text to get, and to decode.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The JSON to get from decoding, when it is another.
    #[serde(default, deserialize_with = "even_null")]
    pub decoded_json: Option<Value>,
    /// The paths of what encoding leaves out.
    #[serde(default)]
    pub left_out: Vec<String>,
}

/// A text that decodes to the JSON of a response.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseDecode {
    /// The text.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The JSON to get.
    #[serde(alias = "json_file")]
    pub json: Value,
}

/// JSON that can't be encoded as a response.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseRefuse {
    /// The tool, where the format has tools.
    pub tool: Option<String>,
    /// The JSON.
    #[serde(default, alias = "json_file", deserialize_with = "even_null")]
    pub json: Option<Value>,
    /// The JSON as text, where a value can't say it.
    pub json_text: Option<String>,
    /// The error to get.
    pub error: ExpectedError,
}

/// A text that decodes to a response, and what that encodes to.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResponseRewrite {
    /// The text to decode.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// What the response encodes to, when it is another text.
    pub reencoded: Option<String>,
}

/// The JSON of a case.
enum Given<'c> {
    Value(&'c Value),
    Text(&'c str),
}

fn given<'c>(json: Option<&'c Value>, text: Option<&'c String>) -> Result<Given<'c>, String> {
    match (json, text) {
        (Some(json), None) => Ok(Given::Value(json)),
        (None, Some(text)) => Ok(Given::Text(text)),
        (None, None) => Err("missing field `json` or `json_text`".to_owned()),
        (Some(_), Some(_)) => Err("it has both json and json_text".to_owned()),
    }
}

impl Response {
    fn given(&self) -> Result<Given<'_>, String> {
        let given = given(self.json.as_ref(), self.json_text.as_ref())?;
        if matches!(given, Given::Text(_))
            && (self.decoded_json.is_some() || !self.left_out.is_empty())
        {
            return Err("decoded_json and left_out have no place beside json_text".to_owned());
        }
        Ok(given)
    }

    /// Whether its members go together.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.given().map(drop)
    }
}

impl ResponseRefuse {
    fn given(&self) -> Result<Given<'_>, String> {
        given(self.json.as_ref(), self.json_text.as_ref())
    }

    /// Whether its members go together.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.given().map(drop)
    }
}

/// A value that is there, `null` too.
fn even_null<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The JSON of a response encodes to the text, and back.
pub(crate) fn roundtrip(subject: &dyn Responses, case: &Response, options: &Options) -> Verdict {
    let tool = case.tool.as_deref().unwrap_or_default();
    match case.given()? {
        Given::Text(json) => {
            let written = subject.encode_text(tool, json, options).map_err(failed("encode"))?;
            same_text("it encodes to", &written, &case.text)?;
            let found = subject.decode_text(&case.text, options).map_err(failed("decode"))?;
            if found == json {
                return Ok(());
            }
            Err(format!("it decodes to\n{found}\nexpected\n{json}"))
        }
        Given::Value(json) => {
            let (written, left_out) =
                subject.encode(tool, json, options).map_err(failed("encode"))?;
            same_text("it encodes to", &written, &case.text)?;
            if left_out != case.left_out {
                return Err(format!(
                    "encoding leaves {left_out:?} out, expected {:?}",
                    case.left_out
                ));
            }
            decodes(subject, &case.text, case.decoded_json.as_ref().unwrap_or(json), options)
        }
    }
}

/// The text decodes to the JSON of a response.
pub(crate) fn decodes(
    subject: &dyn Responses,
    text: &[u8],
    json: &Value,
    options: &Options,
) -> Verdict {
    let found = subject.decode(text, options).map_err(failed("decode"))?;
    if same(&found, json) {
        return Ok(());
    }
    Err(format!("it decodes to\n{found}\nexpected\n{json}"))
}

/// The JSON can't be encoded as a response.
pub(crate) fn refuses(
    subject: &dyn Responses,
    case: &ResponseRefuse,
    options: &Options,
) -> Verdict {
    let tool = case.tool.as_deref().unwrap_or_default();
    match case.given()? {
        Given::Text(json) => refused(subject.encode_text(tool, json, options), &case.error),
        Given::Value(json) => refused(subject.encode(tool, json, options), &case.error),
    }
}

/// The text decodes to no response.
pub(crate) fn rejects(subject: &dyn Responses, case: &Rejected, options: &Options) -> Verdict {
    refused(subject.decode(&case.text, options), &case.error)
}

/// The text decodes to a response that encodes to `reencoded`.
pub(crate) fn rewrites(
    subject: &dyn Responses,
    case: &ResponseRewrite,
    options: &Options,
) -> Verdict {
    let read = subject.decode(&case.text, options).map_err(failed("decode"))?;
    let (written, _) = subject.encode("", &read, options).map_err(failed("encode"))?;
    let expected = case.reencoded.as_ref().map_or(&*case.text, |text| text.as_bytes());
    same_text("it encodes to", &written, expected)
}

/// Whether two values are the same: integers and doubles differ, and so do both zeros.
pub fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            // Not by `==`, which compares literals in a build that keeps them.
            let bits = |number: &serde_json::Number| number.as_f64().map(f64::to_bits);
            let integers = |number: &serde_json::Number| (number.as_i64(), number.as_u64());
            a.is_f64() == b.is_f64() && integers(a) == integers(b) && bits(a) == bits(b)
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
