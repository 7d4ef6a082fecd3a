//! The payload that every graph codec of the family carries.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;

use crate::names::{EdgeNameError, Endpoint, NameIndex, NameProblem, UnnamedEnd};
use crate::vocab::{EdgeStatus, EdgeType, Kind, Provenance};

/// A ranked set of symbols and the edges between them: the answer of one tool call.
///
/// Text is borrowed from the input wherever a codec can; [`Payload::into_owned`] cuts the tie.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Payload<'a> {
    /// The tool that made the payload, as `context_for_task`.
    pub tool: Cow<'a, str>,
    /// Tokens that the producer counted for the payload; 0 when it did not count.
    pub tokens_used: u64,
    /// Tokens that the consumer asked the producer to stay within; 0 when there was no budget.
    pub token_budget: u64,
    /// The content-addressed identity of the payload, if the producer gave one.
    pub pack_root: Option<PackRoot<'a>>,
    /// The symbols. [`Payload::canonicalize`] puts them in the order of their distance.
    pub symbols: Vec<Symbol<'a>>,
    /// The edges, as indices into `symbols`.
    pub edges: Vec<Edge<'a>>,
}

/// One symbol of a graph: a function, a table, a service, …
#[derive(Clone, Debug, PartialEq)]
pub struct Symbol<'a> {
    /// The full name, as `github.com/example/orders/internal/billing.Ledger.Post`. Together with
    /// `kind` it is the symbol's identity; on its own it may be ambiguous.
    pub qualified_name: Cow<'a, str>,
    /// What the symbol is.
    pub kind: Kind<'a>,
    /// Relevance to the query; higher is more relevant. Producers use 0 to 1.
    pub score: f64,
    /// How the symbol became known.
    pub provenance: Provenance<'a>,
    /// Hops from the query's targets, which have 0.
    pub distance: u32,
    /// The declaration in its own language; empty when there is none.
    pub signature: Cow<'a, str>,
    /// What the score is made of.
    pub components: Components,
}

/// The parts of a score, each 0 to 1 as producers use them; all zero when the producer gave none.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Components {
    /// How much depends on the symbol.
    pub blast_radius: f64,
    /// How sure the producer is of the symbol.
    pub confidence: f64,
    /// How lately it changed.
    pub recency: f64,
    /// How near it is to the targets.
    pub distance: f64,
}

/// A directed edge: *source* `edge_type` *target* ("`source` calls `target`").
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge<'a> {
    /// Index of the source in [`Payload::symbols`].
    pub source: u32,
    /// Index of the target in [`Payload::symbols`].
    pub target: u32,
    /// What the edge says.
    pub edge_type: EdgeType<'a>,
    /// What happened to the edge, in payloads that compare two versions of a graph.
    pub status: EdgeStatus<'a>,
}

/// The content-addressed identity of a payload: an opaque token such as `a1b2c3`, 64 hexadecimal
/// digits, or `sha256:…`. Never empty; holds no white space and no control character.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackRoot<'a>(Cow<'a, str>);

/// The text is empty, or holds white space or a control character, so it can't be a [`PackRoot`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a pack root is a token without white space or control characters, found {found:?}")]
pub struct InvalidPackRoot {
    /// The text.
    pub found: String,
}

impl<'a> PackRoot<'a> {
    /// A pack root of this text.
    ///
    /// # Errors
    ///
    /// [`InvalidPackRoot`] when the text is empty or holds white space or a control character.
    pub fn new(text: impl Into<Cow<'a, str>>) -> Result<Self, InvalidPackRoot> {
        let text = text.into();
        if crate::text::is_token(&text) {
            Ok(PackRoot(text))
        } else {
            Err(InvalidPackRoot { found: text.into_owned() })
        }
    }

    /// The token.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The same root without borrowed text.
    pub fn into_owned(self) -> PackRoot<'static> {
        PackRoot(Cow::Owned(self.0.into_owned()))
    }
}

impl fmt::Display for PackRoot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl<'a> Symbol<'a> {
    /// A symbol with score 0, distance 0, provenance `structural`, no signature and zero components.
    pub fn new(kind: impl Into<Kind<'a>>, qualified_name: impl Into<Cow<'a, str>>) -> Self {
        Symbol {
            qualified_name: qualified_name.into(),
            kind: kind.into(),
            score: 0.0,
            provenance: Provenance::Structural,
            distance: 0,
            signature: Cow::Borrowed(""),
            components: Components::default(),
        }
    }

    /// Sets the score (default 0).
    #[must_use]
    pub fn with_score(mut self, score: f64) -> Self {
        self.score = score;
        self
    }

