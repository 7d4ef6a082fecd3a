//! Groups and symbol lines (rulings G3, G5 and G6).

use wire_core::number::push_hundredths;
use wire_core::{Kind, Payload, Provenance, Symbol, SymbolOrder};

use super::Writer;
use crate::graph::dialect::Rules;
use crate::graph::grammar::{GROUP_PREFIX, ID_SIGIL, NAMED_GROUPS, name_of_group};
use crate::{Error, ErrorKind};

/// The id of each symbol, by its index in the payload.
pub(super) enum SymbolIds {
    /// The payload is in the order of its distances, so ids are indices.
    Indices(u32),
    /// Ids by index.
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
}

impl Writer<'_> {
    /// Writes the symbols by distance, in the dialect's order inside a distance, and returns their ids,
    /// which count from 0 in the order of emission.
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
                self.symbol(id, id, symbol)?;
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
            self.symbol(id, index, symbol)?;
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

    #[inline]
    pub(in crate::graph) fn symbol(
        &mut self,
        id: u32,
        index: u32,
        symbol: &Symbol<'_>,
    ) -> Result<(), Error> {
        self.out.push(ID_SIGIL);
        self.number(id);
        self.out.push(b' ');
        match &symbol.kind {
            Kind::Other(word) => {
                if symbol.kind.is_shadowed_by_abbreviation() {
                    return Err(reserved_kind(index, word.as_str()));
                }
                let listed = |word: &str| !matches!(Kind::from_abbreviation(word), Kind::Other(_));
                self.word(word.as_str(), || format!("symbols[{index}].kind"), listed)?;
            }
            kind => self.text(kind.abbreviation()),
        }
        self.out.push(b' ');
        self.token(&symbol.qualified_name, || format!("symbols[{index}].qualified_name"))?;
        self.out.push(b' ');
        if !symbol.score.is_finite() {
            return Err(bad_score(index, symbol.score));
        }
        push_hundredths(self.out, symbol.score);
        self.out.push(b' ');
        match &symbol.provenance {
            Provenance::Other(word) => {
                let listed = |word: &str| !matches!(Provenance::from(word), Provenance::Other(_));
                self.word(word.as_str(), || format!("symbols[{index}].provenance"), listed)?;
            }
            provenance => self.text(provenance.as_str()),
        }
        self.out.push(b'\n');
        Ok(())
    }
}

#[cold]
fn reserved_kind(index: u32, word: &str) -> Error {
    let full = Kind::from_abbreviation(word);
    Error::encode(
        ErrorKind::ReservedKind,
        format!(
            "symbols[{index}].kind is {word:?}, which GCF reads as {full}, expected {:?} or another word",
            full.as_str()
        ),
    )
}

#[cold]
fn bad_score(index: u32, score: f64) -> Error {
    Error::encode(
        ErrorKind::InvalidScore,
        format!("symbols[{index}].score is {score}, expected a finite number"),
    )
}
