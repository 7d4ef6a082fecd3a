//! Decoding: the document is read element by element, to a fixed depth.

mod elements;

use std::collections::{BTreeMap, BTreeSet};

use quick_xml::events::BytesStart;
use wire_core::{
    CodecError, Components, Dangling, Endpoint, NamedEdge, PackRoot, Payload, PayloadBuilder,
    Symbol,
};

use super::error::XmlErrorKind;
use super::grammar::{EDGES, GROUPS, SUMMARY};
use crate::error::name_error;
use elements::Parser;

/// The payload, and the attributes that were skipped: as `symbol@file`, without duplicates.
pub(super) fn document(input: &[u8]) -> Result<(Payload<'_>, BTreeSet<String>), CodecError> {
    Parser::new(input)?.document()
}

impl<'a> Parser<'a> {
    fn document(mut self) -> Result<(Payload<'a>, BTreeSet<String>), CodecError> {
        let context = self.child(&["context"], "the document")?.ok_or_else(|| {
            self.fail(
                XmlErrorKind::UnexpectedEnd,
                self.text.len(),
                "there is no element, expected <context>".to_owned(),
            )
        })?;
        let start = self.at;
        let [tool, used, budget, root] =
            self.attributes(&context, ["tool", "tokens_used", "token_budget", "pack_root"])?;
        let tool = self.required(tool, "tool", "context", start)?.1;
        let mut builder = PayloadBuilder::new(tool)
            .tokens_used(self.integer(&self.required(used, "tokens_used", "context", start)?)?)
            .token_budget(self.integer(&self.required(
                budget,
                "token_budget",
                "context",
                start,
            )?)?);
        if let Some((at, root)) = root.filter(|(_, root)| !root.is_empty()) {
            let root = PackRoot::new(root)
                .map_err(|found| self.fail(XmlErrorKind::InvalidValue, at, found.to_string()))?;
            builder = builder.pack_root(root);
        }
        let (builder, ends) = self.body(builder)?;
        self.after()?;
        let (payload, _) = builder.resolve(Dangling::Refused).map_err(|found| {
            let at = ends[found.edge][usize::from(found.endpoint == Endpoint::Target)];
            name_error(&found, Some(self.place(at)), "name")
        })?;
        Ok((payload, self.skipped.into_inner()))
    }

    /// The content of `<context>`: each element at most once, in this order. Also returns where the
    /// source and target of each edge are.
    fn body(
        &mut self,
        mut builder: PayloadBuilder<'a>,
    ) -> Result<(PayloadBuilder<'a>, Vec<[usize; 2]>), CodecError> {
        let names = [GROUPS[0].0, GROUPS[1].0, GROUPS[2].0, EDGES, SUMMARY];
        let mut symbols: BTreeMap<u32, usize> = BTreeMap::new();
        let mut ends = Vec::new();
        let mut first = 0;
        while let Some(element) = self.child(&names[first..], "context")? {
            let place = names.iter().position(|name| *name == element.name().0);
            let place = place.expect("because the element is one of these");
            first = place + 1;
            self.attributes(&element, [])?;
            if let Some((group, distances)) = GROUPS.get(place) {
                while let Some(element) = self.child(&["symbol"], group)? {
                    let (at, symbol) = self.symbol(&element)?;
                    if !distances.contains(&symbol.distance) {
                        let message = format!(
                            "the distance is {}, expected one of <{group}>",
                            symbol.distance
                        );
                        return Err(self.fail(XmlErrorKind::InvalidValue, at, message));
                    }
                    *symbols.entry(symbol.distance).or_default() += 1;
                    builder = builder.symbol(symbol);
                }
            } else if names[place] == EDGES {
                while let Some(element) = self.child(&["edge"], EDGES)? {
                    let (places, edge) = self.edge(&element)?;
                    ends.push(places);
                    builder = builder.edge(edge);
                    self.empty("edge")?;
                }
            } else {
                self.summary(&symbols, ends.len())?;
            }
        }
        Ok((builder, ends))
    }

