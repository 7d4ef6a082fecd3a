//! Building a payload whose edges are given by name.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::names::{BuildError, EdgeNameError, Endpoint, NameIndex, NameProblem};
use crate::payload::{Edge, PackRoot, Payload, Symbol};
use crate::vocab::{EdgeStatus, EdgeType};

/// An edge whose source and target are names, as in the JSON form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedEdge<'a> {
    /// Qualified name of the source.
    pub source: Cow<'a, str>,
    /// Qualified name of the target.
    pub target: Cow<'a, str>,
    /// The relation that the edge states.
    pub edge_type: EdgeType<'a>,
    /// The change of the edge between two versions of a graph.
    pub status: EdgeStatus<'a>,
}

impl<'a> NamedEdge<'a> {
    /// The edge "`source` `edge_type` `target`" with status `unchanged`.
    pub fn new(
        source: impl Into<Cow<'a, str>>,
        edge_type: impl Into<EdgeType<'a>>,
        target: impl Into<Cow<'a, str>>,
    ) -> Self {
        NamedEdge {
            source: source.into(),
            target: target.into(),
            edge_type: edge_type.into(),
            status: EdgeStatus::Unchanged,
        }
    }

    /// Sets the status (default `unchanged`).
    #[must_use]
    pub fn with_status(mut self, status: impl Into<EdgeStatus<'a>>) -> Self {
        self.status = status.into();
        self
    }
}

/// Collects symbols and edges by name. [`PayloadBuilder::build`] resolves the names once.
///
/// ```
/// use wire_core::{NamedEdge, PayloadBuilder, Symbol};
///
/// let payload = PayloadBuilder::new("context_for_task")
///     .token_budget(5000)
///     .symbol(Symbol::new("function", "pkg.Auth").with_score(0.78))
///     .symbol(Symbol::new("function", "pkg.Server").with_distance(1))
///     .edge(NamedEdge::new("pkg.Server", "calls", "pkg.Auth"))
///     .build()?;
/// assert_eq!((payload.edges[0].source, payload.edges[0].target), (1, 0));
/// # Ok::<(), wire_core::BuildError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PayloadBuilder<'a> {
    pub(crate) payload: Payload<'a>,
    pub(crate) edges: Vec<NamedEdge<'a>>,
}

/// The treatment of an edge whose source or target is not the name of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dangling {
    /// It is an error.
    Refused,
    /// It is left out and counted.
    Dropped,
}

impl<'a> PayloadBuilder<'a> {
    /// A payload of this tool without symbols, edges, budget or pack root.
    pub fn new(tool: impl Into<Cow<'a, str>>) -> Self {
        PayloadBuilder {
            payload: Payload { tool: tool.into(), ..Payload::default() },
            edges: Vec::new(),
        }
    }

    /// Sets the number of tokens that the payload uses (default 0).
    #[must_use]
    pub fn tokens_used(mut self, tokens: u64) -> Self {
        self.payload.tokens_used = tokens;
        self
    }

    /// Sets the number of tokens that the payload had to stay within (default 0).
    #[must_use]
    pub fn token_budget(mut self, tokens: u64) -> Self {
        self.payload.token_budget = tokens;
        self
    }

    /// Sets the pack root (default `None`).
    #[must_use]
    pub fn pack_root(mut self, root: PackRoot<'a>) -> Self {
        self.payload.pack_root = Some(root);
        self
    }

    /// Adds a symbol.
    #[must_use]
    pub fn symbol(mut self, symbol: Symbol<'a>) -> Self {
        self.payload.symbols.push(symbol);
        self
    }

    /// Adds symbols.
    #[must_use]
    pub fn symbols(mut self, symbols: impl IntoIterator<Item = Symbol<'a>>) -> Self {
        self.payload.symbols.extend(symbols);
        self
    }

    /// Adds an edge. Its symbols may be added before or after it.
    #[must_use]
    pub fn edge(mut self, edge: NamedEdge<'a>) -> Self {
        self.edges.push(edge);
        self
    }

    /// Adds edges.
    #[must_use]
    pub fn edges(mut self, edges: impl IntoIterator<Item = NamedEdge<'a>>) -> Self {
        self.edges.extend(edges);
        self
    }

