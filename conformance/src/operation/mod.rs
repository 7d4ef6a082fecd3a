//! What a case does, and with what.

pub mod choice;
pub mod codec;
pub mod delta;
pub mod exchange;
pub mod exchange_subject;
pub mod keyed;
pub mod negative;
pub mod recover;
pub mod response;
pub mod rows;
pub mod session;
pub mod sets;

use serde::Deserialize;
use serde_json::{Map, Value};
use wire_core::Payload;

use crate::failure::ExpectedError;

/// What a case does, by its member `operation`; the other members are those of the operation, and
/// no others.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum Operation {
    /// The payload encodes to the text.
    Encode(codec::Coded),
    /// The text decodes to the payload.
    Decode(codec::Coded),
    /// Both.
    Roundtrip(codec::Roundtrip),
    /// The payload can't be encoded.
    Refuse(negative::Refused),
    /// The text can't be decoded.
    Reject(negative::Rejected),
    /// The text decodes leniently, with a report.
    Lenient(recover::Lenient),
    /// The payload is found in the text, with a report.
    Recover(recover::Recover),
    /// No payload is found in the text.
    Irrecoverable(negative::Rejected),
    /// Payloads are sent and read in a session.
    Session(session::Session),
    /// The last text of a session can't be read.
    SessionReject(session::SessionReject),
    /// The delta encodes to the text, and back.
    Delta(delta::Delta),
    /// The text decodes to the delta.
    DeltaDecode(delta::DeltaDecode),
    /// The delta can't be encoded.
    DeltaRefuse(delta::DeltaRefuse),
    /// The text decodes to no delta.
    DeltaReject(negative::Rejected),
    /// The text is the delta between two payloads.
    Diff(delta::Difference),
    /// There is no delta between two payloads.
    SendFull(delta::SendFull),
    /// The delta turns the base into the payload.
    Apply(delta::Difference),
    /// The delta can't be applied to the base.
    ApplyReject(delta::ApplyReject),
    /// The payload has the root.
    Root(exchange::Root),
    /// The payload has no root.
    RootRefuse(negative::Refused),
    /// The text answers a request.
    Exchange(exchange::Exchange),
    /// Sections of rows encode to the text, and back.
    Rows(rows::Written),
    /// The text decodes to sections of rows.
    RowsDecode(rows::RowsDecode),
    /// The sections can't be encoded.
    RowsRefuse(rows::RowsRefuse),
    /// The text can't be decoded to sections.
    RowsReject(negative::Rejected),
    /// The JSON of a response encodes to the text, and back.
    Response(response::Response),
    /// The text decodes to the JSON of a response.
    ResponseDecode(response::ResponseDecode),
    /// The JSON can't be encoded as a response.
    ResponseRefuse(response::ResponseRefuse),
    /// The text decodes to no response.
    ResponseReject(negative::Rejected),
    /// The text decodes to a response that encodes to `reencoded`.
    ResponseRewrite(response::ResponseRewrite),
    /// The set has the root and the text, and is read back.
    Set(keyed::SetCase),
    /// The delta between two sets is the text, and turns the one into the other.
    SetDelta(keyed::SetDelta),
    /// The delta encodes to the text.
    SetWrite(keyed::SetWrite),
    /// The text turns the set into the next one.
    SetApply(keyed::SetApply),
    /// The text can't be decoded, or not be applied to the set.
    SetReject(keyed::SetReject),
    /// The set, the delta between two sets or the delta can't be encoded.
    SetRefuse(keyed::SetRefuse),
    /// The texts are those of a session.
    SetSession(keyed::SetSession),
    /// The text has so many tokens.
    Estimate(choice::Estimate),
    /// The text is sent in its smallest form.
    Choose(choice::Choose),
}

impl Operation {
    /// Whether the members go together, beyond what their types say.
    pub(crate) fn check(&self) -> Result<(), String> {
        match self {
            Operation::Response(case) => case.check(),
            Operation::ResponseRefuse(case) => case.check(),
            Operation::SetApply(case) => case.check(),
            Operation::SetReject(case) => case.check(),
            Operation::SetRefuse(case) => case.check(),
            _ => Ok(()),
        }
    }

    /// Whether the case shows what is right rather than what is wrong.
    pub fn is_positive(&self) -> bool {
        self.error().is_none() && !matches!(self, Operation::SendFull(_))
    }