    /// Sets the provenance (default `structural`).
    #[must_use]
    pub fn with_provenance(mut self, provenance: impl Into<Provenance<'a>>) -> Self {
        self.provenance = provenance.into();
        self
    }

    /// Sets the distance from the query's targets (default 0).
    #[must_use]
    pub fn with_distance(mut self, distance: u32) -> Self {
        self.distance = distance;
        self
    }

    /// Sets the signature (default empty).
    #[must_use]
    pub fn with_signature(mut self, signature: impl Into<Cow<'a, str>>) -> Self {
        self.signature = signature.into();
        self
    }

    /// Sets the components of the score (default all zero).
    #[must_use]
    pub fn with_components(mut self, components: Components) -> Self {
        self.components = components;
        self
    }

    /// The same symbol without borrowed text.
    pub fn into_owned(self) -> Symbol<'static> {
        Symbol {
            qualified_name: Cow::Owned(self.qualified_name.into_owned()),
            kind: self.kind.into_owned(),
            score: self.score,
            provenance: self.provenance.into_owned(),
            distance: self.distance,
            signature: Cow::Owned(self.signature.into_owned()),
            components: self.components,
        }
    }
}

impl<'a> Edge<'a> {
    /// The edge "`source` `edge_type` `target`" with status `unchanged`.
    pub fn new(source: u32, target: u32, edge_type: impl Into<EdgeType<'a>>) -> Self {
        Edge { source, target, edge_type: edge_type.into(), status: EdgeStatus::Unchanged }
    }

    /// Sets the status (default `unchanged`).
    #[must_use]
    pub fn with_status(mut self, status: impl Into<EdgeStatus<'a>>) -> Self {
        self.status = status.into();
        self
    }

    /// The same edge without borrowed text.
    pub fn into_owned(self) -> Edge<'static> {
        Edge {
            source: self.source,
            target: self.target,
            edge_type: self.edge_type.into_owned(),
            status: self.status.into_owned(),
        }
    }
}

impl Payload<'_> {
    /// The same payload without borrowed text.
    pub fn into_owned(self) -> Payload<'static> {
        Payload {
            tool: Cow::Owned(self.tool.into_owned()),
            tokens_used: self.tokens_used,
            token_budget: self.token_budget,
            pack_root: self.pack_root.map(PackRoot::into_owned),
            symbols: self.symbols.into_iter().map(Symbol::into_owned).collect(),
            edges: self.edges.into_iter().map(Edge::into_owned).collect(),
        }
    }

    /// Whether the symbols stand in the order of their distance.
    pub fn is_canonical(&self) -> bool {
        self.symbols.is_sorted_by_key(|symbol| symbol.distance)
    }

    /// Sorts the symbols by distance, keeping the order inside a distance, and points the edges at
    /// the new places. The edges keep their order. Indices that point at no symbol stay as they are.
    ///
    /// This is the order that GCF's groups impose.
    pub fn canonicalize(&mut self) {
        if !self.is_canonical() {
            self.reorder(&self.distance_order());
        }
    }

    /// Sorts the symbols by distance and, inside a distance, by score from high to low, and the edges by
    /// source, target and type, as specification 3 of GCF does. What is equal keeps its order.
    pub fn rank(&mut self) {
        self.reorder(&self.rank_order());
        self.edges.sort_by(by_ends);
    }

    /// The names of the source and the target of each edge, for formats that write edges by name.
    ///
    /// ```
    /// use wire_core::{Edge, Payload, Symbol};
    ///
    /// let mut payload = Payload::default();
    /// payload.symbols = vec![Symbol::new("function", "a"), Symbol::new("function", "b")];
    /// payload.edges = vec![Edge::new(1, 0, "calls"), Edge::new(0, 2, "calls")];
    /// let names: Vec<_> = payload.edge_names().collect();
    /// assert_eq!(names[0], Ok(("b", "a")));
    /// let error = names[1].clone().unwrap_err();
    /// assert_eq!(error.to_string(), "edges[1].target is 2, and there are 2 symbols");
    /// ```
    ///
    /// # Errors
    ///
    /// [`UnnamedEnd`] for an edge with an end that is no symbol, or whose name more than one symbol has, so that nobody could
    /// tell which is meant.
    pub fn edge_names(&self) -> impl Iterator<Item = Result<(&str, &str), UnnamedEnd<'_>>> {
        let names = (!self.edges.is_empty()).then(|| NameIndex::new(&self.symbols));
        let name_of = move |edge, endpoint, index: u32| {
            let unnamed =
                |name| UnnamedEnd { edge, endpoint, index, name, symbols: self.symbols.len() };
            let symbol = self.symbols.get(index as usize).ok_or_else(|| unnamed(None))?;
            let name = &*symbol.qualified_name;
            match names.as_ref().map(|names| names.get(name)) {
                Some(Err(NameProblem::Ambiguous)) => Err(unnamed(Some(name))),
                _ => Ok(name),
            }
        };
        self.edges.iter().enumerate().map(move |(index, edge)| {
            let source = name_of(index, Endpoint::Source, edge.source)?;
            Ok((source, name_of(index, Endpoint::Target, edge.target)?))
        })
    }

    /// The indices of the symbols in the order of their distance, input order inside a distance.
    pub fn distance_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0u32..).take(self.symbols.len()).collect();
        order.sort_by_key(|&index| self.symbols[index as usize].distance);
        order
    }

    /// Whether [`Payload::rank`] would change nothing.
    pub fn is_ranked(&self) -> bool {
        self.symbols.is_sorted_by(|a, b| by_rank(a, b).is_le())
            && self.edges.is_sorted_by(|a, b| by_ends(a, b).is_le())
    }

    /// The indices of the symbols in the order of [`Payload::rank`].
    pub fn rank_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0u32..).take(self.symbols.len()).collect();
        order.sort_by(|&a, &b| by_rank(&self.symbols[a as usize], &self.symbols[b as usize]));
        order
    }

    /// Puts the symbols in this order, a permutation of their indices, and remaps the edges.
    fn reorder(&mut self, order: &[u32]) {
        let mut places = vec![0u32; order.len()];
        for (place, &index) in (0u32..).zip(order) {
            places[index as usize] = place;
        }
        let mut taken: Vec<Option<Symbol<'_>>> =
            std::mem::take(&mut self.symbols).into_iter().map(Some).collect();
        self.symbols = order
            .iter()
            .map(|&index| taken[index as usize].take().expect("because the order is a permutation"))
            .collect();
        for edge in &mut self.edges {
            for end in [&mut edge.source, &mut edge.target] {
                if let Some(&place) = places.get(*end as usize) {
                    *end = place;
                }
            }
        }
    }
}

