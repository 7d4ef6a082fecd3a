//! Cases about one payload and its text.

use serde::Deserialize;
use wire_core::Payload;

use crate::failure::{failed, refused};
use crate::operation::negative::{Refused, Rejected};
use crate::options::Options;
use crate::payload;
use crate::subject::Subject;
use crate::text::Text;
use crate::verdict::{Verdict, same_payload, same_text};

/// A payload and the text that stands for it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coded {
    /// The payload to encode, or to get.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// The text to get, or to decode.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
}

/// A payload and its text, in both directions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Roundtrip {
    /// The payload to encode.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// The text to get, and to decode.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The payload to get from decoding, when it is another one.
    #[serde(default, deserialize_with = "payload::optional")]
    pub decoded: Option<Payload<'static>>,
}

/// The payload encodes to the text.
pub(crate) fn encodes(
    subject: &dyn Subject,
    payload: &Payload<'_>,
    text: &[u8],
    options: &Options,
) -> Verdict {
    let found = subject.encode(payload, options).map_err(failed("encode"))?;
    same_text("it encodes as", &found, text)
}

/// The text decodes to the payload.
pub(crate) fn decodes(
    subject: &dyn Subject,
    text: &[u8],
    payload: &Payload<'_>,
    options: &Options,
) -> Verdict {
    let found = subject.decode(text, options).map_err(failed("decode"))?;
    same_payload(payload, &found)
}

/// Both.
pub(crate) fn roundtrip(subject: &dyn Subject, case: &Roundtrip, options: &Options) -> Verdict {
    encodes(subject, &case.payload, &case.text, options)?;
    decodes(subject, &case.text, case.decoded.as_ref().unwrap_or(&case.payload), options)
}

/// The payload can't be encoded.
pub(crate) fn refuses(subject: &dyn Subject, case: &Refused, options: &Options) -> Verdict {
    refused(subject.encode(&case.payload, options), &case.error)
}

/// The text can't be decoded.
pub(crate) fn rejects(subject: &dyn Subject, case: &Rejected, options: &Options) -> Verdict {
    refused(subject.decode(&case.text, options), &case.error)
}
