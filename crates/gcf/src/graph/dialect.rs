//! The dialects of the graph profile, as data (ruling G1).

use wire_core::{Fidelity, Field, Loss, SymbolOrder, Treatment};

use crate::root::RootAlgorithm;

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
#[allow(clippy::struct_excessive_bools)] // each is a difference between versions
pub(crate) struct Rules {
    /// The name that people type.
    pub(crate) name: &'static str,
    /// The text after `GCF`, before the fields.
    pub(crate) profile: &'static str,
    /// `true` if `budget` and `tokens` are written when they are zero. Then an empty tool is an error;
    /// else it is left out. A stream leaves such counts out in any case.
    pub(crate) writes_empty_fields: bool,
    /// `true` if edges are counted: as `edges=N` in the header and `[N]` after `## edges`, when there
    /// are edges.
    pub(crate) counts_edges: bool,
    /// How a streamed payload ends.
    pub(crate) trailer: Trailer,
    /// The order of symbols and edges; never [`SymbolOrder::AsGiven`].
    pub(crate) order: SymbolOrder,
    /// How roots are computed, unless the caller chooses (ruling G11).
    pub(crate) root: RootAlgorithm,
    /// `true` if the added symbols of a delta are followed by their distance (ruling G10).
    pub(crate) writes_added_distance: bool,
    /// `true` if the answer that nothing has changed is a header with `unchanged=true`; else it is the
    /// line `unchanged pack_root=… symbols=…` (ruling G12).
    pub(crate) unchanged_is_header: bool,
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
#[allow(clippy::struct_excessive_bools)] // as in `Rules`
pub(crate) struct Grammar {
    /// `true` if scores are `[-]DIGITS.2DIGIT`, and counts have no leading zeros (3.5.3, sections 4
    /// and 16.5); else they are any finite decimal number, and any digits.
    pub(crate) has_canonical_numbers: bool,
    /// `true` if spaces may come before a comment (3.5.3, section 11).
    pub(crate) has_indented_comments: bool,
    /// `true` if every group may have a count (3.5.3, sections 4 and 13.1); else that of edges.
    pub(crate) counts_every_group: bool,
    /// `true` if the lines in `## added` end with the symbol's distance; else one may follow, and is 0
    /// without.
    pub(crate) needs_added_distance: bool,
}

impl Grammar {
    /// The grammar of any version, for text that was repaired. Deviations from stricter versions
    /// have been reported before.
    pub(crate) const WIDEST: &'static Grammar = &Grammar {
        has_canonical_numbers: false,
        has_indented_comments: true,
        counts_every_group: true,
        needs_added_distance: false,
    };

    /// The grammar of a text with this `profile` in its header; the field exists from 2.0 on.
    pub(crate) const fn of(profile: Option<&str>) -> &'static Grammar {
        match profile {
            None => &Grammar {
                has_canonical_numbers: false,
                has_indented_comments: false,
                counts_every_group: false,
                needs_added_distance: false,
            },
            Some(_) => &Grammar {
                has_canonical_numbers: true,
                has_indented_comments: true,
                counts_every_group: true,
                needs_added_distance: true,
            },
        }
    }
}

impl Dialect {
    /// Every dialect, oldest first.
    pub const ALL: &'static [Dialect] = &[Dialect::V1, Dialect::V1_4, Dialect::V3];

    pub(crate) const fn rules(self) -> &'static Rules {
        const V1: Rules = Rules {
            name: "v1",
            profile: "",
            writes_empty_fields: true,
            counts_edges: false,
            trailer: Trailer::None,
            order: SymbolOrder::ByDistance,
            root: RootAlgorithm::Identity,
            writes_added_distance: false,
            unchanged_is_header: false,
        };
        match self {
            Dialect::V1 => &V1,
            Dialect::V1_4 => {
                &Rules { name: "v1.4", counts_edges: true, trailer: Trailer::Sections, ..V1 }
            }
            Dialect::V3 => &Rules {
                name: "v3",
                profile: " profile=graph",
                writes_empty_fields: false,
                counts_edges: true,
                trailer: Trailer::Counts,
                order: SymbolOrder::Ranked,
                root: RootAlgorithm::PackRootV1,
                writes_added_distance: true,
                unchanged_is_header: true,
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
