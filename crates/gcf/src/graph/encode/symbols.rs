//! Groups and symbol lines (rulings G3, G5 and G6).

use wire_core::number::{push_hundredths, short_hundredths};
use wire_core::{Kind, Payload, Provenance, Symbol, SymbolOrder};

use super::short::Short;
use super::writer::Writer;
use crate::graph::dialect::Rules;
use crate::graph::grammar::{ID_SIGIL, NAMED_GROUPS, REFERENCE_MARK, name_of_group};
use crate::graph::refused::{bad_score, reserved_kind};
use crate::lines::GROUP_PREFIX;
use crate::{Error, ErrorKind};

/// The list that messages name symbols of.
const SYMBOLS: &str = "symbols";

/// The id of each symbol, by its index in the payload.
pub(in crate::graph) enum SymbolIds {
    /// The payload is sorted by distance, so ids are indices.
    Indices(u32),
    Permuted(Vec<u32>),
}

impl SymbolIds {
    #[inline]
    pub(super) fn get(&self, index: u32) -> Option<u32> {
        match self {
            SymbolIds::Indices(count) => (index < *count).then_some(index),
            SymbolIds::Permuted(ids) => ids.get(index as usize).copied(),
        }
    }

    pub(super) fn count(&self) -> usize {
        match self {
            SymbolIds::Indices(count) => *count as usize,
            SymbolIds::Permuted(ids) => ids.len(),
        }
    }
}

impl Writer<'_> {
    /// Writes the symbols by distance, and within a distance in the dialect's order. Returns their
    /// ids, which count from 0 in the order in which they are written.
    pub(super) fn symbols(
        &mut self,
        payload: &Payload<'_>,
        rules: &Rules,
    ) -> Result<SymbolIds, Error> {
        let symbols = &payload.symbols;
        let count = u32::try_from(symbols.len()).map_err(|_| {
            let message =
                format!("there are {} symbols, expected at most {}", symbols.len(), u32::MAX);
            Error::encode(ErrorKind::TooManyItems, message)
        })?;
        let mut group = None;
        if rules.order != SymbolOrder::Ranked && payload.is_canonical() {
            for (id, symbol) in (0u32..).zip(symbols) {
                self.group(&mut group, symbol.distance);
                self.symbol(SYMBOLS, id, id, symbol)?;
            }
            return Ok(SymbolIds::Indices(count));
        }
        let mut ids = vec![0; symbols.len()];
        let order = match rules.order {
            SymbolOrder::Ranked => payload.rank_order(),
            _ => payload.distance_order(),
        };
        for (id, index) in (0u32..).zip(order) {
            let symbol = &symbols[index as usize];
            self.group(&mut group, symbol.distance);
            self.symbol(SYMBOLS, id, index, symbol)?;
            ids[index as usize] = id;
        }
        Ok(SymbolIds::Permuted(ids))
    }

    /// Writes a group line when the distance is a new one.
    #[inline]
    pub(in crate::graph) fn group(&mut self, current: &mut Option<u32>, distance: u32) {
        if *current == Some(distance) {
            return;
        }
        *current = Some(distance);
        self.text(GROUP_PREFIX);
        match NAMED_GROUPS.get(distance as usize) {
            Some(name) => self.text(name),
            None => self.text(&name_of_group(distance)),
        }
        self.out.push(b'\n');
    }

    /// Writes a symbol line. `list` and `index` identify the symbol in errors.
    #[inline]
    pub(in crate::graph) fn symbol(
        &mut self,
        list: &'static str,
        id: u32,
        index: u32,
        symbol: &Symbol<'_>,
    ) -> Result<(), Error> {
        self.symbol_fields(list, id, index, symbol)?;
        self.out.push(b'\n');
        Ok(())
    }

    #[inline]
    pub(in crate::graph) fn symbol_fields(
        &mut self,
        list: &'static str,
        id: u32,
        index: u32,
        symbol: &Symbol<'_>,
    ) -> Result<(), Error> {
        match symbol.kind.abbreviation_block() {
            Some(kind) => Short::append(self.out, |line| {
                line.bytes([ID_SIGIL]);
                line.decimal(id);
                line.bytes([b' ']);
                line.word(kind);
                line.bytes([b' ']);
            }),
            None => {
                self.out.push(ID_SIGIL);
                self.number(id);
                self.out.push(b' ');
                self.kind(&symbol.kind, || format!("{list}[{index}]"))?;
                self.out.push(b' ');
            }
        }
        self.token(&symbol.qualified_name, || format!("{list}[{index}].qualified_name"))?;
        if let (Some(score), Some(provenance)) =
            (short_hundredths(symbol.score), symbol.provenance.block())
        {
            Short::append(self.out, |line| {
                let [whole, point, tens, ones] = score;
                line.bytes([b' ', whole, point, tens, ones, b' ']);
                line.word(provenance);
            });
            return Ok(());
        }
        self.out.push(b' ');
        if !symbol.score.is_finite() {
            return Err(bad_score(&format!("{list}[{index}]"), symbol.score));
        }
        push_hundredths(self.out, symbol.score);
        self.out.push(b' ');
        match &symbol.provenance {
            Provenance::Other(word) => {
                let listed = |word: &str| !matches!(Provenance::from(word), Provenance::Other(_));
                self.word(word.as_str(), || format!("{list}[{index}].provenance"), listed)?;
            }
            provenance => self.text(provenance.as_str()),
        }
        Ok(())
    }

    /// Writes the abbreviation of a kind. `place` identifies its symbol in errors.
    #[inline]
    pub(in crate::graph) fn kind(
        &mut self,
        kind: &Kind<'_>,
        place: impl Fn() -> String,
    ) -> Result<(), Error> {
        match kind {
            Kind::Other(word) => {
                if kind.is_shadowed_by_abbreviation() {
                    return Err(reserved_kind(&place(), word.as_str()));
                }
                let listed = |word: &str| !matches!(Kind::from_abbreviation(word), Kind::Other(_));
                self.word(word.as_str(), || place() + ".kind", listed)?;
            }
            kind => self.text(kind.abbreviation()),
        }
        Ok(())
    }

    /// Writes a reference to a symbol that an earlier payload of the session declares (ruling G9).
    /// A symbol that can't be written can't be referred to either.
    pub(in crate::graph) fn reference(
        &mut self,
        list: &'static str,
        id: u32,
        index: u32,
        symbol: &Symbol<'_>,
    ) -> Result<(), Error> {
        let (start, report) = (self.out.len(), self.report);
        self.symbol_fields(list, id, index, symbol)?;
        self.out.truncate(start);
        self.report = report;
        self.out.push(ID_SIGIL);
        self.number(id);
        self.text(REFERENCE_MARK);
        self.out.push(b'\n');
        Ok(())
    }
}
