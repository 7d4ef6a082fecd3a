//! The orders of symbols and edges that formats use.

use std::cmp::Ordering;

use crate::payload::{Edge, Payload, Symbol};

impl Payload<'_> {
    /// Returns `true` if the symbols are sorted by distance.
    pub fn is_canonical(&self) -> bool {
        self.symbols.is_sorted_by_key(|symbol| symbol.distance)
    }

    /// Sorts the symbols by distance, keeping the given order within a distance, and updates the
    /// indices of the edges. The edges keep their order. Indices that point at no symbol are
    /// unchanged.
    ///
    /// This is the order that GCF's groups impose.
    pub fn canonicalize(&mut self) {
        if !self.is_canonical() {
            self.reorder(&self.distance_order());
        }
    }

    /// Sorts the symbols by distance and, within a distance, by score from high to low; sorts the
    /// edges by source, target and type. Specification 3 of GCF uses this order. Equal items keep
    /// their order.
    pub fn rank(&mut self) {
        self.reorder(&self.rank_order());
        self.edges.sort_by(by_ends);
    }

    /// The indices of the symbols sorted by distance, in input order within a distance.
    pub fn distance_order(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0u32..).take(self.symbols.len()).collect();
        order.sort_by_key(|&index| self.symbols[index as usize].distance);
        order
    }

    /// Returns `true` if [`Payload::rank`] would change nothing.
    pub(crate) fn is_ranked(&self) -> bool {
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
        // The sort panics when a comparison is not a total order.
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
}
