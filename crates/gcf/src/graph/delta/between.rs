//! The delta between two payloads.

use std::collections::{HashMap, HashSet};

use wire_core::number::round_to_hundredths;
use wire_core::{EdgeType, PackRoot, Payload, Symbol, SymbolOrder, TokenCounter};

use super::encode::is_writable;
use super::{Delta, DeltaEdge, SymbolKey};
use crate::Error;
use crate::graph::encode::Encoder;
use crate::graph::reason::FullReason;
use crate::root::RootAlgorithm;

impl Delta<'_> {
    /// Computes the delta from `base` to `new`, both as the text of this encoder represents them.
    /// The delta states the roots, and the tokens of both texts as counted by `counter`.
    ///
    /// A symbol whose score, provenance or distance changed is unchanged for
    /// [`RootAlgorithm::Identity`], and so is not in the delta; with [`RootAlgorithm::PackRootV1`]
    /// it is removed and added again. Removed symbols and edges are in the order of the base. Added
    /// ones are in the order of the new payload; edges of
    /// [`Dialect::V3`](super::super::Dialect::V3) are sorted by name.
    ///
    /// ```
    /// use gcf::graph::{Delta, Encoder};
    /// use wire_core::{Payload, Symbol, WordPunctuation};
    ///
    /// let mut base = Payload { tool: "t".into(), ..Payload::default() };
    /// base.symbols =
    ///     vec![Symbol::new("function", "pkg.Old"), Symbol::new("type", "pkg.Kept")];
    /// let mut new = base.clone();
    /// new.symbols[0] = Symbol::new("function", "pkg.New").with_score(0.85);
    /// let Ok(delta) = Delta::between(&base, &new, &Encoder::new(), &WordPunctuation)?
    /// else {
    ///     panic!()
    /// };
    /// assert_eq!(delta.removed[0].qualified_name, "pkg.Old");
    /// assert_eq!(delta.added[0].qualified_name, "pkg.New");
    /// let applied = delta.apply(&base)?;
    /// assert_eq!(applied.symbols.len(), 2);
    /// # Ok::<(), gcf::Error>(())
    /// ```
    ///
    /// The inner `Err` is why no delta can represent the difference, so that the new payload has to
    /// be sent in full.
    ///
    /// # Errors
    ///
    /// As [`Encoder::encode`] and [`Encoder::pack_root`], for either payload.
    pub fn between(
        base: &Payload<'_>,
        new: &Payload<'_>,
        encoder: &Encoder,
        counter: &dyn TokenCounter,
    ) -> Result<Result<Delta<'static>, FullReason>, Error> {
        let (base, base_root, _) = encoder.on_the_wire(base)?;
        let (new, _, text) = encoder.on_the_wire(new)?;
        let full = counter.count(&text) as u64;
        Self::between_wired((&base, &base_root), &new, full, *encoder, counter)
    }

    /// As [`Delta::between`], for payloads decoded from their texts: the base with its root, and
    /// the new one with its stated root.
    pub(in crate::graph) fn between_wired(
        (base, base_root): (&Payload<'_>, &PackRoot<'_>),
        new: &Payload<'_>,
        full_tokens: u64,
        encoder: Encoder,
        counter: &dyn TokenCounter,
    ) -> Result<Result<Delta<'static>, FullReason>, Error> {
        let (before, after) = match (Side::new(base), Side::new(new)) {
            (Ok(before), Ok(after)) => (before, after),
            (Err(why), _) | (_, Err(why)) => return Ok(Err(why)),
        };
        let same = |a: &Symbol<'_>, b: &Symbol<'_>| match encoder.roots() {
            RootAlgorithm::Identity => true,
            RootAlgorithm::PackRootV1 => {
                round_to_hundredths(a.score) == round_to_hundredths(b.score)
                    && a.provenance == b.provenance
                    && a.distance == b.distance
            }
        };
        let stays = |from: &Symbol<'_>, to: &Side<'_>| {
            to.symbols.get(&key(from)).is_some_and(|other| same(from, other))
        };

        let new_root = new.pack_root.clone().expect("because it came off the wire with its root");
        let mut delta =
            Delta::new(new.tool.to_string(), base_root.clone().into_owned(), new_root.into_owned());
        let removed = base.symbols.iter().filter(|symbol| !stays(symbol, &after));
        let key =
            |of: &Symbol<'_>| SymbolKey::new(of.kind.clone(), &*of.qualified_name).into_owned();
        delta.removed = removed.map(key).collect();
        let added = new.symbols.iter().filter(|symbol| !stays(symbol, &before));
        delta.added = added.map(|symbol| symbol.clone().into_owned()).collect();
        delta.edges_removed = before.edges_not_in(&after);
        delta.edges_added = after.edges_not_in(&before);
        if encoder.written_dialect().rules().order == SymbolOrder::Ranked {
            let names = |edge: &DeltaEdge<'_>| {
                let edge_type = edge.edge_type.as_str().to_owned();
                (edge.source.to_string(), edge.target.to_string(), edge_type)
            };
            delta.edges_added.sort_by_cached_key(names);
        }
        if !is_writable(&delta) {
            return Ok(Err(FullReason::UnwritableName));
        }
        state_tokens(&mut delta, full_tokens, encoder, counter)?;
        Ok(Ok(delta))
    }
}

