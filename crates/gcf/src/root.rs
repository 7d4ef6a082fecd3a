//! Roots: the identity of a payload or of a set of rows, computed from its content (ruling G11).

use sha2::{Digest, Sha256};
use wire_core::PackRoot;

/// How a pack root is computed from a payload.
///
/// Two payloads with the same root are equal *for the algorithm*. This is what it includes:
///
/// | | `Identity` | `PackRootV1` |
/// |---|---|---|
/// | order of symbols and edges | no | no |
/// | kinds, scores, provenances, distances | no | yes |
/// | duplicate symbols and edges | no | yes |
/// | statuses of edges | no | no |
/// | tool, budget, tokens, signatures, components | no | no |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RootAlgorithm {
    /// The set of qualified names and the set of edges by name: 64 hexadecimal digits. The default
    /// of the dialects before 3.
    Identity,
    /// `gcf-pack-root-v1` (3.5.3, section 10.2), with every field of every symbol, and edges by
    /// kind and name: `sha256:` and 64 hexadecimal digits. The default of
    /// [`Dialect::V3`](crate::graph::Dialect::V3).
    PackRootV1,
}

const PACK_ROOT_V1_PREFIX: &str = "sha256:";

impl RootAlgorithm {
    /// Every algorithm.
    pub const ALL: &'static [RootAlgorithm] = &[RootAlgorithm::Identity, RootAlgorithm::PackRootV1];

    /// The name that people type: `identity`, `pack-root-v1`.
    pub const fn name(self) -> &'static str {
        match self {
            RootAlgorithm::Identity => "identity",
            RootAlgorithm::PackRootV1 => "pack-root-v1",
        }
    }

    /// The algorithm of this name.
    pub fn from_name(name: &str) -> Option<RootAlgorithm> {
        RootAlgorithm::ALL.iter().copied().find(|algorithm| algorithm.name() == name)
    }

    /// The algorithm whose roots look like this one; `None` for an opaque root, which can't be
    /// checked.
    pub fn of(root: &PackRoot<'_>) -> Option<RootAlgorithm> {
        let (algorithm, digits) = match root.as_str().strip_prefix(PACK_ROOT_V1_PREFIX) {
            Some(digits) => (RootAlgorithm::PackRootV1, digits),
            None => (RootAlgorithm::Identity, root.as_str()),
        };
        let hexadecimal = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (digits.len() == 64 && digits.bytes().all(hexadecimal)).then_some(algorithm)
    }

    /// The root of records in their order: the hash of all of them.
    pub(crate) fn of_records(self, records: &[Vec<u8>]) -> PackRoot<'static> {
        let mut hash = Sha256::new();
        for record in records {
            hash.update(record);
        }
        let mut root = match self {
            RootAlgorithm::Identity => String::new(),
            RootAlgorithm::PackRootV1 => PACK_ROOT_V1_PREFIX.to_owned(),
        };
        for byte in hash.finalize() {
            root.push(char::from(b"0123456789abcdef"[usize::from(byte >> 4)]));
            root.push(char::from(b"0123456789abcdef"[usize::from(byte & 15)]));
        }
        PackRoot::new(root).expect("because hexadecimal digits are a token")
    }
}
