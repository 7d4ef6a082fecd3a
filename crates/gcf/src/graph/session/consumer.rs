//! The consumer's session.

use std::collections::HashMap;

use wire_core::{Payload, Symbol};

use crate::graph::decode::{Decoder, Decoding, Diagnosis, InSession, utf8};
use crate::graph::delta::{Delta, Scanned};
use crate::{Error, ErrorKind};

/// Reads the payloads of a session, and fills in what they refer to.
///
/// A payload without `session=true` stands on its own, and is how a producer starts over: it reads as from a
/// [`Decoder`], and what was known before is forgotten. After an error the session is what it was; then the consumer
/// asks the producer to start over, and calls [`SessionReader::reset`]. Until then a reader that has seen one id stand for
/// two symbols, and so must have missed something, reads nothing more of the session.
#[derive(Clone, Debug)]
pub struct SessionReader {
    decoder: Decoder,
    max_ids: usize,
    symbol_count: SymbolCount,
    known: KnownSymbols,
    /// Whether an id has been bound to two symbols.
    is_broken: bool,
}

/// What `symbols=` counts in a session's payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SymbolCount {
    /// The symbols of the result, which may be more than the lines (ruling G9).
    OfTheResult,
    /// The lines.
    OfTheText,
}

impl Default for SessionReader {
    fn default() -> Self {
        SessionReader::with_decoder(Decoder::new())
    }
}

/// The symbols of a session by id.
#[derive(Clone, Debug, Default)]
pub(in crate::graph) struct KnownSymbols(HashMap<u32, Symbol<'static>>);

impl KnownSymbols {
    /// The symbol that a reference stands for.
    pub(in crate::graph) fn get(&self, id: u32) -> Option<&Symbol<'static>> {
        self.0.get(&id)
    }

    /// Checks that an id is not bound to another symbol.
    pub(in crate::graph) fn check(&self, id: u32, kind: &str, name: &str) -> Result<(), Diagnosis> {
        match self.get(id) {
            Some(bound) if bound.kind.as_str() != kind || bound.qualified_name != name => {
                Err(Diagnosis::session_id_conflict(id, bound))
            }
            _ => Ok(()),
        }
    }
}

impl SessionReader {
    /// A reader that has seen nothing, with a decoder of default options.
    pub fn new() -> Self {
        SessionReader::default()
    }

    /// A reader with the options of this decoder. [`Limits::items`](wire_core::Limits::items) bounds the session, too.
    pub fn with_decoder(decoder: Decoder) -> Self {
        SessionReader {
            decoder,
            max_ids: 65_536,
            symbol_count: SymbolCount::OfTheResult,
            known: KnownSymbols::default(),
            is_broken: false,
        }
    }

    /// Sets the largest number of symbols to remember (default 65,536, as many ids as a
    /// [`Session`](super::Session) gives).
    #[must_use]
    pub fn max_ids(mut self, max_ids: usize) -> Self {
        self.max_ids = max_ids;
        self
    }

    /// Holds `symbols=` against the lines of each payload (default: not, since the format has it count the symbols of the
    /// result). A [`Session`](super::Session) writes a line for each, so that a cut between symbols shows.
    #[must_use]
    pub fn require_symbol_count(mut self) -> Self {
        self.symbol_count = SymbolCount::OfTheText;
        self
    }

    /// The number of symbols that can be referred to.
    pub fn len(&self) -> usize {
        self.known.0.len()
    }

    /// Whether no symbol can be referred to.
    pub fn is_empty(&self) -> bool {
        self.known.0.is_empty()
    }

    /// Forgets everything, when the producer has been asked to start over.
    pub fn reset(&mut self) {
        self.known.0.clear();
        self.is_broken = false;
    }

    /// The whole payload: referenced symbols have the kind, name, score and provenance of their last declaration,
    /// and the distance of the group that they stand in now.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_str`]; `unresolved_reference` for a reference to a symbol that the reader has not seen,
    /// `session_id_conflict` for a declaration of an id that is bound to another symbol.
    pub fn from_str<'t>(&mut self, text: &'t str) -> Result<Payload<'t>, Error> {
        let mut policy = InSession::new(&self.known);
        let mut decoding = Decoding::new(text, self.decoder.limits);
        let read = decoding.run(&mut policy).and_then(|()| {
            decoding.check(&self.decoder)?;
            match self.symbol_count {
                SymbolCount::OfTheResult => Ok(()),
                SymbolCount::OfTheText => decoding.check_session_symbols(),
            }
        });
        let declared = policy.declared;
        self.note(read)?;
        if decoding.is_session() {
            self.check_unbroken()?;
            self.bind(
                declared.iter().map(|&(id, index)| (id, &decoding.payload.symbols[index as usize])),
            )?;
        } else {
            self.reset();
        }
        Ok(decoding.payload)
    }

    /// The whole payload, from bytes: [`SessionReader::from_str`].
    ///
    /// # Errors
    ///
    /// As [`SessionReader::from_str`], and `invalid_utf8`.
    pub fn from_slice<'t>(&mut self, input: &'t [u8]) -> Result<Payload<'t>, Error> {
        self.from_str(utf8(input)?)
    }

    /// A delta whose added symbols may be references (ruling G10). The session goes on in any case.
    ///
    /// # Errors
    ///
    /// As [`Delta::from_str`]; `unresolved_reference` and `session_id_conflict` as [`SessionReader::from_str`].
    pub fn delta_from_str<'t>(&mut self, text: &'t str) -> Result<Delta<'t>, Error> {
        let scanned = Delta::scan(text, self.decoder.limits, Some(&self.known));
        let Scanned { delta, declared, in_session } = self.note(scanned)?;
        if in_session {
            self.check_unbroken()?;
        }
        self.bind(declared.iter().map(|&(id, index)| (id, &delta.added[index as usize])))?;
        Ok(delta)
    }

    /// A delta whose added symbols may be references, from bytes: [`SessionReader::delta_from_str`].
    ///
    /// # Errors
    ///
    /// As [`SessionReader::delta_from_str`], and `invalid_utf8`.
    pub fn delta_from_slice<'t>(&mut self, input: &'t [u8]) -> Result<Delta<'t>, Error> {
        self.delta_from_str(utf8(input)?)
    }

    /// Remembers that an id was bound to two symbols.
    fn note<T>(&mut self, outcome: Result<T, Error>) -> Result<T, Error> {
        outcome.inspect_err(|error| {
            self.is_broken |= error.kind() == ErrorKind::SessionIdConflict;
        })
    }

    fn check_unbroken(&self) -> Result<(), Error> {
        if !self.is_broken {
            return Ok(());
        }
        let message = "the session has bound one id to two symbols, expected that it starts over before it goes on";
        Err(Error::encode(ErrorKind::SessionIdConflict, message.to_owned()))
    }

    fn bind<'s>(
        &mut self,
        declared: impl Iterator<Item = (u32, &'s Symbol<'s>)> + Clone,
    ) -> Result<(), Error> {
        let fresh = declared.clone().filter(|(id, _)| self.known.get(*id).is_none()).count();
        let items = self.max_ids.min(self.decoder.limits.items);
        if self.known.0.len().saturating_add(fresh) > items {
            let message = format!(
                "the session would have more than {items} symbols, expected at most as many"
            );
            return Err(Error::encode(ErrorKind::TooManyItems, message));
        }
        for (id, symbol) in declared {
            self.known.0.insert(id, symbol.clone().into_owned());
        }
        Ok(())
    }
}
