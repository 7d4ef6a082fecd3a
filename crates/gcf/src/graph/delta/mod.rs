//! Deltas: the changes since a payload that the consumer has (ruling G10; specification 3.5.3,
//! section 10).
//!
//! ```text
//! GCF tool=t delta=true base_root=a1b2c3 new_root=d4e5f6 tokens=30 savings=85%
//! ## removed                         kind and qualified name are enough
//! fn pkg.OldFunc
//! ## added                           symbol lines; from 3 on with the distance
//! @0 fn pkg.NewFunc 0.85 rwr
//! ## edges_removed                   edges by name: ids are those of one text
//! pkg.Router -> pkg.OldFunc calls
//! ## edges_added
//! pkg.Router -> pkg.NewFunc calls
//! ```

mod apply;
mod between;
mod decode;
mod encode;

use std::borrow::Cow;

use wire_core::{EdgeType, Kind, PackRoot, Symbol};

use crate::header::savings;

pub(super) use decode::Scanned;

/// The changes from one payload, the base, to another.
///
/// Roots and tokens are not checked here; [`Delta::between`] computes them. A delta can't represent
/// the status of an edge, nor which of two symbols with the same name an edge uses.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Delta<'a> {
    /// The tool that made the new payload; may be empty from specification 3 on.
    pub tool: Cow<'a, str>,
    /// The root of the base.
    pub base_root: PackRoot<'a>,
    /// The root of the new payload.
    pub new_root: PackRoot<'a>,
    /// The number of tokens of the delta, if it is stated.
    pub tokens: Option<u64>,
    /// The savings relative to the full payload, in whole percent, if they are stated; negative
    /// when the delta is larger.
    pub savings: Option<i64>,
    /// The number of tokens of the full payload. No text contains it, so it is `None` in a decoded
    /// delta.
    pub full_tokens: Option<u64>,
    /// The symbols of the base that were removed, including those that are added again with other
    /// scores.
    pub removed: Vec<SymbolKey<'a>>,
    /// The symbols that are new.
    pub added: Vec<Symbol<'a>>,
    /// The edges of the base that are gone.
    pub edges_removed: Vec<DeltaEdge<'a>>,
    /// The edges that are new.
    pub edges_added: Vec<DeltaEdge<'a>>,
}

/// The identity of a symbol in a payload.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymbolKey<'a> {
    /// The kind.
    pub kind: Kind<'a>,
    /// The qualified name.
    pub qualified_name: Cow<'a, str>,
}

/// An edge with the qualified names of its source and target.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DeltaEdge<'a> {
    /// The qualified name of the source.
    pub source: Cow<'a, str>,
    /// The qualified name of the target.
    pub target: Cow<'a, str>,
    /// The relation that the edge states.
    pub edge_type: EdgeType<'a>,
}

impl<'a> SymbolKey<'a> {
    /// The key of this kind and qualified name.
    pub fn new(kind: impl Into<Kind<'a>>, qualified_name: impl Into<Cow<'a, str>>) -> Self {
        SymbolKey { kind: kind.into(), qualified_name: qualified_name.into() }
    }

    fn into_owned(self) -> SymbolKey<'static> {
        SymbolKey::new(self.kind.into_owned(), self.qualified_name.into_owned())
    }
}

impl<'a> DeltaEdge<'a> {
    /// The edge "`source` `edge_type` `target`".
    pub fn new(
        source: impl Into<Cow<'a, str>>,
        edge_type: impl Into<EdgeType<'a>>,
        target: impl Into<Cow<'a, str>>,
    ) -> Self {
        DeltaEdge { source: source.into(), target: target.into(), edge_type: edge_type.into() }
    }

    fn into_owned(self) -> DeltaEdge<'static> {
        DeltaEdge {
            source: Cow::Owned(self.source.into_owned()),
            target: Cow::Owned(self.target.into_owned()),
            edge_type: self.edge_type.into_owned(),
        }
    }
}

/// Returns `true` if a delta of so many tokens has fewer than this part of the full payload.
#[allow(clippy::cast_precision_loss)] // 2^53 tokens
pub(super) fn is_fewer(delta: u64, full: u64, threshold: f64) -> bool {
    (delta as f64) < threshold * full as f64
}

impl<'a> Delta<'a> {
    /// A delta without changes and without token counts.
    ///
    /// ```
    /// use gcf::graph::{Delta, Encoder, SymbolKey};
    /// use wire_core::PackRoot;
    ///
    /// let mut delta =
    ///     Delta::new("t", PackRoot::new("a1b2c3")?, PackRoot::new("d4e5f6")?)
    ///         .with_tokens(30, 200);
    /// delta.removed.push(SymbolKey::new("function", "pkg.OldFunc"));
    /// let text = Encoder::new().delta_to_string(&delta)?;
    /// assert_eq!(
    ///     text,
    ///     "GCF tool=t delta=true base_root=a1b2c3 new_root=d4e5f6 \
    ///      tokens=30 savings=85%\n## removed\nfn pkg.OldFunc\n",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(
        tool: impl Into<Cow<'a, str>>,
        base_root: PackRoot<'a>,
        new_root: PackRoot<'a>,
    ) -> Self {
        Delta {
            tool: tool.into(),
            base_root,
            new_root,
            tokens: None,
            savings: None,
            full_tokens: None,
            removed: Vec::new(),
            added: Vec::new(),
            edges_removed: Vec::new(),
            edges_added: Vec::new(),
        }
    }

    /// Sets the numbers of tokens of the delta and of the full payload, and with them the savings:
    /// 100·(1 − delta/full), rounded half to even to whole percent; 0 when the full payload has no
    /// tokens (default: no counts are stated).
    #[must_use]
    pub fn with_tokens(mut self, delta: u64, full: u64) -> Self {
        self.set_tokens(delta, full);
        self
    }

    fn set_tokens(&mut self, delta: u64, full: u64) {
        self.tokens = Some(delta);
        self.full_tokens = Some(full);
        self.savings = Some(savings(delta, full));
    }

    /// Returns `true` if nothing changes.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty()
            && self.added.is_empty()
            && self.edges_removed.is_empty()
            && self.edges_added.is_empty()
    }

    /// Returns `true` if the delta has fewer tokens than this part of the full payload. The
    /// specification recommends 0.6.
    ///
    /// A decoded delta knows its savings in whole percent only. Without savings the result is
    /// `false`.
    pub fn is_worth_it(&self, threshold: f64) -> bool {
        match (self.tokens, self.full_tokens, self.savings) {
            (Some(delta), Some(full), _) => is_fewer(delta, full, threshold),
            #[allow(clippy::cast_precision_loss)] // a percentage
            (_, _, Some(savings)) => 100.0 - (savings as f64) < 100.0 * threshold,
            _ => false,
        }
    }

    /// The same delta without borrowed text.
    pub fn into_owned(self) -> Delta<'static> {
        Delta {
            tool: Cow::Owned(self.tool.into_owned()),
            base_root: self.base_root.into_owned(),
            new_root: self.new_root.into_owned(),
            tokens: self.tokens,
            savings: self.savings,
            full_tokens: self.full_tokens,
            removed: self.removed.into_iter().map(SymbolKey::into_owned).collect(),
            added: self.added.into_iter().map(Symbol::into_owned).collect(),
            edges_removed: self.edges_removed.into_iter().map(DeltaEdge::into_owned).collect(),
            edges_added: self.edges_added.into_iter().map(DeltaEdge::into_owned).collect(),
        }
    }
}
