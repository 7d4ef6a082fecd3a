//! Cases about deltas between payloads.

use serde::Deserialize;
use wire_core::Payload;

use crate::failure::{ExpectedError, fails, refused};
use crate::operation::exchange_subject::{DeltaCase, ExchangeSubject};
use crate::operation::negative::Rejected;
use crate::options::Options;
use crate::payload;
use crate::text::Text;
use crate::verdict::{Verdict, same, same_payload, same_text};

/// A delta and its text, in both directions.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Delta {
    /// The delta to encode.
    pub delta: DeltaCase,
    /// The text to get, and to decode.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The delta to get from decoding, when it is another one.
    pub decoded_delta: Option<DeltaCase>,
}

/// A text that decodes to a delta.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeltaDecode {
    /// The text.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The delta to get.
    pub delta: DeltaCase,
}

/// A delta that can't be encoded.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeltaRefuse {
    /// The delta.
    pub delta: DeltaCase,
    /// The error to get.
    pub error: ExpectedError,
}

/// Two payloads and the text of the delta between them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Difference {
    /// The payload that the delta is about.
    #[serde(deserialize_with = "payload::one")]
    pub base: Payload<'static>,
    /// The payload that it leads to.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// The text.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
}

/// Two payloads without a delta between them.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SendFull {
    /// The payload that a delta would be about.
    #[serde(deserialize_with = "payload::one")]
    pub base: Payload<'static>,
    /// The payload that it would lead to.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// Why there is none.
    pub why: String,
}

/// A text that is no delta of the base.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApplyReject {
    /// The payload that the delta should be about.
    #[serde(deserialize_with = "payload::one")]
    pub base: Payload<'static>,
    /// The text.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
    /// The error to get.
    pub error: ExpectedError,
}

/// The delta encodes to the text, and back.
pub(crate) fn roundtrip(subject: &dyn ExchangeSubject, case: &Delta, options: &Options) -> Verdict {
    let text = subject.encode_delta(&case.delta, options).map_err(fails)?;
    same_text("the text is", text.as_bytes(), &case.text)?;
    decodes(subject, &case.text, case.decoded_delta.as_ref().unwrap_or(&case.delta), options)
}

/// The text decodes to the delta.
pub(crate) fn decodes(
    subject: &dyn ExchangeSubject,
    text: &[u8],
    delta: &DeltaCase,
    options: &Options,
) -> Verdict {
    same(&subject.decode_delta(text, options).map_err(fails)?, delta)
}

/// The delta can't be encoded.
pub(crate) fn refuses(
    subject: &dyn ExchangeSubject,
    case: &DeltaRefuse,
    options: &Options,
) -> Verdict {
    refused(subject.encode_delta(&case.delta, options), &case.error)
}

/// The text decodes to no delta.
pub(crate) fn rejects(
    subject: &dyn ExchangeSubject,
    case: &Rejected,
    options: &Options,
) -> Verdict {
    refused(subject.decode_delta(&case.text, options), &case.error)
}

/// The text is the delta between two payloads.
pub(crate) fn diff(subject: &dyn ExchangeSubject, case: &Difference, options: &Options) -> Verdict {
    match subject.diff(&case.base, &case.payload, options).map_err(fails)? {
        Ok(text) => same_text("the text is", text.as_bytes(), &case.text),
        Err(why) => Err(format!("there is no delta: {why}")),
    }
}

/// There is no delta between two payloads.
pub(crate) fn send_full(
    subject: &dyn ExchangeSubject,
    case: &SendFull,
    options: &Options,
) -> Verdict {
    let found = subject.diff(&case.base, &case.payload, options).map_err(fails)?;
    same(&found, &Err(case.why.clone()))
}

/// The delta turns the base into the payload.
pub(crate) fn applies(subject: &dyn ExchangeSubject, case: &Difference) -> Verdict {
    same_payload(&case.payload, &subject.apply(&case.base, &case.text).map_err(fails)?)
}

/// The delta can't be applied to the base.
pub(crate) fn does_not_apply(subject: &dyn ExchangeSubject, case: &ApplyReject) -> Verdict {
    refused(subject.apply(&case.base, &case.text), &case.error)
}
