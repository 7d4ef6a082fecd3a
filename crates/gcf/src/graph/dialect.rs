//! The dialects of the graph profile, as data (ruling G1).

/// A version of the graph profile to write. Decoding needs none: the header and the sections tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Specification 1.0 and 1.1: `GCF tool=… budget=… tokens=… symbols=…` and `## edges`. The default.
    #[default]
    V1,
    /// Specification 1.2 to 1.4: also `edges=N` in the header and `## edges [N]`, so that a cut shows.
    V1_4,
}

/// What a dialect writes. Everything that differs between dialects is a field here, and nothing
/// outside of this file asks which dialect it is.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The name that people type.
    pub(crate) name: &'static str,
    /// What else counts the edges.
    pub(crate) edge_counts: EdgeCounts,
}

/// Where the number of edges is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EdgeCounts {
    /// Nowhere.
    None,
    /// As `edges=N` in the header and `[N]` behind `## edges`, when there are edges.
    HeaderAndGroup,
}

impl Dialect {
    /// Every dialect, oldest first.
    pub const ALL: &'static [Dialect] = &[Dialect::V1, Dialect::V1_4];

    pub(crate) const fn rules(self) -> &'static Rules {
        match self {
            Dialect::V1 => &Rules { name: "v1", edge_counts: EdgeCounts::None },
            Dialect::V1_4 => &Rules { name: "v1.4", edge_counts: EdgeCounts::HeaderAndGroup },
        }
    }

    /// The name that people type: `v1`, `v1.4`.
    pub const fn name(self) -> &'static str {
        self.rules().name
    }

    /// The dialect of this name.
    pub fn from_name(name: &str) -> Option<Dialect> {
        Dialect::ALL.iter().copied().find(|dialect| dialect.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back() {
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::from_name(dialect.name()), Some(*dialect));
        }
        assert_eq!(Dialect::from_name("v2"), None);
    }
}
