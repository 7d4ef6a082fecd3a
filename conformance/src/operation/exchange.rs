//! Cases about roots of payloads, and what a server answers to who holds one.

use serde::Deserialize;
use wire_core::Payload;

use crate::failure::{fails, refused};
use crate::operation::exchange_subject::ExchangeSubject;
use crate::operation::negative::Refused;
use crate::options::Options;
use crate::payload;
use crate::text::Text;
use crate::verdict::{Verdict, same, same_text};

/// A payload and its root.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Root {
    /// The payload.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// The root to get.
    pub root: String,
}

/// A request and its answer.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exchange {
    /// The payloads that the server has sent before.
    #[serde(default, deserialize_with = "payload::list")]
    pub known: Vec<Payload<'static>>,
    /// The root that the consumer sends.
    pub held: Option<String>,
    /// What the request is answered with.
    #[serde(alias = "payload_file", deserialize_with = "payload::one")]
    pub payload: Payload<'static>,
    /// `unchanged`, `delta` or `full`.
    pub outcome: String,
    /// The text of the answer.
    #[serde(alias = "text_file", alias = "hex")]
    pub text: Text,
}

/// The payload has the root.
pub(crate) fn root(subject: &dyn ExchangeSubject, case: &Root, options: &Options) -> Verdict {
    same(&subject.root(&case.payload, options).map_err(fails)?, &case.root)
}

/// The payload has no root.
pub(crate) fn no_root(subject: &dyn ExchangeSubject, case: &Refused, options: &Options) -> Verdict {
    refused(subject.root(&case.payload, options), &case.error)
}

/// The text answers a request.
pub(crate) fn exchange(
    subject: &dyn ExchangeSubject,
    case: &Exchange,
    options: &Options,
) -> Verdict {
    let held = case.held.as_deref();
    let (outcome, text) =
        subject.exchange(&case.known, held, &case.payload, options).map_err(fails)?;
    same(&outcome, &case.outcome)?;
    same_text("the text is", text.as_bytes(), &case.text)
}
