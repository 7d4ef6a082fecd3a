//! The consumer's session.

use wire_core::text::shown;
use wire_core::{Payload, Symbol};

use super::known::{InSession, KnownSymbols};
use crate::graph::decode::{Decoder, Decoding};
use crate::graph::delta::{Delta, Scanned};
use crate::root::RootAlgorithm;
use crate::{Error, ErrorKind};

/// Decodes the payloads of a session, and resolves their references.
///
/// A payload without `session=true` does not depend on the session, and starts it over: it is
/// decoded as by a [`Decoder`], and earlier symbols are forgotten. An error leaves the session
/// unchanged; the consumer then asks the producer to start over, and calls
/// [`SessionReader::reset`]. When one id was bound to two symbols, the reader has missed something,
/// and decodes nothing more of the session until then.
#[derive(Clone, Debug)]
pub struct SessionReader {
    decoder: Decoder,
    max_ids: usize,
    /// `true` if `symbols=` counts the lines; else it counts the symbols of the result, which may be
    /// more (ruling G9).
    symbol_count_required: bool,
    /// `true` if stated roots of a known form are compared with the payload that was resolved (ruling
    /// G17).
    roots_checked: bool,
    known: KnownSymbols,
    /// `true` if an id was bound to two symbols, or a text resolved to another payload than it
    /// states.
    is_broken: bool,
}

impl Default for SessionReader {
    fn default() -> Self {
        SessionReader::new()
    }
}

impl SessionReader {
    /// A new reader, with a decoder of default options.
    pub fn new() -> Self {
        SessionReader {
            decoder: Decoder::new(),
            max_ids: 65_536,
            symbol_count_required: false,
            roots_checked: true,
            known: KnownSymbols::default(),
            is_broken: false,
        }
    }

    /// Sets the decoder (default [`Decoder::new`]). Its [`Limits::items`](wire_core::Limits::items)
    /// also bounds the session.
    #[must_use]
    pub fn decoder(mut self, decoder: Decoder) -> Self {
        self.decoder = decoder;
        self
    }

    /// Sets the maximum number of symbols to remember (default 65,536, the maximum number of ids of
    /// a [`Session`](super::Session)).
    #[must_use]
    pub fn max_ids(mut self, max_ids: usize) -> Self {
        self.max_ids = max_ids;
        self
    }

    /// Sets whether `symbols=` is checked against the lines of each payload (default `false`, since
    /// in the format it counts the symbols of the result). A [`Session`](super::Session) writes one
    /// line for each symbol, so that this check detects truncation between symbols.
    #[must_use]
    pub fn require_symbol_count(mut self, required: bool) -> Self {
        self.symbol_count_required = required;
        self
    }

    /// Sets whether the roots that texts state are checked against the payloads that they resolve
    /// to (default `true`: roots of a form that [`RootAlgorithm::of`] recognizes are checked, and a
    /// difference is `root_mismatch`; deltas are applied with [`Delta::apply`]). Use `false` for
    /// producers that compute roots in another way.
    #[must_use]
    pub fn check_roots(mut self, checked: bool) -> Self {
        self.roots_checked = checked;
        self
    }

    /// The number of symbols that can be referred to.
    pub fn ids(&self) -> usize {
        self.known.len()
    }

    /// Forgets everything; call it when the producer has been asked to start over.
    pub fn reset(&mut self) {
        self.known = KnownSymbols::default();
        self.is_broken = false;
    }