    /// A symbol, and where its distance is.
    fn symbol(&mut self, element: &BytesStart<'a>) -> Result<(usize, Symbol<'a>), CodecError> {
        const NAMES: [&str; 6] = ["name", "kind", "score", "confidence", "provenance", "distance"];
        let start = self.at;
        let mut values = self.attributes(element, NAMES)?.into_iter().zip(NAMES);
        let mut next = || {
            let (value, name) = values.next().expect("because there are as many as names");
            self.required(value, name, "symbol", start)
        };
        let (name, kind, score, confidence) = (next()?, next()?, next()?, next()?);
        let (provenance, distance) = (next()?, next()?);
        let components =
            Components { confidence: self.double(&confidence)?, ..Components::default() };
        let symbol = Symbol::new(kind.1, name.1)
            .with_score(self.double(&score)?)
            .with_provenance(provenance.1)
            .with_distance(self.integer(&distance)?)
            .with_components(components);
        let Some(element) = self.child(&["signature"], "symbol")? else {
            return Ok((distance.0, symbol));
        };
        self.attributes(&element, [])?;
        let signature = self.content("signature")?.1;
        self.empty("symbol")?;
        Ok((distance.0, symbol.with_signature(signature)))
    }

    /// An edge, and where its source and target are.
    fn edge(&self, element: &BytesStart<'a>) -> Result<([usize; 2], NamedEdge<'a>), CodecError> {
        let [source, target, edge_type, status] =
            self.attributes(element, ["source", "target", "type", "status"])?;
        let source = self.required(source, "source", "edge", self.at)?;
        let target = self.required(target, "target", "edge", self.at)?;
        let edge_type = self.required(edge_type, "type", "edge", self.at)?;
        let edge = NamedEdge::new(source.1, edge_type.1, target.1)
            .with_status(status.map(|status| status.1).unwrap_or_default());
        Ok(([source.0, target.0], edge))
    }

    /// The counts of the summary must match the content.
    fn summary(&mut self, symbols: &BTreeMap<u32, usize>, edges: usize) -> Result<(), CodecError> {
        const NAMES: [&str; 3] = ["total_symbols", "total_edges", "by_distance"];
        let total: usize = symbols.values().sum();
        let mut first = 0;
        while let Some(element) = self.child(&NAMES[first..], SUMMARY)? {
            let place = NAMES.iter().position(|name| *name == element.name().0);
            let place = place.expect("because the element is one of these");
            first = place + 1;
            self.attributes(&element, [])?;
            if place < 2 {
                let count = self.content(NAMES[place])?;
                let there = [total, edges][place];
                self.counted(self.integer(&count)?, there, count.0, || {
                    ["symbols", "edges"][place].to_owned()
                })?;
                continue;
            }
            let start = self.at;
            let mut hops = symbols.iter();
            while let Some(element) = self.child(&["distance"], "by_distance")? {
                let at = self.at;
                let [hop, count] = self.attributes(&element, ["hop", "count"])?;
                let hop: u32 = self.integer(&self.required(hop, "hop", "distance", at)?)?;
                let count = self.required(count, "count", "distance", at)?;
                match hops.next() {
                    Some((distance, there)) if *distance == hop => {
                        self.counted(self.integer(&count)?, *there, count.0, || {
                            format!("symbols of distance {hop}")
                        })?;
                    }
                    _ => {
                        let there = symbols.get(&hop).copied().unwrap_or_default();
                        let message = format!(
                            "the summary has distance {hop} here, expected each distance once, in order, and there are {there} symbols of it"
                        );
                        return Err(self.fail(XmlErrorKind::CountMismatch, at, message));
                    }
                }
                self.empty("distance")?;
            }
            if let Some((distance, there)) = hops.next() {
                let message =
                    format!("the summary lacks distance {distance}, expected its {there} symbols");
                return Err(self.fail(XmlErrorKind::CountMismatch, start, message));
            }
        }
        Ok(())
    }

    fn counted(
        &self,
        said: u64,
        there: usize,
        at: usize,
        what: impl FnOnce() -> String,
    ) -> Result<(), CodecError> {
        if usize::try_from(said) == Ok(there) {
            return Ok(());
        }
        let message = format!("the summary counts {said} {}, expected {there}", what());
        Err(self.fail(XmlErrorKind::CountMismatch, at, message))
    }
}
