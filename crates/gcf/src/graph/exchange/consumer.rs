//! The consumer's side.
//!
//! The types prevent a consumer from asking for an answer that it can't use. Only a [`Replica`] can
//! name a root. When an answer can't be applied, the `Replica` becomes an [`OutOfSync`], which only
//! accepts a full payload.

use std::error::Error as StdError;
use std::fmt;

use wire_core::{PackRoot, Payload};

use super::Request;
use super::server::has_status;
use super::unchanged::AnswerText;
use crate::graph::decode::Decoder;
use crate::graph::encode::Encoder;
use crate::root::RootAlgorithm;
use crate::{Error, ErrorKind};

/// A consumer that has a payload.
#[derive(Clone, Debug)]
pub struct Replica {
    decoder: Decoder,
    payload: Payload<'static>,
    /// The root that the payload states, if it was checked and covers everything in the payload.
    root: Option<PackRoot<'static>>,
}

/// A consumer that could not use an answer. Its old payload can still be read, but it has to ask
/// for a full payload.
#[derive(Debug)]
pub struct OutOfSync {
    decoder: Decoder,
    /// Boxed, since it is the error of a result.
    held: Box<Payload<'static>>,
    error: Error,
}

impl Replica {
    /// Reads the first answer, which must be a full payload.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_str`]; `root_mismatch` when the payload states a root that can be
    /// computed and differs from its own, for example because it was truncated; `unexpected_answer`
    /// for a delta or an `unchanged` answer.
    pub fn from_answer(answer: &str) -> Result<Self, Error> {
        Self::full(answer, Decoder::new())
    }

    fn full(answer: &str, decoder: Decoder) -> Result<Self, Error> {
        match AnswerText::of(answer, decoder.limits)? {
            AnswerText::Full => {
                Ok(Self::new(decoder.from_str(answer)?.into_owned())?.decoder(decoder))
            }
            AnswerText::Delta => Err(needs_a_base("a delta")),
            AnswerText::Unchanged { .. } => {
                Err(needs_a_base("the answer that nothing has changed"))
            }
        }
    }

    /// A consumer that has the payload from elsewhere, such as a cache.
    ///
    /// # Errors
    ///
    /// `root_mismatch`, and the errors of [`Encoder::pack_root`], when the payload states a root
    /// that can be computed.
    pub fn new(payload: Payload<'static>) -> Result<Self, Error> {
        let decoder = Decoder::new();
        let Some((stated, algorithm)) = payload
            .pack_root
            .as_ref()
            .and_then(|stated| Some((stated, RootAlgorithm::of(stated)?)))
        else {
            return Ok(Replica { decoder, payload, root: None });
        };
        let root = Encoder::new().root_algorithm(Some(algorithm)).pack_root(&payload)?;
        if root != *stated {
            let message =
                format!("the root of the payload is {root}, expected {stated}, which it states");
            return Err(Error::encode(ErrorKind::RootMismatch, message));
        }
        // Roots don't include statuses, so an answer for this root may lack them.
        let root = Some(root).filter(|_| !has_status(&payload));
        Ok(Replica { decoder, payload, root })
    }

    /// Sets the decoder of later answers (default [`Decoder::new`]). To decode the first answer
    /// with another decoder, pass its payload to [`Replica::new`].
    #[must_use]
    pub fn decoder(mut self, decoder: Decoder) -> Self {
        self.decoder = decoder;
        self
    }

    /// The payload.
    pub fn payload(&self) -> &Payload<'static> {
        &self.payload
    }

    /// The payload, to keep.
    pub fn into_payload(self) -> Payload<'static> {
        self.payload
    }

    /// The next request: the changes since the current payload. It asks for everything when the
    /// payload states no root or one of an unknown algorithm, or when an edge has a status, which
    /// roots don't include.
    pub fn request(&self) -> Request<'_> {
        self.root.as_ref().map_or(Request::Full, Request::Since)
    }

    /// Applies an answer.
    ///
    /// # Errors
    ///
    /// [`OutOfSync`], which contains the error of the answer: as [`Decoder::from_str`],
    /// [`Decoder::decode_delta`] and
    /// [`Delta::apply`](super::super::Delta::apply); and `base_root_mismatch` or `count_mismatch`
    /// when an `unchanged` answer is about another payload.
    pub fn receive(self, answer: &str) -> Result<Replica, OutOfSync> {
        match self.next(answer) {
            Ok(Some(next)) => Ok(next),
            Ok(None) => Ok(self),
            Err(error) => {
                Err(OutOfSync { decoder: self.decoder, held: Box::new(self.payload), error })
            }
        }
    }

    /// The consumer after the answer; `None` when nothing changed.
    fn next(&self, answer: &str) -> Result<Option<Replica>, Error> {
        match AnswerText::of(answer, self.decoder.limits)? {
            AnswerText::Full => Self::full(answer, self.decoder).map(Some),
            AnswerText::Delta => {
                let delta = self.decoder.decode_delta(answer)?;
                let payload = delta.apply(&self.payload)?;
                // Applying computed the root, but statuses of the base are kept.
                let root = payload.pack_root.clone().filter(|_| !has_status(&payload));
                Ok(Some(Replica { decoder: self.decoder, payload, root }))
            }
            AnswerText::Unchanged { root, symbols } => {
                let is_held = match RootAlgorithm::of(&root) {
                    _ if self.root.as_ref() == Some(&root) => true,
                    Some(algorithm) => {
                        let encoder = Encoder::new().root_algorithm(Some(algorithm));
                        encoder.pack_root(&self.payload)? == root
                    }
                    None => false,
                };
                if !is_held {
                    let message = format!(
                        "the answer says that nothing has changed since {root}, expected the root of the payload that the consumer has"
                    );
                    return Err(Error::encode(ErrorKind::BaseRootMismatch, message));
                }
                let held = self.payload.symbols.len() as u64;
                if let Some(symbols) = symbols.filter(|symbols| *symbols != held) {
                    let message = format!(
                        "the answer declares {symbols} symbols, and the consumer has {held}, expected as many as declared"
                    );
                    return Err(Error::encode(ErrorKind::CountMismatch, message));
                }
                Ok(None)
            }
        }
    }
}

impl OutOfSync {
    /// The payload before the answer that could not be used.
    pub fn payload(&self) -> &Payload<'static> {
        &self.held
    }

    /// Why the answer could not be used.
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// The next request: everything.
    pub fn request(&self) -> Request<'static> {
        Request::Full
    }

    /// Reads an answer, which must be a full payload.
    ///
    /// # Errors
    ///
    /// [`OutOfSync`] again, for the errors of [`Replica::from_answer`].
    pub fn receive(self, answer: &str) -> Result<Replica, OutOfSync> {
        let OutOfSync { decoder, held, .. } = self;
        Replica::full(answer, decoder).map_err(|error| OutOfSync { decoder, held, error })
    }
}

impl fmt::Display for OutOfSync {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the answer can't be used, and a full payload is needed: {}", self.error)
    }
}

impl StdError for OutOfSync {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        Some(&self.error)
    }
}

impl From<OutOfSync> for Error {
    fn from(lost: OutOfSync) -> Self {
        lost.error
    }
}

#[cold]
fn needs_a_base(what: &str) -> Error {
    let message =
        format!("the answer is {what}, and the consumer has no payload, expected a full payload");
    Error::encode(ErrorKind::UnexpectedAnswer, message)
}
