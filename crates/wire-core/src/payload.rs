//! The payload that every graph codec of the family carries.

use std::borrow::Cow;
use std::fmt;

use crate::vocab::{EdgeStatus, EdgeType, Kind, Provenance};

/// A ranked set of symbols and the edges between them: the answer of one tool call.
///
/// Text is borrowed from the input where a codec can do so; [`Payload::into_owned`] copies it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Payload<'a> {
    /// The tool that made the payload, as `context_for_task`.
    pub tool: Cow<'a, str>,
    /// The number of tokens that the producer counted for the payload; 0 when it did not count.
    pub tokens_used: u64,
    /// The number of tokens that the consumer asked the producer to stay within; 0 for no budget.
    pub token_budget: u64,
    /// The content-addressed identity of the payload; `None` when the producer gave no root.
    pub pack_root: Option<PackRoot<'a>>,
    /// The symbols. [`Payload::canonicalize`] puts them in the order of their distance.
    pub symbols: Vec<Symbol<'a>>,
    /// The edges, as indices into `symbols`.
    pub edges: Vec<Edge<'a>>,
}

/// One symbol of a graph: a function, a table, a service, …
///
/// [`Symbol::new`] makes one; its fields are set by name or by the methods `with_…`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Symbol<'a> {
    /// The full name, such as `github.com/example/orders/internal/billing.Ledger.Post`. The
    /// symbol's identity is `kind` and `qualified_name`; the name alone may be ambiguous.
    pub qualified_name: Cow<'a, str>,
    /// The kind of the symbol, such as `function`.
    pub kind: Kind<'a>,
    /// Relevance to the query; higher is more relevant. Producers use 0 to 1.
    pub score: f64,
    /// The way in which the producer learned of the symbol, such as `lsp_resolved`.
    pub provenance: Provenance<'a>,
    /// Hops from the query's targets; the targets have 0.
    pub distance: u32,
    /// The declaration in its own language; empty when there is no declaration.
    pub signature: Cow<'a, str>,
    /// The parts of the score.
    pub components: Components,
}

/// The parts of a score, each from 0 to 1 as producers use them; all zero when the producer gave no
/// parts.
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

/// A directed edge: *source* `edge_type` *target* ("`source` calls `target`"). [`Edge::new`] makes
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Edge<'a> {
    /// Index of the source in [`Payload::symbols`].
    pub source: u32,
    /// Index of the target in [`Payload::symbols`].
    pub target: u32,
    /// The relation that the edge states.
    pub edge_type: EdgeType<'a>,
    /// The change of the edge, in payloads that compare two versions of a graph.
    pub status: EdgeStatus<'a>,
}

/// The content-addressed identity of a payload: an opaque token such as `a1b2c3`, 64 hexadecimal
/// digits, or `sha256:…`. It is not empty, and contains no white space and no control character.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackRoot<'a>(Cow<'a, str>);

/// The text is empty or contains white space or a control character, so it is not a [`PackRoot`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pack root is {found:?}, expected a text without white space and control characters")]
pub struct InvalidPackRoot {
    /// The text.
    pub found: String,
}

impl<'a> PackRoot<'a> {
    /// A pack root of this text.
    ///
    /// # Errors
    ///
    /// [`InvalidPackRoot`] when the text is empty or contains white space or a control character.
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
    /// A symbol with score 0, distance 0, provenance `structural`, no signature and zero
    /// components.
    #[inline]
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

    /// A symbol of all its fields, for decoders: setting the fields one by one makes decoding GCB1
    /// a tenth slower.
    #[inline]
    pub fn from_fields(
        kind: Kind<'a>,
        qualified_name: Cow<'a, str>,
        score: f64,
        provenance: Provenance<'a>,
        distance: u32,
        signature: Cow<'a, str>,
        components: Components,
    ) -> Self {
        Symbol { qualified_name, kind, score, provenance, distance, signature, components }
    }

    /// Sets the score (default 0).
    #[must_use]
    #[inline]
    pub fn with_score(mut self, score: f64) -> Self {
        self.score = score;
        self
    }

    /// Sets the provenance (default `structural`).
    #[must_use]
    #[inline]
    pub fn with_provenance(mut self, provenance: impl Into<Provenance<'a>>) -> Self {
        self.provenance = provenance.into();
        self
    }

    /// Sets the distance from the query's targets (default 0).
    #[must_use]
    #[inline]
    pub fn with_distance(mut self, distance: u32) -> Self {
        self.distance = distance;
        self
    }

    /// Sets the signature (default empty).
    #[must_use]
    #[inline]
    pub fn with_signature(mut self, signature: impl Into<Cow<'a, str>>) -> Self {
        self.signature = signature.into();
        self
    }

    /// Sets the components of the score (default all zero).
    #[must_use]
    #[inline]
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
    #[inline]
    pub fn new(source: u32, target: u32, edge_type: impl Into<EdgeType<'a>>) -> Self {
        Edge { source, target, edge_type: edge_type.into(), status: EdgeStatus::Unchanged }
    }

    /// Sets the status (default `unchanged`).
    #[must_use]
    #[inline]
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_roots_are_tokens() {
        assert_eq!(PackRoot::new("sha256:ab").unwrap().as_str(), "sha256:ab");
        for bad in ["", "a b", "a\n", "a\u{a0}b", "\u{7f}"] {
            assert!(PackRoot::new(bad).is_err(), "{bad:?}");
        }
    }
}
