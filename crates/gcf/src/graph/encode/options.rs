//! The options of encoding.

use crate::graph::dialect::Dialect;
use crate::root::RootAlgorithm;

/// Encodes payloads, with options.
///
/// ```
/// use gcf::graph::{Dialect, Encoder};
/// use wire_core::{Payload, Symbol};
///
/// let mut payload = Payload { tool: "t".into(), ..Payload::default() };
/// payload.symbols = vec![Symbol::new("function", "operator new").with_score(0.5)];
/// let encoder = Encoder::new().dialect(Dialect::V1_4);
/// assert_eq!(encoder.to_string(&payload).unwrap_err().code(), "invalid_name");
///
/// let mut out = Vec::new();
/// let report = encoder.replace_white_space(Some('_')).encode(&payload, &mut out)?;
/// assert_eq!(report.names_changed, 1);
/// assert!(out.ends_with(b"@0 fn operator_new 0.50 structural\n"));
/// # Ok::<(), gcf::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Encoder {
    dialect: Dialect,
    /// The character that replaces white space in names.
    pub(in crate::graph) white_space: Option<char>,
    /// `None`: that of the dialect.
    root: Option<RootAlgorithm>,
    /// `true` if deltas have distances in every dialect.
    distances_in_deltas: bool,
    /// `true` if the trailer of a streamed payload names each count.
    pub(in crate::graph) labeled_counts: bool,
}

/// The changes that an encoder made in the payload.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct EncodeReport {
    /// The number of names and values in which white space was replaced.
    pub names_changed: usize,
}

impl Encoder {
    /// An encoder of [`Dialect::V1`] that rejects names with white space.
    pub const fn new() -> Self {
        Encoder {
            dialect: Dialect::V1,
            white_space: None,
            root: None,
            distances_in_deltas: false,
            labeled_counts: false,
        }
    }

    /// Sets the dialect (default [`Dialect::V1`]).
    #[must_use]
    pub const fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = dialect;
        self
    }

    /// Sets the character that replaces each white-space character in a name (default `None`: such
    /// a name is an error).
    ///
    /// Real names do contain spaces (`operator new`, `<impl A for B>::f`), and a symbol line can't
    /// quote them (ruling G5). [`Encoder::encode`] returns the number of names that it changed.
    /// Empty names and control characters remain errors.
    #[must_use]
    pub const fn replace_white_space(mut self, with: Option<char>) -> Self {
        self.white_space = with;
        self
    }

    /// Sets the algorithm of pack roots (default `None`: that of the dialect, which is
    /// [`RootAlgorithm::Identity`] before 3 and [`RootAlgorithm::PackRootV1`] from 3 on).
    #[must_use]
    pub const fn root_algorithm(mut self, algorithm: Option<RootAlgorithm>) -> Self {
        self.root = algorithm;
        self
    }

    /// Sets whether every symbol that a delta adds has its distance (default `false`: as the
    /// dialect does, that is from 3 on; and always with [`RootAlgorithm::PackRootV1`], which
    /// includes distances).
    #[must_use]
    pub const fn distances_in_deltas(mut self, always: bool) -> Self {
        self.distances_in_deltas = always;
        self
    }

    /// Sets whether the trailer of [`Encoder::writer`] names each count, for weaker readers
    /// (specification 3.4, section 8.4.1; default `false`: counts by position). The trailer of 1.4
    /// always has names.
    #[must_use]
    pub const fn labeled_counts(mut self, labeled: bool) -> Self {
        self.labeled_counts = labeled;
        self
    }

    pub(in crate::graph) fn roots(self) -> RootAlgorithm {
        self.root.unwrap_or(self.dialect.rules().root)
    }

    /// Returns `true` if the symbols that a delta adds have their distance.
    pub(in crate::graph) fn writes_distances(self) -> bool {
        self.distances_in_deltas
            || self.dialect.rules().writes_added_distance
            || self.roots() == RootAlgorithm::PackRootV1
    }

    pub(in crate::graph) const fn written_dialect(self) -> Dialect {
        self.dialect
    }
}
