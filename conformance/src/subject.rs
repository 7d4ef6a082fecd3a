//! What a format's crate implements, so that cases can be run against it.

use serde_json::Value;
use wire_core::Payload;

use crate::failure::Failure;
use crate::operation::choice::Choices;
use crate::operation::exchange_subject::ExchangeSubject;
use crate::operation::response::Responses;
use crate::operation::rows::Rows;
use crate::operation::sets::KeyedSets;
use crate::options::Options;

/// An implementation of one format.
pub trait Subject {
    /// The format's name, as the folder of its cases.
    fn format(&self) -> &'static str;

    /// Every error code of the implementation.
    fn error_codes(&self) -> Vec<&'static str>;

    /// Every code of a repair that [`Subject::recover`] reports.
    fn repair_codes(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// What goes beyond one text, where the format has it.
    fn exchange_subject(&self) -> Option<&dyn ExchangeSubject> {
        None
    }

    /// Rows of tool responses, where the format has them.
    fn rows(&self) -> Option<&dyn Rows> {
        None
    }

    /// JSON of tool responses, where the format has them.
    fn responses(&self) -> Option<&dyn Responses> {
        None
    }

    /// Sets of rows with a key, where the format has them.
    fn keyed_sets(&self) -> Option<&dyn KeyedSets> {
        None
    }

    /// The choice of the smallest form, where this is about it.
    fn choices(&self) -> Option<&dyn Choices> {
        None
    }

    /// Encodes, through every entry point; they must agree.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn encode(&self, payload: &Payload<'_>, options: &Options) -> Result<Vec<u8>, Failure> {
        let _ = (payload, options);
        Err(Failure::new("unsupported", None, &"the format has no payloads"))
    }

    /// Decodes, through every entry point; they must agree.
    ///
    /// # Errors
    ///
    /// The implementation's error.
    fn decode(&self, input: &[u8], options: &Options) -> Result<Payload<'static>, Failure> {
        let _ = (input, options);
        Err(Failure::new("unsupported", None, &"the format has no payloads"))
    }

    /// Decodes leniently, with a report as JSON.
    ///
    /// # Errors
    ///
    /// The implementation's error, or that it has no lenient decoder.
    fn decode_lenient(
        &self,
        input: &[u8],
        options: &Options,
    ) -> Result<(Payload<'static>, Value), Failure> {
        let _ = (input, options);
        Err(Failure::new("unsupported", None, &"the format has no lenient decoder"))
    }

    /// Finds the payload in a text, with a report as JSON.
    ///
    /// # Errors
    ///
    /// The implementation's error, or that the format is not recovered.
    fn recover(
        &self,
        input: &[u8],
        options: &Options,
    ) -> Result<(Payload<'static>, Value), Failure> {
        let _ = (input, options);
        Err(Failure::new("unsupported", None, &"the format has no recovery"))
    }
}
