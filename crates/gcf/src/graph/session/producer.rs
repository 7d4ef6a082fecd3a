//! The producer's session.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use wire_core::number::round_to_hundredths;
use wire_core::{PackRoot, Payload, Symbol, SymbolOrder};

use crate::Error;
use crate::graph::RootAlgorithm;
use crate::graph::delta::Delta;
use crate::graph::encode::{EncodeReport, Encoder, Identity, SessionField, SymbolIds, Writer};

/// What the consumer of a conversation has, and how to write payloads that build on it.
///
/// A session belongs to one conversation of one principal with one producer (3.5.3, section 9.3). Whoever
/// delivers a payload says so with [`Session::confirm`]: only what was confirmed is ever referred to, and everything
/// else is declared again, under its id. Ids are given in the order of emission and stay bound to a kind and qualified
/// name until [`Session::reset`].
///
/// What a reference can't say: the consumer goes on with the score and the provenance of the last declaration.
/// [`Session::redeclare_changed`] declares such a symbol again.
#[derive(Clone, Debug)]
pub struct Session {
    encoder: Encoder,
    limits: SessionLimits,
    changed: Changed,
    roots: Roots,
    /// The ids of the symbols, by kind and qualified name as they are written.
    ids: HashMap<String, u32>,
    /// The symbols by id.
    known: Vec<Known>,
    /// When the session began, and when it was last used.
    times: Option<(Duration, Duration)>,
    /// Payloads that are on their way, oldest first, with the ids that they declare.
    deliveries: VecDeque<(Delivery, Vec<u32>)>,
    next_delivery: u64,
}

#[derive(Clone, Debug)]
struct Known {
    /// Whether the consumer has a declaration of it.
    confirmed: bool,
    /// What the last declaration said, in which payload, and whether the consumer is known to have that one.
    said: Said,
    said_in: Delivery,
    said_confirmed: bool,
}

/// What a declaration says beside the identity.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    score: f64,
    provenance: Box<str>,
}

/// Which root the texts state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Roots {
    /// That of the payload, if it has one.
    OfThePayload,
    /// What the text resolves to (ruling G17).
    Computed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Changed {
    Referenced,
    Redeclared,
}

/// The bounds of a session (3.5.3, section 9.5). At a bound the producer sends a full payload, and the session
/// starts over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionLimits {
    /// The largest number of ids. Default 65,536: a consumer keeps a symbol for each.
    pub ids: u32,
    /// The longest time without a payload. Default 30 minutes.
    pub idle: Duration,
    /// The longest time since the first payload. Default 24 hours.
    pub lifetime: Duration,
    /// The largest number of payloads that are neither confirmed nor rolled back. Default 64: the oldest beyond is
    /// taken for lost, which costs only declarations.
    pub deliveries: usize,
}

impl Default for SessionLimits {
    fn default() -> Self {
        SessionLimits {
            ids: 65_536,
            idle: Duration::from_secs(30 * 60),
            lifetime: Duration::from_secs(24 * 60 * 60),
            deliveries: 64,
        }
    }
}

impl SessionLimits {
    /// Sets the largest number of ids (default 65,536).
    #[must_use]
    pub const fn with_ids(mut self, ids: u32) -> Self {
        self.ids = ids;
        self
    }

    /// Sets the longest time without a payload (default 30 minutes).
    #[must_use]
    pub const fn with_idle(mut self, idle: Duration) -> Self {
        self.idle = idle;
        self
    }

    /// Sets the longest time since the first payload (default 24 hours).
    #[must_use]
    pub const fn with_lifetime(mut self, lifetime: Duration) -> Self {
        self.lifetime = lifetime;
        self
    }

    /// Sets the largest number of payloads on their way (default 64).
    #[must_use]
    pub const fn with_deliveries(mut self, deliveries: usize) -> Self {
        self.deliveries = deliveries;
        self
    }
}

/// A payload on its way, for [`Session::confirm`] and [`Session::roll_back`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Delivery(u64);

