//! Cases about texts that are not whole: lenient decoding, and payloads in models' answers.

use serde::Deserialize;
use serde_json::{Map, Value};
use wire_core::Payload;

use crate::failure::{failed, refused};
use crate::operation::codec::encodes;
use crate::operation::negative::Rejected;
use crate::options::Options;
use crate::payload;
use crate::subject::Subject;
use crate::text::Text;
use crate::verdict::{Verdict, same_payload};

/// A text that decodes leniently.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lenient {
    /// The text.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The payload to get.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// Members of the report to get.
    pub report: Map<String, Value>,
}

/// A model's answer with a payload in it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recover {
    /// The answer.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The payload to get.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// Members of the report to get.
    pub report: Map<String, Value>,
    /// What the payload encodes to.
    pub reencoded: Option<String>,
}

/// The text decodes leniently, with a report.
pub(crate) fn lenient(subject: &dyn Subject, case: &Lenient, options: &Options) -> Verdict {
    let (found, report) = subject.decode_lenient(&case.text, options).map_err(failed("decode"))?;
    same_payload(&case.payload, &found)?;
    same_report(&case.report, &report)
}

/// The payload is found in the text, with a report.
pub(crate) fn recovers(subject: &dyn Subject, case: &Recover, options: &Options) -> Verdict {
    let (found, report) = subject.recover(&case.text, options).map_err(failed("decode"))?;
    same_payload(&case.payload, &found)?;
    same_report(&case.report, &report)?;
    let Some(reencoded) = &case.reencoded else { return Ok(()) };
    encodes(subject, &found, reencoded.as_bytes(), options)
}

/// No payload is found in the text.
pub(crate) fn irrecoverable(subject: &dyn Subject, case: &Rejected, options: &Options) -> Verdict {
    refused(subject.recover(&case.text, options), &case.error)
}

/// The members that the case expects; others are not compared.
fn same_report(expected: &Map<String, Value>, found: &Value) -> Verdict {
    for (member, value) in expected {
        let found = found.get(member).unwrap_or(&Value::Null);
        if found != value {
            return Err(format!("the report's {member} is\n{found}\nexpected\n{value}"));
        }
    }
    Ok(())
}
