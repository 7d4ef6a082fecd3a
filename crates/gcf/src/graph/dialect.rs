//! The dialects of the graph profile, as data (ruling G1).

use wire_core::{Fidelity, Field, Loss, SymbolOrder, Treatment};

use super::root::RootAlgorithm;

/// A version of the graph profile to write. Decoding needs no dialect: the header and the sections
/// identify it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Specification 1.0 and 1.1: `GCF tool=… budget=… tokens=… symbols=…` and `## edges`. The
    /// default.
    #[default]
    V1,
    /// Specification 1.2 to 1.4: also `edges=N` in the header and `## edges [N]`, so that
    /// truncation can be detected.
    V1_4,
    /// Specification 3.5: `GCF profile=graph …` without fields that are zero or empty, edge counts
    /// as in 1.4, symbols sorted by score within a group, and edges sorted by source, target and
    /// type.
    V3,
}

/// The rules of a dialect for writing. Every difference between dialects is a field here; code
/// outside this file never asks which dialect it is.
#[derive(Debug)]
pub(crate) struct Rules {
    /// The name that people type.
    pub(crate) name: &'static str,
    /// The text after `GCF`, before the fields.
    pub(crate) profile: &'static str,
    /// An empty `tool`, and a `budget`, `tokens` or `edges` of zero.
    pub(crate) empty_fields: EmptyFields,
    /// Where else edges are counted.
    pub(crate) edge_counts: EdgeCounts,
    /// How a streamed payload ends.
    pub(crate) trailer: Trailer,
    /// The order of symbols and edges; never [`SymbolOrder::AsGiven`].
    pub(crate) order: SymbolOrder,
    /// How roots are computed, unless the caller chooses (ruling G11).
    pub(crate) root: RootAlgorithm,
    /// `true` if the added symbols of a delta are followed by their distance (ruling G10).
    pub(crate) added_distance: AddedDistance,
    /// The answer that nothing has changed (ruling G12).
    pub(crate) unchanged: Unchanged,
}

/// The treatment of empty header fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EmptyFields {
    /// `budget` and `tokens` are written; an empty tool can't be.
    Written,
    /// They are left out.
    Omitted,
}

/// Where the number of edges is written.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum EdgeCounts {
    /// Nowhere.
    None,
    /// As `edges=N` in the header and `[N]` after `## edges`, when there are edges.
    HeaderAndGroup,
}

/// The last line of a streamed payload (ruling G13).
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Trailer {
    /// There is no trailer, so payloads can't be streamed.
    None,
    /// `## _summary symbols=… edges=… sections=name:count,…`.
    Sections,
    /// `##! summary symbols=… edges=… counts=count,…`.
    Counts,
}

/// The grammar of a text, by the version in its header. It is the counterpart of [`Rules`] for
/// decoding.
#[derive(Debug)]
pub(crate) struct Grammar {
    pub(crate) scores: Scores,
    pub(crate) section_counts: SectionCounts,
    pub(crate) comments: Comments,
    pub(crate) group_counts: GroupCounts,
    pub(crate) added_distance: AddedDistance,
}

/// The form of a score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scores {
    /// Any finite decimal number.
    Decimal,
    /// `[-]DIGITS.2DIGIT` (3.5.3, sections 4 and 16.5).
    TwoDecimals,
}

/// The form of the count in `[N]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SectionCounts {
    /// Decimal digits.
    Digits,
    /// Decimal digits without leading zeros (3.5.3, sections 4 and 16.5).
    Canonical,
}

/// Which groups may have a count after their name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupCounts {
    /// That of edges.
    Edges,
    /// Every one (3.5.3, sections 4 and 13.1).
    Every,
}

/// Where a comment may begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Comments {
    /// At the start of a line.
    AtStart,
    /// Also after spaces (3.5.3, section 11).
    Indented,
}

impl Grammar {
    /// The grammar of any version, for text that was repaired. Deviations from stricter versions
    /// have been reported before.
    pub(crate) const WIDEST: &'static Grammar = &Grammar {
        scores: Scores::Decimal,
        section_counts: SectionCounts::Digits,
        comments: Comments::Indented,
        group_counts: GroupCounts::Every,
        added_distance: AddedDistance::Optional,
    };

    /// The grammar of a text with this `profile` in its header; the field exists from 2.0 on.
    pub(crate) const fn of(profile: Option<&str>) -> &'static Grammar {
        match profile {
            None => &Grammar {
                scores: Scores::Decimal,
                section_counts: SectionCounts::Digits,
                comments: Comments::AtStart,
                group_counts: GroupCounts::Edges,
                added_distance: AddedDistance::Optional,
            },
            Some(_) => &Grammar {
                scores: Scores::TwoDecimals,
                section_counts: SectionCounts::Canonical,
                comments: Comments::Indented,
                group_counts: GroupCounts::Every,
                added_distance: AddedDistance::Required,
            },
        }
    }
}

/// Whether the lines in `## added` end with the symbol's distance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddedDistance {
    /// They are symbol lines as in a payload. On read a distance may follow; without one it is 0.
    Optional,
    /// They do, always.
    Required,
}

/// How an answer states that nothing has changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unchanged {
    /// `unchanged pack_root=… symbols=…`.
    Line,
    /// A header with `unchanged=true` and nothing after it.
    Header,
}

impl Dialect {
    /// Every dialect, oldest first.
    pub const ALL: &'static [Dialect] = &[Dialect::V1, Dialect::V1_4, Dialect::V3];

    pub(crate) const fn rules(self) -> &'static Rules {
        match self {
            Dialect::V1 => &Rules {
                name: "v1",
                profile: "",
                empty_fields: EmptyFields::Written,
                edge_counts: EdgeCounts::None,
                trailer: Trailer::None,
                order: SymbolOrder::ByDistance,
                root: RootAlgorithm::Identity,
                added_distance: AddedDistance::Optional,
                unchanged: Unchanged::Line,
            },
            Dialect::V1_4 => &Rules {
                name: "v1.4",
                profile: "",
                empty_fields: EmptyFields::Written,
                edge_counts: EdgeCounts::HeaderAndGroup,
                trailer: Trailer::Sections,
                order: SymbolOrder::ByDistance,
                root: RootAlgorithm::Identity,
                added_distance: AddedDistance::Optional,
                unchanged: Unchanged::Line,
            },
            Dialect::V3 => &Rules {
                name: "v3",
                profile: " profile=graph",
                empty_fields: EmptyFields::Omitted,
                edge_counts: EdgeCounts::HeaderAndGroup,
                trailer: Trailer::Counts,
                order: SymbolOrder::Ranked,
                root: RootAlgorithm::PackRootV1,
                added_distance: AddedDistance::Required,
                unchanged: Unchanged::Header,
            },
        }
    }

    /// The fidelity of the dialect.
    pub const fn fidelity(self) -> Fidelity {
        const LOSSES: &[Loss] = &[
            Loss::new(Field::Score, Treatment::TwoDecimals),
            Loss::new(Field::Signature, Treatment::Dropped),
            Loss::new(Field::Components, Treatment::Dropped),
        ];
        Fidelity::new(LOSSES).with_order(self.rules().order)
    }

    /// How the dialect computes pack roots, unless the encoder has another setting (ruling G11).
    pub const fn root_algorithm(self) -> RootAlgorithm {
        self.rules().root
    }

    /// The name that people type: `v1`, `v1.4`, `v3`.
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