    /// Builds the payload and resolves the names of its edges.
    ///
    /// ```
    /// use wire_core::{PayloadBuilder, Symbol};
    ///
    /// let twice = [Symbol::new("function", "a.f"), Symbol::new("function", "a.f")];
    /// let error = PayloadBuilder::new("t").symbols(twice).build().unwrap_err();
    /// assert_eq!(error.code(), "duplicate_symbol");
    /// ```
    ///
    /// # Errors
    ///
    /// [`BuildError`] for the first symbol whose kind and qualified name an earlier symbol has: no
    /// delta can say which of the two it means. Then for the first edge whose source or target is
    /// the name of no symbol, or of more than one.
    pub fn build(self) -> Result<Payload<'a>, BuildError> {
        self.check_symbols()?;
        Ok(self.resolve(Dangling::Refused)?.0)
    }

    /// Builds the payload without the edges whose source or target is not the name of a symbol, and
    /// returns the number of edges that were dropped (ruling G20).
    ///
    /// ```
    /// use wire_core::{NamedEdge, PayloadBuilder, Symbol};
    ///
    /// let builder = PayloadBuilder::new("t")
    ///     .symbol(Symbol::new("function", "a"))
    ///     .edge(NamedEdge::new("a", "calls", "a"))
    ///     .edge(NamedEdge::new("a", "calls", "elsewhere"));
    /// let (payload, dropped) = builder.build_without_dangling_edges()?;
    /// assert_eq!((payload.edges.len(), dropped), (1, 1));
    /// # Ok::<(), wire_core::BuildError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`BuildError`] for two symbols of one kind and qualified name, and for the first edge whose
    /// source or target is the name of more than one symbol.
    pub fn build_without_dangling_edges(self) -> Result<(Payload<'a>, usize), BuildError> {
        self.check_symbols()?;
        Ok(self.resolve(Dangling::Dropped)?)
    }

    fn check_symbols(&self) -> Result<(), BuildError> {
        let symbols = &self.payload.symbols;
        let mut known = HashMap::with_capacity(symbols.len());
        for (index, symbol) in symbols.iter().enumerate() {
            if let Some(first) = known.insert((&symbol.kind, &symbol.qualified_name), index) {
                return Err(BuildError::DuplicateSymbol {
                    index,
                    first,
                    kind: symbol.kind.to_string(),
                    name: symbol.qualified_name.to_string(),
                });
            }
        }
        Ok(())
    }

    /// The payload as a text has it, and the number of edges that were dropped: what formats that
    /// read payloads call. Two symbols may have one kind and qualified name.
    ///
    /// # Errors
    ///
    /// [`EdgeNameError`] for the first edge whose source or target is the name of more than one
    /// symbol, or of none if `dangling` is [`Dangling::Refused`].
    pub fn resolve(self, dangling: Dangling) -> Result<(Payload<'a>, usize), EdgeNameError> {
        let PayloadBuilder { mut payload, edges } = self;
        if edges.is_empty() {
            return Ok((payload, 0));
        }
        let mut dropped = 0;
        let names = NameIndex::new(&payload.symbols);
        let mut resolved = Vec::with_capacity(edges.len());
        for (index, edge) in edges.into_iter().enumerate() {
            let is_unknown = |name: &str| names.get(name) == Err(NameProblem::Unknown);
            if dangling == Dangling::Dropped
                && (is_unknown(&edge.source) || is_unknown(&edge.target))
            {
                dropped += 1;
                continue;
            }
            let resolve = |endpoint, name: Cow<'a, str>| {
                names.get(&name).map_err(|problem| EdgeNameError {
                    edge: index,
                    endpoint,
                    name: name.into_owned(),
                    problem,
                })
            };
            resolved.push(Edge {
                source: resolve(Endpoint::Source, edge.source)?,
                target: resolve(Endpoint::Target, edge.target)?,
                edge_type: edge.edge_type,
                status: edge.status,
            });
        }
        payload.edges = resolved;
        Ok((payload, dropped))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_and_ambiguous_names_are_named() {
        let builder = PayloadBuilder::new("t")
            .symbol(Symbol::new("function", "a"))
            .symbol(Symbol::new("type", "b"))
            .symbol(Symbol::new("function", "b"));
        // An ambiguous name is an error only when an edge uses it.
        assert_eq!(builder.clone().build().unwrap().symbols.len(), 3);

        let twice = builder.clone().symbol(Symbol::new("type", "b"));
        let error = twice.clone().build().unwrap_err();
        assert_eq!(error.to_string(), r#"symbols[3]: symbols[1] is the type "b" already"#);
        assert_eq!(twice.resolve(Dangling::Refused).unwrap().0.symbols.len(), 4);

        let good = NamedEdge::new("a", "calls", "a");
        let error = builder
            .clone()
            .edge(good.clone())
            .edge(NamedEdge::new("a", "calls", "b"))
            .build()
            .unwrap_err();
        assert_eq!(error.to_string(), r#"edges[1].target: more than one symbol is named "b""#);
        let error = builder.edge(NamedEdge::new("nope", "calls", "a")).build().unwrap_err();
        assert_eq!(error.code(), "unknown_symbol_name");
        assert_eq!(error.to_string(), r#"edges[0].source: no symbol is named "nope""#);
    }
}