    /// The payload to encode, or to get.
    pub fn payload(&self) -> Option<&Payload<'static>> {
        match self {
            Operation::Encode(case) | Operation::Decode(case) => Some(&case.payload),
            Operation::Roundtrip(case) => Some(&case.payload),
            Operation::Refuse(case) | Operation::RootRefuse(case) => Some(&case.payload),
            Operation::Lenient(case) => Some(&case.payload),
            Operation::Recover(case) => Some(&case.payload),
            Operation::Diff(case) | Operation::Apply(case) => Some(&case.payload),
            Operation::SendFull(case) => Some(&case.payload),
            Operation::Root(case) => Some(&case.payload),
            Operation::Exchange(case) => Some(&case.payload),
            _ => None,
        }
    }

    /// The encoded text, to get or to read.
    pub fn text(&self) -> Option<&[u8]> {
        match self {
            Operation::Encode(case) | Operation::Decode(case) => Some(&case.text),
            Operation::Roundtrip(case) => Some(&case.text),
            Operation::Reject(case)
            | Operation::Irrecoverable(case)
            | Operation::DeltaReject(case)
            | Operation::RowsReject(case)
            | Operation::ResponseReject(case) => Some(&case.text),
            Operation::Lenient(case) => Some(&case.text),
            Operation::Recover(case) => Some(&case.text),
            Operation::Delta(case) => Some(&case.text),
            Operation::DeltaDecode(case) => Some(&case.text),
            Operation::Diff(case) | Operation::Apply(case) => Some(&case.text),
            Operation::ApplyReject(case) => Some(&case.text),
            Operation::Exchange(case) => Some(&case.text),
            Operation::Rows(case) => Some(&case.text),
            Operation::RowsDecode(case) => Some(&case.text),
            Operation::Response(case) => Some(&case.text),
            Operation::ResponseDecode(case) => Some(&case.text),
            Operation::ResponseRewrite(case) => Some(&case.text),
            Operation::Set(case) => case.text.as_deref(),
            Operation::SetDelta(case) => Some(&case.text),
            Operation::SetWrite(case) => Some(&case.text),
            Operation::SetApply(case) => case.text.as_deref(),
            Operation::SetReject(case) => case.text.as_deref(),
            Operation::Refuse(_)
            | Operation::Session(_)
            | Operation::SessionReject(_)
            | Operation::DeltaRefuse(_)
            | Operation::SendFull(_)
            | Operation::Root(_)
            | Operation::RootRefuse(_)
            | Operation::RowsRefuse(_)
            | Operation::ResponseRefuse(_)
            | Operation::SetRefuse(_)
            | Operation::SetSession(_)
            | Operation::Estimate(_)
            | Operation::Choose(_) => None,
        }
    }

    /// The error to get; what has one is a negative case.
    pub fn error(&self) -> Option<&ExpectedError> {
        match self {
            Operation::Refuse(case) | Operation::RootRefuse(case) => Some(&case.error),
            Operation::Reject(case)
            | Operation::Irrecoverable(case)
            | Operation::DeltaReject(case)
            | Operation::RowsReject(case)
            | Operation::ResponseReject(case) => Some(&case.error),
            Operation::SessionReject(case) => Some(&case.error),
            Operation::DeltaRefuse(case) => Some(&case.error),
            Operation::ApplyReject(case) => Some(&case.error),
            Operation::RowsRefuse(case) => Some(&case.error),
            Operation::ResponseRefuse(case) => Some(&case.error),
            Operation::SetReject(case) => Some(&case.error),
            Operation::SetRefuse(case) => Some(&case.error),
            Operation::Encode(_)
            | Operation::Decode(_)
            | Operation::Roundtrip(_)
            | Operation::Lenient(_)
            | Operation::Recover(_)
            | Operation::Session(_)
            | Operation::Delta(_)
            | Operation::DeltaDecode(_)
            | Operation::Diff(_)
            | Operation::SendFull(_)
            | Operation::Apply(_)
            | Operation::Root(_)
            | Operation::Exchange(_)
            | Operation::Rows(_)
            | Operation::RowsDecode(_)
            | Operation::Response(_)
            | Operation::ResponseDecode(_)
            | Operation::ResponseRewrite(_)
            | Operation::Set(_)
            | Operation::SetDelta(_)
            | Operation::SetWrite(_)
            | Operation::SetApply(_)
            | Operation::SetSession(_)
            | Operation::Estimate(_)
            | Operation::Choose(_) => None,
        }
    }

    /// Members of the report to get.
    pub fn report(&self) -> Option<&Map<String, Value>> {
        match self {
            Operation::Lenient(case) => Some(&case.report),
            Operation::Recover(case) => Some(&case.report),
            _ => None,
        }
    }
}