    /// Decodes a payload and resolves its references. A referenced symbol has the kind, name, score
    /// and provenance of its last declaration, and the distance of the group that contains the
    /// reference.
    ///
    /// # Errors
    ///
    /// As [`Decoder::from_slice`]; `unresolved_reference` for a reference to an unknown symbol;
    /// `session_id_conflict` for a declaration of an id that is bound to another symbol;
    /// `root_mismatch` when the text states another root than that of the resolved payload, which
    /// means that one side has missed something.
    pub fn decode<'t>(
        &mut self,
        input: &'t (impl AsRef<[u8]> + ?Sized),
    ) -> Result<Payload<'t>, Error> {
        let text = Error::utf8(input.as_ref())?;
        let mut policy = InSession::new(&self.known);
        let mut decoding = Decoding::new(text, self.decoder.limits);
        let read = decoding.run(&mut policy).and_then(|()| {
            decoding.check(&self.decoder)?;
            if self.symbol_count_required {
                decoding.check_session_symbols()?;
            }
            if self.roots_checked { check_root(text, &decoding.payload) } else { Ok(()) }
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

    /// Decodes a delta whose added symbols may be references (ruling G10). The session continues in
    /// any case. The ids that the delta declares are not bound; [`SessionReader::apply_delta`]
    /// binds them after it was applied.
    ///
    /// # Errors
    ///
    /// As [`Decoder::decode_delta`]; `unresolved_reference` and `session_id_conflict` as in
    /// [`SessionReader::decode`].
    pub fn decode_delta<'t>(
        &mut self,
        input: &'t (impl AsRef<[u8]> + ?Sized),
    ) -> Result<Delta<'t>, Error> {
        self.scan_delta(Error::utf8(input.as_ref())?).map(|scanned| scanned.delta)
    }

    /// Decodes a delta and applies it to `base`. The ids that the delta
    /// declares are bound only after that (ruling G17): a delta that can't be applied was made for
    /// another consumer, or at another time.
    ///
    /// # Errors
    ///
    /// As [`SessionReader::decode_delta`] and [`Delta::apply`]. Then the session is unchanged.
    pub fn apply_delta(
        &mut self,
        text: &str,
        base: &Payload<'_>,
    ) -> Result<Payload<'static>, Error> {
        let Scanned { delta, declared, .. } = self.scan_delta(text)?;
        let payload =
            if self.roots_checked { delta.apply(base)? } else { delta.apply_unverified(base)? };
        self.bind(declared.iter().map(|&(id, index)| (id, &delta.added[index as usize])))?;
        Ok(payload)
    }

    fn scan_delta<'t>(&mut self, text: &'t str) -> Result<Scanned<'t>, Error> {
        let scanned = Delta::scan(text, self.decoder.limits, Some(&self.known));
        let scanned = self.note(scanned)?;
        if scanned.in_session {
            self.check_unbroken()?;
        }
        Ok(scanned)
    }

    /// Records that an id was bound to two symbols, or that a text resolved to another payload than
    /// it states.
    fn note<T>(&mut self, outcome: Result<T, Error>) -> Result<T, Error> {
        outcome.inspect_err(|error| {
            self.is_broken |=
                matches!(error.kind(), ErrorKind::SessionIdConflict | ErrorKind::RootMismatch);
        })
    }

    fn check_unbroken(&self) -> Result<(), Error> {
        if !self.is_broken {
            return Ok(());
        }
        let message = "the session has given one id to two symbols, or missed a text, expected a new session first";
        Err(Error::encode(ErrorKind::SessionIdConflict, message))
    }

    fn bind<'s>(
        &mut self,
        declared: impl Iterator<Item = (u32, &'s Symbol<'s>)> + Clone,
    ) -> Result<(), Error> {
        let fresh = declared.clone().filter(|(id, _)| !self.known.has(*id)).count();
        let items = self.max_ids.min(self.decoder.limits.items);
        if self.known.len().saturating_add(fresh) > items {
            let message = format!(
                "the session would have more than {items} symbols, expected at most that many"
            );
            return Err(Error::encode(ErrorKind::TooManyItems, message));
        }
        self.known.reserve(fresh);
        for (id, symbol) in declared {
            self.known.bind(id, symbol);
        }
        Ok(())
    }
}

/// Checks the root that a text states against the resolved payload, when the form of the root is
/// known.
fn check_root(text: &str, payload: &Payload<'_>) -> Result<(), Error> {
    let Some(stated) = &payload.pack_root else { return Ok(()) };
    let Some(algorithm) = RootAlgorithm::of(stated) else { return Ok(()) };
    let found = algorithm.root(payload)?;
    if found == *stated {
        return Ok(());
    }
    let [says, is] = [stated, &found].map(|root| shown(root.as_str()));
    let message = format!(
        "the text states the root {says} and resolves to a payload of the root {is}, expected the same"
    );
    let at = text.find(stated.as_str()).unwrap_or(0);
    Err(Error::decode(ErrorKind::RootMismatch, text.as_bytes(), at, message))
}
