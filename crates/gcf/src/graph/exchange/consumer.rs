//! The consumer's side.
//!
//! The types keep a consumer from asking for what it can't use: only [`Replica`] can name a root,
//! and it is given up when an answer can't be applied. What is left then, [`OutOfSync`], can only
//! take a full payload.

use std::error::Error as StdError;
use std::fmt;

use wire_core::{PackRoot, Payload};

use super::Request;
use super::server::has_status;
use super::unchanged::AnswerText;
use crate::graph::decode::Decoder;
use crate::graph::encode::Encoder;
use crate::graph::root::RootAlgorithm;
use crate::{Error, ErrorKind};

/// A consumer that holds a payload.
#[derive(Clone, Debug)]
pub struct Replica {
    decoder: Decoder,
    payload: Payload<'static>,
    /// The root that the payload states, if it was computed and says all there is.
    root: Option<PackRoot<'static>>,
}

/// A consumer that could not use an answer. What it held is still there to read, but it has to ask
/// for a full payload.
#[derive(Debug)]
pub struct OutOfSync {
    decoder: Decoder,
    /// Boxed, since it is the error of a result.
    held: Box<Payload<'static>>,
    error: Error,
}

impl Replica {
    /// Takes the first answer, which is a full payload.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_str`]; `root_mismatch` when the payload states a root that can be
    /// computed and is not its own, as one that was cut; `unexpected_answer` for a delta, and for
    /// the answer that nothing has changed.
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

    /// A consumer that has the payload from elsewhere, as from a cache.
    ///
    /// # Errors
    ///
    /// `root_mismatch`, and as [`Encoder::pack_root`], when the payload states a root that can be
    /// computed.
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
            let message = format!(
                "the root of the payload is {}, expected {}, which it states",
                root.as_str(),
                stated.as_str()
            );
            return Err(Error::encode(ErrorKind::RootMismatch, message));
        }
        // No root sees statuses, so what is asked for by this one may be without them.
        let root = Some(root).filter(|_| !has_status(&payload));
        Ok(Replica { decoder, payload, root })
    }

    /// Sets the decoder of later answers (default [`Decoder::new`]). The first can be decoded by
    /// the caller, for [`Replica::new`].
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

    /// What to ask for next: what has changed since the payload that is held; everything, if that
    /// states no root or one of an unknown algorithm, or if an edge has a status, which no root
    /// sees.
    pub fn request(&self) -> Request<'_> {
        Request::from_root(self.root.as_ref())
    }

    /// Takes an answer.
    ///
    /// # Errors
    ///
    /// [`OutOfSync`], with what is wrong with the answer: as [`Decoder::from_str`],
    /// [`Delta::from_str`](super::super::Delta::from_str) and
    /// [`Delta::apply`](super::super::Delta::apply), and `base_root_mismatch` or `count_mismatch`
    /// when what has not changed is not what is held.
    pub fn receive(self, answer: &str) -> Result<Replica, OutOfSync> {
        match self.next(answer) {
            Ok(Some(next)) => Ok(next),
            Ok(None) => Ok(self),
            Err(error) => {
                Err(OutOfSync { decoder: self.decoder, held: Box::new(self.payload), error })
            }
        }
    }

    /// What is held after the answer; none when it is the same.
    fn next(&self, answer: &str) -> Result<Option<Replica>, Error> {
        match AnswerText::of(answer, self.decoder.limits)? {
            AnswerText::Full => Self::full(answer, self.decoder).map(Some),
            AnswerText::Delta => {
                let delta = self.decoder.delta_from_str(answer)?;
                let payload = delta.apply(&self.payload)?;
                // Applying has computed it; but what the base has of statuses is still there.
                let root = payload.pack_root.clone().filter(|_| !has_status(&payload));
                Ok(Some(Replica { decoder: self.decoder, payload, root }))
            }
            AnswerText::Unchanged { root, symbols } => {
                let held = match RootAlgorithm::of(&root) {
                    _ if self.root.as_ref() == Some(&root) => Some(root.clone()),
                    Some(algorithm) => {
                        let encoder = Encoder::new().root_algorithm(Some(algorithm));
                        Some(encoder.pack_root(&self.payload)?)
                    }
                    None => None,
                };
                if held.as_ref() != Some(&root) {
                    let message = format!(
                        "nothing has changed since {}, expected the root of the payload that the consumer has",
                        root.as_str()
                    );
                    return Err(Error::encode(ErrorKind::BaseRootMismatch, message));
                }
                let held = self.payload.symbols.len() as u64;
                if symbols.is_some_and(|symbols| symbols != held) {
                    let message = format!(
                        "the answer declares {} symbols, and the consumer has {held}, expected as many as declared",
                        symbols.unwrap_or_default()
                    );
                    return Err(Error::encode(ErrorKind::CountMismatch, message));
                }
                Ok(None)
            }
        }
    }
}

impl OutOfSync {
    /// What was held.
    pub fn payload(&self) -> &Payload<'static> {
        &self.held
    }

    /// Why the answer could not be used.
    pub fn error(&self) -> &Error {
        &self.error
    }

    /// What to ask for next: everything.
    pub fn request(&self) -> Request<'static> {
        Request::Full
    }

    /// Takes an answer, which has to be a full payload.
    ///
    /// # Errors
    ///
    /// [`OutOfSync`] again, as [`Replica::from_answer`].
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
