//! The ids that were given to symbols, and the declarations that the consumer has.

use std::collections::{HashMap, HashSet, VecDeque};

use wire_core::Symbol;
use wire_core::number::round_to_hundredths;

use super::Delivery;
use crate::Error;
use crate::graph::encode::Writer;
use crate::graph::reason::{FullReason, Outcome};
use crate::graph::refused::written;

/// The symbols that were sent to the consumer, and which of it arrived.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger {
    white_space: Option<char>,
    /// The ids of the symbols, by kind and qualified name as they are written.
    ids: HashMap<String, u32>,
    known: Vec<Known>,
    /// Payloads that are neither confirmed nor rolled back, oldest first, with the ids that they
    /// declare.
    deliveries: VecDeque<(Delivery, Vec<u32>)>,
    next_delivery: u64,
}

#[derive(Clone, Debug)]
struct Known {
    /// `true` if the consumer has a declaration of it.
    confirmed: bool,
    /// The last declaration, its payload, and whether the consumer is known to have that payload.
    said: Said,
    said_in: Delivery,
    said_confirmed: bool,
}

/// The content of a declaration besides the identity.
#[derive(Clone, Debug, PartialEq)]
struct Said {
    score: f64,
    provenance: Box<str>,
}

/// How a symbol is written.
#[derive(Clone, Copy)]
pub(super) enum Line {
    Declared(u32),
    Referenced(u32),
}

impl Line {
    /// Writes the symbol at this index of a list, and returns its id.
    pub(super) fn write(
        self,
        writer: &mut Writer<'_>,
        list: &'static str,
        index: u32,
        symbol: &Symbol<'_>,
    ) -> Result<u32, Error> {
        match self {
            Line::Declared(id) => writer.symbol(list, id, index, symbol).map(|()| id),
            Line::Referenced(id) => writer.reference(list, id, index, symbol).map(|()| id),
        }
    }
}

impl Ledger {
    /// An empty ledger, of an encoder that writes names with this in place of white space.
    pub(super) fn new(white_space: Option<char>) -> Self {
        Ledger { white_space, ..Ledger::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.known.len()
    }

    /// Forgets everything; later deliveries get new numbers.
    pub(super) fn clear(&mut self) {
        self.ids.clear();
        self.known.clear();
        self.deliveries.clear();
    }

    /// How to write each of these symbols, when at most `most_ids` ids may be given. Symbols that have
    /// changed since they were declared are declared again if `changed_redeclared`, else referred to.
    pub(super) fn plan(
        &self,
        symbols: &[Symbol<'_>],
        order: &[u32],
        most_ids: u32,
        changed_redeclared: bool,
    ) -> Result<Vec<Line>, FullReason> {
        let mut seen = HashSet::with_capacity(symbols.len());
        let mut next_id = self.known.len();
        let mut lines = Vec::with_capacity(symbols.len());
        for symbol in order.iter().map(|&index| &symbols[index as usize]) {
            let identity = self.identity(symbol);
            lines.push(match self.ids.get(&identity) {
                Some(&id) => {
                    let known = &self.known[id as usize];
                    let is_up_to_date = || known.said_confirmed && known.said == self.said(symbol);
                    if known.confirmed && (!changed_redeclared || is_up_to_date()) {
                        Line::Referenced(id)
                    } else {
                        Line::Declared(id)
                    }
                }
                None if next_id >= most_ids as usize => return Err(FullReason::TooManyIds),
                None => {
                    next_id += 1;
                    Line::Declared(u32::try_from(next_id - 1).map_err(|_| FullReason::TooManyIds)?)
                }
            });
            if !seen.insert(identity) {
                return Err(FullReason::DuplicateSymbol);
            }
        }
        Ok(lines)
    }

    /// Records what was written. When more than `most` payloads are unconfirmed, the oldest is
    /// assumed to be lost.
    pub(super) fn take_in(
        &mut self,
        symbols: &[Symbol<'_>],
        order: &[u32],
        lines: &[Line],
        most: usize,
    ) -> (Delivery, Outcome) {
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
        let outcome =
            Outcome::Session { declared: declared.len(), referenced: lines.len() - declared.len() };
        (self.on_its_way(declared, most), outcome)
    }

    /// Records a payload that declares these ids as unconfirmed. When more than `most` are
    /// unconfirmed, the oldest is assumed to be lost.
    pub(super) fn on_its_way(&mut self, declared: Vec<u32>, most: usize) -> Delivery {
        let delivery = Delivery(self.next_delivery);
        self.next_delivery += 1;
        if !declared.is_empty() {
            self.deliveries.push_back((delivery, declared));
            if self.deliveries.len() > most {
                self.deliveries.pop_front();
            }
        }
        delivery
    }

    /// The consumer has this payload. Does nothing when the delivery is not known any more.
    pub(super) fn confirm(&mut self, delivery: Delivery) {
        let Some(place) = self.deliveries.iter().position(|(known, _)| *known == delivery) else {
            return;
        };
        for id in self.deliveries.remove(place).map(|(_, ids)| ids).unwrap_or_default() {
            let known = &mut self.known[id as usize];
            known.confirmed = true;
            known.said_confirmed |= known.said_in == delivery;
        }
    }

    /// The consumer did not get this payload.
    pub(super) fn roll_back(&mut self, delivery: Delivery) {
        self.deliveries.retain(|(known, _)| *known != delivery);
    }

    /// The kind and the qualified name of a symbol as they are written, which is its identity.
    /// Neither contains a space.
    fn identity(&self, symbol: &Symbol<'_>) -> String {
        let words = [symbol.kind.as_str(), &symbol.qualified_name];
        words.map(|word| written(word, self.white_space)).join(" ")
    }

    fn said(&self, symbol: &Symbol<'_>) -> Said {
        Said {
            score: round_to_hundredths(symbol.score),
            provenance: written(symbol.provenance.as_str(), self.white_space).into(),
        }
    }
}
