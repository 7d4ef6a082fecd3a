//! The producer's session.

use std::time::Duration;

use wire_core::{PackRoot, Payload, Symbol, SymbolOrder};

use super::SessionLimits;
use super::ledger::{Ledger, Line};
use super::{Delivery, Sent};
use crate::Error;
use crate::graph::delta::Delta;
use crate::graph::encode::{EncodeReport, Encoder, Identity, SymbolIds};
use crate::graph::grammar::DeltaSection;
use crate::graph::reason::{FullReason, Outcome};
use crate::root::RootAlgorithm;

/// Encodes the payloads of a conversation, so that later ones refer to symbols of earlier ones.
///
/// A session belongs to one conversation of one principal with one producer (3.5.3, section 9.3).
/// After a payload was delivered, call [`Session::confirm`]: only confirmed symbols are referred
/// to, and all others are declared again with the same id. Ids are given in the order in which
/// symbols are written, and remain bound to a kind and qualified name until [`Session::reset`].
///
/// A reference does not update the symbol: the consumer keeps the score and the provenance of the
/// last declaration. [`Session::redeclare_changed`] declares changed symbols again.
#[derive(Clone, Debug)]
pub struct Session {
    encoder: Encoder,
    limits: SessionLimits,
    /// `true` if symbols that changed since they were declared are declared again.
    changed_redeclared: bool,
    /// `true` if every text states the root of the payload that it resolves to (ruling G17); else that
    /// of the payload, if it has one.
    roots_computed: bool,
    ledger: Ledger,
    /// When the session began, and when it was last used.
    times: Option<(Duration, Duration)>,
}

impl Session {
    /// A new session that encodes payloads with `encoder`.
    pub fn new(encoder: Encoder) -> Self {
        Session {
            encoder,
            limits: SessionLimits::default(),
            changed_redeclared: false,
            roots_computed: false,
            ledger: Ledger::new(encoder.white_space),
            times: None,
        }
    }