/// What [`Session::encode`] wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Sent {
    /// What to confirm when the consumer has it.
    pub delivery: Delivery,
    /// How it was written.
    pub sent_as: SentAs,
    /// What was done beyond writing the payload as it is.
    pub report: EncodeReport,
}

/// How a session writes a payload or delta.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SentAs {
    /// With `session=true`.
    Session {
        /// The number of symbols that were declared.
        declared: usize,
        /// The number of symbols that were referred to.
        referenced: usize,
    },
    /// Without any reference, and the session has started over.
    Full(WhyFull),
    /// A delta that stands on its own: it is written with distances, which a reference can't carry, or the session is
    /// over, would need too many ids, or has one id for two of its symbols. The session goes on as it was.
    Plain,
}

/// Why a payload was sent in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WhyFull {
    /// The session would need more than [`SessionLimits::ids`].
    TooManyIds,
    /// [`SessionLimits::idle`] or [`SessionLimits::lifetime`] is over.
    Expired,
    /// Two symbols have one kind and qualified name, so one id can't stand for both.
    DuplicateSymbol,
}

/// How a symbol is written.
#[derive(Clone, Copy)]
enum Line {
    Declared(u32),
    Referenced(u32),
}

impl Line {
    fn id(self) -> u32 {
        match self {
            Line::Declared(id) | Line::Referenced(id) => id,
        }
    }
}

impl Session {
    /// A session in which nothing has been sent, whose payloads this encoder writes.
    pub fn new(encoder: Encoder) -> Self {
        Session {
            encoder,
            limits: SessionLimits::default(),
            changed: Changed::Referenced,
            roots: Roots::OfThePayload,
            ids: HashMap::new(),
            known: Vec::new(),
            times: None,
            deliveries: VecDeque::new(),
            next_delivery: 0,
        }
    }