/// By distance, then by score.
fn by_rank(a: &Symbol<'_>, b: &Symbol<'_>) -> Ordering {
    a.distance.cmp(&b.distance).then_with(|| by_score(a, b))
}

/// By score from high to low; both zeros are equal, and NaN comes last.
pub(crate) fn by_score(a: &Symbol<'_>, b: &Symbol<'_>) -> Ordering {
    // Without a total order a sort may panic.
    let score = |symbol: &Symbol<'_>| {
        if symbol.score.is_nan() { f64::NEG_INFINITY } else { symbol.score + 0.0 }
    };
    a.score.is_nan().cmp(&b.score.is_nan()).then(score(b).total_cmp(&score(a)))
}

/// By source, target and type.
fn by_ends(a: &Edge<'_>, b: &Edge<'_>) -> Ordering {
    let ends = |edge: &Edge<'_>| (edge.source, edge.target);
    ends(a).cmp(&ends(b)).then_with(|| a.edge_type.as_str().cmp(b.edge_type.as_str()))
}

impl<'a> Payload<'a> {
    /// Adds the edges among the payload's symbols that `neighbours` finds, and returns their number.
    ///
    /// `neighbours` is called once for each symbol, in order, and gives the names and edge types of
    /// what the symbol points at, from whatever graph the caller has. Names outside of the payload
    /// are no edges among its symbols and are passed over; an edge that is already there is not
    /// added again.
    ///
    /// ```
    /// use wire_core::{EdgeType, Payload, Symbol};
    ///
    /// let mut payload = Payload::default();
    /// payload.symbols = vec![Symbol::new("function", "a"), Symbol::new("function", "b")];
    /// let added = payload.discover_edges(|symbol| match &*symbol.qualified_name {
    ///     "a" => vec![("b", EdgeType::Calls), ("elsewhere", EdgeType::Calls)],
    ///     _ => vec![],
    /// })?;
    /// assert_eq!(added, 1);
    /// # Ok::<(), wire_core::EdgeNameError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`EdgeNameError`] when a neighbour's name belongs to several symbols; then no edge is added.
    pub fn discover_edges<N, F>(&mut self, mut neighbours: F) -> Result<usize, EdgeNameError>
    where
        N: AsRef<str>,
        F: FnMut(&Symbol<'a>) -> Vec<(N, EdgeType<'a>)>,
    {
        let mut found = Vec::new();
        {
            let names = NameIndex::new(&self.symbols);
            let mut known: std::collections::HashSet<(u32, u32, EdgeType<'a>)> = self
                .edges
                .iter()
                .map(|edge| (edge.source, edge.target, edge.edge_type.clone()))
                .collect();
            for (source, symbol) in (0u32..).zip(&self.symbols) {
                for (name, edge_type) in neighbours(symbol) {
                    let name = name.as_ref();
                    let target = match names.get(name) {
                        Ok(target) => target,
                        Err(NameProblem::Unknown) => continue,
                        Err(problem) => {
                            return Err(EdgeNameError {
                                edge: self.edges.len() + found.len(),
                                endpoint: Endpoint::Target,
                                name: name.to_owned(),
                                problem,
                            });
                        }
                    };
                    if known.insert((source, target, edge_type.clone())) {
                        found.push(Edge::new(source, target, edge_type));
                    }
                }
            }
        }
        let added = found.len();
        self.edges.append(&mut found);
        Ok(added)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload() -> Payload<'static> {
        let symbol = |name: &'static str, distance| {
            Symbol::new("function", name).with_distance(distance).with_score(0.5)
        };
        Payload {
            symbols: vec![symbol("far", 3), symbol("b", 0), symbol("near", 1), symbol("a", 0)],
            edges: vec![
                Edge::new(0, 1, "calls"),
                Edge::new(3, 2, "calls"),
                Edge::new(9, 0, "calls"),
            ],
            ..Payload::default()
        }
    }