    /// Sets the bounds (default [`SessionLimits::default`]).
    #[must_use]
    pub fn limits(mut self, limits: SessionLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets whether a symbol is declared again when its score (in two decimals) or its provenance
    /// has changed (default `false`: it is referred to, and the consumer keeps the old values).
    #[must_use]
    pub fn redeclare_changed(mut self, redeclared: bool) -> Self {
        self.changed_redeclared = redeclared;
        self
    }

    /// Sets whether the text of every payload states the root of the resolved payload (default
    /// `false`: it states the root of the payload, if that has one). The root is computed by
    /// [`RootAlgorithm::PackRootV1`] in every dialect, and changed symbols are declared again, as
    /// with [`Session::redeclare_changed`]. A [`SessionReader`](super::SessionReader) then detects
    /// a text that it resolves to something else, for example after a restart, and learns nothing
    /// from it (ruling G17).
    ///
    /// ```
    /// use gcf::graph::{Encoder, Session, SessionReader};
    /// use std::time::Duration;
    /// use wire_core::{Payload, Symbol};
    ///
    /// let payload = Payload {
    ///     tool: "t".into(),
    ///     symbols: vec![Symbol::new("function", "a")],
    ///     ..Payload::default()
    /// };
    /// let mut session = Session::new(Encoder::new()).compute_roots(true);
    /// let mut out = Vec::new();
    /// session.encode(&payload, Duration::ZERO, &mut out)?;
    /// let read = SessionReader::new().decode(&out)?;
    /// assert!(read.pack_root.unwrap().as_str().starts_with("sha256:"));
    /// # Ok::<(), gcf::Error>(())
    /// ```
    #[must_use]
    pub fn compute_roots(mut self, computed: bool) -> Self {
        self.roots_computed = computed;
        self
    }

    /// The number of ids that have been given.
    pub fn ids(&self) -> usize {
        self.ledger.len()
    }

    /// Forgets everything. The consumer has to do the same with
    /// [`SessionReader::reset`](super::SessionReader::reset).
    pub fn reset(&mut self) {
        self.ledger.clear();
        self.times = None;
    }

    /// Appends the payload to `out`, with references to the symbols that the consumer has.
    ///
    /// `now` is the time since a fixed moment of the caller's choice; it must not decrease.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`]. Then the session and `out` are unchanged.
    pub fn encode(
        &mut self,
        payload: &Payload<'_>,
        now: Duration,
        out: &mut Vec<u8>,
    ) -> Result<Sent, Error> {
        let why = if self.is_over(now) {
            FullReason::Expired
        } else {
            let order = self.order(payload);
            match self.plan(&payload.symbols, &order) {
                Ok(lines) => return self.encode_lines(payload, &order, &lines, now, out),
                Err(why) => why,
            }
        };
        let report = match self.root(payload)? {
            None => self.encoder.encode(payload, out)?,
            root => {
                let mut stated = payload.clone();
                stated.pack_root = root;
                self.encoder.encode(&stated, out)?
            }
        };
        self.reset();
        Ok(Sent { delivery: self.on_its_way(), outcome: Outcome::Full(why), report })
    }

    /// Appends the delta to `out`. In the dialects before 3, an added symbol that the consumer has
    /// from an earlier payload becomes a reference, unless deltas are written with distances
    /// (ruling G10; 3.5.3, section 10.6) or the session states roots.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode_delta`]. Then the session and `out` are unchanged.
    pub fn encode_delta(
        &mut self,
        delta: &Delta<'_>,
        now: Duration,
        out: &mut Vec<u8>,
    ) -> Result<Sent, Error> {
        let order: Vec<u32> = (0u32..).take(delta.added.len()).collect();
        // A reference in a delta has the distance of its last declaration, so the root would be
        // that of another payload.
        let is_plain = self.encoder.writes_distances() || self.roots_computed;
        let plan =
            if is_plain || self.is_over(now) { None } else { self.plan(&delta.added, &order).ok() };
        let Some(lines) = plan else {
            let report = self.encoder.encode_delta(delta, out)?;
            return Ok(Sent { delivery: self.on_its_way(), outcome: Outcome::Plain, report });
        };
        let report = self.encoder.append(out, |writer| {
            writer.delta_head(delta, true, self.encoder)?;
            writer.delta_removed(delta)?;
            writer.delta_section(DeltaSection::Added, delta.added.len());
            for ((index, symbol), line) in (0u32..).zip(&delta.added).zip(&lines) {
                line.write(writer, "added", index, symbol)?;
            }
            writer.delta_edges(delta)
        })?;
        Ok(self.commit(&delta.added, &order, &lines, now, report))
    }

    /// The consumer has the payload: from now on its symbols are referred to. Does nothing for an
    /// unknown delivery.
    pub fn confirm(&mut self, delivery: Delivery) {
        self.ledger.confirm(delivery);
    }

    /// The consumer did not get the payload: its symbols will be declared again. This is the same
    /// as never confirming it, but frees memory.
    pub fn roll_back(&mut self, delivery: Delivery) {
        self.ledger.roll_back(delivery);
    }

    /// Returns `true` if the session has expired. A session without ids never expires.
    fn is_over(&self, now: Duration) -> bool {
        let Some((began, used)) = self.times.filter(|_| self.ids() > 0) else { return false };
        now.saturating_sub(used) > self.limits.idle
            || now.saturating_sub(began) > self.limits.lifetime
    }

    fn order(&self, payload: &Payload<'_>) -> Vec<u32> {
        match self.encoder.written_dialect().rules().order {
            SymbolOrder::Ranked => payload.rank_order(),
            _ => payload.distance_order(),
        }
    }

    fn encode_lines(
        &mut self,
        payload: &Payload<'_>,
        order: &[u32],
        lines: &[Line],
        now: Duration,
        out: &mut Vec<u8>,
    ) -> Result<Sent, Error> {
        let rules = self.encoder.written_dialect().rules();
        let root = self.root(payload)?;
        let identity = match &root {
            None => Identity::of(payload),
            root => Identity { tool: &payload.tool, pack_root: root.as_ref() },
        };
        let report = self.encoder.append(out, |writer| {
            writer.header(payload, identity, true, rules)?;
            let mut group = None;
            let mut ids = vec![0; order.len()];
            for (&index, line) in order.iter().zip(lines) {
                let symbol = &payload.symbols[index as usize];
                writer.group(&mut group, symbol.distance);
                ids[index as usize] = line.write(writer, "symbols", index, symbol)?;
            }
            writer.edges(payload, &SymbolIds::Permuted(ids), rules)
        })?;
        Ok(self.commit(&payload.symbols, order, lines, now, report))
    }

    /// The root of the payload that the text resolves to, if texts state it.
    fn root(&self, payload: &Payload<'_>) -> Result<Option<PackRoot<'static>>, Error> {
        let encoder = self.encoder.root_algorithm(Some(RootAlgorithm::PackRootV1));
        self.roots_computed.then(|| encoder.pack_root(payload)).transpose()
    }

    fn plan(&self, symbols: &[Symbol<'_>], order: &[u32]) -> Result<Vec<Line>, FullReason> {
        // A root covers the whole resolved payload, so the consumer must not keep old values.
        let changed_redeclared = self.changed_redeclared || self.roots_computed;
        self.ledger.plan(symbols, order, self.limits.ids, changed_redeclared)
    }

    fn commit(
        &mut self,
        symbols: &[Symbol<'_>],
        order: &[u32],
        lines: &[Line],
        now: Duration,
        report: EncodeReport,
    ) -> Sent {
        let (delivery, outcome) =
            self.ledger.take_in(symbols, order, lines, self.limits.deliveries);
        let began = self.times.map_or(now, |(began, _)| began);
        self.times = Some((began, now));
        Sent { delivery, outcome, report }
    }

    /// A payload without declarations of the session is on its way.
    fn on_its_way(&mut self) -> Delivery {
        self.ledger.on_its_way(Vec::new(), self.limits.deliveries)
    }
}