    /// Sets the bounds (default [`SessionLimits::default`]).
    #[must_use]
    pub fn limits(mut self, limits: SessionLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Declares a symbol again when its score, in two decimals, or its provenance is not what the consumer was told
    /// (default: it is referred to, and the consumer goes on with what it was told).
    #[must_use]
    pub fn redeclare_changed(mut self) -> Self {
        self.changed = Changed::Redeclared;
        self
    }

    /// States in the text of every payload the root of what it resolves to, as [`RootAlgorithm::PackRootV1`] computes it, in every
    /// dialect; and declares changed symbols again, as [`Session::redeclare_changed`] (default: the root of the payload is
    /// stated, if it has one). A [`SessionReader`](super::SessionReader) then notices a text that it resolves to something
    /// else, as after a restart, and learns nothing from it (ruling G17).
    ///
    /// ```
    /// use std::time::Duration;
    /// use gcf::graph::{Encoder, Session, SessionReader};
    /// use wire_core::{Payload, Symbol};
    ///
    /// let payload = Payload { tool: "t".into(), symbols: vec![Symbol::new("function", "a")], ..Payload::default() };
    /// let mut session = Session::new(Encoder::new()).with_roots();
    /// let mut out = Vec::new();
    /// session.encode(&payload, Duration::ZERO, &mut out)?;
    /// let read = SessionReader::new().from_slice(&out)?;
    /// assert!(read.pack_root.unwrap().as_str().starts_with("sha256:"));
    /// # Ok::<(), gcf::Error>(())
    /// ```
    #[must_use]
    pub fn with_roots(mut self) -> Self {
        self.roots = Roots::Computed;
        self.redeclare_changed()
    }

    /// The number of ids that have been given.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether no id has been given.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Forgets everything. The consumer has to forget, too: [`SessionReader::reset`](super::SessionReader::reset).
    pub fn reset(&mut self) {
        self.ids.clear();
        self.known.clear();
        self.times = None;
        self.deliveries.clear();
    }

    /// Appends the payload to `out`, with references to what the consumer has.
    ///
    /// `now` is the time since a fixed moment of the caller's choice, and never goes back.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`]. Then the session and `out` are what they were.
    pub fn encode(
        &mut self,
        payload: &Payload<'_>,
        now: Duration,
        out: &mut Vec<u8>,
    ) -> Result<Sent, Error> {
        let why = if self.is_over(now) {
            WhyFull::Expired
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
        Ok(Sent { delivery: self.on_its_way(Vec::new()), sent_as: SentAs::Full(why), report })
    }

    /// Appends the delta to `out`. In the dialects before 3 an added symbol that the consumer has from an earlier
    /// payload is a reference, unless deltas are written with distances (ruling G10; 3.5.3, section 10.6), or the session states
    /// roots.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode_delta`]. Then the session and `out` are what they were.
    pub fn encode_delta(
        &mut self,
        delta: &Delta<'_>,
        now: Duration,
        out: &mut Vec<u8>,
    ) -> Result<Sent, Error> {
        let order: Vec<u32> = (0u32..).take(delta.added.len()).collect();
        // A reference in a delta has the distance of its last declaration, which no root of its payload would be of.
        let is_plain = self.encoder.writes_distances() || self.roots == Roots::Computed;
        let plan =
            if is_plain || self.is_over(now) { None } else { self.plan(&delta.added, &order).ok() };
        let Some(lines) = plan else {
            let report = self.encoder.encode_delta(delta, out)?;
            return Ok(Sent {
                delivery: self.on_its_way(Vec::new()),
                sent_as: SentAs::Plain,
                report,
            });
        };
        let start = out.len();
        let mut writer = Writer::new(out, self.encoder);
        let written =
            writer.delta_head(delta, SessionField::Written, self.encoder).and_then(|()| {
                writer.delta_removed(delta)?;
                writer.delta_added_group(delta);
                for ((index, symbol), line) in (0u32..).zip(&delta.added).zip(&lines) {
                    match *line {
                        Line::Declared(id) => writer.symbol("added", id, index, symbol)?,
                        Line::Referenced(id) => writer.reference("added", id, index, symbol)?,
                    }
                }
                writer.delta_edges(delta)
            });
        let report = writer.report();
        if let Err(error) = written {
            out.truncate(start);
            return Err(error);
        }
        Ok(self.commit(&delta.added, &order, &lines, now, report))
    }

    /// The consumer has the payload: from now on its symbols are referred to. Does nothing for a delivery that is
    /// no longer known.
    pub fn confirm(&mut self, delivery: Delivery) {
        let Some(place) = self.deliveries.iter().position(|(known, _)| *known == delivery) else {
            return;
        };
        for id in self.deliveries.remove(place).map(|(_, ids)| ids).unwrap_or_default() {
            let known = &mut self.known[id as usize];
            known.confirmed = true;
            known.said_confirmed |= known.said_in == delivery;
        }
    }

    /// The consumer did not get the payload: what it declares will be declared again. The same as never confirming
    /// it, but for the memory that it takes.
    pub fn roll_back(&mut self, delivery: Delivery) {
        self.deliveries.retain(|(known, _)| *known != delivery);
    }

    /// Whether the times of the session are over. One without ids has nothing to lose.
    fn is_over(&self, now: Duration) -> bool {
        let Some((began, used)) = self.times.filter(|_| !self.is_empty()) else { return false };
        now.saturating_sub(used) > self.limits.idle
            || now.saturating_sub(began) > self.limits.lifetime
    }

    fn order(&self, payload: &Payload<'_>) -> Vec<u32> {
        match self.encoder.written_dialect().rules().order {
            SymbolOrder::Ranked => payload.rank_order(),
            _ => payload.distance_order(),
        }
    }

    /// The kind and the qualified name of a symbol as they are written, which is what identifies it. Neither holds a space.
    fn identity(&self, symbol: &Symbol<'_>) -> String {
        let names = self.encoder.names();
        [&*names.apply(symbol.kind.as_str()), &*names.apply(&symbol.qualified_name)].join(" ")
    }

    fn said(&self, symbol: &Symbol<'_>) -> Said {
        Said {
            score: round_to_hundredths(symbol.score),
            provenance: self.encoder.names().apply(symbol.provenance.as_str()).into(),
        }
    }

    /// Whether what the consumer was told of the symbol will do.
    fn is_up_to_date(&self, known: &Known, symbol: &Symbol<'_>) -> bool {
        match self.changed {
            Changed::Referenced => true,
            Changed::Redeclared => known.said_confirmed && known.said == self.said(symbol),
        }
    }

    /// How each symbol is written, in this order.
    fn plan(&self, symbols: &[Symbol<'_>], order: &[u32]) -> Result<Vec<Line>, WhyFull> {
        let mut seen = HashSet::with_capacity(symbols.len());
        let mut next_id = self.known.len();
        let mut lines = Vec::with_capacity(symbols.len());
        for symbol in order.iter().map(|&index| &symbols[index as usize]) {
            let identity = self.identity(symbol);
            lines.push(match self.ids.get(&identity) {
                Some(&id) => {
                    let known = &self.known[id as usize];
                    if known.confirmed && self.is_up_to_date(known, symbol) {
                        Line::Referenced(id)
                    } else {
                        Line::Declared(id)
                    }
                }
                None if next_id >= self.limits.ids as usize => return Err(WhyFull::TooManyIds),
                None => {
                    next_id += 1;
                    Line::Declared(u32::try_from(next_id - 1).map_err(|_| WhyFull::TooManyIds)?)
                }
            });
            if !seen.insert(identity) {
                return Err(WhyFull::DuplicateSymbol);
            }
        }
        Ok(lines)
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
        let start = out.len();
        let mut writer = Writer::new(out, self.encoder);
        let written =
            writer.header(payload, identity, SessionField::Written, rules).and_then(|()| {
                let mut group = None;
                let mut ids = vec![0; order.len()];
                for (&index, line) in order.iter().zip(lines) {
                    let symbol = &payload.symbols[index as usize];
                    writer.group(&mut group, symbol.distance);
                    match *line {
                        Line::Declared(id) => writer.symbol("symbols", id, index, symbol)?,
                        Line::Referenced(id) => writer.reference("symbols", id, index, symbol)?,
                    }
                    ids[index as usize] = line.id();
                }
                writer.edges(payload, &SymbolIds::Permuted(ids), rules)
            });
        let report = writer.report();
        if let Err(error) = written {
            out.truncate(start);
            return Err(error);
        }
        Ok(self.commit(&payload.symbols, order, lines, now, report))
    }

    /// The root of what a text of the payload resolves to, if texts state it.
    fn root(&self, payload: &Payload<'_>) -> Result<Option<PackRoot<'static>>, Error> {
        match self.roots {
            Roots::OfThePayload => Ok(None),
            Roots::Computed => {
                let encoder = self.encoder.root_algorithm(RootAlgorithm::PackRootV1);
                encoder.pack_root(payload).map(Some)
            }
        }
    }

    /// Takes in what was written.
    fn commit(
        &mut self,
        symbols: &[Symbol<'_>],
        order: &[u32],
        lines: &[Line],
        now: Duration,
        report: EncodeReport,
    ) -> Sent {
        let mut declared = Vec::new();
        let said_in = Delivery(self.next_delivery);
        for (&index, line) in order.iter().zip(lines) {
            let Line::Declared(id) = *line else { continue };
            let symbol = &symbols[index as usize];
            let said = self.said(symbol);
            declared.push(id);
            match self.known.get_mut(id as usize) {
                Some(known) => {
                    (known.said, known.said_in, known.said_confirmed) = (said, said_in, false);
                }
                None => {
                    self.ids.insert(self.identity(symbol), id);
                    let known = Known { confirmed: false, said, said_in, said_confirmed: false };
                    self.known.push(known);
                }
            }
        }
        let began = self.times.map_or(now, |(began, _)| began);
        self.times = Some((began, now));
        let sent_as =
            SentAs::Session { declared: declared.len(), referenced: lines.len() - declared.len() };
        Sent { delivery: self.on_its_way(declared), sent_as, report }
    }

    fn on_its_way(&mut self, declared: Vec<u32>) -> Delivery {
        let delivery = Delivery(self.next_delivery);
        self.next_delivery += 1;
        if !declared.is_empty() {
            self.deliveries.push_back((delivery, declared));
            if self.deliveries.len() > self.limits.deliveries {
                self.deliveries.pop_front();
            }
        }
        delivery
    }
}