/// Sets the token counts that the text states, including the tokens of stating them.
fn state_tokens(
    delta: &mut Delta<'static>,
    full: u64,
    encoder: Encoder,
    counter: &dyn TokenCounter,
) -> Result<(), Error> {
    // A number with more digits may use more tokens; after a few rounds the counts are stable.
    const ROUNDS: usize = 8;
    for _ in 0..ROUNDS {
        let stated = delta.tokens;
        let tokens = counter.count(&encoder.delta_to_string(delta)?) as u64;
        delta.set_tokens(tokens, full);
        if stated == Some(tokens) {
            break;
        }
    }
    Ok(())
}

type Key<'p> = (&'p str, &'p str);

fn key<'p>(symbol: &'p Symbol<'_>) -> Key<'p> {
    (symbol.kind.as_str(), &symbol.qualified_name)
}

/// A payload, with an index of its symbols by kind and name, and of its edges by these.
struct Side<'p> {
    symbols: HashMap<Key<'p>, &'p Symbol<'p>>,
    edges: Vec<(Key<'p>, Key<'p>, &'p EdgeType<'p>)>,
    edge_set: HashSet<(Key<'p>, Key<'p>, &'p str)>,
}

impl<'p> Side<'p> {
    fn new(payload: &'p Payload<'p>) -> Result<Self, FullReason> {
        let mut symbols = HashMap::with_capacity(payload.symbols.len());
        let mut names: HashMap<&str, u32> = HashMap::with_capacity(payload.symbols.len());
        for symbol in &payload.symbols {
            if symbols.insert(key(symbol), symbol).is_some() {
                return Err(FullReason::DuplicateSymbol);
            }
            *names.entry(&symbol.qualified_name).or_default() += 1;
        }
        let mut side = Side { symbols, edges: Vec::new(), edge_set: HashSet::new() };
        for edge in &payload.edges {
            if !edge.status.is_unchanged() {
                return Err(FullReason::EdgeStatus);
            }
            let [source, target] =
                [edge.source, edge.target].map(|end| &payload.symbols[end as usize]);
            if [source, target].iter().any(|end| names[&*end.qualified_name] > 1) {
                return Err(FullReason::AmbiguousName);
            }
            let (source, target) = (key(source), key(target));
            if !side.edge_set.insert((source, target, edge.edge_type.as_str())) {
                return Err(FullReason::DuplicateEdge);
            }
            side.edges.push((source, target, &edge.edge_type));
        }
        Ok(side)
    }

    /// The edges that the other payload does not have, in order.
    fn edges_not_in(&self, other: &Side<'_>) -> Vec<DeltaEdge<'static>> {
        let is_gone = |(source, target, edge_type): &&(Key<'_>, Key<'_>, &EdgeType<'_>)| {
            !other.edge_set.contains(&(*source, *target, edge_type.as_str()))
        };
        let edges =
            self.edges.iter().filter(is_gone).map(|((_, source), (_, target), edge_type)| {
                DeltaEdge::new(*source, (*edge_type).clone(), *target).into_owned()
            });
        edges.collect()
    }
}
