//! Cases about sessions.

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};
use wire_core::Payload;

use crate::failure::{ExpectedError, Failure, fails, refused};
use crate::operation::exchange_subject::ExchangeSubject;
use crate::options::Options;
use crate::payload;
use crate::verdict::{Verdict, same_payload, same_text};

/// Payloads that are sent and read in a session.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// The calls, at least one.
    #[serde(deserialize_with = "not_empty")]
    pub calls: Vec<Call>,
}

/// Texts of a session, of which the last can't be read.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionReject {
    /// The texts that a consumer reads, at least one.
    #[serde(deserialize_with = "not_empty")]
    pub texts: Vec<String>,
    /// The error to get.
    pub error: ExpectedError,
}

/// One step of a session.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "RawCall")]
pub enum Call {
    /// Both sides start over.
    Reset,
    /// A payload is sent.
    Send(Box<Send>),
}

/// A payload that is sent in a session.
#[derive(Clone, Debug)]
pub struct Send {
    /// What is sent.
    pub payload: Payload<'static>,
    /// As what text.
    pub text: String,
    /// What the consumer gets.
    pub decoded: Payload<'static>,
    /// What becomes of the text.
    pub delivery: Delivery,
    /// Whether it is a full payload without session.
    pub full: bool,
}

/// What becomes of a text of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Delivery {
    /// It is read, and the producer knows.
    #[default]
    Confirmed,
    /// It is not read, and the producer knows.
    Lost,
    /// It is read, and the producer does not know.
    Unconfirmed,
    /// It is read twice, and the producer knows.
    Repeated,
}

/// A call as its members are.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCall {
    #[serde(default)]
    reset: bool,
    #[serde(default, deserialize_with = "payload::optional")]
    payload: Option<Payload<'static>>,
    text: Option<String>,
    #[serde(default, deserialize_with = "payload::optional")]
    decoded: Option<Payload<'static>>,
    #[serde(default)]
    delivery: Delivery,
    session: Option<String>,
    #[serde(default, rename = "note")]
    _note: Option<String>,
}

impl TryFrom<RawCall> for Call {
    type Error = String;

    fn try_from(call: RawCall) -> Result<Self, String> {
        match (call.payload, call.text) {
            (None, None) if call.reset => Ok(Call::Reset),
            (Some(payload), Some(text)) if !call.reset => {
                let decoded = call.decoded.unwrap_or_else(|| payload.clone());
                let full = match call.session.as_deref() {
                    None => false,
                    Some("full") => true,
                    Some(other) => return Err(format!("session is {other:?}")),
                };
                let delivery = call.delivery;
                Ok(Call::Send(Box::new(Send { payload, text, decoded, delivery, full })))
            }
            _ => Err("a call needs payload and text, or reset".to_owned()),
        }
    }
}

/// A list of at least one.
fn not_empty<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Vec<T>, D::Error> {
    let list = Vec::deserialize(deserializer)?;
    if list.is_empty() { Err(D::Error::invalid_length(0, &"at least one")) } else { Ok(list) }
}

/// Payloads are sent and read in a session.
pub(crate) fn session(subject: &dyn ExchangeSubject, case: &Session, options: &Options) -> Verdict {
    let mut pair = subject.session(options);
    for (number, call) in (1..).zip(&case.calls) {
        let Call::Send(send) = call else {
            pair.reset();
            continue;
        };
        let at = |problem: String| format!("call {number}: {problem}");
        let failed = |failure: Failure| format!("call {number} fails: {}", failure.message);
        let (text, full) = pair.encode(&send.payload).map_err(failed)?;
        same_text("the text is", text.as_bytes(), send.text.as_bytes()).map_err(at)?;
        if full != send.full {
            return Err(format!("call {number} is full: {full}, expected {}", send.full));
        }
        let times = match send.delivery {
            Delivery::Lost => 0,
            Delivery::Confirmed | Delivery::Unconfirmed => 1,
            Delivery::Repeated => 2,
        };
        for _ in 0..times {
            let decoded = pair.decode(&text).map_err(failed)?;
            same_payload(&send.decoded, &decoded).map_err(at)?;
        }
        match send.delivery {
            Delivery::Lost => pair.roll_back(),
            Delivery::Unconfirmed => {}
            Delivery::Confirmed | Delivery::Repeated => pair.confirm(),
        }
    }
    Ok(())
}

/// The last text of a session can't be read.
pub(crate) fn rejects(
    subject: &dyn ExchangeSubject,
    case: &SessionReject,
    options: &Options,
) -> Verdict {
    let mut pair = subject.session(options);
    let (last, before) = case.texts.split_last().ok_or("it has no text")?;
    for text in before {
        pair.decode(text).map_err(fails)?;
    }
    refused(pair.decode(last), &case.error)?;
    // It left no trace.
    refused(pair.decode(last), &case.error)
}