    #[test]
    fn canonicalize_sorts_by_distance_and_remaps_edges() {
        let mut payload = payload();
        assert!(!payload.is_canonical());
        payload.canonicalize();
        let names: Vec<_> = payload.symbols.iter().map(|s| &*s.qualified_name).collect();
        assert_eq!(names, ["b", "a", "near", "far"]);
        let ends: Vec<_> = payload.edges.iter().map(|e| (e.source, e.target)).collect();
        assert_eq!(ends, [(3, 0), (1, 2), (9, 3)]);
        let once = payload.clone();
        payload.canonicalize();
        assert_eq!(payload, once);
    }

    #[test]
    fn rank_sorts_symbols_by_score_and_edges_by_their_ends() {
        let mut payload = payload();
        payload.edges.pop();
        payload.edges.push(Edge::new(3, 1, "imports"));
        payload.edges.push(Edge::new(3, 1, "calls"));
        payload.symbols[3].score = 0.9;
        payload.rank();
        let names: Vec<_> = payload.symbols.iter().map(|s| &*s.qualified_name).collect();
        assert_eq!(names, ["a", "b", "near", "far"]);
        let edges: Vec<_> =
            payload.edges.iter().map(|e| (e.source, e.target, e.edge_type.as_str())).collect();
        assert_eq!(edges, [(0, 1, "calls"), (0, 1, "imports"), (0, 2, "calls"), (3, 1, "calls")]);
        let once = payload.clone();
        payload.rank();
        assert_eq!(payload, once);
    }

    #[test]
    fn any_scores_can_be_ranked() {
        // A comparison that is no total order makes the sort panic.
        let mut payload = Payload::default();
        for n in 0..200u32 {
            let score = if n % 3 == 0 { f64::NAN } else { f64::from(n * 7919 % 101) - 50.0 };
            payload.symbols.push(Symbol::new("function", "a").with_score(score * f64::from(n % 2)));
        }
        assert!(!payload.is_ranked());
        payload.rank();
        assert!(payload.is_ranked());
        assert!(payload.symbols.last().is_some_and(|symbol| symbol.score.is_nan()));
    }

    #[test]
    fn discovery_keeps_edges_among_the_symbols() {
        let mut payload = payload();
        payload.edges = vec![Edge::new(3, 1, "calls")];
        let lookup = |symbol: &Symbol<'_>| match &*symbol.qualified_name {
            "a" => vec![
                ("b", EdgeType::Calls),
                ("b", EdgeType::Imports),
                ("elsewhere", EdgeType::Calls),
            ],
            "near" => vec![("far", EdgeType::Tests), ("far", EdgeType::Tests)],
            _ => vec![],
        };
        assert_eq!(payload.discover_edges(lookup), Ok(2));
        assert_eq!(payload.edges[1..], [Edge::new(2, 0, "tests"), Edge::new(3, 1, "imports")]);

        payload.symbols.push(Symbol::new("type", "b"));
        let before = payload.clone();
        let error = payload.discover_edges(lookup).unwrap_err();
        assert_eq!((error.code(), &*error.name), ("ambiguous_symbol_name", "b"));
        assert_eq!(payload, before);
    }

    #[test]
    fn pack_roots_are_tokens() {
        assert_eq!(PackRoot::new("sha256:ab").unwrap().as_str(), "sha256:ab");
        for bad in ["", "a b", "a\n", "a\u{a0}b", "\u{7f}"] {
            assert!(PackRoot::new(bad).is_err(), "{bad:?}");
        }
    }
}
